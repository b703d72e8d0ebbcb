// The native command, for several tests.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The hash after a native run. */
export async function native({ scene, params = {}, settings = {}, dt, steps }) {
  const [top, bottom = "1"] = dt.split("/");
  const options = ["run", scene, "--json", "--dt", dt, "--time", String((steps * Number(top)) / Number(bottom))];
  for (const [name, value] of Object.entries(params)) options.push("--set", `${name}=${value}`);
  for (const [name, value] of Object.entries(settings)) options.push(`--${name}`, value);
  // A run that diverges ends with 1 and is still told.
  const done = await promisify(execFile)(process.env.TAUT, options).catch((error) => error);
  const told = JSON.parse(done.stdout);
  assert.equal(told.steps, steps, `${scene} diverged natively`);
  return told.state_hash;
}
