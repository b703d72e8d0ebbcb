// One canvas for all worlds: each is drawn into the part of it that lies behind its pane.

import { BasicShadowMap, MathUtils, PCFShadowMap, Raycaster, Vector2, Vector3, WebGLRenderer } from "three";
import type { Session } from "../session";
import type { Show } from "../show";
import { colour } from "../theme";
import { Orbit } from "./camera";
import { moves, Scale } from "./colours";
import type { Measures } from "./overlays";
import { View } from "./view";

/** Frames slower than this (ms) lower the resolution, faster ones raise it again. */
const SLOW = 21;
const FAST = 12;
/** Without a graphics card shadows are drawn in one frame of so many. */
const SHADOWS = 4;

export interface Hit {
  body: number;
  point: Vector3;
}

export class Stage {
  readonly orbit = new Orbit();
  readonly tension = new Scale();
  readonly force = new Scale();
  readonly heat = new Scale();
  views: View[] = [];
  /** Elements whose rectangles the worlds are drawn into. */
  panes: HTMLElement[] = [];
  follow = false;
  dirty = true;
  /** Milliseconds per frame while playing, smoothed. */
  frameTime = 16;
  /** Pixels are computed without a graphics card: no antialiasing, simple shadows, and full resolution, since scaling costs more than it saves. */
  readonly software = isSoftware();
  /** Every millisecond counts: shadows follow in every `SHADOWS`th frame. */
  private readonly simple: boolean;
  private frames = 0;
  private readonly renderer: WebGLRenderer;
  private readonly ray = new Raycaster();
  private anchors: (Vector3 | null)[] = [];
  private quality = 1;
  private shift = new Vector3();
  private lastDraw = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly session: Session,
    readonly show: Show,
    /** For a picture: as good as it gets, whatever it costs. */
    private readonly still: boolean,
  ) {
    this.simple = this.software && !still;
    const context = this.simple ? unsynchronised(canvas) : null;
    this.renderer = new WebGLRenderer({
      canvas,
      ...(context ? { context } : {}),
      antialias: !this.simple,
      alpha: false,
      preserveDrawingBuffer: still,
    });
    this.renderer.shadowMap.autoUpdate = !this.simple;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = this.simple ? BasicShadowMap : PCFShadowMap;
    this.renderer.setScissorTest(true);
    this.renderer.autoClear = false;
    this.renderer.setClearColor(colour("--sky"));
    new ResizeObserver(() => (this.dirty = true)).observe(canvas);
  }

  /** New worlds; the camera stays when it is the same scene. */
  reset(keepCamera: boolean): void {
    for (const view of this.views) view.dispose();
    this.views = this.session.runs.map((run) => new View(run, this.simple));
    for (const scale of [this.tension, this.force, this.heat]) scale.reset();
    this.anchors = [];
    if (!keepCamera) this.orbit.home(this.aspect());
    this.dirty = true;
    this.lastDraw = 0;
  }

  fit(): void {
    this.orbit.auto = true;
    this.dirty = true;
  }

  /** The next picture is framed at once, without easing; `tight`: by what is there now, not by where it has been. */
  fitNow(tight: boolean): void {
    if (tight) for (const view of this.views) view.tighten();
    this.lastDraw = 0;
    this.dirty = true;
  }

  setFollow(on: boolean): void {
    this.follow = on;
    this.anchors = on ? this.views.map((view) => this.followed(view)) : [];
    this.dirty = true;
  }

  repaint(): void {
    this.renderer.setClearColor(colour("--sky"));
    for (const view of this.views) view.repaint();
    this.dirty = true;
  }

  draw(now: number): void {
    this.resize();
    for (const view of this.views) if (view.drawing !== view.run.drawing) view.rebuild();
    this.frameCamera(now);
    this.measure();
    this.renderer.setScissor(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    this.renderer.clear();
    // Worlds take turns, so that no frame draws the shadows of all.
    this.frames += 1;
    this.views.forEach((view, k) => this.drawPane(view, k));
    this.adapt(now);
    this.lastDraw = now;
    this.dirty = false;
  }

  private drawPane(view: View, k: number): void {
    const rect = this.rect(k);
    if (!rect || rect.width < 2 || rect.height < 2) return;
    view.update({
      show: this.show,
      body: this.session.body,
      joint: this.session.joint,
      rope: this.session.rope,
      blend: view.run.blend,
      measures: this.measures(rect.height, view.size),
      heat: this.show.damping ? Math.max(this.heat.value, 1e-12) : 0,
    });
    const camera = this.orbit.place(rect.width / rect.height, this.offset(view, k));
    const bottom = this.canvas.clientHeight - rect.top - rect.height;
    this.renderer.setViewport(rect.left, bottom, rect.width, rect.height);
    this.renderer.setScissor(rect.left, bottom, rect.width, rect.height);
    if (this.simple && (!this.session.playing || (this.frames + k) % SHADOWS === 0)) this.renderer.shadowMap.needsUpdate = true;
    this.renderer.render(view.scene, camera);
  }

  /** The shape under a pointer, whether it moves or not. */
  pickAny(k: number, x: number, y: number): Hit | null {
    const view = this.views[k];
    return view && this.aim(k, x, y) ? view.hit(this.ray) : null;
  }

  /** What a pointer at these page coordinates meets in pane k: a shape, or the nearest body within reach of the finger. */
  pick(k: number, x: number, y: number, reach: number): Hit | null {
    const view = this.views[k];
    if (!view || !this.aim(k, x, y)) return null;
    const hit = view.hit(this.ray);
    if (hit) return moves(view.run.drawing.bodies[hit.body]!) ? hit : null;
    let best: Hit | null = null;
    let least = reach;
    view.run.drawing.bodies.forEach((body, index) => {
      if (!moves(body)) return;
      const point = new Vector3().fromArray(view.poses, 7 * index);
      const distance = this.distanceOnScreen(k, point, x, y);
      if (distance < least) {
        least = distance;
        best = { body: index, point };
      }
    });
    return best;
  }

  /** The joint nearest to a pointer, within so many pixels. */
  pickJoint(k: number, x: number, y: number, reach: number): number | null {
    const view = this.views[k];
    if (!view || !this.aim(k, x, y)) return null;
    const values = view.run.frame.joints;
    let best: number | null = null;
    let least = reach;
    const see = (joint: number, point: Vector3) => {
      const distance = this.distanceOnScreen(k, point, x, y);
      if (distance < least) [least, best] = [distance, joint];
    };
    for (let j = 0; 8 * j < values.length; j++) see(j, new Vector3().fromArray(values, 8 * j));
    const rods = view.run.rods[1];
    view.run.drawing.rods.forEach((rod, r) => {
      if (rod.joint === null) return;
      const a = new Vector3().fromArray(rods, 7 * r);
      const b = new Vector3().fromArray(rods, 7 * r + 3);
      for (const t of [0.3, 0.5, 0.7]) see(rod.joint, a.clone().lerp(b, t));
    });
    return best;
  }

  /** The rope over guides nearest to a pointer, within so many pixels, and the point of it there, m. */
  pickRope(k: number, x: number, y: number, reach: number): { rope: number; at: Vector3 } | null {
    const view = this.views[k];
    if (!view || !this.aim(k, x, y)) return null;
    const pieces = view.run.ropes[1];
    const ray = this.ray.ray.clone();
    let best: { rope: number; at: Vector3 } | null = null;
    let least = reach;
    for (let at = 0; at + 9 <= pieces.length; at += 9) {
      const ends = [0, 3].map((c) => new Vector3().fromArray(pieces, at + c));
      const [a, b] = ends.map((end) => this.toPage(k, end));
      const distance = a && b ? toSegment(x, y, a, b) : Infinity;
      if (distance >= least) continue;
      const point = new Vector3();
      ray.distanceSqToSegment(ends[0]!, ends[1]!, undefined, point);
      [least, best] = [distance, { rope: pieces[at + 7]!, at: point }];
    }
    return best;
  }

  /** The point on the plane through `through`, facing the camera, that lies under the pointer. */
  onPlane(k: number, x: number, y: number, through: Vector3): Vector3 | null {
    if (!this.aim(k, x, y)) return null;
    const normal = this.orbit.camera.getWorldDirection(new Vector3());
    const along = this.ray.ray.direction.dot(normal);
    const t = through.clone().sub(this.ray.ray.origin).dot(normal) / along;
    return t > 0 ? this.ray.ray.at(t, new Vector3()) : null;
  }

  /** The eye of world k, and the way from it through a point of the page, or the middle of its pane, as far as what is looked at. */
  sight(k: number, at: { x: number; y: number } | null): { eye: Vector3; along: Vector3 } | null {
    const rect = this.panes[k]?.getBoundingClientRect();
    if (!rect || !this.aim(k, at?.x ?? rect.left + rect.width / 2, at?.y ?? rect.top + rect.height / 2)) return null;
    const { origin, direction } = this.ray.ray;
    return { eye: origin.clone(), along: direction.clone().multiplyScalar(this.orbit.distance) };
  }

  /** The eye and the rays through two points of the page, beyond everything in world k: nine numbers, m; null where a ray is none. */
  wedge(k: number, from: { x: number; y: number }, to: { x: number; y: number }): number[] | null {
    const rays: Vector3[] = [];
    for (const { x, y } of [from, to]) {
      if (!this.aim(k, x, y)) return null;
      rays.push(this.ray.ray.direction.clone());
    }
    const { origin } = this.ray.ray;
    const view = this.views[k]!;
    const far = 2 * (origin.distanceTo(view.extent.getCenter(new Vector3())) + view.size);
    return [origin, ...rays.map((ray) => ray.multiplyScalar(far))].flatMap((v) => v.toArray());
  }

  /** Where a point of world k is on the page, in pixels. */
  toPage(k: number, point: Vector3): { x: number; y: number } | null {
    const pane = this.panes[k];
    const view = this.views[k];
    if (!pane || !view) return null;
    const rect = pane.getBoundingClientRect();
    const camera = this.orbit.place(rect.width / rect.height, this.offset(view, k));
    const p = point.clone().project(camera);
    return { x: rect.left + ((p.x + 1) / 2) * rect.width, y: rect.top + ((1 - p.y) / 2) * rect.height };
  }

  bodyPoint(k: number, body: number): Vector3 {
    return new Vector3().fromArray(this.views[k]!.poses, 7 * body);
  }

  /** Pixels of the page. */
  get width(): number {
    return this.canvas.clientWidth;
  }

  /** What is drawn now, to be saved. */
  picture(): HTMLCanvasElement {
    this.draw(performance.now());
    const out = document.createElement("canvas");
    out.width = this.canvas.width;
    out.height = this.canvas.height;
    out.getContext("2d")!.drawImage(this.canvas, 0, 0);
    return out;
  }

  private aim(k: number, x: number, y: number): boolean {
    const pane = this.panes[k];
    const view = this.views[k];
    if (!pane || !view) return false;
    const rect = pane.getBoundingClientRect();
    const at = new Vector2(((x - rect.left) / rect.width) * 2 - 1, 1 - ((y - rect.top) / rect.height) * 2);
    this.ray.setFromCamera(at, this.orbit.place(rect.width / rect.height, this.offset(view, k)));
    return true;
  }

  private distanceOnScreen(k: number, point: Vector3, x: number, y: number): number {
    const at = this.toPage(k, point);
    return at ? Math.hypot(at.x - x, at.y - y) : Infinity;
  }

  private rect(k: number): { left: number; top: number; width: number; height: number } | null {
    const pane = this.panes[k];
    if (!pane) return null;
    const own = this.canvas.getBoundingClientRect();
    const rect = pane.getBoundingClientRect();
    return { left: rect.left - own.left, top: rect.top - own.top, width: rect.width, height: rect.height };
  }

  private resize(): void {
    const ratio = Math.min(devicePixelRatio || 1, 2) * (this.session.playing ? this.quality : 1);
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const size = this.renderer.getSize(new Vector2());
    if (size.x !== w || size.y !== h || this.renderer.getPixelRatio() !== ratio) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(w, h, false);
    }
  }

  /** Width over height of the narrowest pane. */
  private aspect(): number {
    const aspect = Math.min(...this.panes.map((pane) => pane.clientWidth / Math.max(1, pane.clientHeight)));
    return Number.isFinite(aspect) && aspect > 0 ? aspect : 1;
  }

  /** The narrowest pane decides, so that every world is seen whole. */
  private frameCamera(now: number): void {
    if (!this.orbit.auto || this.follow) return;
    const share = this.lastDraw === 0 ? 1 : 1 - Math.exp(-(now - this.lastDraw) / 350);
    const before = this.orbit.distance;
    this.orbit.frame(
      this.views.map((view) => view.cloud),
      this.aspect(),
      share,
    );
    if (Math.abs(this.orbit.distance - before) > 1e-3 * before) queueMicrotask(() => (this.dirty = true));
  }

  private followed(view: View): Vector3 {
    return new Vector3().fromArray(view.poses, 7 * (this.session.body ?? view.run.drawing.follow));
  }

  private offset(view: View, k: number): Vector3 | null {
    const anchor = this.anchors[k];
    return this.follow && anchor ? this.shift.copy(this.followed(view)).sub(anchor) : null;
  }

  /** Largest tension, force and damping of all worlds that still hold: full colour, longest arrow. */
  private measure(): void {
    const sound = this.session.runs.filter((run) => !run.failure);
    for (const run of sound.length > 0 ? sound : this.session.runs) {
      const { show } = this;
      if (show.tension && show.cables) this.tension.see(Math.max(largest(run.rods[1], 7, 6, 1), largest(run.ropes[1], 9, 6, 1)));
      if (show.joints || this.session.joint !== null) {
        const joints = run.frame.joints;
        if (show.tension) this.tension.see(largest(joints, 8, 7, 1));
        this.force.see(largest(joints, 8, 3, 3));
      }
      if (show.contacts) this.force.see(largest(run.frame.contacts, 7, 3, 3));
      if (show.damping) this.heat.see(largest(run.frame.damping, 1, 0, 1));
    }
  }

  private measures(height: number, size: number): Measures {
    return { pixel: this.orbit.pixel(height), force: this.force.value || 1, longest: 0.16 * size, tension: this.tension.value };
  }

  /** A weak graphics card gets fewer pixels rather than fewer frames. */
  private adapt(now: number): void {
    if (this.still || !this.session.playing || this.lastDraw === 0) return;
    const elapsed = now - this.lastDraw;
    if (elapsed > 1000) return;
    this.frameTime += (elapsed - this.frameTime) * 0.06;
    if (this.software) return;
    if (this.frameTime > SLOW && this.quality > 0.5) {
      this.quality = Math.max(0.5, this.quality - 0.125);
      this.frameTime = 16;
    } else if (this.frameTime < FAST && this.quality < 1) {
      this.quality = MathUtils.clamp(this.quality + 0.125, 0.5, 1);
      this.frameTime = 16;
    }
  }
}

/** A context that does not wait for the page around it, where there is one. */
function unsynchronised(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  return canvas.getContext("webgl2", { alpha: false, antialias: false, depth: true, desynchronized: true });
}

/** Whether pixels are computed without a graphics card, by the name of the renderer. */
function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

interface Place {
  x: number;
  y: number;
}

/** Distance of a point from a line between two others, pixels. */
function toSegment(x: number, y: number, a: Place, b: Place): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const t = MathUtils.clamp(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1), 0, 1);
  return Math.hypot(a.x + t * dx - x, a.y + t * dy - y);
}

/** Largest size of the vectors of `n` numbers that lie at `at` in records of `width`. */
function largest(values: Float64Array, width: number, at: number, n: number): number {
  let most = 0;
  for (let k = 0; k + width <= values.length; k += width) {
    const size = n === 1 ? Math.abs(values[k + at]!) : Math.hypot(values[k + at]!, values[k + at + 1]!, values[k + at + 2]!);
    if (size > most) most = size;
  }
  return most;
}
