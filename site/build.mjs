// Builds the site: documentation, the page, the library's reference. `node build.mjs OUT [PAGE] [API]`: the folder to write, those of the
// built page (web/dist) and of rustdoc (target/doc). Fails when a link inside the site has no target.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { groups, place } from "./pages.mjs";
import { escape, render } from "./render.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const [out, page, api] = process.argv.slice(2);
if (!out) {
  console.error("usage: node build.mjs OUT [PAGE] [API]");
  process.exit(2);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const menu = groups(root);
const files = menu.flatMap((group) => group.files);
const known = new Set(files);
const pages = files.map((file) => ({ file, ...render(root, file, readFileSync(join(root, file), "utf8"), known) }));
const extra = [page && ["Live page", "page/index.html"], api && ["Library reference (rustdoc)", "api/taut/index.html"]].filter(Boolean);
if (page) cpSync(page, join(out, "page"), { recursive: true });
if (api) cpSync(api, join(out, "api"), { recursive: true });
for (const name of ["site.css", "site.js"]) cpSync(join(here, name), join(out, name));
cpSync(join(root, "web/favicon.svg"), join(out, "favicon.svg"));

pages.forEach((p, k) => {
  const to = (target) => relative(dirname(p.file), target);
  const entry = (q) => `<li><a href="${to(place(q.file))}"${q === p ? ' aria-current="page"' : ""}>${escape(short(q.title))}</a></li>`;
  const side = menu.map((group) => {
    const list = `<ul>${pages.filter((q) => group.files.includes(q.file)).map(entry).join("")}</ul>`;
    if (!group.folded) return `<h2>${group.title}</h2>${list}`;
    return `<details${group.files.includes(p.file) ? " open" : ""}><summary>${group.title}</summary>${list}</details>`;
  });
  if (extra.length) side.splice(1, 0, `<ul>${extra.map(([title, target]) => `<li><a href="${to(target)}">${title}</a></li>`).join("")}</ul>`);
  const turn = (q, rel, text) => (q ? `<a rel="${rel}" href="${to(place(q.file))}">${text}</a>` : "<span></span>");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(p.file === "README.md" ? "Taut: physics for mechanisms and cables under load" : `${p.title} · Taut`)}</title>
<link rel="icon" href="${to("favicon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${to("site.css")}">
<script type="module" src="${to("site.js")}"></script>
</head>
<body data-root="${to(".") || "."}">
<a class="skip" href="#text">Skip to the text</a>
<details id="menu"><summary>Menu</summary></details>
<nav id="side" aria-label="Pages">
<a class="brand" href="${to("index.html")}"><img src="${to("favicon.svg")}" alt="" width="26" height="26">Taut</a>
<label class="search"><span>Search</span><input type="search" placeholder="Search" id="search" autocomplete="off" aria-controls="found"></label>
<ul id="found" aria-live="polite"></ul>
${side.join("\n")}
</nav>
<main id="text">
${p.html}
<div class="turn">${turn(pages[k - 1], "prev", `← ${escape(short(pages[k - 1]?.title ?? ""))}`)}${turn(pages[k + 1], "next", `${escape(short(pages[k + 1]?.title ?? ""))} →`)}</div>
</main>
</body>
</html>
`;
  const target = join(out, place(p.file));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, html);
  for (const picture of p.pictures) {
    mkdirSync(dirname(join(out, picture)), { recursive: true });
    cpSync(join(root, picture), join(out, picture));
  }
});
const index = pages.flatMap((p) =>
  p.sections.map((s) => ({ page: short(p.title), heading: s.heading, at: `${place(p.file)}#${s.id}`, text: s.words.join(" ").replace(/\s+/g, " ").trim() })),
);
writeFileSync(join(out, "search.json"), JSON.stringify(index));

const broken = pages.flatMap((p) => [...links(p)]);
if (broken.length) {
  console.error(broken.join("\n"));
  process.exit(1);
}
console.log(`${pages.length} pages in ${out}${extra.map(([title]) => `, ${title}`).join("")}`);

/** The title without what only the file needs. */
function short(title) {
  return title === "Taut" ? "Overview" : title.replace(/^A crane in six steps: /, "Crane ");
}

/** Links of a page that lead nowhere on the site. */
function* links(p) {
  for (const [, href] of p.html.matchAll(/(?:href|src)="([^"]+)"/g)) {
    if (/^[a-z]+:/.test(href)) continue;
    const [path, anchor] = href.split("#");
    const file = path ? join(out, dirname(place(p.file)), path) : join(out, place(p.file));
    if (!existsSync(file)) yield `${p.file}: ${href} is not on the site`;
    else if (anchor && file.endsWith(".html") && !readFileSync(file, "utf8").includes(`id="${anchor}"`)) yield `${p.file}: ${href} has no such heading`;
  }
}
