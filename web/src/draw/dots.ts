// Small balls of one size on the screen, instanced and drawn over everything else: joints and contact points.

import { Color, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from "three";

export class Dots {
  mesh: InstancedMesh;
  private capacity: number;
  private count = 0;
  private readonly matrix = new Matrix4();
  private readonly size = new Vector3();

  constructor() {
    this.capacity = 64;
    this.mesh = this.make(this.capacity);
  }

  begin(): void {
    this.count = 0;
  }

  add(at: Vector3, radius: number, colour: Color): void {
    if (this.count === this.capacity) this.grow();
    this.mesh.setMatrixAt(this.count, this.matrix.compose(at, STILL, this.size.setScalar(radius)));
    this.mesh.setColorAt(this.count, colour);
    this.count += 1;
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as MeshBasicMaterial).dispose();
    this.mesh.dispose();
  }

  private make(capacity: number): InstancedMesh {
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });
    const mesh = new InstancedMesh(new SphereGeometry(1, 12, 8), material, capacity);
    mesh.frustumCulled = false;
    mesh.renderOrder = 9;
    return mesh;
  }

  private grow(): void {
    const old = this.mesh;
    this.capacity *= 2;
    this.mesh = this.make(this.capacity);
    const colour = new Color();
    for (let k = 0; k < this.count; k++) {
      old.getMatrixAt(k, this.matrix);
      this.mesh.setMatrixAt(k, this.matrix);
      old.getColorAt(k, colour);
      this.mesh.setColorAt(k, colour);
    }
    old.parent?.add(this.mesh);
    old.removeFromParent();
    old.geometry.dispose();
    old.dispose();
  }
}

const STILL = new Quaternion();
