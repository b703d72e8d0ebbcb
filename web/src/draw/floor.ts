// The ground: half spaces of the scene, or a faint floor below a scene that has none; soft grid lines that fade out with distance.

import {
  BufferGeometry,
  CircleGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  Quaternion,
  ShadowMaterial,
  Vector3,
} from "three";
import type { Run } from "../run";
import { colour } from "../theme";

/** How far the floor is drawn, in extents of the scene. */
const REACH = 2;
/** The same for the shadows, where the rest of the floor is left out. */
const SHADE = 0.8;
/** Pieces of a grid line, each of one colour from end to end. */
const PIECES = 16;
const OUT = new Vector3(0, 0, 1);

interface Plane {
  mesh: Mesh;
  body: number;
  local: Matrix4;
}

export class Floor {
  readonly group = new Group();
  private readonly planes: Plane[] = [];
  private readonly material: ShadowMaterial;
  private readonly uniforms = {
    gridColour: { value: new Color() },
    skyColour: { value: new Color() },
    cell: { value: 1 },
    reach: { value: 10 },
    centre: { value: new Vector3() },
  };
  private readonly matrix = new Matrix4();
  private readonly thread = new LineBasicMaterial({ vertexColors: true, depthWrite: false });

  /** `size`: extent of the scene, m. `simple`: lines and shadows only, for renderers that count every pixel. */
  constructor(
    run: Run,
    private readonly size: number,
    private readonly simple: boolean,
  ) {
    this.uniforms.cell.value = cellOf(size);
    this.uniforms.reach.value = (simple ? SHADE : REACH) * size;
    this.material = this.gridMaterial();
    const { bodies, bounds } = run.drawing;
    bodies.forEach((body, index) => {
      for (const part of body.parts) {
        if (!part.ground) continue;
        const mesh = run.meshes[part.mesh];
        if (!mesh) continue;
        const normal = new Vector3().fromArray(mesh.normals);
        const point = new Vector3().fromArray(mesh.positions);
        const foot = normal.clone().multiplyScalar(point.dot(normal));
        const shape = new Matrix4().compose(new Vector3(...part.pos), new Quaternion(...part.rot), new Vector3(1, 1, 1));
        const turn = new Quaternion().setFromUnitVectors(OUT, normal);
        this.add(index, shape.multiply(new Matrix4().compose(foot, turn, new Vector3(1, 1, 1))));
      }
    });
    if (this.planes.length === 0) {
      // It stands for nothing, so it hides nothing that falls below it.
      this.material.depthWrite = false;
      const level = bounds[0][1] - 0.02 * size;
      const turn = new Quaternion().setFromUnitVectors(OUT, new Vector3(0, 1, 0));
      this.add(-1, new Matrix4().compose(new Vector3(0, level, 0), turn, new Vector3(1, 1, 1)));
    }
    this.repaint();
  }

  /** A floor that stands for nothing sinks out of the way of what falls below it. */
  update(poses: Float32Array, lowest: number, centre: Vector3): void {
    this.uniforms.centre.value.copy(centre);
    for (const { mesh, body, local } of this.planes) {
      if (body >= 0) {
        this.matrix.compose(
          new Vector3().fromArray(poses, 7 * body),
          new Quaternion().fromArray(poses, 7 * body + 3),
          new Vector3(1, 1, 1),
        );
        mesh.matrix.multiplyMatrices(this.matrix, local);
      } else {
        mesh.matrix.copy(local);
        mesh.matrix.elements[13] = lowest - 0.02 * this.size;
      }
      this.slide(mesh.matrix, centre);
    }
  }

  /** Moves the disc within its plane to below what is looked at, by whole cells so that the grid stands still. */
  private slide(matrix: Matrix4, centre: Vector3): void {
    const e = matrix.elements;
    const cell = 5 * this.uniforms.cell.value;
    const from = new Vector3(centre.x - e[12]!, centre.y - e[13]!, centre.z - e[14]!);
    for (const axis of [0, 4]) {
      const along = new Vector3(e[axis], e[axis + 1], e[axis + 2]);
      const by = cell * Math.round(from.dot(along) / cell);
      e[12]! += along.x * by;
      e[13]! += along.y * by;
      e[14]! += along.z * by;
    }
  }

  repaint(): void {
    // Ground that is there is seen as such.
    this.material.color.set(colour(this.planes.some(({ body }) => body >= 0) ? "--ground" : "--floor"));
    this.uniforms.gridColour.value.set(colour("--grid"));
    this.uniforms.skyColour.value.set(colour("--sky"));
    if (this.simple) for (const { mesh } of this.planes) this.paintLines(mesh.children[0] as LineSegments);
  }

  dispose(): void {
    for (const { mesh } of this.planes) {
      mesh.geometry.dispose();
      for (const lines of mesh.children as LineSegments[]) lines.geometry.dispose();
    }
    this.thread.dispose();
    this.material.dispose();
  }

  private add(body: number, local: Matrix4): void {
    const mesh = new Mesh(new CircleGeometry(this.uniforms.reach.value, 48), this.material);
    if (this.simple) mesh.add(this.lines());
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    mesh.renderOrder = -1;
    mesh.frustumCulled = false;
    this.planes.push({ mesh, body, local });
    this.group.add(mesh);
  }

  /** The grid as lines, in pieces whose ends are coloured by their distance. */
  private lines(): LineSegments {
    const cell = this.uniforms.cell.value;
    const reach = REACH * this.size;
    const places: number[] = [];
    for (let at = -Math.floor(reach / cell) * cell; at <= reach; at += cell) {
      for (let k = 0; k < PIECES; k++) {
        const [a, b] = [reach * ((2 * k) / PIECES - 1), reach * ((2 * (k + 1)) / PIECES - 1)];
        places.push(at, a, 0, at, b, 0, a, at, 0, b, at, 0);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
    geometry.setAttribute("color", new Float32BufferAttribute(places.length, 3));
    const lines = new LineSegments(geometry, this.thread);
    lines.frustumCulled = false;
    lines.renderOrder = -0.5;
    return lines;
  }

  private paintLines(lines: LineSegments): void {
    const place = lines.geometry.getAttribute("position");
    const paint = lines.geometry.getAttribute("color");
    const cell = this.uniforms.cell.value;
    const mixed = new Color();
    for (let k = 0; k < place.count; k++) {
      const away = Math.hypot(place.getX(k), place.getY(k)) / (REACH * this.size);
      const along = k % 4 < 2 ? place.getX(k) : place.getY(k);
      const bold = Math.round(along / cell) % 5 === 0 ? 1 : 0.45;
      mixed.lerpColors(this.uniforms.skyColour.value, this.uniforms.gridColour.value, bold * Math.max(0, 1 - away));
      paint.setXYZ(k, mixed.r, mixed.g, mixed.b);
    }
    paint.needsUpdate = true;
  }

  /** Unlit: only shadows and grid lines, since the floor covers most of the picture and software renderers draw it too. */
  private gridMaterial(): ShadowMaterial {
    const material = new ShadowMaterial({ transparent: false, polygonOffset: this.simple, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vPlane;\nvarying vec3 vPlace;")
        .replace(
          "#include <begin_vertex>",
          "#include <begin_vertex>\nvPlane = position.xy;\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz;",
        );
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>${DECLARED}`)
        .replace("gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );", this.simple ? SHADOWS : PAINT);
    };
    return material;
  }
}

const DECLARED = `
varying vec2 vPlane;
varying vec3 vPlace;
uniform vec3 gridColour;
uniform vec3 skyColour;
uniform float cell;
uniform float reach;
uniform vec3 centre;
`;

// Thin lines every cell, stronger ones every fifth; both vanish where they would be finer than a pixel. Far away all is sky.
const PAINT = `
float fade = smoothstep(0.3 * reach, reach, distance(vPlace, centre));
vec2 fine = vPlane / cell;
vec2 wide = max(fwidth(fine), vec2(1e-6));
vec2 near = abs(fract(fine - 0.5) - 0.5) / wide;
vec2 coarse = abs(fract(fine * 0.2 - 0.5) - 0.5) * 5.0 / wide;
float most = max(wide.x, wide.y);
float thin = (1.0 - min(min(near.x, near.y), 1.0)) * 0.5 * (1.0 - smoothstep(0.08, 0.35, most));
float bold = (1.0 - min(min(coarse.x, coarse.y), 1.0)) * (1.0 - smoothstep(0.4, 1.6, most));
vec3 paint = mix(color, gridColour, max(thin, bold));
paint *= 1.0 - 0.34 * (1.0 - getShadowMask());
gl_FragColor = vec4(mix(paint, skyColour, fade), 1.0);
`;

const SHADOWS = `
float fade = smoothstep(0.5 * reach, reach, distance(vPlace, centre));
gl_FragColor = vec4(mix(color * (1.0 - 0.34 * (1.0 - getShadowMask())), skyColour, fade), 1.0);
`;

/** A round length of about a tenth of the scene. */
function cellOf(size: number): number {
  const raw = size / 10;
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * (raw / power >= 5 ? 5 : raw / power >= 2 ? 2 : 1);
}
