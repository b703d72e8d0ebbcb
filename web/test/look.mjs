// How it looks and can be used: contrast and sizes computed from the page, the card at the pointer, the gallery, the opening.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, PHONE, shots } from "./browser.mjs";

/** Least contrast of text to what is behind it, and least size of what is touched, pixels. */
const CONTRAST = 4.5;
const TARGET = 44;

/** Texts of the page with less contrast than they may have; what is drawn on the canvas stands on its sky or its ground. */
const faint = (page, least) =>
  page.evaluate((least) => {
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = (top, below) => [0, 1, 2].map((k) => top[k] * top[3] + below[k] * (1 - top[3])).concat(1);
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const behind = (element) => {
      const layers = [];
      for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
      return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
    };
    const bad = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.textContent.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest(":disabled, option, noscript, .skip")) continue;
      const ground = behind(element);
      const [a, b] = [light(over(rgba(getComputedStyle(element).color), ground)), light(ground)].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      if (contrast < least)
        bad.add(`${element.className || element.tagName}: "${node.textContent.trim().slice(0, 30)}" ${contrast.toFixed(2)}`);
    }
    return [...bad];
  }, least);

/** Everything that a finger can press and that is smaller than a finger. */
const small = (page, least) =>
  page.evaluate((least) => {
    const bad = new Set();
    for (const element of document.querySelectorAll("button, a[href], input, select, summary")) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".skip")) continue;
      if (element.matches(".skip, [hidden]")) continue;
      // A box in its label is pressed by the label.
      const target = element.matches("[type=checkbox]") ? element.closest("label") : element;
      const { width, height } = target.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      if (Math.min(width, height) < least - 0.5)
        bad.add(`${element.getAttribute("aria-label") ?? element.textContent.trim()} ${width.toFixed(0)} x ${height.toFixed(0)}`);
    }
    return [...bad];
  }, least);

export async function every_text_can_be_read(browser, address) {
  for (const colorScheme of ["light", "dark"]) {
    const { page, complaints, close } = await openPage(browser, address, "#play=0", { colorScheme });
    await page.evaluate(() => window.taut.step(100));
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
    await page.waitForFunction(() => /lost/.test(document.querySelector("#panes").textContent));
    await page.screenshot({ path: join(shots, `story-${colorScheme}.png`) });
    assert.deepEqual(await faint(page, CONTRAST), [], `the opening, ${colorScheme}`);
    await page.keyboard.press("s");
    await page.locator("#gallery").waitFor({ state: "visible" });
    assert.deepEqual(await faint(page, CONTRAST), [], `the gallery, ${colorScheme}`);
    await page.screenshot({ path: join(shots, `gallery-${colorScheme}.png`) });
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    assert.deepEqual(await faint(page, CONTRAST), [], `help, ${colorScheme}`);
    assert.deepEqual(complaints, []);
    await close();
  }
}

export async function a_finger_hits_everything(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=operated-crane&play=0", PHONE);
  assert.deepEqual(await small(page, TARGET), []);
  for (const tab of ["Scene", "Drive", "Method", "Show", "Plots"]) {
    await page.locator("#tabs").getByRole("button", { name: tab }).click();
    assert.deepEqual(await small(page, TARGET), [], tab);
    await page.screenshot({ path: join(shots, `finger-${tab.toLowerCase()}.png`) });
  }
  await page.getByRole("button", { name: "Scenes" }).click();
  assert.deepEqual(await small(page, TARGET), [], "gallery");
  await close();
}

export async function a_click_shows_a_card_that_acts(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=crane&play=0");
  await page.evaluate(() => window.taut.step(60));
  const load = await page.evaluate(() => window.taut.bodies().findIndex((b) => b.name === "vehicle"));
  const at = await page.evaluate((b) => window.taut.screenPointOfBody(b), load);
  await page.mouse.click(at.x, at.y);
  const card = page.getByRole("dialog", { name: "What was clicked" });
  await card.waitFor({ state: "visible" });
  await page.waitForFunction(() => /Speed/.test(document.querySelector(".picked").textContent));
  const words = await card.innerText();
  assert.match(words, /vehicle[\s\S]*Mass[\s\S]*15000 kg[\s\S]*Speed[\s\S]*m\/s/);
  await page.screenshot({ path: join(shots, "card.png") });
  await card.getByRole("button", { name: "Follow" }).click();
  assert.equal(await page.getByRole("button", { name: "Follow the load" }).getAttribute("aria-pressed"), "true");
  await page.getByRole("button", { name: "Follow the load" }).click();
  // A joint has its force and its gap, and is cut.
  await page.evaluate(() => window.taut.select(null, 10));
  await page.waitForFunction(() => /Force[\s\S]*Gap/.test(document.querySelector(".picked").innerText));
  const before = await page.evaluate(() => window.taut.joints().length);
  await card.getByRole("button", { name: "Cut" }).click();
  await page.waitForFunction((n) => window.taut.joints().length === n - 1, before);
  assert.ok((await card.isHidden()) || !(await card.innerText()).includes("Gap"));
  assert.deepEqual(complaints, []);
  await close();
  return words.replace(/\s+/g, " ").slice(0, 70);
}

export async function every_scene_has_a_group_a_name_and_no_name_twice(browser, address) {
  const { page, close } = await openPage(browser, address, "#scene=chain&play=0");
  await page.keyboard.press("s");
  const groups = await page.evaluate(() =>
    [...document.querySelectorAll(".group-of-scenes")].map((g) => [
      g.querySelector("h3").textContent,
      [...g.querySelectorAll(".scene b")].map((b) => b.textContent),
    ]),
  );
  const names = groups.flatMap(([, scenes]) => scenes);
  assert.equal(new Set(names).size, names.length, "no name twice");
  assert.equal(names.length, await page.evaluate(() => window.taut.scenes.length));
  assert.ok(!groups.some(([name]) => name === "More"), `in no group: ${groups.find(([name]) => name === "More")?.[1]}`);
  const pictures = await page.locator(".scenes img").count();
  assert.equal(pictures, names.length, "every scene has a picture: node web/thumbs.mjs NAME makes one");
  await close();
  return `${groups.map(([name, scenes]) => `${name} ${scenes.length}`).join(", ")}; ${pictures} pictures`;
}

export async function the_camera_of_a_link_looks_where_it_is_told(browser, address) {
  const { page, close } = await openPage(browser, address, "#shot=1&scene=operated-crane&look=14,2,0&zoom=3", {
    viewport: { width: 600, height: 400 },
  });
  const point = await page.evaluate(() => window.taut.screenPointOfBody(window.taut.bodies().findIndex((b) => b.name === "load")));
  assert.ok(Math.hypot(point.x - 300, point.y - 200) < 90, `the load is in the middle: ${JSON.stringify(point)}`);
  await page.screenshot({ path: join(shots, "look-at.png") });
  await close();
}

export async function no_label_is_there_twice(browser, address) {
  for (const scene of ["operated-crane", "mobile-crane", "crane", "strong-robot"]) {
    const { page, close } = await openPage(browser, address, `#scene=${scene}&play=0`);
    const labels = await page.evaluate(() =>
      [...document.querySelectorAll("#side input[type=range]")].map((e) => e.getAttribute("aria-label")),
    );
    assert.ok(labels.length > 3);
    assert.deepEqual(
      labels.filter((label, k) => labels.indexOf(label) !== k),
      [],
      scene,
    );
    await close();
  }
}
