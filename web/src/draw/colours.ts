// Colours of bodies, and the scales that turn forces and energies into colours.

import { Color } from "three";
import type { Body, Drawing } from "../engine";

const LOAD = new Color("#e8743b");
const FIXED = new Color("#8b96a1");
const LINK = new Color("#5f6f7d");
const CYCLE = ["#e0b04a", "#4f86b8", "#5fa38a", "#8e7cb8", "#b86a72", "#6b8fa3"].map((c) => new Color(c));

/** One colour per body: the load stands out, what is fixed is grey, bodies of one kind (their name without numbers) are alike, every second one a little darker. */
export function bodyColours(drawing: Drawing): Color[] {
  const kinds = new Map<string, Color>();
  return drawing.bodies.map((body, k) => {
    if (!moves(body)) return FIXED;
    if (body.link) return LINK;
    if (k === drawing.follow) return LOAD;
    const kind = body.name.replace(/[\d.\s_#-]+/g, "");
    if (!kinds.has(kind)) kinds.set(kind, CYCLE[kinds.size % CYCLE.length]!);
    const colour = kinds.get(kind)!;
    return k % 2 === 0 ? colour : colour.clone().multiplyScalar(0.84);
  });
}

export function moves(body: Body): boolean {
  return body.motion === "dynamic" || body.motion === "particle";
}

const PUSH = new Color("#2f7fd6");
const REST = new Color("#9aa7b2");
const WARM = new Color("#f0a92e");
const PULL = new Color("#d6322d");

/** Tension as a part of the scale, -1 to 1: blue pushes, grey carries nothing, red pulls.
 *  By its root, so that a cable can be read beside the cylinder that carries the whole boom. */
export function tensionColour(part: number, out: Color): Color {
  const t = Math.sign(part) * Math.sqrt(Math.abs(part));
  if (!(t > 0)) return out.lerpColors(REST, PUSH, Math.min(1, Math.abs(t) || 0));
  return t < 0.5 ? out.lerpColors(REST, WARM, 2 * t) : out.lerpColors(WARM, PULL, Math.min(1, 2 * t - 1));
}

const COOL = new Color("#c9d2da");
const HOT = new Color("#c026d3");

/** Energy taken by the stabiliser as a part of the scale, 0 to 1. */
export function heatColour(t: number, out: Color): Color {
  return out.lerpColors(COOL, HOT, Math.sqrt(Math.min(1, Math.max(0, t || 0))));
}

/** Largest value of late: rises at once, falls slowly, so that colours and arrows do not flicker. */
export class Scale {
  value = 0;

  see(largest: number): void {
    if (!Number.isFinite(largest)) return;
    this.value = largest > this.value ? largest : Math.max(largest, this.value * 0.985);
  }

  reset(): void {
    this.value = 0;
  }
}
