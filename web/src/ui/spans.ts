// The span of a parameter's slider: the whole range for masses and ratios, since those are the papers' extremes;
// for the rest what can be looked at, around the default.

import type { Parameter } from "../engine";
import type { Span } from "./range";

/** Scenes grow with their counts: sliders stop where a browser still runs them live. */
const MOST = 12;

export function spanOf(p: Parameter): Span {
  const own = Number(p.default);
  const min = p.min ?? Math.min(0, own);
  const max = p.max ?? Math.max(1, 10 * own);
  if (p.whole) return count(own, min, max);
  if (p.unit === "kg" || p.unit === "g" || p.name.includes("ratio")) return full(own, min, max);
  if (min < 0 || max <= 200 || max / Math.max(own, 1e-300) <= 30) return { low: min, high: max, log: false, zero: false, whole: false };
  if (min === 0) {
    const middle = own > 0 ? own : Math.sqrt(max);
    return { low: middle / 1e3, high: Math.min(max, middle * 1e3), log: true, zero: true, whole: false };
  }
  return { low: Math.max(min, own / 1e4), high: Math.min(max, own * 1e4), log: true, zero: false, whole: false };
}

function count(own: number, min: number, max: number): Span {
  if (max - min <= 100) return { low: min, high: max, log: false, zero: false, whole: true };
  if (min === 0 && max >= 1e6) return { low: 0, high: 100, log: false, zero: false, whole: true };
  const high = Math.min(max, Math.max(20, own * MOST));
  const low = Math.max(min, 1);
  return { low, high, log: high / low > 30, zero: min === 0, whole: true };
}

function full(own: number, min: number, max: number): Span {
  if (min === 0)
    return { low: Math.max(max * 1e-24, Math.min(1e-3, own > 0 ? own / 1e3 : 1e-3)), high: max, log: true, zero: true, whole: false };
  return { low: min, high: max, log: max / min > 1000, zero: false, whole: false };
}
