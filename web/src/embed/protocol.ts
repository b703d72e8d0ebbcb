// What <taut-view> and the page in its frame say to each other. Both sides look at who sent a message, from which origin, and at its form.

/** What is opened: a scene of the library, or the text of a scene file. */
export type What = { scene: string } | { name: string; text: string };

export interface Opening {
  what: What;
  /** Time step as text; empty for the scene's own. */
  dt: string;
  /** Methods, one for each world: stabiliser/solver/coordinates between spaces. */
  world: string;
  /** Time to run to before it is shown, s. */
  at: number;
  play: boolean;
}

export interface Look {
  /** "light", "dark", or empty for the system's. */
  theme: string;
  controls: boolean;
}

/** To the frame. */
export type Order =
  | { kind: "open"; opening: Opening }
  | { kind: "look"; look: Look }
  | { kind: "play" }
  | { kind: "pause" }
  | { kind: "reset" }
  /** Nothing can be opened: the reason is shown in the view. */
  | { kind: "fail"; why: string };

export interface Opened {
  /** Name of the scene. */
  name: string;
  /** Time step, s. */
  dt: number;
  worlds: string[];
}

export interface Stepped {
  /** Steps taken, and simulated time, s. */
  steps: number;
  time: number;
  /** Why a world no longer holds, if one does not. */
  failed: string | null;
}

/** From the frame. */
export type News =
  /** It listens. */
  | { kind: "here" }
  | { kind: "ready"; opened: Opened }
  | { kind: "step"; stepped: Stepped }
  | { kind: "playing"; playing: boolean }
  | { kind: "error"; message: string };

/** The word by which a message is known to be one of these, with the version of what it says. */
const WORD = "taut-view/1";

export function send(to: Window, origin: string, said: Order | News): void {
  to.postMessage({ taut: WORD, said }, origin);
}

/** What a message of that window and origin says; null for all others. */
export function heard(event: MessageEvent<unknown>, from: Window | null, origin: string): Record<string, unknown> | null {
  if (from === null || event.source !== from || event.origin !== origin) return null;
  const data = record(event.data);
  return data?.["taut"] === WORD ? record(data["said"]) : null;
}

/** An order, if it is one. */
export function order(said: Record<string, unknown>): Order | null {
  switch (said["kind"]) {
    case "play":
    case "pause":
    case "reset":
      return { kind: said["kind"] };
    case "fail":
      return { kind: "fail", why: text(said["why"]) };
    case "look": {
      const look = record(said["look"]);
      return look && { kind: "look", look: { theme: text(look["theme"]), controls: look["controls"] === true } };
    }
    case "open":
      return opening(record(said["opening"]));
    default:
      return null;
  }
}

function opening(told: Record<string, unknown> | null): Order | null {
  const what = told && record(told["what"]);
  if (!told || !what) return null;
  const file = typeof what["text"] === "string" ? { name: text(what["name"]), text: what["text"] } : null;
  const at = Number(told["at"]);
  return {
    kind: "open",
    opening: {
      what: file ?? { scene: text(what["scene"]) },
      dt: text(told["dt"]),
      world: text(told["world"]),
      at: Number.isFinite(at) && at > 0 ? at : 0,
      play: told["play"] === true,
    },
  };
}

export function record(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
