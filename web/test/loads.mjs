// The page comes up without complaints: in light and dark, on a phone, from a sub-folder's point of view.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, PHONE, shots } from "./browser.mjs";

export async function desktop_without_complaints(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "", { colorScheme: "light" });
  await page.waitForFunction(() => window.taut.worlds.every((w) => w.time > 1.4 || w.failed), null, { timeout: 60_000 });
  await page.screenshot({ path: join(shots, "opening-light.png") });
  assert.equal(await page.title(), "crane");
  assert.ok((await page.locator("h1").innerText()).length > 10, "the heading says what one sees");
  assert.deepEqual(complaints, []);
  const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
  assert.match(policy, /default-src 'self'/);
  await close();
}

export async function dark(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=crane&at=2", { colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.screenshot({ path: join(shots, "crane-dark.png") });
  await page.getByRole("button", { name: "Light or dark" }).click();
  assert.notEqual(await background(), dark, "the button changes the theme");
  assert.deepEqual(complaints, []);
  await close();
}

export async function phone_without_sideways_scroll(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "", PHONE);
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok((await wider()) <= 0, "no sideways scroll");
  await page.screenshot({ path: join(shots, "phone.png") });
  for (const tab of ["Scene", "Method", "Show", "Plots"]) {
    await page.locator("#tabs").getByRole("button", { name: tab }).click();
    assert.ok((await wider()) <= 0, `no sideways scroll with ${tab} open`);
    await page.screenshot({ path: join(shots, `phone-${tab.toLowerCase()}.png`) });
  }
  const hidden = await page.evaluate(
    () => [...document.querySelectorAll("#transport button")].filter((b) => b.getBoundingClientRect().right > innerWidth).length,
  );
  assert.equal(hidden, 0, "every button of the bar is on the screen");
  assert.deepEqual(complaints, []);
  await close();
}

/** Pictures for the README: only the worlds, at the time asked for. */
export async function shot_mode(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#shot=1&scene=crane&at=2", {
    viewport: { width: 800, height: 500 },
  });
  const state = await page.evaluate(() => ({
    time: window.taut.worlds[0].time,
    bar: getComputedStyle(document.getElementById("transport")).display,
  }));
  assert.ok(Math.abs(state.time - 2) < 0.02, `stands at 2 s, not ${state.time}`);
  assert.equal(state.bar, "none");
  await page.screenshot({ path: join(shots, "shot-crane.png") });
  assert.deepEqual(complaints, []);
  await close();
}
