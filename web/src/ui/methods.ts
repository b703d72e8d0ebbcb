// Stabiliser, solver and coordinates of each world; adding and removing worlds.

import { fill, h, icon } from "../dom";
import type { Choice, Settings } from "../engine";
import { MOST_WORLDS, type Session } from "../session";
import { LETTERS } from "./panes";

const FIELDS = ["stabiliser", "solver", "coordinates"] as const;
type Field = (typeof FIELDS)[number];
const OTHER = " other";

export class Methods {
  readonly root = h("div", { class: "methods" });
  private readonly writing = new Set<string>();

  constructor(private readonly session: Session) {
    session.on(["scene", "worlds", "active"], () => this.build());
  }

  private build(): void {
    const { runs } = this.session;
    const cards = runs.map((_, k) => this.card(k));
    const add = h("button", { type: "button", class: "wide", onclick: () => this.add() }, icon("plus"), "Add a world beside");
    fill(this.root, ...cards, runs.length < MOST_WORLDS && add);
  }

  private card(k: number): HTMLElement {
    const { runs } = this.session;
    const many = runs.length > 1;
    const rows = FIELDS.map((field) => this.field(k, field));
    const head = h(
      "div",
      { class: "world-head" },
      h("span", { class: "dot", "aria-hidden": "true" }),
      h("b", {}, `World ${LETTERS[k]}`),
      h(
        "button",
        { type: "button", class: "tool small", "aria-label": `Remove world ${LETTERS[k]}`, title: "Remove", onclick: () => this.remove(k) },
        icon("close"),
      ),
    );
    const card = h("div", { class: "world", role: "group", "aria-label": `World ${LETTERS[k]}` }, many && head, ...rows);
    card.style.setProperty("--own", `var(--world-${k + 1})`);
    return card;
  }

  private field(k: number, field: Field): HTMLElement {
    const run = this.session.runs[k]!;
    const choices = this.session.engine.choices[field];
    const asked = run.settings[field];
    const inForce = run.method[field];
    const word = asked ?? (choices.some((c) => c.name === "auto") ? "auto" : inForce);
    const help = helpFor(choices, word);
    const key = `${k} ${field}`;
    const label = field.charAt(0).toUpperCase() + field.slice(1);
    const control = this.writing.has(key) ? this.entry(k, field, asked ?? inForce) : this.select(k, field, word, choices);
    control.setAttribute("aria-label", `${label}, world ${LETTERS[k]}`);
    const note = field === "solver" && word === "auto" && inForce !== "auto" ? `chose ${inForce}` : help;
    return h("div", { class: "field" }, h("div", { class: "field-head" }, h("span", {}, label), control), h("p", { class: "help" }, note));
  }

  private select(k: number, field: Field, word: string, choices: Choice[]): HTMLSelectElement {
    const words = choices.map((c) => c.name);
    if (!words.includes(word)) words.push(word);
    const select = h("select", {
      onchange: () => {
        if (select.value === OTHER) {
          this.writing.add(`${k} ${field}`);
          this.build();
          this.root.querySelector<HTMLInputElement>("input")?.focus();
        } else this.apply(k, field, select.value);
      },
    });
    for (const name of words) select.append(h("option", { value: name, selected: name === word }, name));
    select.append(h("option", { value: OTHER }, "with options …"));
    return select;
  }

  /** A word with options, as on the command line. */
  private entry(k: number, field: Field, value: string): HTMLInputElement {
    const input = h("input", { type: "text", value, spellcheck: "false", autocomplete: "off" });
    const done = () => {
      this.writing.delete(`${k} ${field}`);
      this.apply(k, field, input.value.trim());
    };
    input.addEventListener("change", done);
    input.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      this.writing.delete(`${k} ${field}`);
      this.build();
    });
    return input;
  }

  private apply(k: number, field: Field, value: string): void {
    const settings: Settings = { ...this.session.runs[k]!.settings, [field]: value };
    void this.session.configure(k, settings);
  }

  private add(): void {
    const worlds = this.session.runs.map((run) => run.settings);
    const used = worlds.map((w) => w.stabiliser ?? "aligned");
    const next = ["none", "inertial:all", "aligned", "constraint-space"].find((name) => !used.includes(name)) ?? "none";
    void this.session.again(this.session.params, [...worlds, { stabiliser: next }]);
  }

  private remove(k: number): void {
    const worlds = this.session.runs.map((run) => run.settings).filter((_, i) => i !== k);
    void this.session.again(this.session.params, worlds);
  }
}

function helpFor(choices: Choice[], word: string): string {
  const name = word.split(":")[0];
  return choices.find((c) => c.name === word)?.help ?? choices.find((c) => c.name.split(":")[0] === name)?.help ?? "";
}
