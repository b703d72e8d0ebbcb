// Deformables: their surfaces over their nodes, lit from both sides, plain or coloured by stress, with the edges of their cells.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, type Intersection, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial, type Raycaster, Vector3,
} from "three";
import type { Soft } from "../engine";
import type { Run } from "../run";
import type { Show } from "../show";
import { Scale, tensionColour } from "./colours";

const CYCLE = ["#d98a5b", "#6fa3d0", "#7fb38a", "#b58bc4", "#d0b060", "#8aa0b0"];

interface Piece {
  soft: Soft;
  /** Number of its first node among those of all. */
  from: number;
  surface: Mesh;
  lines: LineSegments;
  plain: Color;
}

export class Softs {
  readonly group = new Group();
  private readonly pieces: Piece[] = [];
  private readonly scale = new Scale();
  private readonly colour = new Color();
  private at: Float32Array = new Float32Array();

  constructor(private readonly run: Run) {
    let from = 0;
    run.drawing.softs.forEach((soft, k) => {
      this.pieces.push(this.piece(soft, from, new Color(CYCLE[k % CYCLE.length]!)));
      from += soft.nodes;
    });
  }

  private piece(soft: Soft, from: number, plain: Color): Piece {
    const position = new BufferAttribute(new Float32Array(3 * soft.nodes), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", position);
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * soft.nodes), 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(soft.triangles), 1));
    const surface = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
    surface.castShadow = true;
    const edges = new BufferGeometry();
    edges.setAttribute("position", position);
    edges.setIndex(new BufferAttribute(Uint32Array.from(soft.edges), 1));
    const lines = new LineSegments(edges, new LineBasicMaterial({ color: "#27323c", transparent: true, opacity: 0.55 }));
    for (const part of [surface, lines]) {
      part.frustumCulled = false;
      this.group.add(part);
    }
    return { soft, from, surface, lines, plain };
  }

  /** Puts every node where it is, and colours the surfaces. */
  update(at: Float32Array, show: Show): void {
    if (this.pieces.length === 0) return;
    this.at = at;
    const stress = show.stress ? this.run.sim.stress() : null;
    if (stress) this.scale.see(stress.reduce((most, x) => Math.max(most, x), 0));
    for (const { soft, from, surface, lines, plain } of this.pieces) {
      surface.visible = show.shapes && soft.triangles.length > 0;
      lines.visible = show.edges || soft.triangles.length === 0;
      const position = surface.geometry.getAttribute("position") as BufferAttribute;
      (position.array as Float32Array).set(at.subarray(3 * from, 3 * (from + soft.nodes)));
      position.needsUpdate = true;
      const colours = surface.geometry.getAttribute("color") as BufferAttribute;
      for (let k = 0; k < soft.nodes; k++) {
        const part = stress ? (stress[from + k] ?? 0) / (this.scale.value || 1) : 0;
        const c = stress ? tensionColour(part, this.colour) : plain;
        colours.setXYZ(k, c.r, c.g, c.b);
      }
      colours.needsUpdate = true;
      surface.geometry.computeVertexNormals();
    }
  }

  /** The node nearest to where a ray meets a surface: the body that carries it. */
  hit(ray: Raycaster): { body: number; point: Vector3; distance: number } | null {
    let best: { body: number; point: Vector3; distance: number } | null = null;
    for (const { soft, from, surface } of this.pieces) {
      if (!surface.visible) continue;
      surface.geometry.computeBoundingSphere();
      surface.geometry.computeBoundingBox();
      const hits: Intersection[] = [];
      surface.raycast(ray, hits);
      for (const hit of hits) {
        if (!hit.face || (best && hit.distance >= best.distance)) continue;
        const { a, b, c } = hit.face;
        const place = (node: number) => new Vector3().fromArray(this.at, 3 * (from + node));
        const near = [a, b, c].sort((p, q) => place(p).distanceTo(hit.point) - place(q).distanceTo(hit.point))[0]!;
        best = { body: soft.carriers[near]![0]!, point: place(near), distance: hit.distance };
      }
    }
    return best;
  }

  dispose(): void {
    for (const { surface, lines } of this.pieces) {
      surface.geometry.dispose();
      lines.geometry.dispose();
      (surface.material as MeshLambertMaterial).dispose();
      (lines.material as LineBasicMaterial).dispose();
    }
  }
}
