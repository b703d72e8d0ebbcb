// The engine's meshes as three.js has them.

import { BufferAttribute, BufferGeometry } from "three";
import type { Mesh } from "../messages";

export function geometryOf(mesh: Mesh | undefined): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mesh?.positions ?? new Float32Array(), 3));
  geometry.setAttribute("normal", new BufferAttribute(mesh?.normals ?? new Float32Array(), 3));
  geometry.setIndex(new BufferAttribute(mesh?.indices ?? new Uint32Array(), 1));
  return geometry;
}
