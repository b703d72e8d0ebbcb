// Builds the page: bundles src/main.ts and the worker of its worlds, and copies what it needs to dist/. `pkg/` must hold the engine (wasm-bindgen --target web).
// `node build.mjs --watch` builds again when a source file changes.
import { context } from "esbuild";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const at = (...path) => join(here, ...path);
const engine = process.env.TAUT_ENGINE ?? at("pkg");
if (!existsSync(join(engine, "taut_web.js"))) {
  console.error(`no engine in ${engine}: build crates/taut-web first`);
  process.exit(1);
}

// The folder itself stays: `taut` looks at it when it is built.
mkdirSync(at("dist"), { recursive: true });
for (const file of readdirSync(at("dist")).filter((f) => f !== ".gitignore")) rmSync(at("dist", file), { recursive: true });
mkdirSync(at("dist", "engine"), { recursive: true });
for (const file of ["index.html", "style.css", "embed.css", "edit.css", "favicon.svg", "embed.html", "embed-page.css", "pendulum.json"])
  cpSync(at(file), at("dist", file));
for (const file of ["taut_web.js", "taut_web_bg.wasm"]) cpSync(join(engine, file), at("dist", "engine", file));
const thumbs = existsSync(at("thumbs")) ? readdirSync(at("thumbs")).filter((f) => f.endsWith(".png")) : [];
if (thumbs.length > 0) cpSync(at("thumbs"), at("dist", "thumbs"), { recursive: true });

const build = await context({
  entryPoints: { main: at("src", "main.ts"), worker: at("src", "worker", "main.ts"), "taut-view": at("src", "embed", "element.ts") },
  outdir: at("dist"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: !process.argv.includes("--watch"),
  legalComments: "linked",
  define: { THUMBS: JSON.stringify(thumbs.map((f) => f.slice(0, -4))) },
  logLevel: "info",
});
if (process.argv.includes("--watch")) await build.watch();
else {
  await build.rebuild();
  await build.dispose();
}
