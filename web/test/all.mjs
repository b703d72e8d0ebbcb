// Runs the tests of the page one after the other in one browser: npm test [-- WORD ...] runs those whose names hold a word.
//   TAUT         the native command: it serves the page, and its state hashes are compared with the page's
//   TAUT_PAGE    address of a running server (`taut view`) instead; without either dist/ is served here
//   TAUT_SHOTS   folder for screenshots
import { launch, servePage, shots } from "./browser.mjs";
import * as command from "./command.mjs";
import * as compare from "./compare.mjs";
import * as controls from "./controls.mjs";
import * as drive from "./drive.mjs";
import * as edit from "./edit.mjs";
import * as embed from "./embed.mjs";
import * as files from "./files.mjs";
import * as firefox from "./firefox.mjs";
import * as golden from "./golden.mjs";
import * as hashes from "./hashes.mjs";
import * as judge from "./judge.mjs";
import * as links from "./links.mjs";
import * as loads from "./loads.mjs";
import * as look from "./look.mjs";
import * as pointer from "./pointer.mjs";
import * as replay from "./replay.mjs";
import * as rewind from "./rewind.mjs";
import * as ropes from "./ropes.mjs";
import * as scenes from "./scenes.mjs";
import * as speed from "./speed.mjs";
import * as worker from "./worker.mjs";

const wanted = process.argv.slice(2);
const all = Object.entries({
  loads,
  look,
  compare,
  controls,
  drive,
  pointer,
  rewind,
  replay,
  ropes,
  files,
  edit,
  embed,
  firefox,
  command,
  golden,
  hashes,
  judge,
  links,
  worker,
  speed,
  scenes,
}).flatMap(([group, tests]) =>
  Object.entries(tests)
    .filter(([, test]) => typeof test === "function")
    .map(([name, test]) => ({ name: `${group}: ${name}`, test })),
);
const chosen = all.filter((t) => wanted.length === 0 || wanted.some((w) => t.name.includes(w)));
const server = await servePage();
// Those in Firefox start one of their own.
const browser = chosen.every((t) => t.name.startsWith("firefox")) ? null : await launch();
let failed = 0;
const begin = Date.now();
for (const { name, test } of chosen) {
  const start = Date.now();
  try {
    const note = await test(browser, server.address);
    console.log(`ok    ${name}${note ? `: ${note}` : ""} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error.message}`);
  }
  // A test that failed has left its page open and running.
  for (const context of browser?.contexts() ?? []) await context.close();
}
await browser?.close();
server.close();
console.log(
  `${failed === 0 ? "all passed" : `${failed} failed`} in ${((Date.now() - begin) / 1000).toFixed(0)} s; screenshots in ${shots}`,
);
process.exit(failed === 0 ? 0 : 1);
