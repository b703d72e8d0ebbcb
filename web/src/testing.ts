// window.taut: the page by program, for tests and for `taut shot`. Lengths m, times s.
//   ready             true once the first picture with the engine was drawn (also data-ready on <html>)
// What changes a world is answered when it has happened in the worker of every world.
//   worlds            [{name, time, steps, gap, length, failed, setUp, stepSeconds, finite, contacts, asleep, hash()}], left to right
//   frameTime         milliseconds per frame while playing, smoothed
//   play(), pause()
//   step(n)           n steps of every world
//   goTo(step), oldest  back to a step that is kept, or on to one that was there before; the oldest one
//   busy(), stop()    what takes long, and an end to it
//   open(scene, params, settings, dt)   settings: one object or a list of up to three; false when it was refused
//   configure(k, settings)
//   openFile(name, text)
//   screenPointOfBody(body, world = 0)  {x, y} in pixels of the page
//   bodyPosition(body, world = 0), bodies(world = 0), heaviest(world = 0)
//   softs(world = 0), nodePosition(soft, node, world = 0), screenPointOfNode(soft, node, world = 0)
//   pull(world = 0)   force of the pointer's spring, N, or null
//   select(body, joint, rope), cut()
//   ropes(world = 0), rope(k, world = 0), winches(world = 0), haul(winch, speed), motors(world = 0), gravity(world = 0), ropePieces(world = 0), sheaves(world = 0)
//   screenPointOfRope(rope, span, world = 0)   the middle of the first piece of a span
//   record(), recording()               start; end and return the GLB file's bytes
//   bareStep(n)       median seconds of n steps of the active world: the engine alone, without report and picture
//   link(), recorded    a link with all that was done; how many steps and inputs that are
//   fit()             frames what is there now
//   command()         the `taut run` command that repeats the active world

import { Vector3 } from "three";
import type { Address } from "./address";
import type { Pointer } from "./draw/pointer";
import type { Stage } from "./draw/stage";
import { drive } from "./drives";
import type { Settings } from "./engine";
import { parse } from "./format";
import { command } from "./native";
import type { Session } from "./session";

export interface Handle {
  ready: boolean;
}

export function expose(session: Session, stage: Stage, pointer: Pointer, address: Address): Handle {
  const draw = () => stage.draw(performance.now());
  const position = (body: number, world: number) => new Vector3().fromArray(session.runs[world]!.poses[1], 7 * body);
  const nodePosition = (soft: number, node: number, world: number) => {
    const run = session.runs[world]!;
    const before = run.drawing.softs.slice(0, soft).reduce((sum, s) => sum + s.nodes, 0);
    return new Vector3().fromArray(run.softs[1], 3 * (before + node));
  };
  const handle = {
    ready: false,
    get worlds() {
      return session.runs.map((run) => ({
        name: run.method.stabiliser,
        time: run.latest.time,
        steps: run.latest.steps,
        gap: run.gap,
        worstGap: run.latest.worstGap,
        length: run.length,
        failed: run.failure ? `${run.failure.time.toFixed(4)} s: ${run.failure.why}` : null,
        setUp: run.latest.setUp,
        stepSeconds: run.latest.stepSeconds,
        medianStep: median(run.history.column("step_us")) / 1e6,
        finite: run.latest.poses.every(Number.isFinite),
        contacts: run.report?.contacts ?? 0,
        asleep: run.report?.sleeping ?? 0,
        hash: () => run.remote.call("hash", {}),
      }));
    },
    get frameTime() {
      return stage.frameTime;
    },
    get scenes() {
      return session.engine.scenes;
    },
    play: () => session.play(true),
    pause: () => session.play(false),
    step: (n = 1) => session.stepBy(n),
    open: (scene: string, params: Record<string, string> = {}, settings: Settings | Settings[] = {}, dt?: number | string) =>
      session.open(scene, params, Array.isArray(settings) ? settings : [settings], dt === undefined ? undefined : parse(String(dt))),
    configure: (k: number, settings: Settings) => session.configure(k, settings),
    openFile: (name: string, text: string) => session.openFile({ name, text }),
    screenPointOfBody: (body: number, world = 0) => {
      draw();
      return stage.toPage(world, position(body, world));
    },
    bodyPosition: (body: number, world = 0) => position(body, world).toArray(),
    bodies: (world = 0) => session.runs[world]!.drawing.bodies,
    joints: (world = 0) => session.runs[world]!.drawing.joints,
    softs: (world = 0) => session.runs[world]!.drawing.softs,
    nodePosition: (soft: number, node: number, world = 0) => nodePosition(soft, node, world).toArray(),
    screenPointOfNode: (soft: number, node: number, world = 0) => {
      draw();
      return stage.toPage(world, nodePosition(soft, node, world));
    },
    heaviest: (world = 0) => {
      const { bodies } = session.runs[world]!.drawing;
      return bodies.reduce(
        (best, body, k) =>
          body.motion === "dynamic" && body.mass > (bodies[best]?.motion === "dynamic" ? bodies[best]!.mass : 0) ? k : best,
        0,
      );
    },
    pull: (world = 0) => pointer.pull(world)?.force ?? null,
    select: (body: number | null, joint: number | null, rope: number | null = null) => session.select(body, joint, rope),
    ropes: (world = 0) => session.runs[world]!.drawing.ropes,
    rope: (k: number, world = 0) => session.runs[world]!.remote.call("rope", { rope: k }),
    winches: (world = 0) => session.runs[world]!.winches,
    haul: (winch: number, speed: number | null) => drive(session, { kind: "winch", index: winch }, speed),
    motors: (world = 0) => session.runs[world]!.motors,
    gravity: (world = 0) => session.runs[world]!.latest.gravity,
    ropePieces: (world = 0) => [...session.runs[world]!.ropes[1]],
    sheaves: (world = 0) => [...session.runs[world]!.sheaves[1]],
    screenPointOfRope: (rope: number, span: number, world = 0) => {
      draw();
      const pieces = session.runs[world]!.ropes[1];
      for (let at = 0; at + 9 <= pieces.length; at += 9) {
        if (pieces[at + 7] !== rope || pieces[at + 8] !== span) continue;
        const [a, b] = [0, 3].map((c) => new Vector3().fromArray(pieces, at + c));
        return stage.toPage(world, a!.lerp(b!, 0.5));
      }
      return null;
    },
    cut: () => session.cut(),
    fit: () => {
      stage.fitNow(true);
      draw();
    },
    bareStep: (n: number) => session.run.remote.call("bare", { count: n, h: session.h }),
    record: () => session.run.remote.call("record", { fps: 30 }),
    recording: () => session.run.remote.call("recording", {}),
    goTo: (steps: number) => session.goTo(steps),
    get oldest() {
      return session.oldest;
    },
    busy: () => session.busy,
    stop: () => session.stop(),
    command: () => command(session),
    link: () => address.link(),
    get recorded() {
      return { end: session.tape.end, inputs: session.tape.entries.length };
    },
  };
  Object.assign(window, { taut: handle });
  return handle;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
