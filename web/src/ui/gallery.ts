// All scenes on cards, with a picture, a line, the paper, and a search over all of it.

import { byId, fill, h, icon } from "../dom";
import type { SceneInfo } from "../engine";
import { pretty, sentence } from "../format";
import type { Session } from "../session";
import { GROUP_NAMES, groupOf, placeOf, titleOf } from "./groups";

/** Names of the pictures there are; written by build.mjs. */
declare const THUMBS: string[];

export class Gallery {
  private readonly dialog = byId<HTMLDialogElement>("gallery");
  private readonly search = h("input", {
    type: "search",
    placeholder: "Search scenes and papers",
    "aria-label": "Search scenes and papers",
    oninput: () => this.filter(),
  });
  private readonly groups: { root: HTMLElement; cards: { words: string; root: HTMLElement }[] }[];
  private readonly none = h("p", { class: "empty", hidden: true }, "No scene has all of these words.");

  constructor(
    session: Session,
    private readonly chosen: (scene: SceneInfo) => void,
    openFile: () => void,
  ) {
    this.groups = GROUP_NAMES.map((name) => this.group(name, session.engine.scenes)).filter(({ cards }) => cards.length > 0);
    const close = h("button", { type: "button", class: "tool", "aria-label": "Close", onclick: () => this.dialog.close() }, icon("close"));
    const file = h(
      "button",
      { type: "button", class: "wide", onclick: () => (this.dialog.close(), openFile()) },
      icon("file"),
      "Open a scene file",
    );
    fill(
      this.dialog,
      h("div", { class: "dialog-head" }, h("h2", { id: "gallery-title" }, "Scenes"), this.search, file, close),
      ...this.groups.map(({ root }) => root),
      this.none,
    );
    this.dialog.addEventListener("click", (e) => e.target === this.dialog && this.dialog.close());
  }

  open(): void {
    this.dialog.showModal();
    this.search.focus();
    this.search.select();
  }

  private group(name: string, scenes: SceneInfo[]): (typeof this.groups)[number] {
    const own = scenes.filter((scene) => groupOf(scene.name) === name).sort((a, b) => placeOf(a.name) - placeOf(b.name));
    const cards = own.map((scene) => ({
      words: `${name} ${titleOf(scene.name)} ${scene.name} ${scene.summary} ${scene.source}`.toLowerCase(),
      root: this.card(scene),
    }));
    const root = h(
      "section",
      { class: "group-of-scenes" },
      h("h3", {}, name),
      h("ul", { class: "scenes" }, ...cards.map((card) => card.root)),
    );
    return { root, cards };
  }

  private card(scene: SceneInfo): HTMLElement {
    const picture = THUMBS.includes(scene.name)
      ? h("img", { src: `thumbs/${scene.name}.png`, alt: "", loading: "lazy", width: 400, height: 250 })
      : h("span", { class: "no-picture", "aria-hidden": "true" }, pretty(scene.name).charAt(0));
    const open = () => {
      this.dialog.close();
      this.chosen(scene);
    };
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "scene", "data-scene": scene.name, onclick: open },
        picture,
        h("b", {}, titleOf(scene.name) ?? pretty(scene.name)),
        h("span", {}, sentence(scene.summary)),
        h("small", {}, scene.source),
      ),
    );
  }

  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { root, cards } of this.groups) {
      for (const card of cards) card.root.hidden = !words.every((word) => card.words.includes(word));
      const left = cards.filter((card) => !card.root.hidden).length;
      root.hidden = left === 0;
      found += left;
    }
    this.none.hidden = found > 0;
  }
}
