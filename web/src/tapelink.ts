// What was done to a scene as a part of a link, and back: lists of numbers, packed, in letters that an address can carry.

import type { Input, Setting } from "./messages";
import { Tape, type Entry } from "./tape";

/** What a field may hold: a count, a number, a number or nothing, a point, a point or nothing, nine numbers, yes or no, words. */
type Kind = "count" | "number" | "number?" | "point" | "point?" | "nine" | "flag" | "settings";
type What = Input | Setting;

/** The fields of everything that can be done, in their order in a link. New ones go to the end, so that old links stay what they are. */
const FIELDS: { [K in What["kind"]]: [string, Kind][] } = {
  grab: [
    ["body", "count"],
    ["at", "point"],
  ],
  drag: [["by", "point"]],
  release: [],
  haul: [
    ["winch", "count"],
    ["speed", "number?"],
  ],
  drive: [
    ["motor", "count"],
    ["value", "number?"],
  ],
  gravity: [["g", "point"]],
  throw: [
    ["ball", "flag"],
    ["size", "number"],
    ["mass", "number"],
    ["at", "point"],
    ["velocity", "point"],
  ],
  cut: [
    ["joint", "count"],
    ["of", "count"],
  ],
  cutRope: [
    ["rope", "count"],
    ["of", "count"],
    ["at", "point?"],
  ],
  knife: [["at", "nine"]],
  configure: [
    ["world", "count"],
    ["settings", "settings"],
  ],
  pace: [["h", "number"]],
};
const KINDS = Object.keys(FIELDS) as What["kind"][];

/** Most letters of a tape in a link, and most of what they stand for. */
const LONGEST = 200_000;
const LARGEST = 20_000_000;

const isNumber = (x: unknown): x is number => typeof x === "number" && Number.isFinite(x);
const isCount = (x: unknown): x is number => isNumber(x) && Number.isInteger(x) && x >= 0;
const isList = (x: unknown, length: number) => Array.isArray(x) && x.length === length && x.every(isNumber);

const SOUND: Record<Kind, (x: unknown) => boolean> = {
  count: isCount,
  number: isNumber,
  "number?": (x) => x === null || isNumber(x),
  point: (x) => isList(x, 3),
  "point?": (x) => x === null || isList(x, 3),
  nine: (x) => isList(x, 9),
  flag: (x) => typeof x === "boolean",
  settings: (x) => typeof x === "object" && x !== null && Object.values(x).every((word) => typeof word === "string"),
};

/** The tape in letters of an address. */
export async function packTape(tape: Tape): Promise<string> {
  let before = 0;
  const rows = tape.entries.map(({ step, what }) => {
    const row = [
      step - before,
      KINDS.indexOf(what.kind),
      ...FIELDS[what.kind].map(([name]) => (what as unknown as Record<string, unknown>)[name]),
    ];
    before = step;
    return row;
  });
  const bytes = await through(new TextEncoder().encode(JSON.stringify([tape.end, rows])), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The tape of a link; what is none is refused with the reason. */
export async function unpackTape(text: string): Promise<Tape> {
  const refuse = (why: string) => new Error(`What was done (in = ${text.slice(0, 20)}…) cannot be read: ${why}.`);
  if (text.length > LONGEST) throw refuse(`it has ${text.length} letters, expected at most ${LONGEST}`);
  let read: unknown;
  try {
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    read = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
  } catch {
    throw refuse("it is damaged");
  }
  const [end, rows] = Array.isArray(read) ? (read as unknown[]) : [];
  if (!isCount(end) || !Array.isArray(rows)) throw refuse("expected a number of steps and a list");
  const tape = new Tape();
  let step = 0;
  for (const row of rows as unknown[]) {
    const entry = Array.isArray(row) ? entryOf(row as unknown[], step) : null;
    if (!entry) throw refuse(`${JSON.stringify(row)} is nothing that can be done`);
    step = entry.step;
    tape.entries.push(entry);
  }
  tape.end = Math.max(end, step);
  tape.seek(0);
  return tape;
}

function entryOf([wait, kind, ...values]: unknown[], before: number): Entry | null {
  const name = isCount(kind) ? KINDS[kind] : undefined;
  if (!name || !isCount(wait)) return null;
  const fields = FIELDS[name];
  if (fields.length !== values.length || !fields.every(([, what], k) => SOUND[what](values[k]))) return null;
  const what = Object.fromEntries([["kind", name], ...fields.map(([field], k) => [field, values[k]])]) as unknown as What;
  return { step: before + wait, what };
}

/** Bytes through a stream that packs or unpacks them, as long as they do not become too many. */
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([bytes as BlobPart])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array, BufferSource>)
    .getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > LARGEST) throw new Error("too long");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}
