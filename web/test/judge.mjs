// The page judges a run as `taut run` does: what the start set up is not the run's fault. Runs in Node, on src/worker/world.ts and web/pkg.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { BURIED } from "./samples.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");

async function parts() {
  const pkg = join(web, "pkg");
  const { Sim, initSync } = await import(pathToFileURL(join(pkg, "taut_web.js")).href);
  initSync({ module: await readFile(join(pkg, "taut_web_bg.wasm")) });
  const { outputFiles } = await build({ entryPoints: [join(web, "src", "worker", "world.ts")], bundle: true, format: "esm", write: false });
  const { World } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  const run = (sim, h, steps) => {
    const one = new World(sim, { body: null, joint: null, rope: null, contacts: false, damping: false, stress: false, stages: false });
    one.steps(steps, h);
    return one;
  };
  return { Sim, run };
}

export async function what_the_start_set_up_is_no_fault() {
  const { Sim, run } = await parts();
  const one = run(Sim.file(BURIED, "{}"), 0.01, 200);
  assert.equal(one.failure, null);
  assert.ok(!one.frozen);
  const work = 500 * 9.81 * 0.2;
  assert.ok(Math.abs(one.setUp.lift - work) < 0.02 * work, `lifted with ${one.setUp.lift} J, expected ${work} J`);
  assert.ok(work > 0.1 * one.sim.energyScale, "the lift alone must pass the limit, or nothing was tested");
  return `${one.setUp.lift.toFixed(0)} J of lift`;
}

export async function what_diverges_is_told_and_stops() {
  const { Sim, run } = await parts();
  const one = run(Sim.scene("crane", "{}", '{"stabiliser": "none"}'), 1 / 60, 600);
  assert.ok(one.failure, "without a stabiliser the crane diverges");
  assert.match(one.failure.why, /^(the energy rose by|a joint or rope opened by) /);
  assert.ok(one.frozen && one.sim.steps < 600, "far gone, it goes on no longer");
  const held = run(Sim.scene("crane", "{}", "{}"), 1 / 60, 300);
  assert.deepEqual([held.failure, held.setUp], [null, null]);
  return `${one.failure.why} at ${one.failure.time.toFixed(2)} s`;
}

// By itself: node web/test/judge.mjs
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await what_the_start_set_up_is_no_fault());
  console.log(await what_diverges_is_told_and_stops());
}
