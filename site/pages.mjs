// What is on the site, in the order of its menu: every Markdown file of the repository that is documentation.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const CRANE = [1, 2, 3, 4, 5, 6].map((n) => readdirSync(new URL("../docs/guide", import.meta.url)).find((f) => f.startsWith(`crane-${n}-`)));

/** Groups of the menu, each with files of the repository. */
export function groups(root) {
  const decisions = readdirSync(join(root, "docs/decisions")).sort();
  return [
    { title: "Start", files: ["README.md", "docs/features.md"] },
    { title: "Guide", files: ["docs/guide/README.md", ...CRANE.map((f) => `docs/guide/${f}`), ...named("docs/guide", "concepts", "recipes", "other-files", "sweeps", "c-and-fmu", "coming-from", "troubleshooting")] },
    { title: "Reference", files: named("docs", "page", "scene-file", "control", "python", "notation", "tuning") },
    { title: "Evidence", files: named("docs", "limits", "measured", "peers", "checks", "reliability", "papers") },
    { title: "Inside", files: ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] },
    { title: "Decisions", files: decisions.map((f) => `docs/decisions/${f}`), folded: true },
  ];
}

function named(folder, ...names) {
  return names.map((name) => `${folder}/${name}.md`);
}

/** Where a Markdown file stands on the site. */
export function place(file) {
  return file.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
}
