// The fields of one part of a document: every number, point, word and switch in it, with its unit, and what the engine has against it.

import { h } from "../dom";
import { exact, parse } from "../format";
import { isItem, pathText, type Item, type Json, type Path } from "./json";
import { labelOf, unitOf } from "./kinds";

/** Lists longer than this are told and not edited. */
const LONG = 12;
const AXES = ["x", "y", "z", "w"];
/** What is shown elsewhere or means nothing to a hand. */
const HIDDEN = ["type", "$schema", "user_data"];

export interface Fields {
  /** Sets what lies at a path of the part; undefined takes it away. */
  set(path: Path, to: Json | undefined): void;
  /** Names that a body may be called by. */
  bodies: string[];
}

/** All fields of a part; each has its place as `data-path`. */
export function fieldsOf(part: Item, fields: Fields): HTMLElement[] {
  return Object.entries(part).flatMap(([key, value]) => (HIDDEN.includes(key) ? [] : fieldsAt([key], value, part, fields)));
}

function fieldsAt(path: Path, value: Json, part: Item, fields: Fields): HTMLElement[] {
  const key = path[path.length - 1];
  if (typeof value === "number")
    return [
      row(
        path,
        part,
        numbers([value], path, part, ([x]) => fields.set(path, x!)),
      ),
    ];
  if (typeof value === "boolean") return [row(path, part, [switched(path, value, fields)])];
  if (typeof value === "string")
    return key === "type" ? [] : [row(path, part, [key === "body" ? choice(path, value, fields) : word(path, value, fields)])];
  if (Array.isArray(value)) {
    if (value.length > LONG) return [row(path, part, [h("span", { class: "unit" }, `${value.length} entries`)])];
    if (value.length > 1 && value.length <= 4 && value.every((x) => typeof x === "number")) {
      return [
        row(
          path,
          part,
          numbers(value as number[], path, part, (all) => fields.set(path, all)),
        ),
      ];
    }
    return value.flatMap((one, k) =>
      key === "bodies" && typeof one === "string"
        ? [row([...path, k], part, [choice([...path, k], one, fields)])]
        : fieldsAt([...path, k], one, part, fields),
    );
  }
  return isItem(value)
    ? Object.entries(value).flatMap(([name, one]) => (name === "type" ? [] : fieldsAt([...path, name], one, part, fields)))
    : [];
}

/** A field with its label, its unit, and room for what is wrong with it. */
function row(path: Path, part: Item, inputs: HTMLElement[]): HTMLElement {
  const unit = unitOf(path, part);
  const numeric = inputs[0]?.classList.contains("number");
  const label = labelOf(path);
  const root = h(
    "div",
    {
      class: `edit-row${inputs.length > 1 ? " many" : ""}`,
      ...(inputs.length > 1 ? { role: "group", "aria-label": label } : {}),
      "data-path": pathText(path),
    },
    h("span", { class: "edit-label" }, label),
    h("span", { class: "edit-inputs" }, ...inputs, numeric && h("span", { class: "unit" }, unit === "none" ? "" : unit)),
    h("p", { class: "edit-error", role: "alert", hidden: true }),
  );
  return root;
}

function numbers(values: number[], path: Path, part: Item, set: (values: number[]) => void): HTMLElement[] {
  const unit = unitOf(path, part);
  const inputs = values.map((value, k) => {
    const name = `${labelOf(path)}${values.length > 1 ? ` ${AXES[k]}` : ""}${unit === "none" ? "" : `, ${unit}`}`;
    return h("input", {
      type: "text",
      class: "number",
      inputmode: "decimal",
      value: exact(value),
      "aria-label": name,
      onchange: () => read(),
    });
  });
  const read = () => {
    const all = inputs.map((input) => parse(input.value));
    const wrong = all.findIndex(Number.isNaN);
    if (wrong < 0) return set(all);
    const error = inputs[wrong]!.closest(".edit-row")!.querySelector<HTMLElement>(".edit-error")!;
    error.hidden = false;
    error.textContent = `${inputs[wrong]!.value || "nothing"} is not a number: expected one such as 0.5, 1e6 or 1/60.`;
  };
  return inputs;
}

function word(path: Path, value: string, fields: Fields): HTMLElement {
  const input = h("input", { type: "text", value, "aria-label": labelOf(path), onchange: () => fields.set(path, input.value) });
  return input;
}

function switched(path: Path, value: boolean, fields: Fields): HTMLElement {
  const box = h("input", { type: "checkbox", checked: value, "aria-label": labelOf(path), onchange: () => fields.set(path, box.checked) });
  return box;
}

function choice(path: Path, value: string, fields: Fields): HTMLElement {
  const select = bodyChoice(labelOf(path), fields.bodies, value);
  select.addEventListener("change", () => fields.set(path, select.value));
  return select;
}

/** The bodies of the document, and the ground. */
export function bodyChoice(label: string, names: string[], value: string): HTMLSelectElement {
  const select = h("select", { "aria-label": label }, ...[...names, "ground"].map((name) => h("option", { value: name }, name)));
  select.value = value;
  return select;
}

/** Shows what the engine says at the field it speaks of; false when it is none of these. */
export function blame(root: HTMLElement, place: string, why: string): boolean {
  const rows = [...root.querySelectorAll<HTMLElement>(".edit-row")];
  const row = rows.find(
    (one) =>
      one.dataset["path"] !== "" &&
      (place === one.dataset["path"] || place.startsWith(`${one.dataset["path"]}.`) || place.startsWith(`${one.dataset["path"]}[`)),
  );
  const error = row?.querySelector<HTMLElement>(".edit-error");
  if (!error) return false;
  error.hidden = false;
  error.textContent = why;
  return true;
}
