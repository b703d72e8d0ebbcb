// One Markdown file as a page of the site.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import rust from "highlight.js/lib/languages/rust";
import { existsSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { Marked } from "marked";
import { place } from "./pages.mjs";

for (const [name, language] of Object.entries({ bash, json, rust, sh: bash })) hljs.registerLanguage(name, language);

export const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** The anchor of a heading, as code hosts make it. */
export function slug(text) {
  return text.toLowerCase().replace(/<[^>]*>|&[a-z#0-9]+;/g, "").replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
}

/** Address of `target`, as seen from the page of `file`; null where the site does not have it. */
function address(file, target, known, pictures) {
  if (/^[a-z]+:/.test(target)) return target;
  const [path, anchor] = target.split("#");
  if (path === "") return `#${anchor}`;
  const full = normalize(join(dirname(file), path)).replace(/\/$/, "");
  const found = known.has(full) ? full : known.has(`${full}/README.md`) ? `${full}/README.md` : null;
  if (found) return relative(dirname(file), place(found)) + (anchor ? `#${anchor}` : "");
  if (!/\.(png|svg|jpg)$/.test(full)) return null;
  pictures.add(full);
  return relative(dirname(file), full);
}

/** Body, title, sections for the search, and the pictures that the page shows. */
export function render(root, file, text, known) {
  const pictures = new Set();
  const sections = [];
  const used = new Map();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const plain = html.replace(/<[^>]*>/g, "");
        const count = used.get(slug(plain)) ?? 0;
        used.set(slug(plain), count + 1);
        const id = count ? `${slug(plain)}-${count}` : slug(plain);
        sections.push({ heading: plain, id, words: [] });
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${depth}>\n`;
      },
      code({ text, lang }) {
        const name = (lang ?? "").split(",")[0];
        const html = hljs.getLanguage(name) ? hljs.highlight(text, { language: name }).value : escape(text);
        return `<pre tabindex="0"><code>${html}</code></pre>\n`;
      },
      table(token) {
        const cells = (row, tag) => row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const to = address(file, href, known, pictures);
        if (to === null && !existsSync(join(root, dirname(file), href.split("#")[0]))) throw new Error(`${file}: link to ${href}, which is not there`);
        return to === null ? html : `<a href="${escape(to)}">${html}</a>`;
      },
      image({ href, text }) {
        const to = address(file, href, known, pictures);
        if (to === null) throw new Error(`${file}: picture ${href} is neither PNG, SVG nor JPEG`);
        return `<img src="${escape(to)}" alt="${escape(text)}" loading="lazy">`;
      },
    },
  });
  const html = marked.parse(text);
  gather(text, sections);
  return { html, title: sections[0]?.heading ?? file, sections, pictures };
}

/** What stands below each heading, for the search. */
function gather(text, sections) {
  let at = -1;
  let fenced = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    else if (!fenced && /^#{1,6} /.test(line)) at++;
    else if (at >= 0 && sections[at]) sections[at].words.push(line.replace(/[`*|[\]]|\([^)]*\.(md|png)[^)]*\)/g, " "));
  }
}
