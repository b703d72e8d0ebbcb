// Side by side: three worlds in step, with different gaps; one that diverges says so and does not stop the others.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, shots } from "./browser.mjs";

export async function opens_with_three_worlds(browser, address) {
  const { page, complaints, close } = await openPage(browser, address);
  await page.evaluate(() => {
    window.taut.pause();
    return window.taut.step(150);
  });
  await page.waitForFunction(() => /diverged at \d/.test(document.querySelector("#panes").innerText));
  const worlds = await page.evaluate(() => window.taut.worlds);
  assert.equal(worlds.length, 3);
  assert.equal(new Set(worlds.map((w) => w.worstGap)).size, 3, "three different gaps");
  const held = worlds.at(-1);
  assert.equal(held.name, "aligned");
  assert.equal(held.failed, null);
  assert.ok(held.worstGap < 0.01 * held.length, `the default holds: ${held.worstGap}`);
  const none = worlds.find((w) => w.name === "none");
  assert.ok(none.failed, "without a stabiliser it diverges");
  assert.ok(held.steps >= 150 && none.steps <= held.steps);
  const text = await page.locator("#panes").innerText();
  assert.match(text, /diverged at \d/);
  await page.screenshot({ path: join(shots, "side-by-side.png") });
  assert.deepEqual(complaints, []);
  await close();
  return worlds.map((w) => `${w.name} ${w.worstGap.toExponential(1)} m`).join(", ");
}

export async function add_and_remove(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  await page.getByRole("button", { name: "Add a world beside" }).click();
  const panes = (n) => page.waitForFunction((count) => document.querySelectorAll(".pane").length === count, n);
  await panes(2);
  await page.getByRole("button", { name: "Add a world beside" }).click();
  await panes(3);
  await page.getByRole("button", { name: "Remove world B" }).click();
  await panes(2);
  const steps = await page.evaluate(async () => {
    window.taut.pause();
    await window.taut.step(5);
    return window.taut.worlds.map((w) => w.steps);
  });
  assert.equal(new Set(steps).size, 1, "in step");
  await close();
}
