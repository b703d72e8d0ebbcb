// The picture of one world: everything three.js needs to draw it, kept in step with the run.

import { Box3, DirectionalLight, HemisphereLight, Matrix4, Quaternion, Scene, Vector3, type Raycaster } from "three";
import type { Drawing } from "../engine";
import type { Run } from "../run";
import type { Show } from "../show";
import { Bodies } from "./bodies";
import { Cloth } from "./cloth";
import { Cloud } from "./cloud";
import { moves } from "./colours";
import { Floor } from "./floor";
import { Overlays, type Measures } from "./overlays";
import { Rods } from "./rods";
import { Ropes } from "./ropes";
import { Softs } from "./softs";

export interface Look {
  show: Show;
  body: number | null;
  joint: number | null;
  rope: number | null;
  blend: number;
  measures: Measures;
  /** Energy at full colour of the damping, J; 0 when it is not shown. */
  heat: number;
}

/** What stands still and is larger than so many extents of what moves is its surroundings. */
const LARGE = 1.5;

export class View {
  readonly scene = new Scene();
  /** Where the world has been so far, without the parts that ran away. */
  readonly extent = new Box3();
  readonly size: number;
  /** The same, for the camera. */
  readonly cloud: Cloud;
  poses: Float32Array;
  /** What the picture was made from. */
  drawing: Drawing;
  private bodies!: Bodies;
  private rods!: Rods;
  private ropes!: Ropes;
  private cloth!: Cloth;
  private softs!: Softs;
  private overlays!: Overlays;
  private readonly floor: Floor;
  private readonly sun = new DirectionalLight("#fff6e8", 2.1);
  private readonly sky = new HemisphereLight("#f4f8ff", "#c4bcb0", 1.9);
  private readonly start: Box3;
  private rodValues: Float64Array;

  /** `simple`: drawn without a graphics card. */
  constructor(
    readonly run: Run,
    private readonly simple: boolean,
  ) {
    this.drawing = run.drawing;
    const [low, high] = run.drawing.bounds;
    this.start = new Box3(new Vector3(...low), new Vector3(...high));
    this.size = Math.max(1e-3, this.start.getSize(new Vector3()).length());
    this.extent.copy(this.start);
    this.floor = new Floor(run, this.size, simple);
    this.poses = run.poses[1];
    this.rodValues = run.rods[1];
    this.light();
    this.build();
    this.cloud = new Cloud(this.size);
    this.surround();
    this.grow();
  }

  /** Bodies or joints came or went. */
  rebuild(): void {
    this.clear();
    this.drawing = this.run.drawing;
    this.build();
  }

  update(look: Look): void {
    const { run } = this;
    const t = look.show.smooth ? look.blend : 1;
    this.poses = between(run.poses[0], run.poses[1], t, 7);
    this.rodValues = between(run.rods[0], run.rods[1], t, 7);
    this.grow();
    const heat = look.heat > 0 ? { of: run.frame.damping, scale: look.heat } : null;
    this.bodies.update(this.poses, look.show, look.body, heat);
    this.rods.group.visible = look.show.cables;
    if (look.show.cables) {
      this.rods.update(this.rodValues, 1.1 * look.measures.pixel, look.show.tension ? look.measures.tension : 0, look.joint);
    }
    const scale = look.show.tension ? look.measures.tension : 0;
    const [pieces, angles] = [between(run.ropes[0], run.ropes[1], t, 9), between(run.sheaves[0], run.sheaves[1], t, 1)];
    this.ropes.update(pieces, angles, this.poses, look.show.cables, 1.1 * look.measures.pixel, scale, look.rope);
    this.ropes.showSheaves(look.show.shapes);
    if (look.show.shapes) this.cloth.update(this.poses);
    this.cloth.mesh.visible = look.show.shapes && run.drawing.surface.length > 0;
    this.softs.update(mixed(run.softs[0], run.softs[1], t), look.show);
    this.overlays.update(look.show, look.joint, look.measures);
    const centre = this.extent.getCenter(new Vector3());
    this.floor.update(this.poses, this.extent.min.y, centre);
    this.aim(centre);
  }

  hit(ray: Raycaster): { body: number; point: Vector3; distance: number } | null {
    const [body, soft] = [this.bodies.hit(ray), this.softs.hit(ray)];
    return soft && (!body || soft.distance < body.distance) ? soft : body;
  }

  repaint(): void {
    this.floor.repaint();
  }

  dispose(): void {
    this.clear();
    this.floor.dispose();
    this.sun.shadow.dispose();
    this.sun.dispose();
  }

  private build(): void {
    const { run } = this;
    this.bodies = new Bodies(run);
    this.rods = new Rods(run.drawing.rods);
    this.ropes = new Ropes(run);
    this.cloth = new Cloth(run.drawing.surface);
    this.softs = new Softs(run);
    this.overlays = new Overlays(run);
    this.scene.add(
      this.floor.group,
      this.bodies.group,
      this.rods.group,
      this.ropes.group,
      this.cloth.mesh,
      this.softs.group,
      this.overlays.group,
    );
  }

  private clear(): void {
    this.scene.remove(this.bodies.group, this.rods.group, this.ropes.group, this.cloth.mesh, this.softs.group, this.overlays.group);
    this.bodies.dispose();
    this.rods.dispose();
    this.ropes.dispose();
    this.cloth.dispose();
    this.softs.dispose();
    this.overlays.dispose();
  }

  private light(): void {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(this.simple ? 512 : 1024);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.002 * this.size;
    this.sun.shadow.intensity = 0.75;
    this.scene.add(this.sun, this.sun.target, this.sky);
  }

  /** The sun stands above what there is to see, and its shadow covers it. */
  private aim(centre: Vector3): void {
    const reach = 0.62 * this.extent.getSize(new Vector3()).length();
    const camera = this.sun.shadow.camera;
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).add(new Vector3(0.45, 1, 0.55).normalize().multiplyScalar(2 * reach));
    if (Math.abs(camera.right - reach) > 0.05 * reach) {
      camera.left = camera.bottom = -reach;
      camera.right = camera.top = reach;
      camera.near = 0.05 * reach;
      camera.far = 4.5 * reach;
      camera.updateProjectionMatrix();
    }
  }

  /** Widens the extent by where bodies are now, within reason: a world that explodes must not carry the camera away. */
  grow(): void {
    const centre = this.start.getCenter(new Vector3());
    const { drawing, failure } = this.run;
    // Of what is in pieces only the load stays in view, unless it goes far.
    const reach = (failure ? 0.75 : 1.5) * this.size;
    const point = new Vector3();
    drawing.bodies.forEach((body, k) => {
      if (!moves(body) || (failure && k !== drawing.follow)) return;
      point.fromArray(this.run.poses[1], 7 * k);
      if (point.distanceTo(centre) >= reach) return;
      this.extent.union(around(point, this.bodies.radius[k]!));
      this.cloud.add(point, this.bodies.radius[k]!);
    });
  }

  /** What stands still belongs to the picture unless it is larger than all that moves, as floors and walls are; and so do ropes and nodes. */
  private surround(): void {
    const centre = this.start.getCenter(new Vector3());
    const point = new Vector3();
    const near = () => point.distanceTo(centre) < 1.5 * this.size;
    const movers = new Box3();
    this.run.drawing.bodies.forEach((body, k) => {
      if (moves(body)) movers.union(around(point.fromArray(this.run.poses[1], 7 * k), this.bodies.radius[k]!));
    });
    const room = movers.isEmpty() ? Infinity : LARGE * movers.getSize(new Vector3()).length();
    this.run.drawing.bodies.forEach((body, k) => {
      if (moves(body) || body.parts.some((part) => part.ground)) return;
      for (const corner of this.corners(k, room)) if (point.copy(corner) && near()) this.cloud.add(point, 0);
    });
    for (const [values, width] of [
      [this.run.ropes[1], 9],
      [this.run.rods[1], 7],
    ] as const) {
      for (let at = 0; at + width <= values.length; at += width) {
        for (const c of [0, 3]) if (point.fromArray(values, at + c) && near()) this.cloud.add(point, 0);
      }
    }
    const nodes = this.run.softs[1];
    for (let at = 0; at + 3 <= nodes.length; at += 3) if (point.fromArray(nodes, at) && near()) this.cloud.add(point, 0);
  }

  /** Corners of the boxes around the parts of a body; none of those that are larger than there is room for. */
  private corners(body: number, room: number): Vector3[] {
    const place = new Matrix4().compose(
      new Vector3().fromArray(this.run.poses[1], 7 * body),
      new Quaternion().fromArray(this.run.poses[1], 7 * body + 3),
      new Vector3(1, 1, 1),
    );
    const out: Vector3[] = [];
    for (const part of this.run.drawing.bodies[body]?.parts ?? []) {
      const box = new Box3().setFromArray(this.run.meshes[part.mesh]?.positions ?? []);
      if (box.isEmpty() || box.getSize(new Vector3()).length() > room) continue;
      const local = new Matrix4().compose(new Vector3(...part.pos), new Quaternion(...part.rot), new Vector3(1, 1, 1)).premultiply(place);
      for (const x of [box.min.x, box.max.x])
        for (const y of [box.min.y, box.max.y]) for (const z of [box.min.z, box.max.z]) out.push(new Vector3(x, y, z).applyMatrix4(local));
    }
    return out;
  }

  /** Forgets where the world has been: the extent is what is there now, the floor left out. */
  tighten(): void {
    const centre = this.start.getCenter(new Vector3());
    const now = new Box3();
    const point = new Vector3();
    this.run.drawing.bodies.forEach((body, k) => {
      if (body.parts.some((part) => part.ground)) return;
      point.fromArray(this.run.poses[1], 7 * k);
      const radius = this.bodies.radius[k]!;
      if (radius < this.size && point.distanceTo(centre) < 1.5 * this.size) now.union(around(point, radius));
    });
    // Ropes may end where no body is.
    const pieces = this.run.ropes[1];
    for (let at = 0; at < pieces.length; at += 9) {
      for (const c of [0, 3]) if (point.fromArray(pieces, at + c).distanceTo(centre) < 1.5 * this.size) now.expandByPoint(point);
    }
    if (now.isEmpty()) return;
    this.extent.copy(now);
    this.cloud.clear();
    this.surround();
    this.grow();
  }
}

function around(point: Vector3, radius: number): Box3 {
  return new Box3(point.clone().subScalar(radius), point.clone().addScalar(radius));
}

/** Between two moments, number by number. */
function mixed(a: Float32Array, b: Float32Array, t: number): Float32Array {
  if (t >= 1 || a === b || a.length !== b.length) return b;
  return b.map((x, k) => a[k]! * (1 - t) + x * t);
}

/** Between two moments: numbers are mixed, quaternions (the last four of each seven) also normalised. */
function between<T extends Float32Array | Float64Array>(a: T, b: T, t: number, width: number): T {
  if (t >= 1 || a === b || a.length !== b.length) return b;
  const out = b.slice() as T;
  const turning = b instanceof Float32Array;
  for (let k = 0; k < b.length; k += width) {
    let side = 1;
    if (turning) {
      const dot = a[k + 3]! * b[k + 3]! + a[k + 4]! * b[k + 4]! + a[k + 5]! * b[k + 5]! + a[k + 6]! * b[k + 6]!;
      side = dot < 0 ? -1 : 1;
    }
    for (let i = 0; i < width; i++) {
      const sign = turning && i >= 3 ? side : 1;
      out[k + i] = sign * a[k + i]! * (1 - t) + b[k + i]! * t;
    }
    if (turning) {
      const n = Math.hypot(out[k + 3]!, out[k + 4]!, out[k + 5]!, out[k + 6]!) || 1;
      for (let i = 3; i < 7; i++) out[k + i] = out[k + i]! / n;
    }
  }
  return out;
}
