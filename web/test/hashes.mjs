// The same numbers as natively: state hashes after so many steps equal those given in TAUT_HASHES.
import assert from "node:assert/strict";
import { openPage } from "./browser.mjs";

export async function equal_to_native(browser, address) {
  const list = JSON.parse(process.env.TAUT_HASHES ?? "[]");
  if (list.length === 0) return "no list given (TAUT_HASHES)";
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  for (const { scene, params = {}, settings = {}, dt, steps, hash } of list) {
    const got = await page.evaluate(
      ([scene, params, settings, dt, steps]) => {
        if (!window.taut.open(scene, params, settings, dt)) return "refused";
        window.taut.step(steps);
        return window.taut.worlds[0].hash();
      },
      [scene, params, settings, dt, steps],
    );
    assert.equal(got, hash, `${scene} after ${steps} steps of ${dt}`);
  }
  await page.waitForTimeout(300);
  const last = list.at(-1);
  assert.equal(await page.locator(".hash").textContent(), last.hash, "and it is shown");
  await close();
  return `${list.length} runs`;
}
