// Scene files, good and bad; a recording that three.js loads.
import assert from "node:assert/strict";
import { openPage } from "./browser.mjs";
import { BURIED, loaded, PENDULUM } from "./samples.mjs";

const give = (page, name, text) => page.setInputFiles("#file", { name, mimeType: "application/json", buffer: Buffer.from(text) });

export async function good_file_runs(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=chain&play=0");
  await give(page, "pendulum.json", PENDULUM);
  await page.waitForFunction(() => document.title === "pendulum.json");
  await page.waitForFunction(() => window.taut.worlds[0].steps > 3);
  assert.match(await page.evaluate(() => window.taut.command()), /^taut run pendulum\.json/);
  assert.deepEqual(complaints, []);
  await close();
}

export async function bad_file_shows_its_error_and_keeps_the_scene(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=chain&play=0");
  for (const text of [
    '{"taut": 1, "bodies": [',
    PENDULUM.replace('"mass":5', '"mass":-5'),
    PENDULUM.replace('"bob","ground"', '"bop","ground"'),
  ]) {
    await give(page, "bad.json", text);
    await page.waitForSelector("#problem:not([hidden])");
    const words = await page.locator("#problem").innerText();
    assert.ok(words.trim().length > 15, `a readable error, not "${words}"`);
    assert.equal(await page.title(), "chain");
    await page.getByRole("button", { name: "Close the message" }).click();
  }
  await page.evaluate(() => window.taut.step(3));
  assert.equal(await page.evaluate(() => window.taut.worlds[0].steps), 3, "the old scene runs on");
  assert.deepEqual(complaints, []);
  await close();
}

export async function a_buried_box_is_lifted_and_not_blamed(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  await give(page, "buried.json", BURIED);
  await page.waitForFunction(() => document.title === "buried.json");
  await page.evaluate(() => {
    window.taut.pause();
    return window.taut.step(100);
  });
  await page.waitForFunction(() => /lift \d/.test(document.querySelector("#panes").textContent));
  assert.equal(await page.evaluate(() => window.taut.worlds[0].failed), null);
  await close();
}

export async function dropped_file_runs(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.json"));
    for (const type of ["dragenter", "drop"])
      window.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, PENDULUM);
  await page.waitForFunction(() => document.title === "dropped.json");
  assert.ok(await page.locator("#drop").isHidden());
  await close();
}

export async function recording_loads_in_three(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=crane");
  await page.getByRole("button", { name: "Record this world as glTF" }).click();
  await page.waitForFunction(() => window.taut.worlds[0].steps > 20);
  await page.evaluate(() => {
    window.taut.pause();
    return window.taut.step(60);
  });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Stop recording and save" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "crane.glb");
  const told = await loaded(await download.path());
  assert.deepEqual(complaints, []);
  await close();
  return told;
}
