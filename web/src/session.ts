// What the page shows: the scene with its parameters, one to three worlds of it, and who is told when that changes.

import { Build, type Plan } from "./build";
import { message, type SceneInfo, type Settings } from "./engine";
import { exact, parseStep } from "./format";
import type { Input, Setting, Source, Watch } from "./messages";
import { Pace } from "./pace";
import { Ended, type Engine } from "./remote";
import type { Run } from "./run";
import { Tape, type Entry } from "./tape";

export const MOST_WORLDS = 3;
/** Methods that are put side by side unless others are asked for: nothing, the damping of Andrews 2017, the default. */
export const COMPARED: Settings[] = [{ stabiliser: "none" }, { stabiliser: "inertial:all" }, { stabiliser: "aligned" }];

/** Requests that a worker may have before it: one to be at, one to go on with. */
const MOST_PENDING = 2;
/** Steps by hand are asked for in pieces of so much computing, s, so that there is something to see and to stop. */
const PIECE = 0.1;
const MOST_IN_PIECE = 250;

export interface SceneFile {
  name: string;
  text: string;
}

/** What the page shows besides what is selected. */
export type Shown = Pick<Watch, "contacts" | "damping" | "stress" | "stages">;

/** "scene": other scene or parameters; "worlds": worlds came, went or changed their method; "frame": steps were taken;
 *  "select", "play", "active", "show" as they say; "drive": motors, winches or gravity were told something. */
export type Topic = "scene" | "worlds" | "frame" | "select" | "play" | "active" | "show" | "drive";

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
  private hit: [number, number, number] | null = null;
  /** The winch that was driven last. */
  winch = 0;
  playing = false;
  readonly pace = new Pace();
  /** Everything that somebody did since the start: no command line repeats it, a link does. */
  tape = new Tape();
  /** Step and methods at the start, which the tape goes with. */
  start: { h: number; worlds: Settings[] } = { h: 1 / 60, worlds: [] };
  /** Shows a problem to the user; nothing to clear it. */
  complain: (text: string) => void = () => {};
  private shown: Shown = { contacts: false, damping: false, stress: true, stages: false };
  private watched = "";
  private building: Build | null = null;
  private readonly listeners = new Map<Topic, (() => void)[]>();

  constructor(readonly engine: Engine) {}

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  get run(): Run {
    const run = this.runs[this.active] ?? this.runs[0];
    if (!run) throw new Error("no scene is open");
    return run;
  }

  get title(): string {
    return this.file ? this.file.name : (this.scene?.name ?? "");
  }

  /** Steps that every world was asked to take. */
  get steps(): number {
    return this.pace.asked;
  }

  /** Opens a scene of the library; on a bad value the old scene stays and the reason is shown. */
  async open(name: string, params: Record<string, string> = {}, worlds: Settings[] = [{}], h?: number): Promise<boolean> {
    const scene = this.engine.scenes.find((s) => s.name === name);
    if (!scene) return this.refuse(`There is no scene ${name}.`);
    return this.build({ scene: name, params }, worlds, () => {
      this.scene = scene;
      this.file = null;
      this.params = params;
      this.h = h ?? scene.dt;
    });
  }

  async openFile(file: SceneFile, worlds: Settings[] = [{}], h?: number): Promise<boolean> {
    return this.build({ file: file.text }, worlds, (runs) => {
      this.scene = null;
      this.file = file;
      this.params = {};
      this.h = h ?? runs[0]?.opened.dt ?? this.h;
    });
  }

  /** The same scene from its start, with these parameters and worlds. */
  async again(params = this.params, worlds = this.runs.map((run) => run.settings)): Promise<boolean> {
    if (this.file) return this.openFile(this.file, worlds, this.h);
    return this.scene !== null && this.open(this.scene.name, params, worlds, this.h);
  }

  setStep(text: string): boolean {
    const h = parseStep(text);
    if (Number.isNaN(h)) return this.refuse(`Time step: ${text} is not a number of seconds from 0 to 1, such as 0.01 or 1/60.`);
    if (h !== this.h && this.steps > 0) this.record({ kind: "pace", h });
    else this.start.h = h;
    this.h = h;
    this.complain("");
    this.tell("worlds");
    return true;
  }

  /** Changes the method of a world in mid-run. */
  async configure(k: number, settings: Settings): Promise<boolean> {
    try {
      await this.runs[k]?.configure(settings);
      if (this.steps > 0) this.record({ kind: "configure", world: k, settings });
      else this.start.worlds = this.runs.map((run) => run.settings);
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
    this.pace.pause();
    this.tell("play");
  }

  /** Steps by hand, without looking at the clock. */
  async stepBy(n: number): Promise<void> {
    const { runs } = this;
    for (let left = n; left > 0 && runs === this.runs && runs.some((run) => !run.frozen);) {
      const slowest = Math.max(...runs.map((run) => run.latest.meanStep), 1e-4);
      const count = Math.min(left, Math.max(1, Math.min(MOST_IN_PIECE, Math.floor(PIECE / slowest))));
      left -= await this.ask(count);
      this.settle();
    }
  }

  /** One frame of the page. */
  frame(now: number): void {
    if (!this.playing) return this.settle();
    const live = this.runs.filter((run) => !run.frozen);
    if (live.length === 0) {
      this.settle();
      return this.play(false);
    }
    const come = Math.min(...live.map((run) => run.latest.steps));
    const due = this.pace.advance(now, this.h, come, Math.max(...live.map((run) => run.latest.meanStep)));
    if (due > 0 && live.every((run) => run.remote.pending < MOST_PENDING)) void this.ask(due);
    for (const run of this.runs) run.show(this.pace.shown);
    this.tell("frame");
  }

  /** Selects a body, a joint or a rope, with the point where it was hit, m. */
  select(body: number | null, joint: number | null, rope: number | null = null, at: [number, number, number] | null = null): void {
    for (const run of this.runs) {
      if (body !== this.body) run.history.drop("body_speed");
      if (joint !== this.joint) run.history.drop("joint_force");
      if (rope !== this.rope) run.history.dropAll("rope_");
    }
    this.body = body;
    this.joint = joint;
    this.rope = rope;
    this.hit = at;
    this.watch();
    this.tell("select");
  }

  activate(k: number): void {
    if (k === this.active || k >= this.runs.length) return;
    this.active = k;
    this.tell("active");
  }

  /** What frames must carry for what is shown. */
  show(shown: Shown): void {
    this.shown = shown;
    this.watch();
  }

  /** Somebody does something to every world; one that it does not fit, or that has ended, is left alone. Says what each of them answered. */
  async act(input: Input): Promise<Map<Run, number>> {
    this.record(input);
    return this.perform(input);
  }

  private async perform(input: Input): Promise<Map<Run, number>> {
    const answers = new Map<Run, number>();
    const send = async (run: Run) => {
      try {
        answers.set(run, await run.remote.call("input", { input }));
      } catch (thrown) {
        if (!(thrown instanceof Ended)) this.refuse(message(thrown));
      }
    };
    await Promise.all(this.runs.map(send));
    if (!this.playing) this.settle();
    return answers;
  }

  /** Cuts the selected joint or rope, in every world that has the same ones. */
  async cut(): Promise<void> {
    const { joint, rope, hit } = this;
    const { joints, ropes } = this.run.drawing;
    if (rope !== null) await this.act({ kind: "cutRope", rope, of: ropes.length, at: hit });
    else if (joint !== null) await this.act({ kind: "cut", joint, of: joints.length });
    else return;
    this.select(this.body, null);
    this.tell("frame");
  }

  /** Cuts what lies between two rays from the eye, in every world; says how many seams, ropes and rods that were in the active one. */
  async slice(at: number[]): Promise<number> {
    const { run } = this;
    const counts = await this.act({ kind: "knife", at });
    this.select(this.body, null);
    this.tell("frame");
    return counts.get(run) ?? 0;
  }

  /** The oldest step that all worlds can go back to; the present one when there is none. */
  get oldest(): number {
    const kept = this.runs.map((run) => run.latest.oldest ?? Infinity);
    return Math.min(this.steps, Math.max(...kept));
  }

  /** Goes to a step: back to one that is kept, or on to one that was there before, with all that was done until then. */
  async goTo(steps: number): Promise<void> {
    const to = Math.max(this.oldest, Math.min(steps, this.tape.end));
    this.play(false);
    if (to < this.steps) await this.back(to);
    else await this.stepBy(to - this.steps);
  }

  private async back(steps: number): Promise<void> {
    this.pace.restart(steps);
    this.tape.seek(steps);
    this.h = this.tape.entries.reduce((h, { step, what }) => (step < steps && what.kind === "pace" ? what.h : h), this.start.h);
    try {
      await Promise.all(this.runs.map((run) => run.back(steps)));
    } catch (thrown) {
      this.refuse(message(thrown));
    }
    this.settle();
    this.tell("frame");
  }

  /** What takes long, for how long it has, s; null when nothing does. */
  get busy(): { what: "build" | "step"; seconds: number } | null {
    if (this.building) return { what: "build", seconds: this.building.seconds };
    const seconds = Math.max(0, ...this.runs.map((run) => run.remote.busy));
    return seconds > 0 ? { what: "step", seconds } : null;
  }

  /** Stops what takes long: a build is given up, and a scene that takes too long stands at its start again. */
  async stop(): Promise<void> {
    if (this.building) return this.building.end();
    this.play(false);
    for (const run of this.runs) run.remote.end();
    await this.again();
  }

  /** Those parameters that differ from the scene's own, as exact text. */
  changed(name: string, value: string): Record<string, string> {
    const parameter = this.scene?.parameters.find((p) => p.name === name);
    const params = { ...this.params, [name]: value };
    const own = typeof parameter?.default === "number" ? exact(parameter.default) : parameter?.default;
    if (value === own) delete params[name];
    return params;
  }

  /** At most so many steps of every world, and no more than to the next thing on the tape; says how many when all have taken them. */
  private async ask(most: number): Promise<number> {
    const { tape, pace } = this;
    for (const what of tape.due(pace.asked)) this.redo(what);
    const count = Math.min(most, tape.room(pace.asked));
    pace.asked += count;
    tape.end = Math.max(tape.end, pace.asked);
    const live = this.runs.filter((run) => !run.frozen);
    await Promise.all(live.map((run) => run.step(count, this.h).catch((thrown: unknown) => void this.refuse(message(thrown)))));
    return count;
  }

  /** Does what is on the tape. */
  private redo(what: Entry["what"]): void {
    if (what.kind === "pace") this.h = what.h;
    else if (what.kind === "configure") this.runs[what.world]?.configure(what.settings).catch(() => {});
    else void this.perform(what);
  }

  /** Something is done now. A hand that only the tape held lets go with what else the tape would have done. */
  private record(what: Input | Setting): void {
    const { tape, steps } = this;
    if (tape.isAhead(steps) && what.kind !== "release" && this.runs.some((run) => run.latest.grabbed.length > 0)) {
      tape.record(steps, { kind: "release" });
      void this.perform({ kind: "release" });
    }
    tape.record(steps, what);
  }

  /** What is shown stands at the last step. */
  private settle(): void {
    this.pace.restart(this.pace.asked);
    if (this.runs.map((run) => run.settle()).some(Boolean)) this.tell("frame");
  }

  private watch(): void {
    const watch: Watch = { body: this.body, joint: this.joint, rope: this.rope, ...this.shown };
    const key = JSON.stringify(watch);
    if (key === this.watched) return;
    this.watched = key;
    for (const run of this.runs) run.remote.call("watch", { watch }).catch(() => {});
  }

  /** Builds worlds beside those that are shown, and puts them in their place when all are there. */
  private async build(source: Source, worlds: Settings[], accept: (runs: Run[]) => void): Promise<boolean> {
    const watch: Watch = { body: this.body, joint: this.joint, rope: this.rope, ...this.shown };
    const plan: Plan = { source, worlds: worlds.slice(0, MOST_WORLDS), watch };
    this.building?.end();
    const build = new Build(this.engine, plan);
    this.building = build;
    try {
      const runs = await build.runs;
      this.put(runs, accept);
      return true;
    } catch (thrown) {
      return thrown instanceof Ended ? false : this.refuse(message(thrown));
    } finally {
      if (this.building === build) this.building = null;
    }
  }

  private put(runs: Run[], accept: (runs: Run[]) => void): void {
    const old = this.runs;
    const before = this.title;
    accept(runs);
    this.runs = runs;
    for (const run of old) run.remote.end();
    const same = before === this.title;
    this.active = Math.min(same && old.length === runs.length ? this.active : runs.length - 1, runs.length - 1);
    const { bodies, joints, ropes } = this.run.drawing;
    const listed = (k: number | null, list: unknown[]) => k === null || k < list.length;
    if (!(same && listed(this.body, bodies) && listed(this.joint, joints) && listed(this.rope, ropes)))
      this.body = this.joint = this.rope = null;
    this.tape = new Tape();
    this.start = { h: this.h, worlds: runs.map((run) => run.settings) };
    this.pace.restart();
    this.watched = "";
    this.watch();
    this.complain("");
    this.tell("scene");
  }

  private refuse(why: string): false {
    this.complain(why);
    return false;
  }
}
