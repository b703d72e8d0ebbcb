// One world as the page shows it: the frames that its worker sent, and where the picture stands between two of them.

import type { Drawing, Settings } from "./engine";
import { History } from "./history";
import type { Frame, Mesh, Opened } from "./messages";
import { Ended, type Remote } from "./remote";

/** A list of numbers before and after. */
type Pair<T> = readonly [T, T];

export class Run {
  readonly history = new History();
  drawing: Drawing;
  meshes: Mesh[];
  method: Required<Settings>;
  /** The newest frame that has come. */
  latest: Frame;
  /** Where the picture stands between the two frames that are shown, 0 to 1. */
  blend = 1;
  /** What the next frames bring is shown when its time has come. */
  private readonly queue: Frame[] = [];
  private broken = false;
  private before: Frame;
  private now: Frame;

  constructor(
    readonly remote: Remote,
    /** What was asked for, and may have been changed since. */
    public settings: Settings,
    readonly opened: Opened,
    first: Frame,
  ) {
    if (!first.shape) throw new Error("the first frame of a world has nothing to draw");
    this.drawing = first.shape.drawing;
    this.meshes = first.shape.meshes;
    this.method = opened.method;
    this.latest = this.before = this.now = first;
    remote.see = (frame) => this.receive(frame);
  }

  get length(): number {
    return this.opened.length;
  }

  get energyScale(): number {
    return this.opened.energyScale;
  }

  /** The frame that is shown: numbers are those of its step. */
  get frame(): Frame {
    return this.now;
  }

  get report(): Frame["report"] {
    return this.now.report;
  }

  get failure(): Frame["failure"] {
    return this.now.failure;
  }

  /** It takes no more steps. */
  get frozen(): boolean {
    return this.broken || this.latest.frozen;
  }

  get gap(): number {
    return this.report?.maxGap ?? 0;
  }

  get poses(): Pair<Float32Array> {
    return this.pair((frame) => frame.poses);
  }

  get rods(): Pair<Float64Array> {
    return this.pair((frame) => frame.rods);
  }

  get ropes(): Pair<Float64Array> {
    return this.pair((frame) => frame.ropes);
  }

  get sheaves(): Pair<Float64Array> {
    return this.pair((frame) => frame.sheaves);
  }

  get softs(): Pair<Float32Array> {
    return this.pair((frame) => frame.softs);
  }

  get winches(): Frame["winches"] {
    return this.latest.winches;
  }

  /** Takes so many steps; what breaks the engine itself freezes the world. */
  async step(count: number, h: number): Promise<void> {
    try {
      await this.remote.call("step", { count, h });
    } catch (thrown) {
      this.broken = true;
      if (!(thrown instanceof Ended)) throw thrown;
    }
  }

  /** Goes back to a step, and forgets what came after it. */
  async back(steps: number): Promise<void> {
    await this.remote.call("back", { steps });
    this.history.cut(this.latest.time);
  }

  get motors(): Frame["motors"] {
    return this.latest.motors;
  }

  async configure(settings: Settings): Promise<void> {
    this.method = await this.remote.call("configure", { settings });
    this.settings = settings;
  }

  /** Shows the moment after so many steps, or the nearest one that has come. */
  show(steps: number): void {
    for (let next = this.queue[0]; next && (this.now.steps < steps || next.steps <= this.now.steps); next = this.queue[0]) this.take();
    const [from, to] = [this.before.steps, this.now.steps];
    this.blend = to > from ? Math.min(1, Math.max(0, (steps - from) / (to - from))) : 1;
  }

  /** Shows the newest moment, without looking back; says whether that is another one. */
  settle(): boolean {
    const moved = this.queue.length > 0 || this.before !== this.now;
    while (this.queue.length > 0) this.take();
    this.before = this.now;
    this.blend = 1;
    return moved;
  }

  private receive(frame: Frame): void {
    this.queue.push(frame);
    this.latest = frame;
    for (const row of frame.rows) this.history.push(row);
  }

  private take(): void {
    const next = this.queue.shift();
    if (!next) return;
    // Another frame of the same step tells what was done to it.
    if (next.steps !== this.now.steps) this.before = this.now;
    this.now = next;
    if (!next.shape) return;
    this.drawing = next.shape.drawing;
    this.meshes = next.shape.meshes;
  }

  private pair<T extends { length: number }>(of: (frame: Frame) => T): Pair<T> {
    const [a, b] = [of(this.before), of(this.now)];
    return [a.length === b.length ? a : b, b];
  }
}
