// One camera for all worlds: it orbits a target, and keeps what moves in view until the user takes it over.

import { MathUtils, PerspectiveCamera, Vector3 } from "three";
import { clamp, LIMITS } from "../limits";
import type { Cloud } from "./cloud";

const FIELD = 30;
/** Share of the view that is left free around what is fitted. */
const MARGIN = 1.08;
const START = { azimuth: 0.42, narrow: 0.8, polar: 1.38 };

export class Orbit {
  readonly camera = new PerspectiveCamera(FIELD, 1, 0.01, 1000);
  azimuth = START.azimuth;
  polar = START.polar;
  distance = 10;
  readonly target = new Vector3();
  /** The camera frames the scene by itself. */
  auto = true;
  private readonly right = new Vector3();
  private readonly up = new Vector3();
  private readonly back = new Vector3();
  private readonly goal = new Vector3();
  private readonly point = new Vector3();

  /** The view at the start; a narrow pane looks more along the scene, which is mostly wide. */
  home(aspect: number): void {
    this.azimuth = aspect < 0.95 ? START.narrow : START.azimuth;
    this.polar = START.polar;
    this.auto = true;
  }

  turn(dx: number, dy: number): void {
    this.azimuth -= dx;
    this.polar = clamp(this.polar - dy, LIMITS.polar);
  }

  zoom(factor: number): void {
    this.auto = false;
    this.distance = clamp(this.distance * factor, LIMITS.distance);
  }

  /** Moves the target across the view by so many pixels of a view of this height. */
  pan(dx: number, dy: number, height: number): void {
    this.auto = false;
    this.axes();
    const pixel = this.pixel(height);
    this.target.addScaledVector(this.right, -dx * pixel).addScaledVector(this.up, dy * pixel);
  }

  /** Size of a pixel at the target, m. */
  pixel(height: number): number {
    return (2 * this.distance * Math.tan(MathUtils.degToRad(FIELD / 2))) / Math.max(1, height);
  }

  /** Eases towards a view of everything in the clouds; `share` 1 goes there at once. */
  frame(clouds: Cloud[], aspect: number, share: number): void {
    this.axes();
    const { right, up, back, point } = this;
    // The middle of what there is, across the view and along it.
    const axes = [right, up, back];
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const see = (x: number, y: number, z: number, radius: number) => {
      point.set(x, y, z);
      axes.forEach((axis, k) => {
        const at = point.dot(axis);
        low[k] = Math.min(low[k] ?? at, at - radius);
        high[k] = Math.max(high[k] ?? at, at + radius);
      });
    };
    for (const cloud of clouds) cloud.each(see);
    const middle = axes.map((_, k) => 0.5 * ((low[k] ?? 0) + (high[k] ?? 0)));
    if (!middle.every(Number.isFinite)) return;
    const centre = this.goal.set(0, 0, 0);
    axes.forEach((axis, k) => centre.addScaledVector(axis, middle[k] ?? 0));
    const tall = Math.tan(MathUtils.degToRad(FIELD / 2)) / MARGIN;
    const wide = tall * aspect;
    let distance = 0;
    for (const cloud of clouds) {
      cloud.each((x, y, z, radius) => {
        point.set(x, y, z).sub(centre);
        const near = point.dot(back) + radius;
        distance = Math.max(
          distance,
          near + (Math.abs(point.dot(right)) + radius) / wide,
          near + (Math.abs(point.dot(up)) + radius) / tall,
        );
      });
    }
    if (!(distance > 0)) return;
    this.target.lerp(centre, share);
    this.distance += (distance - this.distance) * share;
  }

  /** Looks from a point at another one, m, and so much nearer. */
  look(from: Vector3 | null, at: Vector3 | null, zoom: number): void {
    if (at) this.target.copy(at);
    if (from) {
      const back = from.clone().sub(this.target);
      this.distance = Math.max(LIMITS.distance[0], back.length());
      this.azimuth = Math.atan2(back.x, back.z);
      this.polar = clamp(Math.acos(MathUtils.clamp(back.y / this.distance, -1, 1)), LIMITS.polar);
    }
    this.distance = clamp(this.distance / zoom, LIMITS.distance);
    this.auto = false;
  }

  /** Places the three.js camera; `offset` moves the target, for a world whose followed body is elsewhere. */
  place(aspect: number, offset: Vector3 | null): PerspectiveCamera {
    this.axes();
    const { camera } = this;
    camera.aspect = aspect;
    camera.near = this.distance / 200;
    camera.far = this.distance * 60;
    camera.position.copy(this.target).addScaledVector(this.back, this.distance);
    this.goal.copy(this.target);
    if (offset) {
      camera.position.add(offset);
      this.goal.add(offset);
    }
    camera.lookAt(this.goal);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    return camera;
  }

  save(): number[] {
    return [this.azimuth, this.polar, this.distance, this.target.x, this.target.y, this.target.z];
  }

  restore(v: number[]): void {
    this.azimuth = v[0]!;
    this.polar = v[1]!;
    this.distance = v[2]!;
    this.target.set(v[3]!, v[4]!, v[5]!);
    this.auto = false;
  }

  private axes(): void {
    const s = Math.sin(this.polar);
    this.back.set(s * Math.sin(this.azimuth), Math.cos(this.polar), s * Math.cos(this.azimuth));
    this.right.set(Math.cos(this.azimuth), 0, -Math.sin(this.azimuth));
    this.up.crossVectors(this.back, this.right);
  }
}
