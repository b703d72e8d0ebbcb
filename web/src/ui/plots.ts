// The strip of plots: which are shown, over which time, and their download.

import { byId, fill, h, text } from "../dom";
import { saveCanvas, saveText } from "../download";
import type { Session } from "../session";
import { colour } from "../theme";
import { drawPlot, type Plot } from "./chart";
import { KINDS, type Kind } from "./kinds";
import { LETTERS } from "./panes";

const WINDOWS: [number, string][] = [
  [5, "last 5 s"],
  [20, "last 20 s"],
  [Infinity, "whole run"],
];

interface Card {
  kind: Kind;
  root: HTMLElement;
  canvas: HTMLCanvasElement;
  legend: HTMLElement;
  empty: HTMLElement;
}

export class Plots {
  private shown = new Set(["energy", "gap", "time"]);
  private cards: Card[] = [];
  private window = 20;
  private readonly grid = h("div", { class: "cards" });
  private readonly chips = h("div", { class: "chips", role: "group", "aria-label": "Plots shown" });

  constructor(private readonly session: Session) {
    const select = h("select", { "aria-label": "Time shown", onchange: () => this.setWindow(Number(select.value)) });
    for (const [value, label] of WINDOWS) select.append(h("option", { value, selected: value === this.window }, label));
    const tool = (label: string, help: string, act: () => void) =>
      h("button", { type: "button", class: "link", title: help, onclick: act }, label);
    const bar = h(
      "div",
      { class: "plot-bar" },
      this.chips,
      h(
        "div",
        { class: "plot-tools" },
        select,
        tool("CSV", "Download the numbers shown", () => this.csv()),
        tool("PNG", "Download the plots shown", () => this.png()),
      ),
    );
    fill(byId("plots"), bar, this.grid);
    this.build();
    session.on(["scene", "worlds", "active", "select"], () => this.update());
    session.on(["select"], () => this.reveal());
  }

  /** True when the stages of a step are looked at, which costs their measuring. */
  get wantsStages(): boolean {
    return this.shown.has("time") && byId("plots").offsetParent !== null;
  }

  update(): void {
    if (byId("plots").offsetParent === null || this.session.runs.length === 0) return;
    for (const card of this.cards) this.draw(card);
  }

  private build(): void {
    fill(
      this.chips,
      ...KINDS.map((kind) =>
        h(
          "button",
          { type: "button", class: "chip", "aria-pressed": String(this.shown.has(kind.name)), onclick: () => this.toggle(kind.name) },
          kind.label,
        ),
      ),
    );
    this.cards = KINDS.filter((kind) => this.shown.has(kind.name)).map(makeCard);
    fill(this.grid, ...this.cards.map((card) => card.root));
    this.update();
  }

  private toggle(name: string): void {
    if (this.shown.has(name)) this.shown.delete(name);
    else this.shown.add(name);
    this.build();
  }

  /** Brings the plot of what is selected into view, on a phone by its tab. */
  show(): void {
    this.reveal();
    if (byId("plots").offsetParent === null) document.querySelector<HTMLElement>("#tabs [data-tab=plots]")?.click();
    const last = this.cards.findLast((card) => ["force", "speed", "rope"].includes(card.kind.name));
    last?.root.scrollIntoView({ block: "nearest" });
  }

  /** Selecting something shows its plot. */
  private reveal(): void {
    const before = this.shown.size;
    if (this.session.joint !== null) this.shown.add("force");
    if (this.session.body !== null) this.shown.add("speed");
    if (this.session.rope !== null) this.shown.add("rope");
    if (this.shown.size !== before) this.build();
  }

  private setWindow(seconds: number): void {
    this.window = seconds;
    this.update();
  }

  private plotOf(kind: Kind): Plot {
    const end = Math.max(...this.session.runs.map((run) => run.history.last("time")).filter(Number.isFinite), this.session.h);
    const from = Number.isFinite(this.window) ? Math.max(0, end - this.window) : 0;
    return { ...kind.plot(this.session), from, to: Math.max(end, from + Math.min(this.window, 2)) };
  }

  private draw(card: Card): void {
    const why = card.kind.empty?.(this.session) ?? null;
    card.empty.hidden = why === null;
    text(card.empty, why ?? "");
    const plot = this.plotOf(card.kind);
    const perWorld = this.session.runs.length > 1 && plot.lines.length === this.session.runs.length;
    const names = plot.lines.map((line) => `${line.colour} ${line.name}`).join("\n");
    if (card.legend.dataset["names"] !== names) {
      card.legend.dataset["names"] = names;
      fill(card.legend, ...(plot.lines.length > 1 && !perWorld ? plot.lines.map((line) => legendItem(line.name, line.colour)) : []));
    }
    const { clientWidth: w, clientHeight: hgt } = card.canvas;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    if (card.canvas.width !== Math.round(w * ratio)) card.canvas.width = Math.round(w * ratio);
    if (card.canvas.height !== Math.round(hgt * ratio)) card.canvas.height = Math.round(hgt * ratio);
    const context = card.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawPlot(context, w, hgt, plot);
    card.canvas.setAttribute(
      "aria-label",
      `${card.kind.title}: ${plot.lines.map((l) => `${l.name} now ${l.values.at(-1)?.toPrecision(3) ?? "nothing yet"} ${plot.unit}`).join(", ")}`,
    );
  }

  private csv(): void {
    const kinds = KINDS.filter((kind) => this.shown.has(kind.name));
    const names = [...new Set(this.session.runs.flatMap((run) => kinds.flatMap((kind) => kind.columns(run))))];
    const rows = [["world", "method", "time_s", ...names].join(",")];
    this.session.runs.forEach((run, k) => {
      const columns = ["time", ...names].map((name) => run.history.column(name));
      const method = `"${run.method.stabiliser} ${run.method.solver} ${run.method.coordinates}"`;
      for (let i = 0; i < run.history.length; i++) rows.push([LETTERS[k], method, ...columns.map((c) => c[i] ?? "")].join(","));
    });
    saveText(`${this.session.title}.csv`, rows.join("\n") + "\n", "text/csv");
  }

  /** All plots shown, one below the other, on the page's background. */
  private png(): void {
    const [w, hgt, head] = [900, 260, 44];
    const out = document.createElement("canvas");
    out.width = 2 * w;
    out.height = 2 * this.cards.length * (hgt + head) || 2;
    const context = out.getContext("2d")!;
    context.scale(2, 2);
    context.fillStyle = colour("--card");
    context.fillRect(0, 0, out.width, out.height);
    this.cards.forEach((card, k) => {
      const plot = this.plotOf(card.kind);
      const sheet = document.createElement("canvas");
      sheet.width = 2 * w;
      sheet.height = 2 * hgt;
      const inner = sheet.getContext("2d")!;
      inner.scale(2, 2);
      drawPlot(inner, w, hgt, plot);
      const top = k * (hgt + head);
      context.drawImage(sheet, 0, top + head, w, hgt);
      context.font = "600 14px system-ui, sans-serif";
      context.fillStyle = colour("--ink");
      context.fillText(`${card.kind.title}: ${this.session.title}`, 16, top + 20);
      context.font = "12px system-ui, sans-serif";
      let x = 16;
      for (const line of plot.lines) {
        context.fillStyle = line.colour;
        context.fillRect(x, top + 30, 10, 4);
        context.fillStyle = colour("--muted");
        context.fillText(line.name, x + 14, top + 37);
        x += 30 + context.measureText(line.name).width;
      }
    });
    saveCanvas(`${this.session.title}-plots.png`, out);
  }
}

function makeCard(kind: Kind): Card {
  const canvas = h("canvas", { role: "img" });
  const legend = h("div", { class: "legend" });
  const empty = h("p", { class: "empty", hidden: true });
  const root = h("figure", { class: "card" }, h("figcaption", {}, h("b", {}, kind.title), legend), canvas, empty);
  return { kind, root, canvas, legend, empty };
}

function legendItem(name: string, of: string): HTMLElement {
  const mark = h("i", { "aria-hidden": "true" });
  mark.style.background = of;
  return h("span", {}, mark, name);
}
