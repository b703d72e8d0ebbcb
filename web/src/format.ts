// Numbers as people read them, and the reverse.

import { LIMITS } from "./limits";

const PREFIXES: [number, string][] = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
];

/** With a prefix: 4.48 mm, 16.9 MJ. */
export function si(value: number, unit: string, digits = 3): string {
  if (!Number.isFinite(value)) return "not finite";
  const size = Math.abs(value);
  if (size < 1e-15) return `0 ${unit}`;
  for (const [factor, prefix] of PREFIXES) {
    if (size >= factor * 0.9995) return `${plain(value / factor, digits)} ${prefix}${unit}`;
  }
  return `${value.toExponential(0)} ${unit}`;
}

/** A number with so many significant digits, without trailing zeros or needless exponents. */
export function plain(value: number, digits = 4): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3)
    return value
      .toExponential(Math.max(0, digits - 1))
      .replace(/\.?0+e/, "e")
      .replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

/** A part of a whole as a percentage with two significant digits. */
export function percent(part: number): string {
  const value = 100 * part;
  if (!Number.isFinite(value)) return "not finite";
  if (value === 0) return "0 %";
  if (Math.abs(value) < 9.5e-3) return `${value.toExponential(0).replace("e+", "e")} %`;
  if (Math.abs(value) >= 1e4) return `${value.toExponential(1).replace("e+", "e")} %`;
  return `${Number(value.toPrecision(2))} %`;
}

/** A number, also as a fraction such as 1/60; NaN when it is neither. */
export function parse(text: string): number {
  const parts = text.trim().replace(",", ".").split("/");
  const numbers = parts.map((part) => (part.trim() === "" ? NaN : Number(part)));
  if (numbers.length === 1) return numbers[0]!;
  return numbers.length === 2 ? numbers[0]! / numbers[1]! : NaN;
}

/** A time step in s; NaN when it is not a number in its range. */
export function parseStep(text: string): number {
  const h = parse(text);
  return h > LIMITS.step[0] && h <= LIMITS.step[1] ? h : NaN;
}

/** A time step as text that gives the same number back: as a fraction where that is exact. */
export function stepText(h: number): string {
  const n = Math.round(1 / h);
  const decimal = String(h);
  if (n > 1 && 1 / n === h && decimal.length > 6) return `1/${n}`;
  return decimal;
}

/** A parameter's number as text that the engine reads back as the same number. */
export function exact(value: number): string {
  const size = Math.abs(value);
  const short = String(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) {
    const power = value.toExponential().replace("e+", "e");
    return power.length < short.length || short.includes("e") ? power : short;
  }
  return short;
}

/** crane-boom: Crane boom. */
export function pretty(name: string): string {
  const words = name.replace(/\.json$/, "").replace(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** With a capital letter and a full stop. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;
}
