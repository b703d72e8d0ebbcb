// The pointer: pulling moves a body, clicking selects one, a cut joint is gone.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, PHONE, shots } from "./browser.mjs";

export async function pulling_moves_a_body(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=pendulum-cable&p.angle=0&play=0");
  const body = await page.evaluate(() => window.taut.heaviest());
  const start = await page.evaluate((b) => window.taut.bodyPosition(b), body);
  const at = await page.evaluate((b) => window.taut.screenPointOfBody(b), body);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 60, at.y - 10, { steps: 4 });
  await page.mouse.move(at.x + 120, at.y - 20, { steps: 4 });
  await page.evaluate(() => window.taut.step(60));
  const force = await page.evaluate(() => window.taut.pull());
  assert.ok(force > 0, "the spring pulls");
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, "pull.png") });
  const label = await page.locator(".pull").innerText();
  assert.match(label, /N$/);
  const end = await page.evaluate((b) => window.taut.bodyPosition(b), body);
  const moved = Math.hypot(...end.map((x, k) => x - start[k]));
  assert.ok(moved > 0.05, `the load moved by ${moved} m`);
  await page.mouse.up();
  assert.equal(await page.evaluate(() => window.taut.pull()), null, "released");
  assert.deepEqual(complaints, []);
  await close();
  return `${label}, ${moved.toFixed(2)} m`;
}

export async function clicking_selects_without_pulling(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=crane&play=0");
  const body = await page.evaluate(() => window.taut.bodies().findIndex((b) => /vehicle|load/.test(b.name)));
  const chosen = body >= 0 ? body : await page.evaluate(() => window.taut.heaviest());
  const at = await page.evaluate((b) => window.taut.screenPointOfBody(b), chosen);
  await page.mouse.click(at.x, at.y);
  await page.waitForTimeout(200);
  assert.equal(
    await page
      .getByRole("combobox", { name: "Selected body" })
      .evaluate((e) => e.value, null, { timeout: 1000 })
      .catch(() => page.locator("select[aria-label='Selected body']").evaluate((e) => e.value)),
    String(chosen),
  );
  await page.evaluate(() => window.taut.step(3));
  assert.notEqual(await page.evaluate(() => window.taut.command()), null, "a click changes nothing in the world");
  await close();
}

export async function cutting_takes_a_joint_away(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=chain&play=0");
  const before = await page.evaluate(async () => {
    await window.taut.step(20);
    window.taut.select(null, 3);
    return window.taut.joints().length;
  });
  await page.keyboard.press("x");
  await page.evaluate(() => window.taut.step(40));
  const after = await page.evaluate(() => ({ joints: window.taut.joints().length, finite: window.taut.worlds[0].finite }));
  assert.ok(after.joints < before, "one joint less");
  assert.ok(after.finite);
  await page.screenshot({ path: join(shots, "cut.png") });
  assert.deepEqual(complaints, []);
  await close();
}

export async function touch_pulls(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=pendulum-cable&p.angle=0&play=0", PHONE);
  const body = await page.evaluate(() => window.taut.heaviest());
  const at = await page.evaluate((b) => window.taut.screenPointOfBody(b), body);
  const touch = await page.context().newCDPSession(page);
  const send = (type, x, y) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  await send("touchStart", at.x, at.y);
  for (let k = 1; k <= 6; k++) await send("touchMove", at.x + 10 * k, at.y);
  await page.evaluate(() => window.taut.step(10));
  const force = await page.evaluate(() => window.taut.pull());
  await send("touchEnd");
  assert.ok(force > 0, "the finger pulls");
  await close();
}

export async function a_stroke_of_the_knife_cuts_a_cloth(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=stvk-cloth&play=0");
  await page.evaluate(() => window.taut.step(5));
  const before = await page.evaluate(() => window.taut.softs()[0].nodes);
  const view = await page.locator(".view").first().boundingBox();
  await page.keyboard.press("k");
  const y = view.y + view.height / 2;
  await page.mouse.move(view.x + 20, y);
  await page.mouse.down();
  await page.mouse.move(view.x + view.width / 2, y + 3, { steps: 4 });
  await page.mouse.move(view.x + view.width - 20, y, { steps: 4 });
  await page.screenshot({ path: join(shots, "stroke.png") });
  await page.mouse.up();
  await page.waitForFunction(() => /cut|Nothing/.test(document.getElementById("notice").textContent));
  const words = await page.locator("#notice").innerText();
  await page.evaluate(() => window.taut.step(25));
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, "sliced.png") });
  const after = await page.evaluate(() => ({
    nodes: window.taut.softs()[0].nodes,
    finite: window.taut.worlds[0].finite,
    command: window.taut.command(),
  }));
  assert.match(words, /^\d+ cut$/);
  assert.ok(after.nodes > before, `${after.nodes} nodes, ${before} before`);
  assert.ok(after.finite);
  assert.equal(after.command, null, "no command line repeats a cut by hand");
  await page.keyboard.press("k");
  // Without the knife the same stroke orbits or pulls.
  await page.mouse.move(view.x + 20, y);
  await page.mouse.down();
  await page.mouse.move(view.x + 200, y, { steps: 4 });
  await page.mouse.up();
  assert.equal(await page.evaluate(() => window.taut.softs()[0].nodes), after.nodes);
  assert.deepEqual(complaints, []);
  await close();
  return `${words}, ${after.nodes - before} nodes more`;
}

export async function a_soft_surface_is_pulled_where_it_is_held(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=soft-cantilever&play=0");
  const tip = () => page.evaluate(() => window.taut.nodePosition(0, window.taut.softs()[0].nodes - 1));
  await page.evaluate(() => window.taut.step(30));
  const free = await tip();
  await page.keyboard.press("r");
  await page.waitForFunction(() => window.taut.worlds[0].steps === 0);
  const at = await page.evaluate(() => window.taut.screenPointOfNode(0, window.taut.softs()[0].nodes - 1));
  await page.mouse.move(at.x - 2, at.y + 2);
  await page.mouse.down();
  await page.mouse.move(at.x - 2, at.y - 60, { steps: 6 });
  await page.evaluate(() => window.taut.step(30));
  const force = await page.evaluate(() => window.taut.pull());
  assert.ok(force > 0, "the spring pulls");
  const held = await tip();
  await page.screenshot({ path: join(shots, "pull-soft.png") });
  await page.mouse.up();
  assert.ok(held[1] > free[1] + 0.01, `the tip is at ${held[1]} m, ${free[1]} m without a pull`);
  assert.deepEqual(complaints, []);
  await close();
  return `${force.toFixed(0)} N, ${(held[1] - free[1]).toFixed(3)} m higher`;
}
