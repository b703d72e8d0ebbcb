// One plot on a canvas: lines or stacked areas over time, linear or logarithmic, with few and round ticks.

import { si } from "../format";
import { colour } from "../theme";

export interface Line {
  name: string;
  colour: string;
  times: number[];
  values: number[];
}

export interface Plot {
  lines: Line[];
  unit: string;
  log?: boolean;
  stacked?: boolean;
  /** The axis ends where nearly all values lie, not at the largest. */
  robust?: boolean;
  /** Values above this (of a world that blew up) do not widen the axis. */
  ceiling?: number;
  /** First and last time shown, s. */
  from: number;
  to: number;
}

const PAD = { left: 58, right: 10, top: 8, bottom: 20 };

interface Axes {
  x(t: number): number;
  y(v: number): number;
}

/** Draws into a context whose units are pixels of the page. */
export function drawPlot(context: CanvasRenderingContext2D, width: number, height: number, plot: Plot): void {
  context.clearRect(0, 0, width, height);
  context.font = "11px system-ui, sans-serif";
  const [low, high] = limits(plot);
  const scale = plot.log ? Math.log10 : (v: number) => v;
  const [a, b] = [scale(low), scale(high)];
  const span = plot.to - plot.from || 1;
  const axes: Axes = {
    x: (t) => PAD.left + ((t - plot.from) / span) * (width - PAD.left - PAD.right),
    y: (v) => height - PAD.bottom - ((scale(plot.log ? Math.max(v, low) : v) - a) / (b - a || 1)) * (height - PAD.top - PAD.bottom),
  };
  grid(context, width, height, plot, axes, low, high);
  context.save();
  context.beginPath();
  context.rect(PAD.left, PAD.top - 4, width - PAD.left - PAD.right, height - PAD.top - PAD.bottom + 5);
  context.clip();
  if (plot.stacked) stack(context, plot, axes);
  else for (const line of plot.lines) stroke(context, line, plot, axes);
  context.restore();
}

function limits(plot: Plot): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  const first = plot.lines[0];
  if (plot.stacked && first)
    return [0, usual(first.times.map((t, k) => (t < plot.from ? NaN : plot.lines.reduce((sum, line) => sum + (line.values[k] || 0), 0))))];
  if (plot.robust) return [0, usual(plot.lines.flatMap((line) => line.values.filter((_, k) => line.times[k]! >= plot.from)))];
  const see = (v: number) => {
    if (!Number.isFinite(v) || (plot.log && v <= 0)) return;
    const value = plot.ceiling === undefined ? v : Math.max(-plot.ceiling, Math.min(plot.ceiling, v));
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const line of plot.lines) line.times.forEach((t, k) => t >= plot.from && see(line.values[k]!));
  if (low > high) return plot.log ? [1e-6, 1] : [0, 1];
  if (plot.log) {
    const top = 10 ** Math.ceil(Math.log10(high) + 1e-9);
    return [Math.max(10 ** Math.floor(Math.log10(low)), top * 1e-9), Math.max(top, 10 * low)];
  }
  if (low > 0 && low < 0.7 * high) low = 0;
  const room = 0.06 * (high - low) || Math.abs(high) * 0.1 || 1;
  return [low === 0 ? 0 : low - room, high + room];
}

/** A limit that single outliers (a step that the browser interrupted) do not raise. */
function usual(values: number[]): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  return 1.3 * (sorted[Math.floor(0.97 * (sorted.length - 1))] ?? 0) || 1e-3;
}

function grid(context: CanvasRenderingContext2D, width: number, height: number, plot: Plot, axes: Axes, low: number, high: number): void {
  context.strokeStyle = colour("--line");
  context.fillStyle = colour("--muted");
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const value of plot.log ? powers(low, high) : ticks(low, high, 3)) {
    const y = Math.round(axes.y(value)) + 0.5;
    context.beginPath();
    context.moveTo(PAD.left, y);
    context.lineTo(width - PAD.right, y);
    context.stroke();
    context.fillText(plot.unit ? si(value, plot.unit, 2) : String(Number(value.toPrecision(3))), PAD.left - 6, y);
  }
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const t of ticks(plot.from, plot.to, Math.max(2, Math.floor(width / 110)))) {
    const x = axes.x(t);
    if (x < PAD.left || x > width - PAD.right - 8) continue;
    context.fillText(`${Number(t.toPrecision(4))} s`, x, height - PAD.bottom + 6);
  }
}

function stroke(context: CanvasRenderingContext2D, line: Line, plot: Plot, axes: Axes): void {
  context.strokeStyle = line.colour;
  context.lineWidth = 1.6;
  context.lineJoin = "round";
  context.beginPath();
  let pen = false;
  const start = firstAt(line.times, plot.from);
  for (let k = Math.max(0, start - 1); k < line.times.length; k++) {
    const v = line.values[k]!;
    if (!Number.isFinite(v)) {
      pen = false;
      continue;
    }
    const x = axes.x(line.times[k]!);
    const y = Math.max(-1e4, Math.min(1e4, axes.y(v)));
    if (pen) context.lineTo(x, y);
    else context.moveTo(x, y);
    pen = true;
  }
  context.stroke();
}

function stack(context: CanvasRenderingContext2D, plot: Plot, axes: Axes): void {
  const times = plot.lines[0]?.times ?? [];
  const start = Math.max(0, firstAt(times, plot.from) - 1);
  // Neighbouring steps are averaged where there are more of them than pixels.
  const stride = Math.max(1, Math.floor((times.length - start) / 300));
  const count = Math.floor((times.length - start) / stride);
  let below = new Array<number>(count).fill(0);
  for (const line of plot.lines) {
    const above = below.map((base, i) => {
      let sum = 0;
      for (let k = 0; k < stride; k++) sum += line.values[start + i * stride + k] || 0;
      return base + sum / stride;
    });
    context.fillStyle = line.colour;
    context.beginPath();
    above.forEach((v, i) => context.lineTo(axes.x(times[start + i * stride]!), axes.y(v)));
    for (let i = count - 1; i >= 0; i--) context.lineTo(axes.x(times[start + i * stride]!), axes.y(below[i]!));
    context.fill();
    below = above;
  }
}

function firstAt(times: number[], t: number): number {
  let [a, b] = [0, times.length];
  while (a < b) {
    const m = (a + b) >> 1;
    if (times[m]! < t) a = m + 1;
    else b = m;
  }
  return a;
}

function ticks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  if (!(raw > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const unit = [1, 2, 5, 10].find((m) => m * power >= raw)! * power;
  const out: number[] = [];
  for (let v = Math.ceil(low / unit) * unit; v <= high + 1e-9 * unit; v += unit) out.push(Math.abs(v) < 1e-9 * unit ? 0 : v);
  return out;
}

function powers(low: number, high: number): number[] {
  const [a, b] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const stride = Math.max(1, Math.ceil((b - a) / 3));
  const out: number[] = [];
  for (let e = a; e <= b; e += stride) out.push(10 ** e);
  return out;
}
