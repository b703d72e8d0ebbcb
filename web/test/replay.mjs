// A link carries what was done; the page that opens it ends in the same state, bit for bit.
import assert from "node:assert/strict";
import { openPage } from "./browser.mjs";

const step = (page, n) => page.evaluate((k) => window.taut.step(k), n);
const hashes = (page) => page.evaluate(() => Promise.all(window.taut.worlds.map((w) => w.hash())));

/** Opens the link in a page of its own and takes its steps; the hashes there. */
async function replayed(browser, address, link, play) {
  const { page, complaints, close } = await openPage(browser, address, new URL(link).hash + (play ? "" : "&play=0"));
  const { end, inputs } = await page.evaluate(() => window.taut.recorded);
  if (play) await page.waitForFunction((n) => window.taut.worlds.every((w) => w.steps >= n || w.failed), end, { timeout: 120_000 });
  await page.evaluate((n) => window.taut.goTo(n), end);
  const seen = await hashes(page);
  assert.deepEqual(complaints, []);
  await close();
  return { seen, inputs };
}

export async function a_pull_by_the_mouse_is_replayed(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=pendulum-cable&w=inertial:all&w=aligned&play=0");
  await step(page, 10);
  const body = await page.evaluate(() => window.taut.heaviest());
  const at = await page.evaluate((b) => window.taut.screenPointOfBody(b), body);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let k = 1; k <= 8; k++) {
    await page.mouse.move(at.x + 12 * k, at.y - 3 * k);
    await step(page, 4);
  }
  await page.mouse.up();
  await step(page, 25);
  const wanted = await hashes(page);
  const link = await page.evaluate(() => window.taut.link());
  assert.deepEqual(complaints, []);
  await close();
  for (const play of [false, true]) {
    const { seen, inputs } = await replayed(browser, address, link, play);
    assert.deepEqual(seen, wanted, play ? "while it plays" : "step by step");
    assert.ok(inputs >= 10, `${inputs} inputs`);
  }
  return `${link.length} letters`;
}

export async function motors_cuts_throws_methods_and_steps_are_replayed(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=operated-crane&p.load=6000&play=0");
  await step(page, 5);
  const slider = page.getByRole("slider", { name: "slew", exact: true });
  await slider.press("End");
  await page.keyboard.press("b");
  await step(page, 20);
  const gravity = page.getByRole("textbox", { name: "gravity, value" });
  await gravity.fill("6");
  await gravity.press("Enter");
  await step(page, 7);
  await page.evaluate(() => window.taut.configure(0, { stabiliser: "aligned:base" }));
  const length = page.getByRole("textbox", { name: "time step, value" });
  await length.fill("0.01");
  await length.press("Enter");
  await step(page, 9);
  await page.evaluate(() => {
    window.taut.select(null, null, 0);
    return window.taut.cut();
  });
  await step(page, 30);
  const wanted = await hashes(page);
  const link = await page.evaluate(() => window.taut.link());
  await close();
  const { seen, inputs } = await replayed(browser, address, link, false);
  assert.deepEqual(seen, wanted);
  assert.ok(inputs >= 6, `${inputs} inputs`);
  return `${inputs} inputs in ${link.length} letters`;
}

export async function a_damaged_recording_is_refused_with_its_reason(browser, address) {
  for (const letters of ["abc", "q1YqVrIyNDWoBQA", "____"]) {
    const { page, close } = await openPage(browser, address, `#scene=chain&in=${letters}&play=0`);
    assert.match(await page.locator("#problem").innerText(), /What was done .* cannot be read/);
    assert.equal(await page.title(), "crane", "the opening is there instead");
    await close();
  }
}
