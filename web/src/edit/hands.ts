// The pointer in the pane while a scene is edited: places bodies, picks points of joints, moves and turns what is dragged. It listens before
// the page's own pointer and keeps from it what it takes; all else orbits as always.

import { Quaternion, Vector3 } from "three";
import { byId } from "../dom";
import type { Hit, Stage } from "../draw/stage";
import type { Session } from "../session";

/** A press within so many pixels is a click. */
const CLICK = 4;
/** Radians of a turn for a pixel. */
const TURN = 0.01;

export interface Taken {
  /** What was clicked while a tool for it is held: a body, or nothing but a point, m. */
  placed(body: number | null, point: Vector3): void;
  selected(body: number): void;
  joint(joint: number): void;
  moved(body: number, by: Vector3): void;
  turned(body: number, by: Quaternion): void;
}

export type Held = "move" | "turn" | "place" | "join";

interface Drag {
  pointer: number;
  body: number;
  start: Vector3;
  x: number;
  y: number;
  far: boolean;
  /** Where it was drawn: position and rotation. */
  pose: number[];
  by: Vector3;
  turn: Quaternion;
}

export class Hands {
  held: Held = "move";
  on = false;
  /** The first point of a joint: where the plane lies in which the second is when it meets no body. */
  through: Vector3 | null = null;
  private drag: Drag | null = null;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly taken: Taken,
  ) {
    const panes = byId("panes");
    panes.addEventListener("pointerdown", (e) => this.press(e), true);
    panes.addEventListener("pointermove", (e) => this.move(e), true);
    for (const type of ["pointerup", "pointercancel"] as const) panes.addEventListener(type, (e) => this.lift(e), true);
  }

  /** Only the start can be edited; once it runs the pointer pulls. */
  private get free(): boolean {
    return this.on && !this.session.playing && this.session.steps === 0;
  }

  private press(e: PointerEvent): void {
    if (!this.free || e.button !== 0 || e.shiftKey || !(e.target instanceof Element) || !e.target.closest(".view")) return;
    const hit = this.stage.pickAny(0, e.clientX, e.clientY) ?? this.stage.pick(0, e.clientX, e.clientY, 14);
    const joint = this.held === "move" && !hit ? this.stage.pickJoint(0, e.clientX, e.clientY, e.pointerType === "touch" ? 20 : 10) : null;
    if (joint === null && !hit && this.held !== "place" && this.held !== "join") return;
    e.stopPropagation();
    e.preventDefault();
    if (joint !== null) return this.taken.joint(joint);
    if (this.held === "place" || this.held === "join") return this.place(hit, e);
    if (hit) this.begin(hit, e);
  }

  private place(hit: Hit | null, e: PointerEvent): void {
    const point = hit?.point ?? this.stage.onPlane(0, e.clientX, e.clientY, this.through ?? this.stage.orbit.target);
    if (point) this.taken.placed(hit?.body ?? null, point);
  }

  private begin(hit: Hit, e: PointerEvent): void {
    const { poses } = this.session.run.latest;
    (e.target as Element).setPointerCapture(e.pointerId);
    this.drag = {
      pointer: e.pointerId,
      body: hit.body,
      start: hit.point,
      x: e.clientX,
      y: e.clientY,
      far: false,
      pose: [...poses.subarray(7 * hit.body, 7 * hit.body + 7)],
      by: new Vector3(),
      turn: new Quaternion(),
    };
  }

  private move(e: PointerEvent): void {
    const { drag } = this;
    if (drag?.pointer !== e.pointerId) return;
    e.stopPropagation();
    const [dx, dy] = [e.clientX - drag.x, e.clientY - drag.y];
    if (Math.hypot(dx, dy) > CLICK) drag.far = true;
    if (!drag.far) return;
    if (this.held === "turn") {
      const forward = this.stage.orbit.camera.getWorldDirection(new Vector3());
      drag.turn.setFromAxisAngle(forward, TURN * dx);
    } else {
      const to = this.stage.onPlane(0, e.clientX, e.clientY, drag.start);
      if (to) drag.by.copy(to).sub(drag.start);
    }
    this.preview(drag);
  }

  /** The picture follows before the engine has built it. */
  private preview({ body, pose, by, turn }: Drag): void {
    const place = new Vector3().fromArray(pose).add(by);
    const rotation = turn.clone().multiply(new Quaternion().fromArray(pose, 3));
    this.session.run.latest.poses.set([...place.toArray(), ...rotation.toArray()], 7 * body);
    this.stage.dirty = true;
  }

  private lift(e: PointerEvent): void {
    const { drag } = this;
    if (drag?.pointer !== e.pointerId) return;
    e.stopPropagation();
    this.drag = null;
    if (!drag.far) return this.taken.selected(drag.body);
    if (e.type === "pointercancel") return this.preview({ ...drag, by: new Vector3(), turn: new Quaternion() });
    if (this.held === "turn") this.taken.turned(drag.body, drag.turn);
    else this.taken.moved(drag.body, drag.by);
  }
}
