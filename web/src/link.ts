// The address carries what is shown: scene, parameters, step, worlds, what is drawn, camera.
//   #scene=crane&p.vehicle=20000&dt=1/60&w=none&w=aligned/auto/maximal&show=tension,joints&cam=...&at=2&play=0
// file=ADDRESS instead of scene= opens a scene file of the same server.
// in=LETTERS is what was done, and when (tapelink.ts).
// For pictures: shot=1 leaves only the drawing, theme=dark, caption=TEXT; to=NAME hands the picture to the server,
// embed=1 is the frame of <taut-view>, which stands in a page of the origin host=ORIGIN (embed/).
// size=WIDTH,HEIGHT in pixels, from=X,Y,Z and look=X,Y,Z are the eye and what it looks at, m, zoom=2 is twice as near.

import type { Settings } from "./engine";
import { clamp, LIMITS } from "./limits";

export interface Link {
  scene: string;
  params: Record<string, string>;
  /** Time step as text; empty for the scene's own. */
  dt: string;
  worlds: Settings[];
  show: string[] | null;
  camera: number[] | null;
  /** Simulated time to run to before the first picture, s. */
  at: number;
  play: boolean;
  /** What was done, packed; empty for nothing. */
  tape: string;
  shot: boolean;
  theme: string;
  caption: string;
  file: string;
  to: string;
  size: [number, number] | null;
  embed: boolean;
  host: string;
  /** Where the eye is and what it looks at, m, and how much nearer. */
  from: [number, number, number] | null;
  look: [number, number, number] | null;
  zoom: number;
}

export function readLink(hash: string): Link {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  // Not by assignment: a parameter may be called __proto__.
  const params = Object.fromEntries([...query].filter(([name]) => name.startsWith("p.")).map(([name, value]) => [name.slice(2), value]));
  const at = Number(query.get("at") ?? 0);
  return {
    scene: query.get("scene") ?? "",
    params,
    dt: query.get("dt") ?? "",
    worlds: query.getAll("w").map(readSettings),
    show: query.has("show") ? (query.get("show") ?? "").split(",").filter(Boolean) : null,
    camera: readCamera(query.get("cam") ?? ""),
    at: Number.isFinite(at) && at > 0 ? at : 0,
    play: query.get("play") !== "0",
    tape: /^[\w-]*$/.test(query.get("in") ?? "") ? (query.get("in") ?? "") : "",
    shot: query.get("shot") === "1",
    theme: query.get("theme") ?? "",
    caption: query.get("caption") ?? "",
    file: query.get("file") ?? "",
    to: query.get("to") ?? "",
    size: readSize(query.get("size") ?? ""),
    embed: query.get("embed") === "1" && parent !== window,
    host: query.get("host") ?? "",
    from: readPoint(query.get("from") ?? ""),
    look: readPoint(query.get("look") ?? ""),
    zoom: clamp(Number(query.get("zoom") ?? 1) || 1, LIMITS.zoom),
  };
}

/** Numbers between commas; what is none, or missing, is NaN. */
function numbers(text: string): number[] {
  return text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
}

function readCamera(text: string): number[] | null {
  const all = numbers(text);
  if (all.length !== 6 || !all.every(Number.isFinite)) return null;
  const [azimuth, polar, distance, ...target] = all as [number, number, number, number, number, number];
  return [azimuth, clamp(polar, LIMITS.polar), clamp(distance, LIMITS.distance), ...target.map((x) => clamp(x, LIMITS.target))];
}

function readPoint(text: string): [number, number, number] | null {
  const all = numbers(text);
  if (all.length !== 3 || !all.every(Number.isFinite)) return null;
  return all.map((x) => clamp(x, LIMITS.target)) as [number, number, number];
}

function readSize(text: string): [number, number] | null {
  const [width = NaN, height = NaN] = numbers(text);
  const [least, most] = LIMITS.pixels;
  return [width, height].every((x) => Number.isInteger(x) && x >= least && x <= most) ? [width, height] : null;
}

export function writeLink(link: Partial<Link>): string {
  const parts: string[] = [];
  const put = (name: string, value: string) => parts.push(`${encode(name)}=${encode(value)}`);
  if (link.scene) put("scene", link.scene);
  for (const [name, value] of Object.entries(link.params ?? {})) put(`p.${name}`, value);
  if (link.dt) put("dt", link.dt);
  for (const world of link.worlds ?? []) put("w", writeSettings(world));
  if (link.show) put("show", link.show.join(","));
  if (link.camera) put("cam", link.camera.map((x) => Number(x.toPrecision(5))).join(","));
  if (link.at) put("at", String(link.at));
  if (link.tape) put("in", link.tape);
  return `#${parts.join("&")}`;
}

/** What a query must escape, and no more, so that links stay readable. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%2F/g, "/").replace(/%2C/g, ",").replace(/%3A/g, ":");
}

export function readSettings(text: string): Settings {
  const [stabiliser, solver, coordinates] = text.split("/");
  const settings: Settings = {};
  if (stabiliser) settings.stabiliser = stabiliser;
  if (solver) settings.solver = solver;
  if (coordinates) settings.coordinates = coordinates;
  return settings;
}

function writeSettings(settings: Settings): string {
  return [settings.stabiliser, settings.solver, settings.coordinates]
    .map((x) => x ?? "")
    .join("/")
    .replace(/\/+$/, "");
}
