// The card of what is chosen, or of the scene: its fields, what may be added to it, and what the engine has against it.

import { append, fill, h } from "../dom";
import type { Part } from "./document";
import type { Editor } from "./editor";
import { blame, fieldsOf, type Fields } from "./fields";
import { at, type Item } from "./json";
import { BODY_EXTRAS, JOINTS } from "./kinds";

export class EditCard {
  readonly root = h("div", { class: "edit-card" });
  private form = "";

  constructor(private readonly editor: Editor) {}

  /** Fields that are there already only get their values, so that nothing is taken from under the hand of somebody who types. */
  update(): void {
    const { editor } = this;
    const part = editor.chosen && editor.document.part(editor.chosen);
    const fields: Fields = { set: (path, to) => void editor.set(path, to), bodies: editor.names };
    const card = h("div", {});
    if (part)
      append(
        card,
        h("h2", {}, `${String(part["type"])}: ${String(part["name"] ?? "")}`),
        ...fieldsOf(part, fields),
        this.extras(part, editor.chosen!),
      );
    else append(card, h("h2", {}, "Scene"), ...fieldsOf(this.whole, fields));
    const rows = [...card.querySelectorAll<HTMLElement>(".edit-row")].map(
      (row) => `${row.dataset["path"]} ${row.querySelectorAll("input, select").length}`,
    );
    const form = `${editor.place} ${rows.join()} ${this.editor.names.join()} ${card.querySelector(".edit-bar")?.textContent}`;
    if (form === this.form) return this.refresh(card);
    this.form = form;
    fill(this.root, ...card.children);
  }

  private refresh(card: HTMLElement): void {
    const title = this.root.querySelector("h2");
    if (title) title.textContent = card.querySelector("h2")!.textContent;
    const fresh = card.querySelectorAll<HTMLInputElement>("input, select");
    this.root.querySelectorAll<HTMLInputElement>("input, select").forEach((old, k) => {
      const { value = "", checked = false } = fresh[k] ?? {};
      const typed = old === document.activeElement && old.type === "text" && old.value !== old.defaultValue;
      if (!typed) [old.value, old.checked] = [value, checked];
      if (old.type === "text") old.defaultValue = value;
    });
  }

  /** What belongs to no part: the name, settings, the ground, outputs. */
  private get whole(): Item {
    const { name = "", settings = {}, outputs = {}, ground = {} } = this.editor.document.value;
    return { name, settings, outputs, ground };
  }

  /** What may be added to a part, or taken away again, and an end to it. */
  private extras(part: Item, { list }: Part): HTMLElement {
    const offered = list === "bodies" ? BODY_EXTRAS : (JOINTS[String(part["type"])]?.extras ?? {});
    const buttons = Object.entries(offered).map(([name, [path, value]]) => {
      const there = at(part, path) !== undefined;
      const label = name.replace(/_/g, " ");
      return action(
        `${there ? "Without" : "Add"} ${label}`,
        `${there ? "Takes away" : "Adds"} ${label}`,
        () => void this.editor.set(path, there ? undefined : value),
      );
    });
    return h(
      "div",
      { class: "edit-bar" },
      ...buttons,
      action("Delete", "Takes this away (delete)", () => void this.editor.remove()),
    );
  }

  /** Shows at its field what the engine refuses; false when it speaks of none of them. */
  blame(why: string): boolean {
    for (const error of this.root.querySelectorAll<HTMLElement>(".edit-error")) error.hidden = true;
    const { place } = this.editor;
    if (!why.startsWith(place)) return false;
    const field =
      why
        .slice(place.length)
        .replace(/^\./, "")
        .split(/[\s:(]/)[0] ?? "";
    return field !== "" && blame(this.root, field, why);
  }
}

/** A small button with a word on it. */
export function action(label: string, help: string, act: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "chip", title: help, onclick: act }, label);
}
