// Deformables: their surfaces over their nodes, lit from both sides, plain or coloured by stress, with the edges of their cells.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  type Intersection,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  type Raycaster,
  Vector3,
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
  /** The node of each corner: a node on a sharp edge has a corner for each side of it. */
  corners: number[];
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
    const { corners, triangles } = creased(soft, this.run.softs[1].subarray(3 * from, 3 * (from + soft.nodes)));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * corners.length), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * corners.length), 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(triangles), 1));
    const surface = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
    surface.castShadow = true;
    const edges = new BufferGeometry();
    edges.setAttribute("position", new BufferAttribute(new Float32Array(3 * soft.nodes), 3));
    edges.setIndex(new BufferAttribute(Uint32Array.from(soft.edges), 1));
    const lines = new LineSegments(edges, new LineBasicMaterial({ color: "#27323c", transparent: true, opacity: 0.55 }));
    for (const part of [surface, lines]) {
      part.frustumCulled = false;
      this.group.add(part);
    }
    return { soft, from, corners, surface, lines, plain };
  }

  /** Puts every node where it is, and colours the surfaces. */
  update(at: Float32Array, show: Show): void {
    if (this.pieces.length === 0) return;
    this.at = at;
    const stress = show.stress ? this.run.frame.stress : null;
    if (stress) this.scale.see(stress.reduce((most, x) => Math.max(most, x), 0));
    for (const { soft, from, corners, surface, lines, plain } of this.pieces) {
      surface.visible = show.shapes && soft.triangles.length > 0;
      lines.visible = show.edges || soft.triangles.length === 0;
      const own = at.subarray(3 * from, 3 * (from + soft.nodes));
      const nodes = lines.geometry.getAttribute("position") as BufferAttribute;
      (nodes.array as Float32Array).set(own);
      nodes.needsUpdate = true;
      const position = surface.geometry.getAttribute("position") as BufferAttribute;
      const colours = surface.geometry.getAttribute("color") as BufferAttribute;
      corners.forEach((node, k) => {
        position.setXYZ(k, own[3 * node]!, own[3 * node + 1]!, own[3 * node + 2]!);
        const c = stress ? tensionColour((stress[from + node] ?? 0) / (this.scale.value || 1), this.colour) : plain;
        colours.setXYZ(k, c.r, c.g, c.b);
      });
      position.needsUpdate = true;
      colours.needsUpdate = true;
      surface.geometry.computeVertexNormals();
    }
  }

  /** The node nearest to where a ray meets a surface: the body that carries it. */
  hit(ray: Raycaster): { body: number; point: Vector3; distance: number } | null {
    let best: { body: number; point: Vector3; distance: number } | null = null;
    for (const { soft, from, corners, surface } of this.pieces) {
      if (!surface.visible) continue;
      surface.geometry.computeBoundingSphere();
      surface.geometry.computeBoundingBox();
      const hits: Intersection[] = [];
      surface.raycast(ray, hits);
      for (const hit of hits) {
        if (!hit.face || (best && hit.distance >= best.distance)) continue;
        const [a, b, c] = [hit.face.a, hit.face.b, hit.face.c].map((k) => corners[k]!) as [number, number, number];
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

/** Triangles whose normals differ by more than this, as a cosine, meet in a sharp edge. */
const SHARP = 0.75;

/** Corners for the triangles of a surface, so that sharp edges stay sharp when normals are smoothed. */
function creased(soft: Soft, at: Float32Array): { corners: number[]; triangles: number[] } {
  const place = (node: number) => new Vector3().fromArray(at, 3 * node);
  const corners: number[] = [];
  const triangles: number[] = [];
  /** For each node its corners so far with the normal of the first triangle at each. */
  const known = new Map<number, { corner: number; normal: Vector3 }[]>();
  for (let k = 0; k < soft.triangles.length; k += 3) {
    const nodes = soft.triangles.slice(k, k + 3);
    const [a, b, c] = nodes.map(place) as [Vector3, Vector3, Vector3];
    const normal = b.sub(a).cross(c.sub(a)).normalize();
    for (const node of nodes) {
      const list = known.get(node) ?? [];
      known.set(node, list);
      let found = list.find((one) => one.normal.dot(normal) > SHARP);
      if (!found) {
        found = { corner: corners.length, normal };
        corners.push(node);
        list.push(found);
      }
      triangles.push(found.corner);
    }
  }
  return { corners, triangles };
}
