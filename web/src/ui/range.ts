// A number with a slider and a text field. The slider covers what is sensible, the field takes whatever the engine takes.

import { h } from "../dom";
import { exact, parse } from "../format";

/** How slider positions (0 to 1) and values belong together. */
export interface Span {
  low: number;
  high: number;
  /** Equal ways are equal factors; the lowest position may stand for zero. */
  log: boolean;
  zero: boolean;
  whole: boolean;
}

export interface Range {
  root: HTMLElement;
  set(value: number, text?: string): void;
}

export interface RangeOptions {
  label: string;
  help: string;
  unit: string;
  span: Span;
  value: number;
  /** The value as text, where it is not the number's own. */
  text?: string;
  /** Rounds what the slider gives to a number that looks well. */
  round?: (value: number) => number;
  write?: (value: number) => string;
  change(text: string): void;
}

let made = 0;

export function range(options: RangeOptions): Range {
  const { span } = options;
  const write = options.write ?? exact;
  const id = `range-${++made}`;
  const slider = h("input", { type: "range", min: 0, max: 1000, step: 1, "aria-label": options.label, "aria-describedby": id });
  const field = h("input", {
    type: "text",
    inputmode: "text",
    class: "number",
    "aria-label": `${options.label}, value`,
    spellcheck: "false",
    autocomplete: "off",
  });
  const set = (value: number, text = write(value)) => {
    slider.value = String(Math.round(1000 * toPosition(value, span)));
    slider.style.setProperty("--at", `${100 * toPosition(value, span)}%`);
    slider.setAttribute("aria-valuetext", `${text} ${options.unit}`);
    if (document.activeElement !== field) field.value = text;
  };
  slider.addEventListener("input", () => {
    const raw = toValue(Number(slider.value) / 1000, span);
    const value = options.round ? options.round(raw) : tidy(raw, span);
    field.value = write(value);
    slider.style.setProperty("--at", `${slider.valueAsNumber / 10}%`);
    options.change(write(value));
  });
  field.addEventListener("change", () => {
    const value = parse(field.value);
    options.change(Number.isFinite(value) && !field.value.includes("/") ? exact(value) : field.value.trim());
    field.blur();
  });
  const root = h(
    "div",
    { class: "range" },
    h(
      "div",
      { class: "range-head" },
      h("p", { id }, h("b", {}, options.label), " ", options.help),
      h("label", { class: "value" }, field, h("span", { class: "unit" }, options.unit)),
    ),
    slider,
  );
  set(options.value, options.text);
  return { root, set };
}

function toPosition(value: number, span: Span): number {
  if (!span.log) return clamp((value - span.low) / (span.high - span.low || 1));
  if (span.zero && value < span.low) return 0;
  const part = Math.log(value / span.low) / Math.log(span.high / span.low);
  return clamp(span.zero ? 0.02 + 0.98 * part : part);
}

function toValue(position: number, span: Span): number {
  if (!span.log) return span.low + position * (span.high - span.low);
  if (span.zero && position < 0.02) return 0;
  const part = span.zero ? (position - 0.02) / 0.98 : position;
  return span.low * (span.high / span.low) ** part;
}

/** Two significant digits, within the span. */
function tidy(value: number, span: Span): number {
  if (value === 0) return 0;
  const digits = span.whole && value >= 100 ? 3 : 2;
  const round = Number(value.toPrecision(span.log ? digits : 3));
  const inside = Math.min(span.high, Math.max(span.zero ? 0 : span.low, round));
  return span.whole ? Math.max(Math.round(inside), Math.ceil(span.low)) : inside;
}

function clamp(x: number): number {
  return Number.isNaN(x) ? 0 : Math.min(1, Math.max(0, x));
}
