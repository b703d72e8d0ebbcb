// Build and edit: a scene made by clicks runs natively with the same bits; what the engine refuses stands at its field.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openPage, PHONE, shots } from "./browser.mjs";
import { PENDULUM } from "./samples.mjs";

/** The editor with an empty floor. */
async function open(browser, address, options = {}, hash = "#scene=chain&play=0") {
  const { page, complaints, close } = await openPage(browser, address, hash, options);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".edit-parts .chip").length > 1);
  return { page, complaints, close };
}

const press = (page, name) => page.locator("#edit").getByRole("button", { name, exact: true }).click();
const field = (page, label) => page.locator(".edit-card").getByLabel(label, { exact: true });
const parts = (page, count) => page.waitForFunction((n) => document.querySelectorAll(".edit-parts .chip").length === n, count);
const bodies = (page) => page.evaluate(() => window.taut.bodies().map((body) => body.name));

async function set(page, label, value) {
  await field(page, label).fill(value);
  await field(page, label).press("Enter");
}

/** The file that "Save" gives. */
async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Save")]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

/** The hash after so many steps, natively; null without a native command. */
async function natively(text, steps, dt) {
  if (!process.env.TAUT) return null;
  const folder = await mkdtemp(join(tmpdir(), "taut-edit-"));
  try {
    const file = join(folder, "edited.json");
    await writeFile(file, text);
    const { stdout } = await promisify(execFile)(process.env.TAUT, [
      "run",
      file,
      "--json",
      "--dt",
      String(dt),
      "--time",
      String(steps * dt),
    ]);
    const told = JSON.parse(stdout);
    assert.equal(told.steps, steps);
    return told.state_hash;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function stepped(page, steps) {
  return page.evaluate(async (n) => {
    await window.taut.step(n);
    return window.taut.worlds[0].hash();
  }, steps);
}

export async function a_scene_by_clicks_runs_natively(browser, address) {
  const { page, complaints, close } = await open(browser, address, { colorScheme: "light" });
  await press(page, "New");
  await parts(page, 0);
  const view = await page.locator(".view").boundingBox();
  const middle = { x: view.x + view.width / 2, y: view.y + view.height / 2 };
  // A block that is fixed, a box beside it on a hinge, a ball on a rope below it.
  await press(page, "Fixed box");
  await page.mouse.click(middle.x, middle.y - 60);
  await parts(page, 1);
  await set(page, "Position y, m", "3");
  await page.waitForFunction(
    () => Math.abs(window.taut.bodyPosition(window.taut.bodies().findIndex((b) => b.name === "block 1"))[1] - 3) < 1e-6,
  );
  await press(page, "Box");
  await press(page, "Place in the middle");
  await parts(page, 2);
  for (const [label, value] of [
    ["Position x, m", "1"],
    ["Position y, m", "3"],
    ["Position z, m", "0"],
    ["Mass, kg", "25"],
    ["Shape size x, m", "0.8"],
  ])
    await set(page, label, value);
  await press(page, "Hinge");
  await page.getByLabel("First body").selectOption("box 1");
  await page.getByLabel("Second body").selectOption("block 1");
  await press(page, "Join");
  await parts(page, 3);
  await press(page, "Add limits");
  await set(page, "Limits lower, rad", "-0.4");
  await press(page, "Add motor");
  await set(page, "Motor rate, rad/s", "0.5");
  await press(page, "Ball");
  await press(page, "Place in the middle");
  await parts(page, 4);
  await set(page, "Position y, m", "1.5");
  // The rope is tied by clicks: from the ball to the box.
  await page.getByRole("button", { name: "Fit everything into view" }).click();
  await page.evaluate(() => window.taut.fit());
  const at = (name) => page.evaluate((n) => window.taut.screenPointOfBody(window.taut.bodies().findIndex((b) => b.name === n)), name);
  await press(page, "Rope");
  for (const name of ["ball 1", "box 1"]) {
    const { x, y } = await at(name);
    await page.mouse.click(x, y);
  }
  await parts(page, 5);
  const file = await saved(page);
  assert.equal(file.name, "my-scene.json");
  const scene = JSON.parse(file.text);
  assert.deepEqual(
    scene.bodies.map((body) => body.name),
    ["block 1", "box 1", "ball 1"],
  );
  assert.deepEqual(
    scene.joints.map((joint) => [joint.type, ...joint.bodies]),
    [
      ["hinge", "box 1", "block 1"],
      ["rope", "ball 1", "box 1"],
    ],
  );
  assert.equal(scene.joints[0].limits[0].lower, -0.4);
  assert.equal(scene.bodies[1].mass, 25);
  await page.screenshot({ path: join(shots, "edit-light.png") });
  const got = await stepped(page, 100);
  assert.deepEqual(complaints, []);
  const native = await natively(file.text, 100, 0.01);
  if (native !== null) assert.equal(got, native);
  // Back at the start that is edited.
  await press(page, "To the start");
  await page.waitForFunction(() => window.taut.worlds[0].steps === 0);
  await close();
  return native === null ? "not compared: no native command given (TAUT)" : `${got}, as natively`;
}

export async function a_drag_moves_and_can_be_undone(browser, address) {
  const { page, complaints, close } = await open(browser, address);
  await page.setInputFiles("#edit-file", { name: "pendulum.json", mimeType: "application/json", buffer: Buffer.from(PENDULUM) });
  await parts(page, 2);
  const bob = () => page.evaluate(() => window.taut.bodyPosition(window.taut.bodies().findIndex((b) => b.name === "bob")));
  const before = await bob();
  const drag = async () => {
    const { x, y } = await page.evaluate(() => window.taut.screenPointOfBody(window.taut.bodies().findIndex((b) => b.name === "bob")));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 30, y - 25, { steps: 4 });
    await page.mouse.up();
  };
  await drag();
  await page.waitForFunction(() => !document.querySelector("#edit button[title^='Undo']").disabled);
  const after = await bob();
  assert.ok(after[1] > before[1] + 0.01, `${before} to ${after}`);
  const moved = JSON.parse((await saved(page)).text);
  assert.ok(Math.abs(moved.bodies[0].position[1] - after[1]) < 1e-3);
  assert.ok(moved.joints[0].point[1] > 0.01, "its pivot goes with it");
  await press(page, "Undo");
  await page.waitForFunction(() => document.querySelector("#edit button[title^='Undo']").disabled);
  assert.deepEqual(await bob(), before);
  await press(page, "Redo");
  await page.waitForFunction(() => document.querySelector("#edit button[title^='Redo']").disabled);
  assert.deepEqual(await bob(), after);
  await press(page, "Turn");
  await drag();
  await page.waitForFunction(() => document.querySelector("#edit button[title^='Undo']").disabled === false);
  await page.waitForFunction(() => document.querySelector(".edit-card h2") !== null);
  const turned = JSON.parse((await saved(page)).text);
  assert.ok(Math.abs(turned.bodies[0].rotation.degrees) > 5, JSON.stringify(turned.bodies[0]));
  assert.deepEqual(complaints, []);
  await close();
}

export async function errors_stand_at_their_field(browser, address) {
  const { page, complaints, close } = await open(browser, address, { colorScheme: "dark" });
  await page.setInputFiles("#edit-file", { name: "pendulum.json", mimeType: "application/json", buffer: Buffer.from(PENDULUM) });
  await parts(page, 2);
  await page.locator(".edit-parts").getByRole("button", { name: "bob" }).click();
  const error = (path) => page.locator(`.edit-row[data-path="${path}"] .edit-error`);
  await set(page, "Mass, kg", "-5");
  await error("mass").waitFor();
  assert.match(await error("mass").innerText(), /mass.*-5/);
  await set(page, "Mass, kg", "much");
  await page.waitForFunction(() =>
    /much is not a number/.test(document.querySelector('.edit-row[data-path="mass"] .edit-error').textContent),
  );
  await page.screenshot({ path: join(shots, "edit-dark.png") });
  await set(page, "Mass, kg", "7");
  await page.waitForFunction(() => document.querySelector('.edit-row[data-path="mass"] .edit-error').hidden);
  // Another name goes to the joint too; without its body the joint goes.
  await set(page, "Name", "weight");
  await page.waitForFunction(() => window.taut.bodies().some((body) => body.name === "weight"));
  let scene = JSON.parse((await saved(page)).text);
  assert.deepEqual([scene.bodies[0].mass, scene.joints[0].bodies[0], scene.outputs.follow], [7, "weight", "weight"]);
  await press(page, "Delete");
  await parts(page, 0);
  scene = JSON.parse((await saved(page)).text);
  assert.deepEqual([scene.bodies, scene.joints], [[], []]);
  await page.keyboard.press("Control+z");
  await parts(page, 2);
  assert.deepEqual(complaints, []);
  await close();
}

export async function a_scene_of_the_library_keeps_its_bits(browser, address) {
  const { page, complaints, close } = await open(browser, address, {}, "#scene=box-stack&play=0");
  const file = await saved(page);
  const edited = await stepped(page, 60);
  assert.ok((await bodies(page)).length > 2);
  await page.evaluate(() => window.taut.open("box-stack", {}, {}, "1/60"));
  assert.equal(await stepped(page, 60), edited, "as the scene itself");
  const native = await natively(file.text, 60, 1 / 60);
  if (native !== null) assert.equal(native, edited, "as the file natively");
  assert.deepEqual(complaints, []);
  await close();
}

export async function phone(browser, address) {
  const { page, complaints, close } = await open(browser, address, PHONE);
  await press(page, "New");
  await parts(page, 0);
  await press(page, "Ball");
  await press(page, "Place in the middle");
  await parts(page, 1);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "no sideways scroll");
  const last = await page.getByRole("button", { name: "Help", exact: true }).boundingBox();
  assert.ok(last.x + last.width <= 390, "every tool is on the screen");
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("#edit :is(button, select, input:not([hidden]))")]
      .filter((e) => e.offsetParent && e.offsetHeight < 44)
      .map((e) => e.ariaLabel ?? e.textContent),
  );
  assert.deepEqual(small, [], "a finger hits everything");
  await page.screenshot({ path: join(shots, "edit-phone.png") });
  assert.deepEqual(complaints, []);
  await close();
}
