// Every scene runs two simulated seconds; those that should hold do: finite, no failure, gaps below a tenth of the length.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, shots } from "./browser.mjs";

/** Smaller than the default, so that all of it takes a minute on a slow machine. */
const SMALLER = { ragdolls: { ragdolls: "4" }, "ragdoll-pile": { ragdolls: "2" }, yard: { boxes: "40" }, cloth: { side: "8" } };
/** Seconds of computing after which a scene has shown enough. */
const ENOUGH = 6;

export async function all_run_two_seconds(browser, address) {
  const { page, complaints, close } = await openPage(browser, address, "#scene=chain&play=0");
  const scenes = await page.evaluate(() =>
    window.taut.scenes.map((s) => ({ name: s.name, dt: s.dt, parameters: s.parameters.map((p) => p.name) })),
  );
  const bad = [];
  const cut = [];
  for (const scene of scenes) {
    const params = Object.fromEntries(Object.entries(SMALLER[scene.name] ?? {}).filter(([name]) => scene.parameters.includes(name)));
    const world = await page.evaluate(
      async ([name, params, steps, enough]) => {
        if (!(await window.taut.open(name, params))) return { refused: document.getElementById("problem").innerText };
        const end = performance.now() + 1000 * enough;
        let done = 0;
        for (; done < steps && performance.now() < end; done += 5) await window.taut.step(Math.min(5, steps - done));
        return { ...window.taut.worlds[0], short: done < steps };
      },
      [scene.name, params, Math.round(2 / scene.dt), ENOUGH],
    );
    if (world.refused) bad.push(`${scene.name}: ${world.refused}`);
    else if (world.failed || !world.finite) bad.push(`${scene.name}: ${world.failed ?? "not finite"}`);
    else if (!(world.worstGap < 0.1 * world.length)) bad.push(`${scene.name}: gap ${world.worstGap} m of ${world.length} m`);
    if (world.short) cut.push(`${scene.name} at ${world.time.toFixed(2)} s`);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    if (process.env.TAUT_ALL_SHOTS) await page.screenshot({ path: join(shots, `scene-${scene.name}.png`) });
  }
  assert.deepEqual(bad, []);
  assert.deepEqual(complaints, []);
  await close();
  return `${scenes.length} scenes${cut.length > 0 ? `; stopped after ${ENOUGH} s of computing: ${cut.join(", ")}` : ""}`;
}
