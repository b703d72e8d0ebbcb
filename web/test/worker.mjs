// The engine runs beside the page: however long a step or a build takes, the page draws, says so, and can stop it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, shots } from "./browser.mjs";

/** A net whose steps take seconds, and long to build. */
const SLOW = ["net", { columns: "60", rows: "60" }];
/** The page's own work takes less than this, ms, however slow the machine draws; a step of the slow scene takes longer. */
const FROZEN = 1000;

/** From now on `longest` is the longest time that the page did not answer a timer, ms. */
const watchTimers = (page) =>
  page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    setInterval(() => {
      window.longest = Math.max(window.longest, performance.now() - last);
      last = performance.now();
    }, 10);
  });

export async function a_step_of_seconds_freezes_nothing_and_can_be_stopped(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=chain&play=0");
  const words = page.locator("#busy");
  assert.ok(await words.isHidden());
  const opened = page.evaluate(([scene, params]) => window.taut.open(scene, params), SLOW);
  assert.equal(await opened, true);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await watchTimers(page);
  await page.evaluate(() => void window.taut.step(1000));
  await page.waitForFunction(() =>
    /^a step has taken [\d.]+ s so far/.test(document.querySelector("#busy:not([hidden])")?.textContent ?? ""),
  );
  await page.screenshot({ path: join(shots, "busy.png") });
  const told = await words.innerText();
  // The page can be used meanwhile.
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  const longest = await page.evaluate(() => window.longest);
  assert.ok(longest < FROZEN, `the page stood for ${longest} ms`);
  await page.locator("#busy").getByRole("button", { name: "Stop" }).click();
  await page.waitForFunction(() => window.taut.worlds[0].steps === 0 && window.taut.busy() === null);
  assert.ok(await words.isHidden());
  assert.equal(await page.title(), SLOW[0]);
  assert.deepEqual(complaints, []);
  await close();
  return `${told.replace(/\s+/g, " ")}; the page was away for ${longest.toFixed(0)} ms`;
}

export async function a_build_is_given_up_and_the_old_scene_stays(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=chain&play=0");
  await page.evaluate(() => window.taut.step(3));
  // Held at its start, so that there is a build to stop however fast the machine is.
  const refused = await page.evaluate(async ([scene, params]) => {
    const building = window.taut.open(scene, params);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const what = window.taut.busy()?.what;
    await window.taut.stop();
    return { what, opened: await building };
  }, SLOW);
  assert.deepEqual(refused, { what: "build", opened: false });
  assert.equal(await page.title(), "chain");
  await page.evaluate(() => window.taut.step(2));
  assert.equal(await page.evaluate(() => window.taut.worlds[0].steps), 5, "the old scene runs on");
  assert.ok(await page.locator("#problem").isHidden(), "nothing is complained of");
  assert.deepEqual(complaints, []);
  await close();
}

export async function every_world_has_a_worker(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=crane&w=none&w=inertial:all&w=aligned&play=0");
  assert.equal(page.workers().length, 3);
  await page.evaluate(() => window.taut.open("chain"));
  assert.equal(page.workers().length, 1, "the others have ended");
  await close();
}
