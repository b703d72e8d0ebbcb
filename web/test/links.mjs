// Links that were damaged: reading one never throws, and nothing out of range comes out of it. Runs in Node, on src/link.ts.
//   node web/test/links.mjs [INPUTS]    1,000,000 takes about a minute
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const src = join(dirname(fileURLToPath(import.meta.url)), "..", "src");
/** Inputs of the ordinary test. */
const INPUTS = 20_000;

/** Links as the page writes them, or as the documentation has them. */
const GOOD = [
  "",
  "#",
  "#scene=crane",
  "#scene=crane&p.vehicle=20000&dt=1/60&w=none&w=aligned/auto/maximal&show=tension,joints&cam=0.42,1.38,25,0,5.5,-3&at=2",
  "#scene=chain&p.ratio=500&dt=0.01&w=none&w=inertial:alpha=0.5,all&show=shapes,joints",
  "#scene=cloth&p.side=5&w=aligned//reduced&show=",
  "#scene=fourbar&w=&w=full/dense-lu&w=none/pgs:sweeps=20",
  "#scene=newton-cradle&cam=-3.1,0.05,0.0001,0.00001,-25000000,3&at=0.25",
];
/** These also have what the page reads and does not write. */
const READ = [
  ...GOOD,
  "#scene=crane&shot=1&theme=dark&caption=A%20crane%3A%2020%20t&to=token&size=1280,720&play=0",
  "#file=scenes/pendulum.json&w=none&dt=1/240&at=1&play=0",
];
/** Words that readers stumble over. */
const ODD = [
  "NaN",
  "Infinity",
  "-Infinity",
  "1e309",
  "-1e308",
  "5e-324",
  "-0",
  "0",
  "0x10",
  "1e400/1e400",
  "1/0",
  "0/0",
  "-1",
  "1,5",
  "__proto__",
  "constructor",
  "p.__proto__=1",
  "p.toString=2",
  "p.=3",
  "%",
  "%2",
  "%zz",
  "%00",
  "%ff%fe",
  "%ed%a0%80",
  "\ud800",
  "\udc00",
  "\u0000",
  "\u202e",
  "\ufeff",
  "+",
  "&&",
  "==",
  "#",
  ",",
  ",,,,,",
  "////",
  "&w=".repeat(9),
  "&cam=",
  "&size=",
  "&size=1e9,1e9",
  "&size=Infinity,1",
  "&size=0.3,0.3",
  "&at=1e300",
  "&at=-1",
  "&dt=",
  "&dt=1e-320",
  "&dt=2",
  "&show=,,",
  "9".repeat(400),
];

/** A generator of 32 bits: the same links on every machine. */
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** One to four changes of a good link: a letter, a cut, a repeat, an odd word, the tail of another, an odd value. */
function damaged(random) {
  const pick = (list) => list[random(list.length)];
  let text = pick(READ);
  for (let k = random(4); k >= 0; k--) {
    const at = random(text.length + 1);
    const end = Math.min(text.length, at + 1 + random(8));
    const changes = [
      () => text.slice(0, at) + String.fromCharCode(random(random(4) ? 128 : 65536)) + text.slice(end),
      () => text.slice(0, at) + text.slice(end),
      () => text.slice(0, end) + text.slice(at),
      () => text.slice(0, at) + pick(ODD) + text.slice(at),
      () => text.slice(0, at) + pick(READ).slice(random(30)),
      () => text.replace(/=([^&]*)/g, (whole) => (random(3) ? whole : `=${pick(ODD)}`)),
    ];
    text = pick(changes)();
  }
  return text;
}

const within = (x, [low, high]) => Number.isFinite(x) && x >= low && x <= high;

/** What must hold of every link that was read. */
function sound(link, { LIMITS, parseStep, initialShow }) {
  for (const name of ["scene", "dt", "theme", "caption", "file", "to"]) assert.equal(typeof link[name], "string", name);
  for (const [name, value] of Object.entries(link.params)) assert.ok(typeof name === "string" && typeof value === "string", name);
  assert.equal(Object.getPrototypeOf(link.params), Object.prototype, "parameters are a plain object");
  for (const world of link.worlds) {
    for (const [name, word] of Object.entries(world)) {
      assert.ok(["stabiliser", "solver", "coordinates"].includes(name) && typeof word === "string" && word !== "", name);
    }
  }
  assert.ok(link.show === null || link.show.every((word) => typeof word === "string" && word !== ""));
  assert.ok(Object.values(initialShow(link.show)).every((on) => typeof on === "boolean"));
  assert.ok(within(link.at, [0, Number.MAX_VALUE]), `at = ${link.at}`);
  const step = parseStep(link.dt);
  assert.ok(Number.isNaN(step) || (step > 0 && step <= 1), `step = ${step}`);
  if (link.camera !== null) {
    const [azimuth, polar, distance, ...target] = link.camera;
    assert.equal(target.length, 3);
    assert.ok(within(azimuth, [-Number.MAX_VALUE, Number.MAX_VALUE]), `azimuth = ${azimuth}`);
    assert.ok(within(polar, LIMITS.polar), `polar = ${polar}`);
    assert.ok(within(distance, LIMITS.distance), `distance = ${distance}`);
    assert.ok(
      target.every((x) => within(x, LIMITS.target)),
      `target = ${target}`,
    );
  }
  if (link.size !== null) {
    assert.equal(link.size.length, 2);
    assert.ok(
      link.size.every((x) => Number.isInteger(x) && within(x, LIMITS.pixels)),
      `size = ${link.size}`,
    );
  }
}

/** What the page writes into its address. */
const WRITTEN = ["scene", "params", "dt", "worlds", "show", "camera", "at"];
const written = (link) => Object.fromEntries(WRITTEN.map((name) => [name, link[name]]));

/** The sources, bundled for Node. */
async function sources() {
  const contents = `export * from "./link"; export { parseStep } from "./format"; export { initialShow } from "./show"; export { LIMITS } from "./limits";`;
  const { outputFiles } = await build({ stdin: { contents, resolveDir: src, loader: "ts" }, bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

export async function good_links_come_back() {
  const page = await sources();
  for (const text of GOOD) {
    const link = page.readLink(text);
    sound(link, page);
    assert.deepEqual(written(page.readLink(page.writeLink(link))), written(link), text);
    if (text.length > 1) assert.equal(decodeURIComponent(page.writeLink(link)), text);
  }
  const all = page.readLink(GOOD[3]);
  assert.deepEqual(all.params, { vehicle: "20000" });
  assert.deepEqual(all.worlds, [{ stabiliser: "none" }, { stabiliser: "aligned", solver: "auto", coordinates: "maximal" }]);
  assert.deepEqual([all.camera, all.at, page.parseStep(all.dt)], [[0.42, 1.38, 25, 0, 5.5, -3], 2, 1 / 60]);
  const shot = page.readLink(READ.at(-2));
  assert.deepEqual(
    [shot.shot, shot.play, shot.theme, shot.caption, shot.to, shot.size],
    [true, false, "dark", "A crane: 20 t", "token", [1280, 720]],
  );
  return `${GOOD.length} links`;
}

export async function damaged_links_are_read(_browser, _address, inputs = INPUTS) {
  const page = await sources();
  const random = generator(1);
  const counts = { "with a camera": 0, "with a size": 0, "with a step": 0, "with worlds": 0 };
  for (let k = 0; k < inputs; k++) {
    const text = damaged(random);
    try {
      const link = page.readLink(text);
      sound(link, page);
      // What the page writes of it is the same link again.
      const again = page.readLink(page.writeLink(link));
      const third = page.readLink(page.writeLink(again));
      sound(again, page);
      assert.deepEqual(written(third), written(again));
      assert.deepEqual({ ...written(again), camera: null }, { ...written(link), camera: null });
      assert.equal(again.camera === null, link.camera === null, "a camera comes back");
      counts["with a camera"] += link.camera !== null;
      counts["with a size"] += link.size !== null;
      counts["with a step"] += !Number.isNaN(page.parseStep(link.dt));
      counts["with worlds"] += link.worlds.length > 0;
    } catch (error) {
      throw new Error(`input ${k}, ${JSON.stringify(text)}: ${error.message}`);
    }
  }
  // Most of it must get past the first look, or nothing was tested.
  for (const [what, n] of Object.entries(counts)) assert.ok(n > inputs / 50, `only ${n} of ${inputs} ${what}`);
  return `${inputs} links, of them ${Object.entries(counts)
    .map(([what, n]) => `${n} ${what}`)
    .join(", ")}`;
}

// By itself.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const inputs = Number(process.argv[2] ?? INPUTS);
  assert.ok(Number.isInteger(inputs) && inputs > 0, `${process.argv[2]}: expected a whole number of inputs`);
  console.log(await good_links_come_back());
  console.log(await damaged_links_are_read(null, null, inputs));
}
