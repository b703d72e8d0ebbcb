// The scene file that is edited: what its parts are called, and every state it was in, for undo and redo.

import { isItem, items, write, type Item, type Json, type Path } from "./json";

export type List = "bodies" | "joints" | "forces";
export const LISTS: List[] = ["bodies", "joints", "forces"];
/** Most states that can be gone back to. */
const MOST = 200;
/** Fields that call bodies by name. */
const NAMING = ["bodies", "body", "follow", "locks", "contact", "to"];

export interface Part {
  list: List;
  index: number;
}

export class Document {
  private past: Item[] = [];
  private future: Item[] = [];

  constructor(public value: Item) {}

  /** A changed copy, which is not the document yet. */
  changed(change: (copy: Item) => void): Item {
    const copy = structuredClone(this.value);
    change(copy);
    return copy;
  }

  accept(next: Item): void {
    this.past = [...this.past.slice(-MOST + 1), this.value];
    this.future = [];
    this.value = next;
  }

  get undoable(): boolean {
    return this.past.length > 0;
  }

  get redoable(): boolean {
    return this.future.length > 0;
  }

  undo(): void {
    const before = this.past.pop();
    if (before) [this.future, this.value] = [[this.value, ...this.future], before];
  }

  redo(): void {
    const [next, ...rest] = this.future;
    if (next) [this.past, this.future, this.value] = [[...this.past, this.value], rest, next];
  }

  get text(): string {
    return `${write(this.value)}\n`;
  }

  get name(): string {
    return typeof this.value["name"] === "string" && this.value["name"] !== "" ? this.value["name"] : "scene";
  }

  part({ list, index }: Part): Item | undefined {
    return items(this.value[list])[index];
  }

  /** A name that no other part of the list has. */
  free(list: List, word: string): string {
    const taken = new Set(items(this.value[list]).map((item) => item["name"]));
    for (let k = 1; ; k++) if (!taken.has(`${word} ${k}`)) return `${word} ${k}`;
  }
}

export function pathOf({ list, index }: Part): Path {
  return [list, index];
}

/** What the engine is given: a document in which nothing moves gets particles that are switched off, for the engine refuses such worlds. */
export function runnable(value: Item): string {
  const moves =
    items(value["bodies"]).some((body) => body["type"] === "dynamic" || body["type"] === "particle") ||
    items(value["deformables"]).length > 0;
  if (moves) return write(value);
  // Two of them, as far apart as what one begins with: the camera looks at both.
  const nothing = [
    [-2, 0, 0],
    [2, 2, 0],
  ].map((position, k) => ({ type: "particle", name: `corner ${k}`, mass: 1, enabled: false, position }));
  const outputs = { ...(isItem(value["outputs"]) ? value["outputs"] : {}), length: 1, energy_scale: 1 };
  return write({ ...value, bodies: [...items(value["bodies"]), ...nothing], outputs });
}

/** Takes a part away, of a body all that holds on to it. The order of parts goes by their numbers and is dropped. */
export function remove(value: Item, { list, index }: Part): void {
  const [gone] = (value[list] as Json[]).splice(index, 1) as Item[];
  delete value["order"];
  if (list !== "bodies" || !gone) return;
  const holds = (item: Item) => item["body"] === gone["name"] || (Array.isArray(item["bodies"]) && item["bodies"].includes(gone["name"]!));
  for (const other of ["joints", "forces"]) if (value[other]) value[other] = items(value[other]).filter((item) => !holds(item));
  const outputs = value["outputs"] as Item | undefined;
  if (outputs && outputs["follow"] === gone["name"]) delete outputs["follow"];
}

/** Another name for a body, wherever it is called. */
export function rename(value: Json, from: string, to: string, key = ""): Json {
  if (value === from && NAMING.includes(key)) return to;
  if (Array.isArray(value)) return value.map((one) => rename(one, from, to, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rename(one, from, to, name)]));
}
