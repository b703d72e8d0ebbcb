// Where a world has been: balls around its bodies, a few for each place, so that the camera can fit what there is and nothing else.

import { Vector3 } from "three";

/** Places nearer than this part of the extent are one. */
const CELL = 0.04;
const MOST = 4000;

export class Cloud {
  private readonly cells = new Map<string, number>();
  /** x, y, z and radius of each ball, m. */
  private balls: number[] = [];

  constructor(private readonly size: number) {}

  add(point: Vector3, radius: number): void {
    const cell = CELL * this.size;
    const key = `${Math.round(point.x / cell)} ${Math.round(point.y / cell)} ${Math.round(point.z / cell)}`;
    const known = this.cells.get(key);
    if (known !== undefined) this.balls[known + 3] = Math.max(this.balls[known + 3] ?? 0, radius);
    else if (this.cells.size < MOST) {
      this.cells.set(key, this.balls.length);
      this.balls.push(point.x, point.y, point.z, radius);
    }
  }

  clear(): void {
    this.cells.clear();
    this.balls = [];
  }

  each(see: (x: number, y: number, z: number, radius: number) => void): void {
    for (let k = 0; k + 4 <= this.balls.length; k += 4)
      see(this.balls[k] ?? 0, this.balls[k + 1] ?? 0, this.balls[k + 2] ?? 0, this.balls[k + 3] ?? 0);
  }
}
