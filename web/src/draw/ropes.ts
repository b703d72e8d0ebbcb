// Ropes over guides: short straight pieces with round joints, as many as their arcs, turns and slack take; and the sheaves that they turn.

import { Color, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Run } from "../run";
import { tensionColour } from "./colours";
import { geometryOf } from "./geometry";

const UP = new Vector3(0, 1, 0);
const ROPE = new Color("#a97f4c");
const STEEL = new Color("#7d8794");

export class Ropes {
  readonly group = new Group();
  private tubes: InstancedMesh;
  private balls: InstancedMesh;
  private readonly tube = new CylinderGeometry(1, 1, 1, 8, 1, true);
  private readonly ball = new SphereGeometry(1, 8, 6);
  private readonly material = new MeshLambertMaterial();
  private readonly wheels: { mesh: InstancedMesh; of: number[] }[] = [];
  private readonly locals: Matrix4[];
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly along = new Vector3();
  private readonly size = new Vector3();
  private readonly turn = new Quaternion();
  private readonly matrix = new Matrix4();
  private readonly spun = new Matrix4();
  private readonly colour = new Color();

  constructor(private readonly run: Run) {
    const { sheaves } = run.drawing;
    [this.tubes, this.balls] = this.room(256);
    this.locals = sheaves.map((s) => new Matrix4().compose(new Vector3(...s.pos), new Quaternion(...s.rot), new Vector3(1, 1, 1)));
    for (const k of new Set(sheaves.map((s) => s.mesh))) this.wheel(k);
  }

  /** Puts pieces (nine numbers each) and sheaves (their angles) where they are. `thinnest`, `scale` as for rods; `shown`: the ropes too. */
  update(
    pieces: Float64Array,
    angles: Float64Array,
    poses: Float32Array,
    shown: boolean,
    thinnest: number,
    scale: number,
    selected: number | null,
  ): void {
    this.turnWheels(angles, poses);
    const n = shown ? pieces.length / 9 : 0;
    if (n > this.tubes.instanceMatrix.count) {
      this.drop();
      [this.tubes, this.balls] = this.room(2 * n);
    }
    this.tubes.count = n;
    this.balls.count = 2 * n;
    const { ropes } = this.run.drawing;
    for (let k = 0; k < n; k++) {
      const at = 9 * k;
      this.a.fromArray(pieces, at);
      this.b.fromArray(pieces, at + 3);
      this.along.subVectors(this.b, this.a);
      const length = this.along.length();
      const rope = pieces[at + 7]!;
      const radius = Math.max(ropes[rope]?.radius ?? 0, thinnest) * (rope === selected ? 1.8 : 1);
      if (length > 0) this.turn.setFromUnitVectors(UP, this.along.divideScalar(length));
      this.size.set(radius, radius, radius);
      this.balls.setMatrixAt(2 * k, this.matrix.compose(this.a, this.turn, this.size));
      this.balls.setMatrixAt(2 * k + 1, this.matrix.compose(this.b, this.turn, this.size));
      this.a.add(this.b).multiplyScalar(0.5);
      this.tubes.setMatrixAt(k, this.matrix.compose(this.a, this.turn, this.size.set(radius, length, radius)));
      if (scale > 0) tensionColour(pieces[at + 6]! / scale, this.colour);
      else this.colour.copy(ROPE);
      this.tubes.setColorAt(k, this.colour);
      this.balls.setColorAt(2 * k, this.colour);
      this.balls.setColorAt(2 * k + 1, this.colour);
    }
    for (const mesh of [this.tubes, this.balls]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  showSheaves(on: boolean): void {
    for (const { mesh } of this.wheels) mesh.visible = on;
  }

  dispose(): void {
    this.drop();
    for (const { mesh } of this.wheels) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.tube.dispose();
    this.ball.dispose();
    this.material.dispose();
  }

  private turnWheels(angles: Float64Array, poses: Float32Array): void {
    const { sheaves } = this.run.drawing;
    const one = new Vector3(1, 1, 1);
    for (const { mesh, of } of this.wheels) {
      of.forEach((k, place) => {
        const at = 7 * sheaves[k]!.body;
        this.matrix.compose(this.a.fromArray(poses, at), this.turn.fromArray(poses, at + 3), one);
        this.matrix.multiply(this.locals[k]!).multiply(this.spun.makeRotationY(angles[k] ?? 0));
        mesh.setMatrixAt(place, this.matrix);
        mesh.setColorAt(place, STEEL);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  private wheel(k: number): void {
    const { drawing } = this.run;
    const of = drawing.sheaves.flatMap((s, index) => (s.mesh === k ? [index] : []));
    const geometry = geometryOf(this.run.meshes[k]);
    const mesh = new InstancedMesh(geometry, this.material, of.length);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    this.wheels.push({ mesh, of });
    this.group.add(mesh);
  }

  /** Room for so many pieces. */
  private room(n: number): [InstancedMesh, InstancedMesh] {
    const tubes = new InstancedMesh(this.tube, this.material, n);
    const balls = new InstancedMesh(this.ball, this.material, 2 * n);
    for (const mesh of [tubes, balls]) {
      mesh.frustumCulled = false;
      mesh.castShadow = mesh === tubes;
      mesh.count = 0;
      this.group.add(mesh);
    }
    return [tubes, balls];
  }

  private drop(): void {
    this.group.remove(this.tubes, this.balls);
    this.tubes.dispose();
    this.balls.dispose();
  }
}
