// Makes the pictures of the gallery, thumbs/NAME.png, with the built page: npm run build && node thumbs.mjs [NAME ...]
// (build again afterwards to take them in).
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openPage, servePage } from "./test/browser.mjs";

/** When a scene looks like itself, s; 0.8 s for the others. */
const TIMES = {
  crane: 1.5,
  "crane-boom": 0.6,
  chain: 0.75,
  tree: 0.8,
  cloth: 1.3,
  net: 0.7,
  ladder: 0.6,
  ragdoll: 1.3,
  "ragdoll-pile": 1.4,
  ragdolls: 0.5,
  "strong-robot": 4,
  "scissor-lift": 5,
  assembly: 0.3,
  "wrecking-ball": 0.9,
  yard: 0.3,
  shots: 0.02,
  "newton-cradle": 0.35,
  "robot-gripper": 5,
  "operated-crane": 0.1,
  "mobile-crane": 10,
  "sailing-boat": 2,
  flag: 2,
  "ski-lift": 3,
  "anchor-handling": 2,
  "tug-tow": 2,
  bow: 0.5,
  trampoline: 1,
  creatures: 0.6,
  "heavy-on-soft": 1,
  umbrella: 3,
  "box-stack": 0.2,
  "crane-landing": 1,
  snatch: 0.7,
  tow: 2.5,
  "rod-on-cylinder": 0.7,
  "bouncing-balls": 0.35,
  bridge: 2.5,
};
const SMALLER = {
  creatures: { which: "flesh", size: "0.2", height: "0.1" },
  "tug-tow": { segment: "20" },
  "anchor-handling": { segment: "20" },
  "ragdoll-pile": { ragdolls: "6" },
  ragdolls: { ragdolls: "9" },
};

const folder = join(dirname(fileURLToPath(import.meta.url)), "thumbs");
mkdirSync(folder, { recursive: true });
const server = await servePage();
const browser = await launch();
const { page, complaints } = await openPage(browser, server.address, "#shot=1&scene=chain&theme=light", {
  viewport: { width: 400, height: 250 },
});
const scenes = await page.evaluate(() => window.taut.scenes.map((s) => ({ name: s.name, dt: s.dt })));
const wanted = process.argv.slice(2);
for (const { name, dt } of scenes.filter((s) => wanted.length === 0 || wanted.includes(s.name))) {
  const steps = Math.round((TIMES[name] ?? 0.8) / dt);
  await page.evaluate(
    async ([name, params, steps]) => {
      await window.taut.open(name, params);
      const end = performance.now() + 20_000;
      for (let k = 0; k < steps && performance.now() < end; k++) await window.taut.step(1);
      window.taut.fit();
    },
    [name, SMALLER[name] ?? {}, steps],
  );
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
await browser.close();
server.close();
if (complaints.length > 0) {
  console.error(complaints.join("\n"));
  process.exit(1);
}
console.log(`${scenes.length} pictures in ${folder}`);
