// Cables, rods, ropes and springs: straight instanced cylinders with round ends, coloured by tension where asked.

import { Color, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Rod } from "../engine";
import { tensionColour } from "./colours";

const UP = new Vector3(0, 1, 0);
const PLAIN: Record<string, Color> = {
  cable: new Color("#3c4a57"),
  rope: new Color("#a97f4c"),
  spring: new Color("#4e9f6d"),
  distance: new Color("#56677a"),
};

export class Rods {
  readonly group = new Group();
  private readonly tubes: InstancedMesh;
  private readonly ends: InstancedMesh;
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly along = new Vector3();
  private readonly size = new Vector3();
  private readonly turn = new Quaternion();
  private readonly matrix = new Matrix4();
  private readonly colour = new Color();

  constructor(private readonly rods: Rod[]) {
    const material = new MeshLambertMaterial();
    this.tubes = new InstancedMesh(new CylinderGeometry(1, 1, 1, 8, 1, true), material, Math.max(1, rods.length));
    this.ends = new InstancedMesh(new SphereGeometry(1, 8, 6), material, Math.max(1, 2 * rods.length));
    for (const mesh of [this.tubes, this.ends]) {
      mesh.frustumCulled = false;
      mesh.castShadow = mesh === this.tubes;
      mesh.receiveShadow = false;
      mesh.count = 0;
      this.group.add(mesh);
    }
  }

  /** `thinnest`: least radius drawn, m, so that a wire is never thinner than a pixel. `scale`: tension at full colour, N; 0 for plain colours. */
  update(values: Float64Array, thinnest: number, scale: number, selected: number | null): void {
    const n = Math.min(this.rods.length, values.length / 7);
    this.tubes.count = n;
    this.ends.count = 2 * n;
    for (let k = 0; k < n; k++) {
      const rod = this.rods[k]!;
      this.a.fromArray(values, 7 * k);
      this.b.fromArray(values, 7 * k + 3);
      this.along.subVectors(this.b, this.a);
      const length = this.along.length();
      const chosen = selected !== null && rod.joint === selected;
      const radius = Math.max(rod.radius, thinnest) * (chosen ? 1.8 : 1);
      if (length > 0) this.turn.setFromUnitVectors(UP, this.along.divideScalar(length));
      this.size.set(radius, radius, radius);
      this.ends.setMatrixAt(2 * k, this.matrix.compose(this.a, this.turn, this.size));
      this.ends.setMatrixAt(2 * k + 1, this.matrix.compose(this.b, this.turn, this.size));
      this.a.add(this.b).multiplyScalar(0.5);
      this.tubes.setMatrixAt(k, this.matrix.compose(this.a, this.turn, this.size.set(radius, length, radius)));
      if (scale > 0) tensionColour(values[7 * k + 6]! / scale, this.colour);
      else this.colour.copy(PLAIN[rod.kind] ?? PLAIN["distance"]!);
      this.tubes.setColorAt(k, this.colour);
      this.ends.setColorAt(2 * k, this.colour);
      this.ends.setColorAt(2 * k + 1, this.colour);
    }
    for (const mesh of [this.tubes, this.ends]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const mesh of [this.tubes, this.ends]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    (this.tubes.material as MeshLambertMaterial).dispose();
  }
}
