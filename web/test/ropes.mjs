// Ropes over guides: drawn with arcs, turns and slack, wound by winches, selected, plotted and cut.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, shots } from "./browser.mjs";
import { loaded } from "./samples.mjs";

const HOIST = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "crates", "taut-scenes", "files", "hoist.json");

/** The page with the hoist, standing at its start. */
async function hoist(browser, address, options) {
  const opened = await openPage(browser, address, "#scene=chain&play=0", options);
  const text = await readFile(HOIST, "utf8");
  await opened.page.evaluate((t) => window.taut.openFile("hoist.json", t), text);
  await opened.page.waitForFunction(() => document.title === "hoist.json");
  await opened.page.evaluate(() => window.taut.pause());
  return opened;
}

const step = (page, n) => page.evaluate((k) => window.taut.step(k), n);

export async function ropes_run_round_their_sheaves_and_hang_when_slack(browser, address) {
  const { page, complaints, close } = await hoist(browser, address);
  const start = await page.evaluate(() => ({
    pieces: window.taut.ropePieces(),
    sheaves: window.taut.sheaves(),
    ropes: window.taut.ropes(),
  }));
  assert.deepEqual(
    start.ropes.map((r) => r.name),
    ["hoist", "line"],
  );
  // A rope is one line: each piece of its way begins where the one before ended.
  const ways = start.pieces.length / 9;
  let joined = 0;
  for (let k = 1; k < ways; k++)
    if ([0, 1, 2].every((c) => Math.abs(start.pieces[9 * k + c] - start.pieces[9 * k - 6 + c]) < 1e-6)) joined += 1;
  assert.ok(joined > ways - 5, `${joined} of ${ways} pieces go on from the one before`);
  await step(page, 280);
  await page.evaluate(() => window.taut.fit());
  await page.screenshot({ path: join(shots, "hoist.png") });
  const up = await page.evaluate(async () => ({ sheaves: window.taut.sheaves(), rope: await window.taut.rope(0) }));
  assert.ok(
    up.rope.tensions.every((t) => t > 1000),
    `taut: ${up.rope.tensions}`,
  );
  assert.ok(
    up.sheaves.every((a, k) => Math.abs(a - start.sheaves[k]) > 1),
    "all sheaves have turned",
  );
  await step(page, 400);
  await page.evaluate(() => window.taut.fit());
  await page.screenshot({ path: join(shots, "hoist-slack.png") });
  const down = await page.evaluate(async () => ({ rope: await window.taut.rope(0), pieces: window.taut.ropePieces() }));
  assert.ok(down.rope.slack > 0.05 && down.rope.tensions.every((t) => t === 0), "the load stands and the rope hangs");
  let length = 0;
  for (let at = 0; at + 9 <= down.pieces.length; at += 9) {
    if (down.pieces[at + 7] !== 0 || down.pieces[at + 8] !== 0) continue;
    length += Math.hypot(...[0, 1, 2].map((c) => down.pieces[at + 3 + c] - down.pieces[at + c]));
  }
  assert.ok(length > 0, "its first span is drawn");
  assert.deepEqual(complaints, []);
  await close();
  return `slack ${down.rope.slack.toFixed(2)} m`;
}

export async function a_winch_is_driven_by_its_slider_and_by_keys(browser, address) {
  const { page, complaints, close } = await hoist(browser, address);
  const winch = () => page.evaluate(() => window.taut.winches()[0]);
  const paid = () => page.evaluate(async () => (await window.taut.rope(0)).paidOut);
  const until = (test) => page.waitForFunction(test);
  assert.equal((await winch()).wanted, null, "the scene drives it");
  const slider = page.getByRole("slider", { name: "winch", exact: true });
  await slider.focus();
  await slider.press("End");
  await until(() => window.taut.winches()[0].wanted > 0.5);
  const wanted = (await winch()).wanted;
  assert.ok(wanted > 0.5, `full speed hauls in ${wanted} m/s`);
  let before = await paid();
  await step(page, 100);
  const hauled = before - (await paid());
  assert.ok(Math.abs(hauled - wanted) < 0.3 * wanted, `${hauled} m in a second at ${wanted} m/s`);
  assert.equal(await page.evaluate(() => window.taut.command()), null, "no command line repeats it");
  // A key held pays out, and let go it stands.
  await page.locator(".view").first().focus();
  await page.keyboard.down("p");
  await until(() => window.taut.winches()[0].wanted < 0);
  before = await paid();
  await step(page, 50);
  assert.ok((await paid()) > before + 0.05, "paid out");
  await page.keyboard.up("p");
  await until(() => window.taut.winches()[0].wanted === 0);
  await page.getByRole("button", { name: "Let go" }).first().click();
  await until(() => window.taut.winches()[0].wanted === null);
  // The rope without a drum is hauled at its end.
  const field = page.getByRole("textbox", { name: "line, value" });
  await field.fill("0.4");
  await field.press("Enter");
  const long = await page.evaluate(async () => (await window.taut.rope(1)).length);
  await step(page, 50);
  const shorter = long - (await page.evaluate(async () => (await window.taut.rope(1)).length));
  assert.ok(shorter > 0.1, `${shorter} m shorter`);
  assert.equal(await page.evaluate(() => window.taut.worlds[0].failed), null);
  await page.screenshot({ path: join(shots, "winch.png") });
  assert.deepEqual(complaints, []);
  await close();
  return `${hauled.toFixed(2)} m at ${wanted} m/s`;
}

export async function a_clicked_rope_shows_its_spans_and_plots_them(browser, address) {
  const { page, complaints, close } = await hoist(browser, address);
  await step(page, 100);
  const at = await page.evaluate(() => window.taut.screenPointOfRope(0, 0));
  await page.mouse.click(at.x, at.y);
  await step(page, 50);
  await page.waitForTimeout(400);
  const rope = page.locator("select[aria-label='Selected rope']");
  assert.equal(await rope.evaluate((e) => e.value), "0");
  const facts = await page.locator("#side .facts").textContent();
  assert.match(facts, /Paid out.*Slack.*Span 0.*Span 4/);
  const plot = page.locator("figure", { hasText: "Tension of the selected rope" });
  // Plots are drawn when the page has time for it.
  await page.waitForFunction(() =>
    [...document.querySelectorAll("figure canvas")].some((c) => /span 4 now/.test(c.getAttribute("aria-label"))),
  );
  assert.match(await plot.locator("canvas").getAttribute("aria-label"), /span 0 now [\d.e+]+ N.*span 4 now/);
  await page.getByRole("button", { name: "Rope length" }).click();
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, "rope-card.png") });
  await page.evaluate(() => window.taut.select(null, null, 1));
  await step(page, 5);
  await page.waitForTimeout(300);
  assert.match(await page.locator("#side .facts").textContent(), /Span 1/);
  assert.deepEqual(complaints, []);
  await close();
  return facts.replace(/\s+/g, " ").slice(0, 80);
}

export async function a_rope_over_guides_is_cut_by_the_knife_and_by_its_key(browser, address) {
  const { page, complaints, close } = await hoist(browser, address);
  await step(page, 100);
  const at = await page.evaluate(() => window.taut.screenPointOfRope(0, 0));
  await page.keyboard.down("Alt");
  await page.mouse.move(at.x - 25, at.y - 25);
  await page.mouse.down();
  await page.mouse.move(at.x, at.y, { steps: 3 });
  await page.mouse.move(at.x + 25, at.y + 25, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Alt");
  await page.waitForFunction(() => window.taut.ropes().length === 3);
  assert.deepEqual(await page.evaluate(() => window.taut.ropes().map((r) => r.name)), ["hoist", "line", "hoist 2"]);
  assert.match(await page.locator("#notice").innerText(), /^1 cut$/);
  await page.evaluate(() => window.taut.select(null, null, 1));
  await page.keyboard.press("x");
  // Both parts stay.
  await page.waitForFunction(() => window.taut.ropes().length === 4);
  await step(page, 60);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, "rope-cut.png") });
  assert.ok(await page.evaluate(() => window.taut.worlds[0].finite));
  assert.deepEqual(complaints, []);
  await close();
}

export async function a_recording_of_ropes_loads_in_three(browser, address) {
  const { page, close } = await hoist(browser, address);
  await page.getByRole("button", { name: "Record this world as glTF" }).click();
  await step(page, 120);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Stop recording and save" }).click(),
  ]);
  const told = await loaded(await download.path());
  await close();
  return told;
}
