// One world in its worker: the engine's simulation, what happened in its steps, and whether it still holds.

import type { Sim } from "../../pkg/taut_web";
import { message, type Drawing, type MotorState, type Report, type RopeState, type Settings, type SetUp, type Winch } from "../engine";
import type { Failure, Frame, Input, Mesh, Opened, Shape, Watch } from "../messages";
import { Past } from "./past";

/** A failed world goes on to be shown until it is this far gone, as a part of the length or of the energy scale. */
const GONE = 0.6;
const GONE_ENERGY = 20;
/** Steps over which the mean time of a step is taken. */
const RECENT = 40;

const LEDGER = ["work", "damping", "stabiliser", "constraints", "contacts", "broken", "integration", "imbalance"] as const;

/** What a world has become so far, besides what the engine itself knows. */
export interface Told {
  failure: Failure | null;
  /** It cannot or should not go on. */
  frozen: boolean;
  worstGap: number;
  report: Report | null;
  ledger: Record<string, number>;
  /** Where the hand took hold, m. */
  held: [number, number, number] | null;
}

export class World {
  told: Told = { failure: null, frozen: false, worstGap: 0, report: null, ledger: {}, held: null };
  readonly past: Past;
  private stepSeconds = 0;
  private readonly recent: number[] = [];
  private rows: Record<string, number>[] = [];
  private edition = -1;
  private drawing: Drawing | null = null;
  /** The page does not have the drawing yet. */
  private fresh = false;

  constructor(
    readonly sim: Sim,
    public watch: Watch,
  ) {
    this.past = new Past(this);
  }

  get failure(): Failure | null {
    return this.told.failure;
  }

  get frozen(): boolean {
    return this.told.frozen;
  }

  get opened(): Opened {
    return { dt: this.sim.dt, length: this.sim.length, energyScale: this.sim.energyScale, method: this.method };
  }

  get method(): Required<Settings> {
    return JSON.parse(this.sim.method()) as Required<Settings>;
  }

  get setUp(): SetUp | null {
    return JSON.parse(this.sim.setUp()) as SetUp | null;
  }

  steps(count: number, h: number): void {
    for (let k = 0; k < count && !this.frozen; k++) {
      this.step(h);
      this.past.stepped(h, this.stepSeconds);
    }
  }

  configure(settings: Settings): Required<Settings> {
    this.past.log(() => {
      this.sim.configure(JSON.stringify(settings));
      this.told.failure = null;
      this.told.frozen = false;
    });
    return this.method;
  }

  /** Acts; says how many things were cut. */
  input(input: Input): number {
    return this.fits(input) ? this.past.log(() => this.apply(input)) : 0;
  }

  /** Goes back to a step. */
  back(steps: number): void {
    this.past.back(steps, (h) => this.step(h));
    this.rows = [];
  }

  /** Whether the world goes on and has what the input is about: with worlds side by side it is told to all of them. */
  private fits(input: Input): boolean {
    if (this.frozen) return false;
    const drawing = this.look();
    switch (input.kind) {
      case "grab":
        return input.body < drawing.bodies.length;
      case "haul":
        return input.winch < (JSON.parse(this.sim.winches()) as Winch[]).length;
      case "drive":
        return input.motor < (JSON.parse(this.sim.motors()) as MotorState[]).length;
      case "cut":
        return drawing.joints.length === input.of;
      case "cutRope":
        return drawing.ropes.length === input.of;
      default:
        return true;
    }
  }

  private apply(input: Input): number {
    const { sim, told } = this;
    switch (input.kind) {
      case "grab":
        told.held = [...sim.grabLocal(input.body, ...input.at)] as [number, number, number];
        return 0;
      case "drag": {
        const [x, y, z] = told.held ?? [0, 0, 0];
        if (told.held && sim.grabbed().length > 0) sim.drag(x + input.by[0], y + input.by[1], z + input.by[2]);
        return 0;
      }
      case "release":
        told.held = null;
        sim.release();
        return 0;
      case "haul":
        if (input.speed === null) sim.letGo(input.winch);
        else sim.haul(input.winch, input.speed);
        return 0;
      case "drive":
        sim.drive(input.motor, input.value ?? undefined);
        return 0;
      case "gravity":
        sim.setGravity(...input.g);
        return 0;
      case "throw":
        sim.throwBody(input.ball, input.size, input.mass, Float64Array.of(...input.at, ...input.velocity));
        return 0;
      case "cut":
        sim.cut(input.joint);
        return 1;
      case "cutRope":
        sim.cutRope(input.rope, input.at ? Float64Array.from(input.at) : undefined);
        return 1;
      case "knife":
        return sim.knife(Float64Array.from(input.at));
    }
  }

  /** Everything the page shows of this moment; the drawing only when it has changed. */
  frame(): Frame {
    const { sim, watch, told } = this;
    const [oldest = -1, keptBytes = 0] = sim.kept();
    const rows = this.rows;
    this.rows = [];
    const shape = this.shape();
    const drawing = this.drawing;
    const rope = watch.rope !== null && watch.rope < (drawing?.ropes.length ?? 0) ? watch.rope : null;
    return {
      steps: sim.steps,
      time: sim.time,
      shape,
      poses: sim.poses(),
      rods: sim.rods(),
      ropes: sim.ropes(),
      sheaves: sim.sheaves(),
      softs: sim.softs(),
      asleep: sim.asleep(),
      joints: sim.joints(),
      contacts: watch.contacts ? sim.contacts() : new Float64Array(),
      damping: watch.damping ? sim.damping() : new Float64Array(),
      stress: watch.stress ? sim.stress() : new Float32Array(),
      centre: sim.centre(),
      grabbed: sim.grabbed(),
      winches: JSON.parse(sim.winches()) as Winch[],
      motors: JSON.parse(sim.motors()) as MotorState[],
      gravity: [...sim.gravity()] as [number, number, number],
      surfaces: sim.surfaces,
      motion: watch.body !== null && watch.body < (drawing?.bodies.length ?? 0) ? sim.bodyMotion(watch.body) : null,
      rope: rope === null ? null : this.rope(rope),
      report: told.report,
      setUp: this.setUp,
      failure: told.failure,
      frozen: told.frozen,
      worstGap: told.worstGap,
      stepSeconds: this.stepSeconds,
      meanStep: this.meanStep,
      recorded: sim.recorded,
      oldest: oldest < 0 ? null : oldest,
      keptBytes,
      rows,
    };
  }

  rope(k: number): RopeState {
    return JSON.parse(this.sim.rope(k)) as RopeState;
  }

  /** Median time of so many steps of the engine alone, s. */
  bare(count: number, h: number): number {
    const times: number[] = [];
    for (let k = 0; k < count; k++) {
      const start = performance.now();
      this.sim.step(h);
      times.push((performance.now() - start) / 1000);
    }
    return times.sort((a, b) => a - b)[Math.floor(count / 2)] ?? NaN;
  }

  private step(h: number): void {
    const { sim } = this;
    const start = performance.now();
    try {
      if (this.watch.stages) sim.profiledStep(h);
      else sim.step(h);
    } catch (thrown) {
      if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
      this.told.failure ??= { time: sim.time, why: message(thrown) };
      this.told.frozen = true;
      return;
    }
    this.stepSeconds = (performance.now() - start) / 1000;
    if (this.recent.push(this.stepSeconds) > RECENT) this.recent.shift();
    const report = JSON.parse(sim.report()) as Report;
    this.judge(report);
    this.rows.push(this.row(report));
  }

  /** Takes in how the engine judged the step: by the rule of `taut run`, which is written there. */
  private judge(report: Report): void {
    const { told } = this;
    told.report = report;
    for (const name of LEDGER) told.ledger[name] = (told.ledger[name] ?? 0) + report.ledger[name];
    told.worstGap = Math.max(told.worstGap, report.maxGap);
    if (report.fault !== null) told.failure ??= { time: report.time, why: report.fault };
    if ((report.rise ?? Infinity) >= GONE_ENERGY || (report.opening ?? Infinity) >= GONE) told.frozen = true;
  }

  /** Mean time of the last steps, s, without the slowest fifth: the browser's clock is coarse, and it does other things too. */
  private get meanStep(): number {
    const sorted = [...this.recent].sort((a, b) => a - b);
    const kept = sorted.slice(0, Math.max(1, Math.ceil(0.8 * sorted.length)));
    return kept.reduce((sum, s) => sum + s, 0) / Math.max(1, kept.length);
  }

  private row(report: Report): Record<string, number> {
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
    for (const name of LEDGER) row[`ledger_${name}`] = this.told.ledger[name] ?? 0;
    if (this.watch.stages) {
      for (const [stage, seconds] of JSON.parse(this.sim.stages()) as [string, number][]) row[`stage_${stage}`] = seconds * 1e6;
    }
    this.watched(row);
    return row;
  }

  /** Numbers of what is selected. */
  private watched(row: Record<string, number>): void {
    const { watch, sim, drawing } = this;
    if (!drawing) return;
    if (watch.joint !== null && watch.joint < drawing.joints.length) {
      const [x = NaN, y = NaN, z = NaN] = sim.joints().subarray(8 * watch.joint + 3);
      row["joint_force"] = Math.hypot(x, y, z);
    }
    if (watch.body !== null && watch.body < drawing.bodies.length) row["body_speed"] = sim.bodyMotion(watch.body)[0] ?? NaN;
    if (watch.rope !== null && watch.rope < drawing.ropes.length) {
      const rope = this.rope(watch.rope);
      rope.tensions.forEach((tension, k) => (row[`rope_span${k}`] = tension));
      row["rope_slack"] = rope.slack;
      row["rope_paid_out"] = rope.paidOut;
    }
  }

  /** What there is to draw, as it is now. */
  private look(): Drawing {
    const { sim } = this;
    if (this.drawing && this.edition === sim.edition) return this.drawing;
    this.edition = sim.edition;
    this.fresh = true;
    return (this.drawing = JSON.parse(sim.drawing()) as Drawing);
  }

  /** The same with its meshes, when the page does not have it yet. */
  private shape(): Shape | null {
    const { sim } = this;
    const drawing = this.look();
    if (!this.fresh) return null;
    this.fresh = false;
    const meshes: Mesh[] = [];
    for (let k = 0; k < drawing.meshes; k++) {
      meshes.push({ positions: sim.meshPositions(k), normals: sim.meshNormals(k), indices: sim.meshIndices(k) });
    }
    return { drawing, meshes };
  }
}
