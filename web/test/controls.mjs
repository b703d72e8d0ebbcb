// Sliders, choices, keys, links, plots and downloads act.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { openPage } from "./browser.mjs";

const params = (page) => page.evaluate(() => window.taut.command());

export async function sliders_act(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=crane&play=0");
  const mass = () => page.evaluate(() => window.taut.bodies().reduce((m, b) => m + (b.name.includes("vehicle") ? b.mass : 0), 0));
  const all = () => page.evaluate(() => window.taut.bodies().length);
  const before = { all: await all(), mass: await mass() };
  const slider = page.getByRole("slider", { name: "segments", exact: true });
  await slider.focus();
  for (let k = 0; k < 30; k++) await page.keyboard.press("ArrowRight");
  await page.waitForFunction((n) => window.taut.bodies().length !== n, before.all);
  assert.ok((await all()) > before.all, "more segments");
  const field = page.getByRole("textbox", { name: "vehicle, value" });
  await field.fill("30000");
  await field.press("Enter");
  await page.waitForFunction(() => window.taut.command().includes("vehicle=30000"));
  if (before.mass > 0) assert.equal(await mass(), 30000);
  const step = page.getByRole("textbox", { name: "time step, value" });
  await step.fill("1/120");
  await step.press("Enter");
  await page.evaluate(() => window.taut.step(12));
  const time = await page.evaluate(() => window.taut.worlds[0].time);
  assert.ok(Math.abs(time - 0.1) < 1e-9, `12 steps of 1/120 s are 0.1 s, not ${time}`);
  assert.match(await params(page), /--dt 1\/120/);
  assert.deepEqual(complaints, []);
  await close();
}

export async function bad_value_is_refused(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=crane&play=0");
  const field = page.getByRole("textbox", { name: "vehicle, value" });
  await field.fill("-5");
  await field.press("Enter");
  await page.waitForSelector("#problem:not([hidden])");
  assert.match(await page.locator("#problem").innerText(), /vehicle/);
  assert.equal(await page.evaluate(() => window.taut.worlds.length), 1);
  await close();
}

export async function method_changes_in_mid_run(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  await page.evaluate(() => window.taut.step(5));
  await page.getByRole("combobox", { name: "Stabiliser, world A" }).selectOption("none");
  await page.waitForFunction(() => window.taut.worlds[0].name === "none");
  const world = await page.evaluate(() => window.taut.worlds[0]);
  assert.equal(world.steps, 5, "the run goes on");
  assert.equal(await page.evaluate(() => window.taut.command()), null, "no command repeats it");
  await close();
}

export async function keys_act(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  const steps = () => page.evaluate(() => window.taut.worlds[0].steps);
  await page.keyboard.press(".");
  await page.waitForFunction(() => window.taut.worlds[0].steps === 1);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.taut.worlds[0].steps > 4);
  await page.keyboard.press("Space");
  // What was asked for before is still done.
  await page.evaluate(() => window.taut.step(1));
  const stood = await steps();
  await page.waitForTimeout(300);
  assert.equal(await steps(), stood, "paused");
  await page.keyboard.press("r");
  await page.waitForFunction(() => window.taut.worlds[0].steps === 0);
  await page.keyboard.press("c");
  await page.waitForFunction(() => document.querySelectorAll(".pane").length === 3);
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  await page.locator("#help").waitFor({ state: "hidden" });
  await page.keyboard.press("s");
  await page.locator("#gallery").waitFor({ state: "visible" });
  await page.keyboard.type("cradle");
  assert.equal(await page.locator(".scenes li:visible").count(), 1, "search finds one scene");
  await page.keyboard.press("Tab");
  await page.locator(".scene:visible").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.title === "newton-cradle");
  await close();
}

export async function links_carry_the_scene(browser, address) {
  const hash = "#scene=chain&p.ratio=500&dt=0.01&w=none&w=inertial:alpha=0.5,all&show=shapes,joints";
  const { page, close } = await openPage(browser, address, hash);
  const names = await page.evaluate(() => window.taut.worlds.map((w) => w.name));
  assert.equal(names[0], "none");
  assert.match(names[1], /^inertial/);
  assert.match(
    await page.evaluate(() => {
      window.taut.pause();
      return location.hash;
    }),
    /ratio/,
  );
  await page.waitForTimeout(500);
  const link = await page.evaluate(() => decodeURIComponent(location.hash));
  for (const part of ["scene=chain", "p.ratio=500", "dt=0.01", "w=none", "show=shapes,joints"])
    assert.ok(link.includes(part), `${part} in ${link}`);
  await close();
}

export async function numbers_can_be_kept(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  await page.evaluate(() => window.taut.step(30));
  const [csv] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  const lines = (await readFile(await csv.path(), "utf8")).trim().split("\n");
  assert.equal(lines.length, 31);
  assert.match(lines[0], /^world,method,time_s,kinetic/);
  const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG" }).click()]);
  const bytes = await readFile(await png.path());
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  await close();
}

/** A link that cannot be followed says why, and the opening is there instead. */
export async function bad_links_say_why(browser, address) {
  const bad = {
    "#scene=nope": /nope/,
    "#scene=crane&p.vehicle=abc": /vehicle/,
    "#scene=crane&dt=abc": /abc/,
    "#scene=crane&w=full/pcg/reduced": /solver|pcg/,
    "#file=missing.json": /missing/,
  };
  for (const [hash, words] of Object.entries(bad)) {
    const { page, close } = await openPage(browser, address, hash);
    assert.match(await page.locator("#problem").innerText(), words, hash);
    assert.equal(await page.title(), "crane", hash);
    await close();
  }
}
