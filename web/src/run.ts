// One world: the engine's simulation with its settings, what it did so far, and whether it still holds.

import { message, type Drawing, type Report, type RopeState, type Settings, type SetUp, type Sim, type Winch } from "./engine";
import { History } from "./history";

/** A failed world goes on to be shown until it is this far gone, as a part of the length or of the energy scale. */
const GONE = 0.6;
const GONE_ENERGY = 20;

const LEDGER = ["work", "damping", "stabiliser", "constraints", "contacts", "broken", "integration", "imbalance"] as const;

export interface Failure {
  time: number;
  why: string;
}

export interface Watched {
  body: number | null;
  joint: number | null;
  rope: number | null;
}

export class Run {
  readonly history = new History();
  drawing!: Drawing;
  report: Report | null = null;
  failure: Failure | null = null;
  /** It cannot or should not go on. */
  frozen = false;
  /** Somebody pulled, cut or changed the method: no command line repeats it. */
  touched = false;
  worstGap = 0;
  /** Seconds of computing that the last step took. */
  stepSeconds = 0;
  /** Poses and rods before and after the last step, to draw between them. */
  poses: [Float32Array, Float32Array];
  rods: [Float64Array, Float64Array];
  /** Pieces of ropes over guides, and how far their sheaves have turned, the same. */
  ropes: [Float64Array, Float64Array];
  sheaves: [Float64Array, Float64Array];
  /** Nodes of deformables, the same. */
  softs: [Float32Array, Float32Array];
  private readonly recent: number[] = [];
  private edition = -1;
  private ledger: Record<string, number> = {};

  constructor(
    readonly sim: Sim,
    public settings: Settings,
  ) {
    this.readDrawing();
    const poses = sim.poses();
    const rods = sim.rods();
    this.poses = [poses, poses];
    this.rods = [rods, rods];
    const ropes = sim.ropes();
    this.ropes = [ropes, ropes];
    const sheaves = sim.sheaves();
    this.sheaves = [sheaves, sheaves];
    const softs = sim.softs();
    this.softs = [softs, softs];
  }

  get method(): Required<Settings> {
    return JSON.parse(this.sim.method()) as Required<Settings>;
  }

  /** What the start set up that could not stand; null when it could. */
  get setUp(): SetUp | null {
    return JSON.parse(this.sim.setUp()) as SetUp | null;
  }

  get gap(): number {
    return this.report?.maxGap ?? 0;
  }

  /** Mean time of the last steps, s, without the slowest fifth: the browser's clock is coarse, and it does other things too. */
  get meanStep(): number {
    const sorted = [...this.recent].sort((a, b) => a - b);
    const kept = sorted.slice(0, Math.max(1, Math.ceil(0.8 * sorted.length)));
    return kept.reduce((sum, s) => sum + s, 0) / kept.length;
  }

  /** Reads the drawing again when bodies or joints came or went. */
  private readDrawing(): void {
    if (this.edition === this.sim.edition) return;
    this.edition = this.sim.edition;
    this.drawing = JSON.parse(this.sim.drawing()) as Drawing;
  }

  /** What a rope over guides is like now. */
  rope(k: number): RopeState {
    return JSON.parse(this.sim.rope(k)) as RopeState;
  }

  get winches(): Winch[] {
    return this.drawing.ropes.length > 0 ? (JSON.parse(this.sim.winches()) as Winch[]) : [];
  }

  /** Hauls in by a winch, m/s; null lets it go. */
  haul(winch: number, speed: number | null): void {
    if (speed === null) this.sim.letGo(winch);
    else this.sim.haul(winch, speed);
    this.touched = true;
  }

  /** Cuts a rope at a point, or in its middle. */
  cutRope(rope: number, at: Float64Array | null): void {
    this.sim.cutRope(rope, at ?? undefined);
    this.touched = true;
    this.look();
    this.settle();
  }

  /** Cuts a joint. */
  cut(joint: number): void {
    this.sim.cut(joint);
    this.touched = true;
    this.look();
    this.settle();
  }

  /** Cuts what lies between two rays from the eye, m; says how many seams, ropes and rods that were. */
  knife(at: Float64Array): number {
    const count = this.sim.knife(at);
    if (count === 0) return 0;
    this.touched = true;
    this.look();
    this.settle();
    return count;
  }

  step(h: number, profiled: boolean, watched: Watched): void {
    if (this.frozen) return;
    const start = performance.now();
    try {
      if (profiled) this.sim.profiledStep(h);
      else this.sim.step(h);
    } catch (thrown) {
      this.fail(this.sim.time, message(thrown));
      this.frozen = true;
      return;
    }
    this.stepSeconds = (performance.now() - start) / 1000;
    if (this.recent.push(this.stepSeconds) > 40) this.recent.shift();
    this.report = JSON.parse(this.sim.report()) as Report;
    this.judge(this.report);
    this.book(this.report, profiled, watched);
    this.look();
  }

  /** Takes in where everything is now. */
  private look(): void {
    this.readDrawing();
    const poses = this.sim.poses();
    const rods = this.sim.rods();
    this.poses = [this.poses[1].length === poses.length ? this.poses[1] : poses, poses];
    this.rods = [this.rods[1].length === rods.length ? this.rods[1] : rods, rods];
    const ropes = this.sim.ropes();
    this.ropes = [this.ropes[1].length === ropes.length ? this.ropes[1] : ropes, ropes];
    const sheaves = this.sim.sheaves();
    this.sheaves = [this.sheaves[1].length === sheaves.length ? this.sheaves[1] : sheaves, sheaves];
    const softs = this.sim.softs();
    this.softs = [this.softs[1].length === softs.length ? this.softs[1] : softs, softs];
  }

  /** What is drawn stands at the last step, without looking back. */
  settle(): void {
    this.poses = [this.poses[1], this.poses[1]];
    this.rods = [this.rods[1], this.rods[1]];
    this.ropes = [this.ropes[1], this.ropes[1]];
    this.sheaves = [this.sheaves[1], this.sheaves[1]];
    this.softs = [this.softs[1], this.softs[1]];
  }

  configure(settings: Settings): void {
    this.sim.configure(JSON.stringify(settings));
    this.settings = settings;
    if (this.sim.steps > 0) this.touched = true;
    if (this.failure) {
      this.failure = null;
      this.frozen = false;
    }
  }

  /** Takes in how the engine judged the step: by the rule of `taut run`, which is written there. */
  private judge(report: Report): void {
    for (const name of LEDGER) this.ledger[name] = (this.ledger[name] ?? 0) + report.ledger[name];
    this.worstGap = Math.max(this.worstGap, report.maxGap);
    if (report.fault !== null) this.fail(report.time, report.fault);
    if ((report.rise ?? Infinity) >= GONE_ENERGY || (report.opening ?? Infinity) >= GONE) this.frozen = true;
  }

  private fail(time: number, why: string): void {
    this.failure ??= { time, why };
  }

  private book(report: Report, profiled: boolean, watched: Watched): void {
    const row: Record<string, number> = {
      time: report.time,
      kinetic: report.kinetic,
      gravity: report.gravity,
      elastic: report.elastic,
      total: report.total,
      gap: report.maxGap,
      gap_sum: report.sumGap,
      solves: report.solves,
      right_hand_sides: report.rightHandSides,
      iterations: report.iterations,
      contacts: report.contacts,
      step_us: this.stepSeconds * 1e6,
      step_mean_us: this.meanStep * 1e6,
    };
    for (const name of LEDGER) row[`ledger_${name}`] = this.ledger[name] ?? 0;
    if (profiled) {
      for (const [stage, seconds] of JSON.parse(this.sim.stages()) as [string, number][]) row[`stage_${stage}`] = seconds * 1e6;
    }
    if (watched.joint !== null && watched.joint < this.drawing.joints.length) {
      const values = this.sim.joints();
      const at = 8 * watched.joint;
      row["joint_force"] = Math.hypot(values[at + 3] ?? NaN, values[at + 4] ?? NaN, values[at + 5] ?? NaN);
    }
    if (watched.body !== null && watched.body < this.drawing.bodies.length) {
      row["body_speed"] = this.sim.bodyMotion(watched.body)[0] ?? NaN;
    }
    if (watched.rope !== null && watched.rope < this.drawing.ropes.length) {
      const rope = this.rope(watched.rope);
      rope.tensions.forEach((tension, k) => (row[`rope_span${k}`] = tension));
      row["rope_slack"] = rope.slack;
      row["rope_paid_out"] = rope.paidOut;
    }
    this.history.push(row);
  }
}
