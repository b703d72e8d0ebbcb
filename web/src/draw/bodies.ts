// Bodies with their shapes: one instanced mesh per triangle mesh of the engine and way of drawing it.

import { Color, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3, type Intersection, type Raycaster } from "three";
import type { Run } from "../run";
import type { Show } from "../show";
import { bodyColours, heatColour } from "./colours";
import { geometryOf } from "./geometry";

interface Piece {
  body: number;
  local: Matrix4;
}

interface Batch {
  mesh: InstancedMesh;
  pieces: Piece[];
  kind: "solid" | "link" | "sensor" | "guess";
}

export class Bodies {
  readonly group = new Group();
  /** How far each body reaches from its own origin, somewhat less than to its farthest corner, m. */
  readonly radius: number[];
  private readonly batches: Batch[] = [];
  private readonly matrices: Matrix4[];
  private readonly colours: Color[];
  private readonly position = new Vector3();
  private readonly rotation = new Quaternion();
  private readonly one = new Vector3(1, 1, 1);
  private readonly matrix = new Matrix4();
  private readonly colour = new Color();

  constructor(private readonly run: Run) {
    const { drawing } = run;
    this.radius = drawing.bodies.map(() => 0);
    this.matrices = drawing.bodies.map(() => new Matrix4());
    this.colours = bodyColours(drawing);
    const lists = new Map<string, { kind: Batch["kind"]; k: number; pieces: Piece[] }>();
    drawing.bodies.forEach((body, index) => {
      for (const part of body.parts) {
        if (part.ground) continue;
        const kind = part.sensor ? "sensor" : body.link ? "link" : part.guess ? "guess" : "solid";
        const key = `${kind} ${part.mesh}`;
        if (!lists.has(key)) lists.set(key, { kind, k: part.mesh, pieces: [] });
        const local = new Matrix4().compose(new Vector3(...part.pos), new Quaternion(...part.rot), this.one);
        lists.get(key)!.pieces.push({ body: index, local });
      }
    });
    for (const { kind, k, pieces } of lists.values()) this.add(kind, k, pieces);
  }

  private add(kind: Batch["kind"], k: number, pieces: Piece[]): void {
    const geometry = geometryOf(this.run.meshes[k]);
    geometry.computeBoundingSphere();
    const sphere = geometry.boundingSphere!;
    for (const { body, local } of pieces) {
      const reach = sphere.center.clone().applyMatrix4(local).length() + sphere.radius;
      this.radius[body] = Math.max(this.radius[body]!, 0.8 * reach);
    }
    const clear = kind === "sensor" ? 0.25 : kind === "guess" ? 0.8 : 1;
    const material = new MeshLambertMaterial({ transparent: clear < 1, opacity: clear, depthWrite: kind !== "sensor" });
    const mesh = new InstancedMesh(geometry, material, pieces.length);
    mesh.frustumCulled = false;
    mesh.castShadow = kind !== "sensor";
    mesh.receiveShadow = kind !== "sensor";
    this.batches.push({ mesh, pieces, kind });
    this.group.add(mesh);
  }

  /** Puts every body where it is. `heat`: energy that the stabiliser took over its scale, or null. */
  update(poses: Float32Array, show: Show, selected: number | null, heat: { of: Float64Array; scale: number } | null): void {
    this.matrices.forEach((matrix, k) => {
      const at = 7 * k;
      this.position.fromArray(poses, at);
      this.rotation.fromArray(poses, at + 3);
      matrix.compose(this.position, this.rotation, this.one);
    });
    const asleep = show.sleeping ? this.run.frame.asleep : null;
    for (const { mesh, pieces, kind } of this.batches) {
      mesh.visible = kind === "link" ? show.links || !show.cables : show.shapes;
      pieces.forEach(({ body, local }, k) => {
        mesh.setMatrixAt(k, this.matrix.multiplyMatrices(this.matrices[body]!, local));
        this.colour.copy(this.colours[body]!);
        if (heat) heatColour((heat.of[body] ?? 0) / heat.scale, this.colour);
        if (asleep?.[body]) this.colour.multiplyScalar(0.45);
        if (body === selected) this.colour.lerp(WHITE, 0.45);
        mesh.setColorAt(k, this.colour);
      });
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  /** The body that a ray meets first. */
  hit(ray: Raycaster): { body: number; point: Vector3; distance: number } | null {
    let best: { body: number; point: Vector3; distance: number } | null = null;
    for (const { mesh, pieces, kind } of this.batches) {
      if (kind === "sensor" || (!mesh.visible && kind !== "link")) continue;
      mesh.computeBoundingSphere();
      const hits: Intersection[] = [];
      mesh.raycast(ray, hits);
      for (const hit of hits) {
        if (hit.instanceId === undefined || (best && hit.distance >= best.distance)) continue;
        best = { body: pieces[hit.instanceId]!.body, point: hit.point.clone(), distance: hit.distance };
      }
    }
    return best;
  }

  dispose(): void {
    for (const { mesh } of this.batches) {
      mesh.geometry.dispose();
      (mesh.material as MeshLambertMaterial).dispose();
      mesh.dispose();
    }
  }
}

const WHITE = new Color("#ffffff");
