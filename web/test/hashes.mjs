// The same numbers as natively: state hashes after so many steps equal those of `taut run`.
import assert from "node:assert/strict";
import { openPage } from "./browser.mjs";
import { native } from "./native.mjs";

/** Different joints, methods, coordinates, contacts; the last one is looked at in the page. */
const RUNS = [
  { scene: "crane", dt: "1/60", steps: 120 },
  // Shortly before its joints open by a tenth of the length, which is where a run ends.
  { scene: "crane", settings: { stabiliser: "inertial:all" }, dt: "1/60", steps: 50 },
  { scene: "chain", params: { ratio: "1e6" }, dt: "0.1", steps: 50 },
  { scene: "cloth", params: { side: "6" }, dt: "0.01", steps: 60 },
  { scene: "ragdoll", dt: "1/60", steps: 90 },
  { scene: "fourbar", settings: { coordinates: "reduced" }, dt: "0.01", steps: 100 },
  { scene: "bridge", settings: { coordinates: "reduced", stabiliser: "none" }, dt: "0.01", steps: 20 },
  { scene: "lattice", settings: { solver: "structured:iterations=20" }, dt: "0.01", steps: 20 },
  { scene: "soft-cantilever", dt: "0.01", steps: 50 },
  { scene: "stvk-cloth", params: { cells: "5", load: "400" }, dt: "0.04", steps: 20 },
  { scene: "heavy-on-soft", dt: "1/60", steps: 30 },
  { scene: "creatures", params: { which: "flesh", size: "0.2", height: "0.1" }, dt: "0.01", steps: 30 },
  { scene: "muscle", params: { layers: "1" }, dt: "0.005", steps: 40 },
  { scene: "box-stack", dt: "1/60", steps: 60 },
];

export async function equal_to_native(browser, address) {
  if (!process.env.TAUT) return "left out: no native command given (TAUT)";
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  let hash = "";
  for (const run of RUNS) {
    hash = await native(run);
    const got = await page.evaluate(async ({ scene, params, settings, dt, steps }) => {
      const [top, bottom = "1"] = dt.split("/");
      if (!(await window.taut.open(scene, params ?? {}, settings ?? {}, Number(top) / Number(bottom)))) return "refused";
      await window.taut.step(steps);
      return window.taut.worlds[0].hash();
    }, run);
    assert.equal(got, hash, `${run.scene} after ${run.steps} steps of ${run.dt}`);
  }
  await page.locator("summary", { hasText: "The same run natively" }).click();
  await page.waitForFunction((h) => document.querySelector(".hash").textContent === h, hash);
  await close();
  return `${RUNS.length} runs`;
}
