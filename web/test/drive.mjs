// What can be driven: motors, winches and gravity by sliders, keys and a gamepad; bodies that are thrown.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, shots } from "./browser.mjs";

const CRANE = "#scene=operated-crane&play=0";
const step = (page, n) => page.evaluate((k) => window.taut.step(k), n);
const load = (page) => page.evaluate(() => window.taut.bodyPosition(window.taut.bodies().findIndex((b) => b.name === "load")));

export async function a_crane_is_slewed_by_its_slider_and_by_keys(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, CRANE);
  const start = await load(page);
  await page.getByRole("slider", { name: "slew", exact: true }).press("End");
  await page.waitForFunction(() => window.taut.motors()[0].wanted > 0.1);
  await step(page, 240);
  const slewed = await load(page);
  assert.ok(Math.hypot(slewed[0] - start[0], slewed[2] - start[2]) > 4, `slewed to ${slewed}`);
  assert.ok(Math.abs(slewed[1] - start[1]) < 1, "and not lifted");
  await page.screenshot({ path: join(shots, "operated-crane.png") });
  await page.getByRole("button", { name: "Let go" }).first().click();
  await page.waitForFunction(() => window.taut.motors()[0].wanted === null);
  // A key held hoists, and let go it stands.
  await page.locator(".view").first().focus();
  await page.keyboard.down("h");
  await page.waitForFunction(() => window.taut.winches()[0].wanted === 1);
  await step(page, 180);
  assert.ok((await load(page))[1] > slewed[1] + 0.4, "hoisted");
  await page.keyboard.up("h");
  await page.waitForFunction(() => window.taut.winches()[0].wanted === 0);
  assert.equal(await page.evaluate(() => window.taut.worlds[0].failed), null);
  assert.equal(await page.evaluate(() => window.taut.command()), null, "no command line repeats it");
  assert.deepEqual(complaints, []);
  await close();
}

export async function a_gamepad_moves_it_as_the_levers_of_a_crane(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, CRANE);
  await page.evaluate(() => {
    window.pad = { mapping: "standard", axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false })) };
    navigator.getGamepads = () => [window.pad];
  });
  const push = (axes) => page.evaluate((a) => void (window.pad.axes = a), axes);
  // Left stick to the left and pulled back, right stick pulled back: slews to the left, luffs in, hoists.
  await push([-1, 0.5, 0, 1]);
  await page.waitForFunction(
    () => window.taut.motors()[0].wanted > 0.19 && window.taut.winches()[1].wanted === 0.3 && window.taut.winches()[0].wanted === 2,
  );
  const start = await load(page);
  await step(page, 240);
  const end = await load(page);
  assert.ok(end[1] > start[1] + 1, "hoisted");
  assert.ok(end[2] < start[2] - 2, "to the left of one who looks along the boom");
  // Near its middle a stick is at rest.
  await push([0.05, -0.05, 0, 0.1]);
  await page.waitForFunction(() => window.taut.motors()[0].wanted === 0 && window.taut.winches().every((w) => w.wanted === 0));
  await page.evaluate(() => void (window.pad.buttons[0].pressed = true));
  await page.waitForFunction(() => window.taut.bodies().some((b) => b.name === "ball 1"));
  assert.deepEqual(complaints, []);
  await close();
}

export async function a_thrown_ball_hits_and_a_box_falls(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=box-stack&play=0");
  const places = () => page.evaluate(() => window.taut.bodies().map((_, k) => window.taut.bodyPosition(k)));
  await step(page, 30);
  const before = await places();
  await page.keyboard.press("b");
  await page.waitForFunction(() => window.taut.bodies().at(-1).name === "ball 1");
  await step(page, 90);
  await page.screenshot({ path: join(shots, "thrown.png") });
  const after = await places();
  const moved = Math.max(...before.map((at, k) => Math.hypot(...at.map((x, c) => x - after[k][c]))));
  assert.ok(moved > 0.05, `the ball moved the boxes by ${moved} m`);
  await page.getByRole("button", { name: "Drop a box" }).click();
  await page.waitForFunction(() => window.taut.bodies().at(-1).name === "box 2");
  await step(page, 10);
  const world = await page.evaluate(() => window.taut.worlds[0]);
  assert.equal(world.failed, null, "what is thrown in is not the method's fault");
  assert.ok(world.finite);
  assert.deepEqual(complaints, []);
  await close();
  return `a box was moved by ${moved.toFixed(2)} m`;
}

export async function gravity_has_a_slider(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  const field = page.getByRole("textbox", { name: "gravity, value" });
  await field.fill("0");
  await field.press("Enter");
  await page.waitForFunction(() => Math.abs(window.taut.gravity()[1]) === 0);
  const still = await page.evaluate(() => window.taut.bodyPosition(window.taut.heaviest()));
  await step(page, 30);
  const end = await page.evaluate(() => window.taut.bodyPosition(window.taut.heaviest()));
  assert.ok(Math.hypot(...end.map((x, k) => x - still[k])) < 0.05, "nothing falls");
  await close();
}
