// One camera for all worlds: it orbits a target, and keeps what moves in view until the user takes it over.

import { Box3, MathUtils, PerspectiveCamera, Vector3 } from "three";
import { clamp, LIMITS } from "../limits";

const FIELD = 30;
/** Share of the view that is left free around what is fitted. */
const MARGIN = 1.12;
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

  /** Eases towards a view of the whole box; `share` 1 goes there at once. */
  frame(box: Box3, aspect: number, share: number): void {
    if (box.isEmpty()) return;
    this.axes();
    const centre = box.getCenter(this.goal);
    const high = Math.tan(MathUtils.degToRad(FIELD / 2)) / MARGIN;
    const wide = high * aspect;
    let distance = 0;
    const corner = new Vector3();
    for (let k = 0; k < 8; k++) {
      corner.set(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).sub(centre);
      const near = corner.dot(this.back);
      distance = Math.max(distance, near + Math.abs(corner.dot(this.right)) / wide, near + Math.abs(corner.dot(this.up)) / high);
    }
    this.target.lerp(centre, share);
    this.distance += (distance - this.distance) * share;
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
