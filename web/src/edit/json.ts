// Scene files as text and back: every number keeps its bits, also the sign of zero, which JSON.stringify loses.

export type Json = null | boolean | number | string | Json[] | Item;
export interface Item {
  [key: string]: Json;
}

export type Path = (string | number)[];

export function write(value: Json, indent = ""): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0.0" : String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => write(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${write(one, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const line = parts.join(", ");
  // What is short and holds no list of things stands on one line.
  if (line.length < 100 && !line.includes("\n")) return `${open}${line}${close}`;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

export function isItem(value: Json | undefined): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of the document, none where it is not there. */
export function items(value: Json | undefined): Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

export function at(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((now, step) => (typeof now === "object" && now !== null ? (now as Item)[step] : undefined), value);
}

/** Sets what lies at a path, and makes what is missing on the way; undefined takes it away. */
export function put(value: Item, path: Path, to: Json | undefined): void {
  let now: Item = value;
  for (const [k, step] of path.slice(0, -1).entries()) {
    if (typeof now[step] !== "object" || now[step] === null) now[step] = typeof path[k + 1] === "number" ? [] : {};
    now = now[step] as Item;
  }
  const last = path[path.length - 1]!;
  if (to === undefined) delete now[last];
  else now[last] = to;
}

/** bodies[1].shape.size */
export function pathText(path: Path): string {
  return path.map((step, k) => (typeof step === "number" ? `[${step}]` : `${k > 0 ? "." : ""}${step}`)).join("");
}

export function vector(value: Json | undefined, fallback: number[] = [0, 0, 0]): number[] {
  return Array.isArray(value) && value.length === fallback.length && value.every((x) => typeof x === "number")
    ? (value as number[])
    : fallback;
}
