// A browser and a server for the tests: Chromium from the PATH (or CHROMIUM), the page from TAUT_PAGE, from `$TAUT view` or from dist/.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "..", "dist");
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Folder for screenshots, outside the repository unless TAUT_SHOTS names another. */
export const shots = process.env.TAUT_SHOTS ?? join(tmpdir(), "taut-page");
mkdirSync(shots, { recursive: true });

/** A phone held upright. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      continue;
    }
  }
  throw new Error("no Chromium on the PATH: install the package chromium or set CHROMIUM");
}

/** Address of the page: TAUT_PAGE, or a server of our own on loopback. */
export async function servePage() {
  if (process.env.TAUT_PAGE) return { address: process.env.TAUT_PAGE, close() {} };
  if (process.env.TAUT) return view(process.env.TAUT);
  if (!existsSync(join(dist, "index.html"))) throw new Error("no dist/: run npm run build first");
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(dist, path.endsWith("/") ? join(path, "index.html") : path);
    try {
      if (!file.startsWith(dist)) throw new Error("outside");
      const body = await readFile(file);
      response.writeHead(200, {
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
      });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The page as the command serves it. */
async function view(taut) {
  const child = spawn(taut, ["view", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(text.trim());
    });
    child.on("exit", (status) => reject(new Error(`taut view ended with ${status}`)));
  });
  return { address, close: () => child.kill("SIGINT") };
}

export function launch() {
  return chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"],
  });
}

/** The complaints of a page: console errors and warnings, exceptions, policy violations, requests elsewhere. */
export function listen(page, address) {
  const complaints = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && !harmless(m.text()) && complaints.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => complaints.push(`exception: ${e.message}`));
  page.on("request", (r) => {
    const url = r.url();
    if (!url.startsWith(address) && !/^(blob|data):/.test(url)) complaints.push(`request elsewhere: ${url}`);
  });
  page.on("requestfailed", (r) => complaints.push(`failed request: ${r.url()}`));
  return complaints;
}

/** A page whose complaints are kept. */
export async function openPage(browser, address, hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints = listen(page, address);
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready=true]", { timeout: 60_000 });
  return { page, complaints, close: () => context.close() };
}

/** What the software renderer says about itself is not a fault of the page. */
function harmless(text) {
  return text.includes("GPU stall due to ReadPixels") || text.includes("Automatic fallback to software WebGL");
}
