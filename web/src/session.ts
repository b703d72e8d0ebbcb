// What the page shows: the scene with its parameters, one to three worlds of it, and who is told when that changes.

import { Clock } from "./clock";
import { message, type Engine, type SceneInfo, type Settings } from "./engine";
import { exact, parseStep, plain, stepText } from "./format";
import { Run } from "./run";

export const MOST_WORLDS = 3;
/** Methods that are put side by side unless others are asked for: nothing, the damping of Andrews 2017, the default. */
export const COMPARED: Settings[] = [{ stabiliser: "none" }, { stabiliser: "inertial:all" }, { stabiliser: "aligned" }];

export interface SceneFile {
  name: string;
  text: string;
}

/** "scene": other scene or parameters; "worlds": worlds came, went or changed their method; "frame": steps were taken;
 *  "select", "play", "active", "show", "winch" as they say. */
export type Topic = "scene" | "worlds" | "frame" | "select" | "play" | "active" | "show" | "winch";

export class Session {
  scene: SceneInfo | null = null;
  file: SceneFile | null = null;
  params: Record<string, string> = {};
  h = 1 / 60;
  runs: Run[] = [];
  active = 0;
  body: number | null = null;
  joint: number | null = null;
  rope: number | null = null;
  /** Where the selected rope was hit, m. */
  private hit: Float64Array | null = null;
  /** The winch that was driven last. */
  winch = 0;
  playing = false;
  profiled = false;
  /** Where the picture stands between the last two steps. */
  blend = 1;
  readonly clock = new Clock();
  /** Shows a problem to the user; nothing to clear it. */
  complain: (text: string) => void = () => {};
  private readonly listeners = new Map<Topic, (() => void)[]>();

  constructor(readonly engine: Engine) {}

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  get run(): Run {
    return this.runs[this.active] ?? this.runs[0]!;
  }

  get title(): string {
    return this.file ? this.file.name : (this.scene?.name ?? "");
  }

  /** Opens a scene of the library; on a bad value the old scene stays and the reason is shown. */
  open(name: string, params: Record<string, string> = {}, worlds: Settings[] = [{}], h?: number): boolean {
    const scene = this.engine.scenes.find((s) => s.name === name);
    if (!scene) return this.refuse(`There is no scene ${name}.`);
    return this.build(worlds, (settings) => this.engine.scene(name, params, settings), () => {
      this.scene = scene;
      this.file = null;
      this.params = params;
      this.h = h ?? scene.dt;
    });
  }

  openFile(file: SceneFile, worlds: Settings[] = [{}], h?: number): boolean {
    return this.build(worlds, (settings) => this.engine.file(file.text, settings), (runs) => {
      this.scene = null;
      this.file = file;
      this.params = {};
      this.h = h ?? runs[0]!.sim.dt;
    });
  }

  /** The same scene from its start, with these parameters and worlds. */
  again(params = this.params, worlds = this.runs.map((run) => run.settings)): boolean {
    return this.file ? this.openFile(this.file, worlds, this.h) : this.open(this.scene!.name, params, worlds, this.h);
  }

  setStep(text: string): boolean {
    const h = parseStep(text);
    if (Number.isNaN(h)) return this.refuse(`Time step: ${text} is not a number of seconds from 0 to 1, such as 0.01 or 1/60.`);
    if (h !== this.h && this.run.sim.steps > 0) for (const run of this.runs) run.touched = true;
    this.h = h;
    this.complain("");
    this.tell("worlds");
    return true;
  }

  /** Changes the method of a world in mid-run. */
  configure(k: number, settings: Settings): boolean {
    try {
      this.runs[k]!.configure(settings);
      this.complain("");
      return true;
    } catch (thrown) {
      return this.refuse(message(thrown));
    } finally {
      this.tell("worlds");
    }
  }

  play(on: boolean): void {
    this.playing = on;
    this.clock.reset();
    this.tell("play");
  }

  /** One step of every world. */
  step(): boolean {
    for (const run of this.runs) run.step(this.h, this.profiled, { body: this.body, joint: this.joint, rope: this.rope });
    return this.runs.some((run) => !run.frozen);
  }

  /** Steps by hand, without looking at the clock. */
  stepBy(n: number): void {
    for (let k = 0; k < n; k++) this.step();
    for (const run of this.runs) run.settle();
    this.tell("frame");
  }

  /** One frame of the page. */
  frame(now: number): void {
    if (!this.playing) {
      this.blend = 1;
      return;
    }
    this.blend = this.clock.advance(now, this.h, () => this.step());
    if (this.runs.every((run) => run.frozen)) this.play(false);
    this.tell("frame");
  }

  /** Selects a body, a joint or a rope, with the point where it was hit, m. */
  select(body: number | null, joint: number | null, rope: number | null = null, at: Float64Array | null = null): void {
    for (const run of this.runs) {
      if (body !== this.body) run.history.drop("body_speed");
      if (joint !== this.joint) run.history.drop("joint_force");
      if (rope !== this.rope) run.history.dropAll("rope_");
    }
    this.body = body;
    this.joint = joint;
    this.rope = rope;
    this.hit = at;
    this.tell("select");
  }

  activate(k: number): void {
    if (k === this.active || k >= this.runs.length) return;
    this.active = k;
    this.tell("active");
  }

  /** Hauls in by a winch in every world that has it, m/s; negative pays out, null lets it go. */
  haul(winch: number, speed: number | null): void {
    for (const run of this.runs) {
      if (run.frozen || winch >= run.winches.length) continue;
      try {
        run.haul(winch, speed);
      } catch (thrown) {
        this.refuse(message(thrown));
      }
    }
    this.tell("winch");
  }

  /** Cuts the selected rope where it was hit, in every world that has the same ropes. */
  private cutRope(rope: number): void {
    const ropes = this.run.drawing.ropes.length;
    for (const run of this.runs) {
      if (run.frozen || run.drawing.ropes.length !== ropes) continue;
      try {
        run.cutRope(rope, this.hit);
      } catch (thrown) {
        this.refuse(message(thrown));
      }
    }
    this.select(this.body, null);
    this.tell("frame");
  }

  /** Cuts the selected joint or rope, in every world that has the same ones. */
  cut(): void {
    if (this.rope !== null) return this.cutRope(this.rope);
    const joint = this.joint;
    if (joint === null) return;
    const joints = this.run.drawing.joints.length;
    for (const run of this.runs) {
      if (run.frozen || run.drawing.joints.length !== joints) continue;
      try {
        run.cut(joint);
      } catch (thrown) {
        this.refuse(message(thrown));
      }
    }
    this.select(this.body, null);
    this.tell("frame");
  }

  /** Cuts what lies between two rays from the eye, in every world; says how many seams, ropes and rods that were in the active one. */
  slice(at: Float64Array): number {
    let count = 0;
    for (const run of this.runs) {
      if (run.frozen) continue;
      try {
        const here = run.knife(at);
        if (run === this.run) count = here;
      } catch (thrown) {
        this.refuse(message(thrown));
      }
    }
    this.select(this.body, null);
    this.tell("frame");
    return count;
  }

  /** The command that repeats the run of the active world natively; null when it was changed by hand. */
  command(): string | null {
    const run = this.run;
    if (run.touched) return null;
    const words = ["taut run", this.file ? quote(this.file.name) : this.title];
    for (const [name, value] of Object.entries(this.params)) words.push(`--set ${name}=${value}`);
    for (const name of ["stabiliser", "solver", "coordinates"] as const) {
      const value = run.settings[name];
      if (value) words.push(`--${name} ${value}`);
    }
    words.push(`--dt ${stepText(this.h)}`, `--time ${plain(Math.max(1, run.sim.steps) * this.h, 8)}`);
    return words.join(" ");
  }

  /** Those parameters that differ from the scene's own, as exact text. */
  changed(name: string, value: string): Record<string, string> {
    const parameter = this.scene?.parameters.find((p) => p.name === name);
    const params = { ...this.params, [name]: value };
    const own = typeof parameter?.default === "number" ? exact(parameter.default) : parameter?.default;
    if (value === own) delete params[name];
    return params;
  }

  private build(worlds: Settings[], make: (settings: Settings) => Run["sim"], accept: (runs: Run[]) => void): boolean {
    const runs: Run[] = [];
    try {
      for (const settings of worlds.slice(0, MOST_WORLDS)) runs.push(new Run(make(settings), settings));
    } catch (thrown) {
      for (const run of runs) run.sim.free();
      return this.refuse(message(thrown));
    }
    const old = this.runs;
    const before = this.title;
    accept(runs);
    this.runs = runs;
    for (const run of old) run.sim.free();
    this.active = Math.min(before === this.title && old.length === runs.length ? this.active : runs.length - 1, runs.length - 1);
    const drawing = this.run.drawing;
    const listed = (k: number | null, list: unknown[]) => k === null || k < list.length;
    const keep = before === this.title && listed(this.body, drawing.bodies) && listed(this.joint, drawing.joints) && listed(this.rope, drawing.ropes);
    if (!keep) this.body = this.joint = this.rope = null;
    this.blend = 1;
    this.clock.reset();
    this.complain("");
    this.tell("scene");
    return true;
  }

  private refuse(why: string): false {
    this.complain(why);
    return false;
  }
}

function quote(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replace(/'/g, "'\\''")}'`;
}
