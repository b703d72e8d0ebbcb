// A stock Firefox without a window, over WebDriver BiDi: what the tests need of it and no more. Playwright's own client asks for commands
// that an extended support release does not have.
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bundle from "playwright-core/lib/utilsBundle";

/** Pictures without a graphics card, and nothing that a new profile would show or fetch. */
const PREFS = {
  "webgl.force-enabled": true,
  "webgl.forbid-software": false,
  "webgl.disable-fail-if-major-performance-caveat": true,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.page": 0,
  "browser.aboutwelcome.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "app.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "remote.prefs.recommended": true,
};
/** Longest wait for Firefox and for an answer of a page, ms. */
const PATIENCE = 180_000;

/** The Firefox of the PATH, or FIREFOX; null when there is none. */
export function findFirefox() {
  if (process.env.FIREFOX) return process.env.FIREFOX;
  for (const name of ["firefox-esr", "firefox"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      continue;
    }
  }
  return null;
}

/** A display for WebGL, which Firefox wants of an X server even without a window: the one there is, or an Xvfb of its own. */
async function display() {
  if (process.env.DISPLAY) return { name: process.env.DISPLAY, close() {} };
  const child = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise((done) => {
    child.on("error", () => done(null));
    child.on("exit", () => done(null));
    child.stdio[3].on("data", (data) => done(String(data).trim()));
  });
  return { name: number && `:${number}`, close: () => child.kill() };
}

/** Runs a test with a Firefox of its own, in a profile of its own; `dark` as the system would have it. */
export async function withFirefox(path, test, { dark = false } = {}) {
  const profile = await mkdtemp(join(tmpdir(), "taut-firefox-"));
  const prefs = { ...PREFS, "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1 };
  await writeFile(
    join(profile, "user.js"),
    Object.entries(prefs)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(""),
  );
  const screen = await display();
  const child = spawn(path, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...(screen.name ? { DISPLAY: screen.name } : {}) },
  });
  const gone = new Promise((done) => child.on("exit", done));
  try {
    return await test(await Firefox.connect(await listening(child)));
  } finally {
    child.kill();
    await gone;
    screen.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Where it listens, as it says on its standard error. */
function listening(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`Firefox does not listen: ${text}`)), PATIENCE);
    child.stderr.on("data", (data) => {
      text += data;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(text);
      if (found) resolve((clearTimeout(timer), `${found[1]}/session`));
    });
    child.on("exit", (status) => reject(new Error(`Firefox ended with ${status}: ${text}`)));
  });
}

export class Firefox {
  #last = 0;
  #waiting = new Map();
  /** Console errors and warnings, exceptions, requests that failed or went elsewhere. */
  complaints = [];

  static async connect(address) {
    const socket = new bundle.ws(address, { perMessageDeflate: false, maxPayload: 2 ** 28 });
    await new Promise((done, failed) => socket.on("open", done).on("error", failed));
    const firefox = new Firefox();
    firefox.socket = socket;
    socket.on("message", (data) => firefox.#receive(JSON.parse(String(data))));
    await firefox.call("session.new", { capabilities: {} });
    await firefox.call("session.subscribe", { events: ["log.entryAdded", "network.fetchError", "network.beforeRequestSent"] });
    const { contexts } = await firefox.call("browsingContext.getTree", {});
    firefox.context = contexts[0].context;
    return firefox;
  }

  call(method, params) {
    const id = ++this.#last;
    const answer = new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`${method} has no answer`)), PATIENCE);
      this.#waiting.set(id, { done: (value) => (clearTimeout(timer), done(value)), failed: (why) => (clearTimeout(timer), failed(why)) });
    });
    this.socket.send(JSON.stringify({ id, method, params }));
    return answer;
  }

  async open(address, { width, height }) {
    this.home = new URL("./", address).href;
    await this.call("browsingContext.setViewport", { context: this.context, viewport: { width, height } });
    await this.call("browsingContext.navigate", { context: this.context, url: address, wait: "complete" });
  }

  /** What a function says in the page, or in a frame of it. */
  async evaluate(what, argument = null, context = this.context) {
    const expression = `(async () => JSON.stringify((await (${what})(${JSON.stringify(argument)})) ?? null))()`;
    const told = await this.call("script.evaluate", { expression, target: { context }, awaitPromise: true, userActivation: true });
    if (told.type === "exception") throw new Error(told.exceptionDetails.text);
    return JSON.parse(told.result.value);
  }

  /** Until a function says that it is so. */
  async until(what, argument = null) {
    const end = Date.now() + PATIENCE;
    while (!(await this.evaluate(what, argument))) {
      if (Date.now() > end) throw new Error(`it never came to ${what}`);
      await new Promise((done) => setTimeout(done, 200));
    }
  }

  async screenshot(path) {
    const { data } = await this.call("browsingContext.captureScreenshot", { context: this.context });
    await writeFile(path, Buffer.from(data, "base64"));
  }

  #receive({ type, id, result, error, message, method, params }) {
    if (type === "event") return this.#event(method, params);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (type === "error") waiting?.failed(new Error(`${error}: ${message}`));
    else waiting?.done(result);
  }

  #event(method, params) {
    const url = params.request?.url ?? "";
    if (method === "log.entryAdded" && ["error", "warn"].includes(params.level)) this.complaints.push(`${params.level}: ${params.text}`);
    if (method === "network.fetchError") this.complaints.push(`failed request: ${url}`);
    if (method === "network.beforeRequestSent" && this.home && !url.startsWith(this.home) && !/^(blob|data):/.test(url))
      this.complaints.push(`request elsewhere: ${url}`);
  }
}
