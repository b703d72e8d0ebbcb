// Scene files and a reader of recordings, for several tests.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

export const PENDULUM = JSON.stringify({
  taut: 1,
  name: "pendulum",
  bodies: [{ type: "dynamic", name: "bob", mass: 5, shape: { type: "box", size: [0.2, 0.2, 0.2] }, position: [1, 0, 0] }],
  joints: [{ type: "ball", name: "pivot", bodies: ["bob", "ground"], point: [0, 0, 0] }],
  outputs: { dt: 0.01, time: 5, follow: "bob" },
});

/** A box of 500 kg that starts 0.2 m deep in the ground. */
export const BURIED = JSON.stringify({
  taut: 1,
  name: "buried",
  bodies: [
    {
      type: "dynamic",
      name: "box",
      density: 500,
      shape: { type: "box", size: [1, 1, 1] },
      position: [0, 0.3, 0],
      colliders: [{ shape: { type: "box", size: [1, 1, 1] } }],
    },
  ],
  ground: { colliders: [{ shape: { type: "half-space" } }] },
});

/** What three.js makes of a recording: something to see, and one animation of it. */
export async function loaded(path) {
  const bytes = await readFile(path);
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await new GLTFLoader().parseAsync(data, "");
  let meshes = 0;
  gltf.scene.traverse((node) => (meshes += node.isMesh ? 1 : 0));
  assert.ok(meshes > 0, `${meshes} meshes`);
  assert.equal(gltf.animations.length, 1);
  const { duration, tracks } = gltf.animations[0];
  assert.ok(duration > 0.9 && tracks.length > 10, `${duration} s, ${tracks.length} tracks`);
  assert.ok(tracks.every((t) => t.values.every(Number.isFinite)));
  return `${meshes} meshes, ${tracks.length} tracks, ${duration.toFixed(2)} s, ${(bytes.length / 1024).toFixed(0)} kB`;
}
