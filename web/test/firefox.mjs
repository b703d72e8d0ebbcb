// The page in a stock Firefox: npm test -- firefox. Left out where there is none.
import assert from "node:assert/strict";
import { join } from "node:path";
import { findFirefox, withFirefox } from "./bidi.mjs";
import { PHONE, shots } from "./browser.mjs";
import { FAULTS, STEPS } from "./embed.mjs";
import { native } from "./native.mjs";

const MISSING = "left out: no Firefox on the PATH (firefox-esr, firefox, or FIREFOX)";
const BLIND = "left out: Firefox has no WebGL here; without a graphics card it needs Mesa and an X server (libgl1-mesa-dri, xvfb)";
const DRAWN = () => document.documentElement.dataset.ready === "true" && window.taut.ready;
const DESKTOP = { width: 1400, height: 900 };

/** Runs a test where there is a Firefox. */
async function inFirefox(address, test, options) {
  const path = findFirefox();
  if (!path) return MISSING;
  return withFirefox(
    path,
    async (firefox) => {
      await firefox.open(`${address}favicon.svg`, DESKTOP);
      const drawn = await firefox.evaluate(() => new OffscreenCanvas(1, 1).getContext("webgl2") !== null);
      return drawn ? test(firefox) : BLIND;
    },
    options,
  );
}

export async function opens_without_complaints(_, address) {
  return inFirefox(address, async (firefox) => {
    await firefox.open(address, DESKTOP);
    await firefox.until(DRAWN);
    await firefox.until(() => window.taut.worlds.every((world) => world.time > 1.2 || world.failed));
    await firefox.screenshot(join(shots, "firefox-light.png"));
    assert.deepEqual(firefox.complaints, []);
  });
}

export async function dark_on_a_phone(_, address) {
  return inFirefox(
    address,
    async (firefox) => {
      await firefox.open(address, PHONE.viewport);
      await firefox.until(DRAWN);
      assert.ok((await firefox.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "no sideways scroll");
      await firefox.screenshot(join(shots, "firefox-phone.png"));
      assert.deepEqual(firefox.complaints, []);
    },
    { dark: true },
  );
}

export async function crane_has_the_native_hash(_, address) {
  return inFirefox(address, async (firefox) => {
    await firefox.open(`${address}#scene=crane&play=0&dt=1/60`, DESKTOP);
    await firefox.until(DRAWN);
    const got = await firefox.evaluate(async () => {
      await window.taut.step(120);
      return { hash: await window.taut.worlds[0].hash(), time: window.taut.worlds[0].time };
    });
    assert.ok(Math.abs(got.time - 2) < 1e-9, `${got.time} s`);
    assert.deepEqual(firefox.complaints, []);
    if (!process.env.TAUT) return `${got.hash}; not compared: no native command given (TAUT)`;
    assert.equal(got.hash, await native({ scene: "crane", dt: "1/60", steps: 120 }));
    return `${got.hash}, as natively`;
  });
}

export async function embedded_views_run(_, address) {
  return inFirefox(address, async (firefox) => {
    await firefox.open(`${address}embed.html`, { width: 900, height: 1300 });
    await firefox.until(STEPS.ready);
    await firefox.until(() => document.querySelector("taut-view").step > 20);
    await firefox.screenshot(join(shots, "firefox-embed.png"));
    const { name, worlds } = await firefox.evaluate(STEPS.opens, { scene: "chain", world: "none aligned", dt: "1/100" });
    assert.deepEqual([name, worlds], ["chain", ["none", "aligned"]]);
    const { steps, after } = await firefox.evaluate(STEPS.plays);
    assert.ok(steps > 5 && after === 0, `${steps} steps, then ${after}`);
    assert.deepEqual(firefox.complaints, []);
    for (const [attributes, words] of FAULTS) assert.match((await firefox.evaluate(STEPS.fails, attributes)).message, words);
  });
}

export async function a_scene_is_built_and_runs(_, address) {
  return inFirefox(address, async (firefox) => {
    await firefox.open(`${address}#scene=chain&play=0`, DESKTOP);
    await firefox.until(DRAWN);
    const press = (name) =>
      firefox.evaluate(
        (label) => [...document.querySelectorAll("button")].find((b) => (b.ariaLabel ?? b.textContent) === label).click(),
        name,
      );
    const built = (n) => firefox.until((count) => document.querySelectorAll(".edit-parts .chip").length === count, n);
    await press("Edit");
    await firefox.until(() => document.querySelectorAll(".edit-parts .chip").length > 1);
    await press("New");
    await built(0);
    await press("Box");
    await press("Place in the middle");
    await built(1);
    const steps = await firefox.evaluate(async () => (await window.taut.step(20), window.taut.worlds[0].steps));
    assert.equal(steps, 20);
    await firefox.screenshot(join(shots, "firefox-edit.png"));
    assert.deepEqual(firefox.complaints, []);
  });
}
