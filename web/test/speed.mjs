// What a frame and a step cost. Only the step is bounded here: frames depend on what else the machine does. TAUT_RELEASE names a native
// command to compare the step with.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { openPage } from "./browser.mjs";

export async function crane(browser, address) {
  const rates = [];
  for (const viewport of [
    { width: 1400, height: 900 },
    { width: 640, height: 480 },
  ])
    rates.push(await frames(browser, address, viewport));
  const { page, close } = await openPage(browser, address, "#scene=crane&play=0");
  const step = await page.evaluate(async () => {
    window.taut.pause();
    await window.taut.open("crane");
    const best = [];
    for (let k = 0; k < 20; k++) {
      const start = performance.now();
      await window.taut.step(20);
      best.push((performance.now() - start) / 20);
    }
    return Math.min(...best);
  });
  assert.ok(step < 2, `a step takes ${step} ms`);
  const bare = await page.evaluate(async () => (await window.taut.open("crane")) && window.taut.bareStep(300));
  await close();
  const beside = process.env.TAUT_RELEASE ? `, ${(bare / native(process.env.TAUT_RELEASE)).toFixed(2)} times the native step` : "";
  return `${rates.join(", ")}, ${(1000 * step).toFixed(0)} us a step with its report, ${(1e6 * bare).toFixed(0)} us alone${beside}`;
}

/** Frames a second while the crane runs, median. */
async function frames(browser, address, viewport) {
  const { page, close } = await openPage(browser, address, "#scene=crane", { viewport });
  await page.waitForTimeout(1500);
  const median = await page.evaluate(
    () =>
      new Promise((done) => {
        const times = [];
        let last = performance.now();
        const see = (now) => {
          times.push(now - last);
          last = now;
          if (times.length < 60) requestAnimationFrame(see);
          else done(times.sort((a, b) => a - b)[30]);
        };
        requestAnimationFrame(see);
      }),
  );
  await close();
  return `${(1000 / median).toFixed(0)} frames/s at ${viewport.width} x ${viewport.height}`;
}

/** Median seconds of the same 300 steps natively. */
function native(taut) {
  const told = JSON.parse(execFileSync(taut, ["run", "crane", "--json", "--time", "5"], { encoding: "utf8" }));
  return told.us_per_step / 1e6;
}
