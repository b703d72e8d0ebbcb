// Going back: to any step that is kept, with the same bits; on again as it was, or otherwise.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, shots } from "./browser.mjs";

const step = (page, n) => page.evaluate((k) => window.taut.step(k), n);
const goTo = (page, n) => page.evaluate((k) => window.taut.goTo(k), n);
const hashes = (page) => page.evaluate(() => Promise.all(window.taut.worlds.map((w) => w.hash())));
const joints = (page) => page.evaluate(() => window.taut.joints(1).length);

export async function every_step_back_is_the_step_that_was(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=crane&w=aligned:base&w=aligned&play=0");
  const seen = new Map();
  for (let k = 0; k < 4; k++) {
    seen.set(17 * k, await hashes(page));
    await step(page, 17);
  }
  // Something is done on the way, and done again when that way is gone once more.
  await page.evaluate(() => {
    window.taut.select(null, 20);
    return window.taut.cut();
  });
  const before = await joints(page);
  await step(page, 12);
  const end = await hashes(page);
  for (const [at, hash] of [...seen].reverse()) {
    await goTo(page, at);
    assert.deepEqual(await hashes(page), hash, `step ${at}`);
  }
  assert.equal(await joints(page), before + 1, "before the cut");
  await goTo(page, 80);
  assert.deepEqual(await hashes(page), end, "on again, with the cut");
  assert.equal(await joints(page), before);
  // Otherwise from the middle on: what came after is gone.
  await goTo(page, 30);
  await page.evaluate(() => {
    window.taut.select(null, 21);
    return window.taut.cut();
  });
  await step(page, 50);
  assert.notDeepEqual(await hashes(page), end);
  await goTo(page, 1000);
  assert.equal(await page.evaluate(() => window.taut.worlds[1].steps), 80, "there is nothing beyond");
  assert.deepEqual(complaints, []);
  await close();
}

export async function keys_and_slider_go_back_and_memory_is_told(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=crane&play=0");
  await step(page, 90);
  const last = await hashes(page);
  await page.keyboard.press(",");
  await page.waitForFunction(() => window.taut.worlds[0].steps === 89);
  await page.keyboard.press(".");
  await page.waitForFunction(() => window.taut.worlds[0].steps === 90);
  assert.deepEqual(await hashes(page), last);
  const slider = page.getByRole("slider", { name: "Moment of the run" });
  await slider.focus();
  await slider.press("Home");
  await page.waitForFunction(() => window.taut.worlds[0].steps === 0);
  await slider.press("End");
  await page.waitForFunction(() => window.taut.worlds[0].steps === 90);
  assert.deepEqual(await hashes(page), last);
  assert.match(await page.locator(".memory").textContent(), /^[\d.]+ MB kept$/);
  await page.screenshot({ path: join(shots, "rewind.png") });
  const csv = await page.evaluate(() => window.taut.worlds[0].time);
  assert.ok(Math.abs(csv - 1.5) < 1e-9);
  assert.deepEqual(complaints, []);
  await close();
}

export async function a_run_that_diverged_can_be_gone_back_to_before_it_did(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=crane&w=none&play=0");
  await step(page, 120);
  assert.ok(await page.evaluate(() => window.taut.worlds[0].failed));
  await goTo(page, 30);
  assert.equal(await page.evaluate(() => window.taut.worlds[0].failed), null);
  await page.getByRole("combobox", { name: "Stabiliser, world A" }).selectOption("aligned");
  await page.waitForFunction(() => window.taut.worlds[0].name === "aligned");
  await step(page, 90);
  const world = await page.evaluate(() => window.taut.worlds[0]);
  assert.equal(world.failed, null, "with another method from there on it holds");
  assert.equal(world.steps, 120);
  await close();
}

/** Scenes whose state is more than poses and velocities: contacts, ropes that come and go, programs, elements, sleep, breaks, cuts. */
const KINDS = [
  "ragdoll-pile",
  "mobile-crane",
  "ski-lift",
  "anchor-handling",
  "rope-access",
  "elevator",
  "soft-finger",
  "bow",
  "yard",
  "robot-gripper",
  "sailing-boat",
];
const SMALLER = {
  "ragdoll-pile": { ragdolls: "2" },
  "anchor-handling": { segment: "20" },
  yard: { boxes: "20" },
  bow: { cells: "12", start: "braced" },
};

export async function scenes_of_every_kind_go_back_to_the_same_bits(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=chain&play=0");
  for (const scene of KINDS) {
    const told = await page.evaluate(
      async ([name, params]) => {
        const known = window.taut.scenes.find((s) => s.name === name).parameters.map((p) => p.name);
        const given = Object.fromEntries(Object.entries(params).filter(([p]) => known.includes(p)));
        if (!(await window.taut.open(name, given))) return { refused: document.getElementById("problem").innerText };
        await window.taut.step(25);
        const first = await window.taut.worlds[0].hash();
        await window.taut.step(20);
        const last = await window.taut.worlds[0].hash();
        await window.taut.goTo(25);
        const back = await window.taut.worlds[0].hash();
        await window.taut.goTo(45);
        return { first, last, back, again: await window.taut.worlds[0].hash() };
      },
      [scene, SMALLER[scene] ?? {}],
    );
    assert.equal(told.refused, undefined, scene);
    assert.equal(told.back, told.first, `${scene} back`);
    assert.equal(told.again, told.last, `${scene} on again`);
  }
  assert.deepEqual(complaints, []);
  await close();
  return `${KINDS.length} scenes`;
}
