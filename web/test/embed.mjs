// <taut-view>: the example page, its attributes, properties, events and errors; run by two browsers.
import assert from "node:assert/strict";
import { join } from "node:path";
import { listen, PHONE, shots } from "./browser.mjs";

/** A page with the example in it, whose complaints are kept. */
async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 900, height: 1300 }, ...options });
  const page = await context.newPage();
  const complaints = listen(page, address);
  await page.goto(`${address}embed.html`);
  return { page, complaints, close: () => context.close() };
}

/** What is done to the views, in the page; the same in every browser. */
export const STEPS = {
  ready: () => [...document.querySelectorAll("taut-view")].every((view) => view.ready),
  /** Another scene in the second view: what its events tell. */
  fails: async (attributes) => {
    const view = document.querySelectorAll("taut-view")[1];
    const told = new Promise((done) => view.addEventListener("error", (e) => done(e.detail.message), { once: true }));
    for (const name of ["src", "scene", "dt", "world"]) view.removeAttribute(name);
    for (const [name, value] of Object.entries(attributes)) view.setAttribute(name, value);
    const message = await told;
    return { message, kept: view.error, ready: view.ready };
  },
  opens: async (attributes) => {
    const view = document.querySelectorAll("taut-view")[1];
    const told = new Promise((done) => view.addEventListener("ready", (e) => done(e.detail), { once: true }));
    for (const name of ["src", "scene", "dt", "world", "at"]) view.removeAttribute(name);
    for (const [name, value] of Object.entries(attributes)) view.setAttribute(name, value);
    return { ...(await told), error: view.error, steps: view.step, time: view.time };
  },
  plays: async () => {
    const view = document.querySelectorAll("taut-view")[1];
    const stepped = new Promise((done) => view.addEventListener("step", (e) => e.detail.steps > 5 && done(e.detail)));
    view.play();
    const { steps } = await stepped;
    view.pause();
    const back = new Promise((done) => view.addEventListener("step", (e) => e.detail.steps === 0 && done()));
    view.reset();
    await back;
    return { steps, after: view.step, playing: view.playing };
  },
};

/** Files that are not there and scenes that cannot be, with words that the message must have. */
export const FAULTS = [
  [{ src: "nowhere.json" }, /nowhere\.json: the server answered 404/],
  [{ src: "embed.html" }, /line 1/],
  [{ scene: "no-such-scene" }, /no scene no-such-scene/],
  [{ scene: "crane", dt: "fast" }, /dt = fast/],
  [{}, /src: none given/],
];

export async function two_views_run(browser, address) {
  const { page, complaints, close } = await open(browser, address, { colorScheme: "light" });
  await page.waitForFunction(STEPS.ready, null, { timeout: 60_000 });
  await page.waitForFunction(() => document.querySelector("taut-view").step > 20);
  const second = await page.evaluate(() => {
    const view = document.querySelectorAll("taut-view")[1];
    return { time: view.time, playing: view.playing };
  });
  assert.ok(Math.abs(second.time - 1) < 0.02 && !second.playing, `stands at 1 s, not ${second.time}`);
  await page.screenshot({ path: join(shots, "embed-light.png") });
  assert.deepEqual(complaints, []);
  await close();
}

export async function it_plays_and_opens_and_tells_what_is_wrong(browser, address) {
  const { page, complaints, close } = await open(browser, address, { colorScheme: "dark" });
  await page.waitForFunction(STEPS.ready, null, { timeout: 60_000 });
  const opened = await page.evaluate(STEPS.opens, { scene: "chain", world: "none aligned", dt: "1/100" });
  assert.deepEqual({ ...opened, time: 0 }, { name: "chain", dt: 0.01, worlds: ["none", "aligned"], error: null, steps: 0, time: 0 });
  const played = await page.evaluate(STEPS.plays);
  assert.ok(played.steps > 5 && played.after === 0 && !played.playing, JSON.stringify(played));
  for (const [attributes, words] of FAULTS) {
    const told = await page.evaluate(STEPS.fails, attributes);
    assert.match(told.message, words);
    assert.equal(told.kept, told.message);
    const frame = page.frames()[2];
    assert.equal((await frame.locator("#problem p").innerText()).trim(), told.message, "the view shows it");
  }
  await page.screenshot({ path: join(shots, "embed-dark.png") });
  assert.deepEqual(
    complaints.filter((c) => !/404|nowhere\.json/.test(c)),
    [],
  );
  await close();
}

/** Nobody but the page around it is obeyed, and only what is an order. */
export async function strangers_are_not_heard(browser, address) {
  const { page, close } = await open(browser, address);
  await page.waitForFunction(STEPS.ready, null, { timeout: 60_000 });
  const frame = page.frames()[2];
  await page.evaluate(() => {
    const { contentWindow } = document.querySelectorAll("taut-view")[1].shadowRoot.querySelector("iframe");
    for (const said of [
      { kind: "play", taut: 1 },
      "play",
      null,
      { taut: "taut-view/1", said: { kind: "open" } },
      { taut: "taut-view/1", said: { kind: "eval" } },
    ])
      contentWindow.postMessage(said, "*");
  });
  // A window that is not the parent: the frame itself.
  await frame.evaluate(() => window.postMessage({ taut: "taut-view/1", said: { kind: "play" } }, "*"));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await page.evaluate(() => document.querySelectorAll("taut-view")[1].playing), false);
  // Another origin may not be the parent either: the frame tells it nothing.
  const alone = await page.evaluate(
    (address) =>
      new Promise((done) => {
        const stranger = document.createElement("iframe");
        let heard = 0;
        addEventListener("message", (e) => e.source === stranger.contentWindow && heard++);
        stranger.addEventListener("load", () => setTimeout(() => done(heard), 1500));
        stranger.src = `${address}index.html#embed=1&host=${encodeURIComponent("https://example.org")}`;
        document.body.append(stranger);
      }),
    address,
  );
  assert.equal(alone, 0);
  await close();
}

export async function phone(browser, address) {
  const { page, complaints, close } = await open(browser, address, PHONE);
  await page.waitForFunction(STEPS.ready, null, { timeout: 60_000 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "no sideways scroll");
  await page.screenshot({ path: join(shots, "embed-phone.png") });
  assert.deepEqual(complaints, []);
  await close();
}
