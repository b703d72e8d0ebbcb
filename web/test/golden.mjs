// The golden hashes of all scenes come out of the WebAssembly too, bit for bit. Runs in Node, on web/pkg as build-page.sh makes it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const lines = (text) => text.split("\n").filter((line) => line.includes(" = "));

export async function equal_in_webassembly() {
  const pkg = join(root, "web", "pkg");
  const engine = await import(pathToFileURL(join(pkg, "taut_web.js")).href);
  engine.initSync({ module: await readFile(join(pkg, "taut_web_bg.wasm")) });
  const golden = lines(await readFile(join(root, "crates", "taut-scenes", "tests", "golden.txt"), "utf8"));
  const found = new Set(lines(engine.golden()));
  const differ = golden.filter((line) => !found.has(line));
  assert.deepEqual(differ, [], `${differ.length} of ${golden.length} differ`);
  assert.equal(found.size, golden.length);
  return `${golden.length} cases`;
}

// By itself: node web/test/golden.mjs
if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await equal_in_webassembly());
