// Cloth: triangles between particles, lit from both sides.

import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshLambertMaterial } from "three";

export class Cloth {
  readonly mesh: Mesh;
  private readonly corner: Int32Array;
  private readonly bodies: number[];

  constructor(surface: number[]) {
    this.bodies = [...new Set(surface)].sort((a, b) => a - b);
    const place = new Map(this.bodies.map((body, k) => [body, k]));
    this.corner = Int32Array.from(surface, (body) => place.get(body)!);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * this.bodies.length), 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(this.corner), 1));
    this.mesh = new Mesh(geometry, new MeshLambertMaterial({ color: "#6fa3d0", side: DoubleSide }));
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.visible = surface.length > 0;
  }

  update(poses: Float32Array): void {
    if (this.corner.length === 0) return;
    const position = this.mesh.geometry.getAttribute("position") as BufferAttribute;
    this.bodies.forEach((body, k) => position.setXYZ(k, poses[7 * body]!, poses[7 * body + 1]!, poses[7 * body + 2]!));
    position.needsUpdate = true;
    this.mesh.geometry.computeVertexNormals();
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as MeshLambertMaterial).dispose();
  }
}
