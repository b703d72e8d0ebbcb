// Arrows, instanced: a thin shaft and a head, drawn over everything else.

import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";

const UP = new Vector3(0, 1, 0);

export class Arrows {
  readonly group = new Group();
  private shafts: InstancedMesh;
  private heads: InstancedMesh;
  private readonly material: MeshBasicMaterial;
  private capacity = 0;
  private count = 0;
  private readonly matrix = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly place = new Vector3();
  private readonly size = new Vector3();
  private readonly unit = new Vector3();

  constructor(colour: string) {
    this.material = new MeshBasicMaterial({ color: new Color(colour), depthTest: false, transparent: true, opacity: 0.92 });
    this.shafts = this.heads = this.make(new CylinderGeometry(1, 1, 1, 8), 1);
    this.grow(16);
  }

  /** Starts a new set of arrows. */
  begin(): void {
    this.count = 0;
  }

  /** From a point along a vector (m), with a shaft of this radius. */
  add(from: Vector3, along: Vector3, radius: number): void {
    const length = along.length();
    if (!(length > 0) || !Number.isFinite(length)) return;
    if (this.count === this.capacity) this.grow(2 * this.capacity);
    const head = Math.min(5 * radius, 0.5 * length);
    this.unit.copy(along).divideScalar(length);
    this.turn.setFromUnitVectors(UP, this.unit);
    this.place.copy(from).addScaledVector(this.unit, (length - head) / 2);
    this.shafts.setMatrixAt(this.count, this.matrix.compose(this.place, this.turn, this.size.set(radius, length - head, radius)));
    this.place.copy(from).addScaledVector(this.unit, length - head / 2);
    this.heads.setMatrixAt(this.count, this.matrix.compose(this.place, this.turn, this.size.set(2.6 * radius, head, 2.6 * radius)));
    this.count += 1;
  }

  end(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.visible = this.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
  }

  private make(geometry: CylinderGeometry, capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, this.material, capacity);
    mesh.frustumCulled = false;
    mesh.renderOrder = 10;
    return mesh;
  }

  private grow(capacity: number): void {
    const old: [InstancedMesh, InstancedMesh] = [this.shafts, this.heads];
    this.shafts = this.make(new CylinderGeometry(1, 1, 1, 8), capacity);
    this.heads = this.make(new ConeGeometry(1, 1, 12), capacity);
    [this.shafts, this.heads].forEach((mesh, k) => {
      for (let i = 0; i < this.count; i++) {
        old[k]!.getMatrixAt(i, this.matrix);
        mesh.setMatrixAt(i, this.matrix);
      }
    });
    for (const mesh of old) mesh.dispose();
    this.group.clear();
    this.group.add(this.shafts, this.heads);
    this.capacity = capacity;
  }
}
