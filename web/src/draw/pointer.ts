// The pointer in a pane: pull a body, orbit on empty space, pan with the right button or two fingers, zoom with wheel or pinch,
// click to select, draw a line with the knife to cut what lies below it. A pull in one world pulls the others in the same way, so that they stay comparable.

import { Quaternion, Vector3 } from "three";
import { h } from "../dom";
import type { Session } from "../session";
import type { Stage } from "./stage";

interface Finger {
  x: number;
  y: number;
}

interface Grip {
  pane: number;
  /** Where it was held, in the world of its pane. */
  start: Vector3;
}

/** A press that stays within these (pixels, ms) is a click and pulls at nothing. */
const CLICK_DISTANCE = 5;
const CLICK_TIME = 250;

export class Pointer {
  private readonly fingers = new Map<number, Finger>();
  private grip: Grip | null = null;
  /** What was pressed and will be held as soon as the press is no click. */
  private pressed: { pane: number; body: number; local: Vector3 } | null = null;
  private down = { x: 0, y: 0, time: 0, far: false, button: 0 };
  private spread = 0;
  /** Whether a stroke cuts instead of pulling and orbiting. */
  knife = false;
  /** Told that something was clicked at a point of the page. */
  clicked: (x: number, y: number) => void = () => {};
  /** Told what a stroke has cut. */
  sliced: (count: number) => void = () => {};
  private stroke: HTMLElement | null = null;
  private readonly nudged = new Vector3();
  /** Where the pointer was last, and in which pane. */
  private last: { pane: number; x: number; y: number } | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly session: Session,
  ) {
    // A world that was made anew is not held.
    session.on(["scene"], () => (this.grip = this.pressed = null));
  }

  /** Listens on the element of pane k. */
  attach(element: HTMLElement, k: number): void {
    element.addEventListener("pointerdown", (e) => this.press(e, element, k));
    element.addEventListener("pointermove", (e) => this.move(e, element, k));
    for (const type of ["pointerup", "pointercancel"] as const) element.addEventListener(type, (e) => this.lift(e, k));
    element.addEventListener("contextmenu", (e) => e.preventDefault());
    element.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.stage.orbit.zoom(Math.exp(e.deltaY * (e.ctrlKey ? 0.01 : 0.0012)));
        this.stage.dirty = true;
      },
      { passive: false },
    );
  }

  /** The force of the pull in world k, N, and where its arrow ends; null when nothing is held there. */
  pull(k: number): { force: number; at: Vector3 } | null {
    const values = this.session.runs[k]?.frame.grabbed;
    if (!this.grip || !values || values.length < 9) return null;
    return { force: Math.hypot(values[6]!, values[7]!, values[8]!), at: new Vector3(values[3], values[4], values[5]) };
  }

  /** The ray from the eye through the pointer, or through the middle of the active pane, as long as to what is looked at. */
  sight(): { eye: Vector3; along: Vector3 } | null {
    const { active } = this.session;
    return this.stage.sight(active, this.last?.pane === active ? this.last : null);
  }

  release(): void {
    this.pressed = null;
    this.nudged.set(0, 0, 0);
    if (!this.grip) return;
    void this.session.act({ kind: "release" });
    this.grip = null;
    this.stage.dirty = true;
  }

  /** Pulls the selected body by keys: across the view of the active world, in parts of the scene's extent, until released. */
  nudge(right: number, up: number): void {
    const { active, body, run } = this.session;
    if (body === null || run.frozen) return;
    if (!this.grip) {
      this.pressed = { pane: active, body, local: new Vector3() };
      this.hold();
    }
    if (!this.grip) return;
    const { camera } = this.stage.orbit;
    const step = 0.04 * this.stage.views[active]!.size;
    this.nudged.addScaledVector(new Vector3().setFromMatrixColumn(camera.matrixWorld, 0), right * step);
    this.nudged.addScaledVector(new Vector3().setFromMatrixColumn(camera.matrixWorld, 1), up * step);
    this.dragBy(this.nudged);
  }

  private press(e: PointerEvent, element: HTMLElement, k: number): void {
    element.focus({ preventScroll: true });
    element.setPointerCapture(e.pointerId);
    this.fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    this.session.activate(k);
    if (this.fingers.size > 1) {
      this.release();
      this.stroke?.remove();
      this.stroke = null;
      this.spread = this.distance();
      this.down.far = true;
      return;
    }
    this.down = { x: e.clientX, y: e.clientY, time: performance.now(), far: false, button: e.button };
    if (e.button !== 0 || e.shiftKey) return;
    if (this.knife || e.altKey) {
      this.stroke = h("div", { class: "stroke" });
      element.append(this.stroke);
      return;
    }
    const hit = this.stage.pick(k, e.clientX, e.clientY, e.pointerType === "touch" ? 26 : 14);
    const run = this.session.runs[k]!;
    if (!hit || run.frozen) return;
    const pressed = { pane: k, body: hit.body, local: toLocal(this.stage.views[k]!.poses, hit.body, hit.point) };
    this.pressed = pressed;
    setTimeout(() => this.pressed === pressed && this.hold(), CLICK_TIME);
  }

  /** Holds the same point of the body in every world. */
  private hold(): void {
    const pressed = this.pressed;
    this.pressed = null;
    const run = pressed && this.session.runs[pressed.pane];
    if (!pressed || !run || run.frozen || pressed.body >= run.drawing.bodies.length) return;
    const { pane, body, local } = pressed;
    this.grip = { pane, start: toWorld(run.poses[1], body, local) };
    void this.session.act({ kind: "grab", body, at: tidy(local) });
  }

  private move(e: PointerEvent, element: HTMLElement, k: number): void {
    this.last = { pane: k, x: e.clientX, y: e.clientY };
    const finger = this.fingers.get(e.pointerId);
    if (!finger) return;
    const dx = e.clientX - finger.x;
    const dy = e.clientY - finger.y;
    finger.x = e.clientX;
    finger.y = e.clientY;
    if (Math.hypot(e.clientX - this.down.x, e.clientY - this.down.y) > CLICK_DISTANCE) this.down.far = true;
    if (this.pressed && this.down.far) this.hold();
    if (this.stroke) return this.draw(this.stroke, element, e);
    if (this.fingers.size === 2) this.pinch(dx, dy, element.clientHeight);
    else if (this.grip) this.pullTo(k, e.clientX, e.clientY);
    else if (this.pressed) return;
    else if (this.down.button !== 0 || e.shiftKey) this.stage.orbit.pan(dx, dy, element.clientHeight);
    else if (this.down.far) this.stage.orbit.turn(dx * 0.006, dy * 0.006);
    this.stage.dirty = true;
  }

  /** The line of the knife, from where it was pressed to where it is. */
  private draw(stroke: HTMLElement, element: HTMLElement, e: PointerEvent): void {
    const rect = element.getBoundingClientRect();
    const [dx, dy] = [e.clientX - this.down.x, e.clientY - this.down.y];
    stroke.style.width = `${Math.hypot(dx, dy)}px`;
    stroke.style.transform = `translate(${this.down.x - rect.left}px, ${this.down.y - rect.top}px) rotate(${Math.atan2(dy, dx)}rad)`;
  }

  private async slice(k: number, e: PointerEvent): Promise<void> {
    const at = this.stage.wedge(k, this.down, { x: e.clientX, y: e.clientY });
    if (at) this.sliced(await this.session.slice(at));
  }

  private pinch(dx: number, dy: number, height: number): void {
    const spread = this.distance();
    if (this.spread > 0 && spread > 0) this.stage.orbit.zoom(this.spread / spread);
    this.spread = spread;
    this.stage.orbit.pan(dx / 2, dy / 2, height);
  }

  /** The target moves in the plane that faces the camera, by the same amount in every world. */
  private pullTo(k: number, x: number, y: number): void {
    const grip = this.grip!;
    const target = this.stage.onPlane(k, x, y, grip.start);
    if (!target) return;
    this.dragBy(target.sub(grip.start));
  }

  private dragBy(by: Vector3): void {
    if (this.grip) void this.session.act({ kind: "drag", by: tidy(by) });
  }

  private lift(e: PointerEvent, k: number): void {
    this.fingers.delete(e.pointerId);
    this.spread = this.fingers.size === 2 ? this.distance() : 0;
    const quick = performance.now() - this.down.time < CLICK_TIME && !this.down.far;
    this.release();
    if (this.stroke) {
      this.stroke.remove();
      this.stroke = null;
      if (this.down.far && e.type === "pointerup") void this.slice(k, e);
      return;
    }
    if (quick && e.type === "pointerup" && this.down.button === 0) this.choose(k, e);
  }

  /** A click: a rope goes before a joint near it, and that before the body below it, unless a shape was hit squarely and joints are not shown. */
  private choose(k: number, e: PointerEvent): void {
    const touch = e.pointerType === "touch";
    const hit = this.stage.pick(k, e.clientX, e.clientY, touch ? 26 : 14);
    const near = this.stage.pickJoint(k, e.clientX, e.clientY, touch ? 20 : 9);
    const rope = this.stage.pickRope(k, e.clientX, e.clientY, touch ? 20 : 8);
    if (rope !== null && !this.stage.show.joints) {
      this.session.select(null, null, rope.rope, rope.at.toArray());
      this.clicked(e.clientX, e.clientY);
      this.stage.dirty = true;
      return;
    }
    const link = hit ? this.session.runs[k]!.drawing.bodies[hit.body]!.link : true;
    const joint = near !== null && (this.stage.show.joints || link) ? near : null;
    if (hit || joint !== null) this.session.select(hit ? hit.body : this.session.body, joint ?? (hit && !link ? null : this.session.joint));
    else this.session.select(null, null);
    this.clicked(e.clientX, e.clientY);
    this.stage.dirty = true;
  }

  private distance(): number {
    const [a, b] = [...this.fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }
}

/** So many digits that a link can carry it: what the world gets is what is recorded. */
function tidy(v: Vector3): [number, number, number] {
  return v.toArray().map((x) => Number(x.toPrecision(5))) as [number, number, number];
}

function toLocal(poses: Float32Array, body: number, point: Vector3): Vector3 {
  const place = new Vector3().fromArray(poses, 7 * body);
  const turn = new Quaternion().fromArray(poses, 7 * body + 3).invert();
  return point.clone().sub(place).applyQuaternion(turn);
}

function toWorld(poses: Float32Array, body: number, local: Vector3): Vector3 {
  const turn = new Quaternion().fromArray(poses, 7 * body + 3);
  return local
    .clone()
    .applyQuaternion(turn)
    .add(new Vector3().fromArray(poses, 7 * body));
}
