// What the native command makes: pictures through the page, recordings. Needs TAUT.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loaded, PENDULUM } from "./samples.mjs";

const run = promisify(execFile);
const MISSING = "left out: no native command given (TAUT)";

/** Runs a test in a folder of its own. */
async function inFolder(test) {
  const folder = await mkdtemp(join(tmpdir(), "taut-test-"));
  try {
    return await test(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function pictures_have_their_size() {
  if (!process.env.TAUT) return MISSING;
  return inFolder(async (folder) => {
    const file = join(folder, "pendulum.json");
    await writeFile(file, PENDULUM);
    for (const [scene, more] of [
      ["crane", ["--at", "1.5", "--world", "none", "--world", "aligned"]],
      [file, ["--at", "0.3", "--theme", "dark"]],
    ]) {
      const picture = join(folder, "picture.png");
      await run(process.env.TAUT, ["shot", scene, ...more, "--width", "700", "--height", "300", "--out", picture]);
      const png = await readFile(picture);
      assert.equal(png.readUInt32BE(16), 700, "width");
      assert.equal(png.readUInt32BE(20), 300, "height");
      // A single colour packs into next to nothing.
      assert.ok(png.length > 10_000, `${scene}: ${png.length} bytes`);
    }
  });
}

export async function recordings_load_in_three() {
  if (!process.env.TAUT) return MISSING;
  return inFolder(async (folder) => {
    const told = [];
    for (const [scene, ...more] of [["crane"], ["cloth", "--set", "side=6"], ["ragdoll"], ["tow"]]) {
      const file = join(folder, `${scene}.glb`);
      await run(process.env.TAUT, ["run", scene, ...more, "--time", "1", "--gltf", file]);
      told.push(`${scene} ${await loaded(file)}`);
    }
    return told.join("; ");
  });
}
