// The section "Drive": gravity, a slider for each motor and winch, and what can be thrown into the world.

import { axes, drive, fall, type Axis } from "../drives";
import { fill, h, text } from "../dom";
import { si } from "../format";
import type { Session } from "../session";
import { range, type Range } from "./range";

/** Between these gravity can be set, m/s^2: a little upwards, and that of Jupiter. */
const GRAVITY = { low: -5, high: 25 };

/** Part of full speed that is not told. */
const NOTHING = 1e-6;

export interface Throws {
  ball(): void;
  box(): void;
}

interface Row {
  slider: Range;
  told: HTMLElement;
  free: HTMLButtonElement;
}

export class DrivePanel {
  readonly root = h("div", { class: "drives" });
  private rows: Row[] = [];
  private gravity: Range | null = null;
  private shown = "";

  constructor(
    private readonly session: Session,
    private readonly throws: Throws,
  ) {
    session.on(["scene", "active", "drive"], () => this.update());
  }

  /** Numbers that change with time; the rows are made anew when motors came or went. */
  update(): void {
    if (this.session.runs.length === 0) return;
    const all = axes(this.session);
    const key = JSON.stringify([this.session.title, all.map((axis) => [axis.name, axis.low, axis.high])]);
    if (key !== this.shown) this.build(all, key);
    all.forEach((axis, k) => this.show(this.rows[k], axis));
    this.gravity?.set(0 - this.session.run.latest.gravity[1]);
  }

  private build(all: Axis[], key: string): void {
    this.shown = key;
    this.rows = all.map((axis) => this.row(axis));
    this.gravity = range({
      label: "gravity",
      help: "how fast things fall",
      unit: "m/s²",
      span: { ...GRAVITY, log: false, zero: false, whole: false },
      value: 0 - this.session.run.latest.gravity[1],
      round: (value) => (Math.abs(value) < 0.3 ? 0 : Math.abs(value - 9.81) < 0.3 ? 9.81 : Number(value.toFixed(1))),
      change: (given) => this.given("Gravity", given, (g) => void fall(this.session, g)),
    });
    const button = (label: string, act: () => void) => h("button", { type: "button", class: "wide", onclick: act }, label);
    const throws = h("div", { class: "pair" }, button("Throw a ball (b)", this.throws.ball), button("Drop a box (n)", this.throws.box));
    fill(this.root, ...this.rows.map((row) => row.slider.root), this.gravity.root, throws);
  }

  private row(axis: Axis): Row {
    const { low, high, unit, servo } = axis;
    const slider = range({
      label: this.labelOf(axis),
      help: helpOf(axis),
      unit,
      span: { low, high, log: false, zero: false, whole: false },
      value: 0,
      // Near the middle it stands still.
      round: (value) => (!servo && Math.abs(value) < 0.03 * high ? 0 : Number(value.toPrecision(2))),
      change: (given) => this.given(axis.name, given, (value) => void drive(this.session, axis, value)),
    });
    const told = h("span", {});
    const free = h(
      "button",
      { type: "button", class: "link", title: "The scene drives it again", onclick: () => void drive(this.session, axis, null) },
      "Let go",
    );
    slider.root.append(h("p", { class: "told" }, told, free));
    return { slider, told, free };
  }

  /** A parameter of the scene may have the same name. */
  private labelOf(axis: Axis): string {
    const taken = this.session.scene?.parameters.some((p) => p.name === axis.name);
    return taken ? `${axis.name} now` : axis.name;
  }

  private given(name: string, given: string, act: (value: number) => void): void {
    const value = Number(given);
    if (Number.isFinite(value)) act(value);
    else this.session.complain(`${name}: ${given} is not a number.`);
  }

  private show(row: Row | undefined, axis: Axis): void {
    if (!row) return;
    const value = axis.wanted ?? axis.now;
    // What is nothing beside full speed is written as nothing.
    row.slider.set(Math.abs(value) < NOTHING * axis.high ? 0 : Number(value.toPrecision(3)));
    const effort = axis.effort === null ? "" : `, ${si(axis.effort, axis.kind === "winch" || axis.unit.startsWith("rad") ? "N m" : "N")}`;
    const way = axis.kind === "winch" ? (axis.now < 0 ? "pays out " : "hauls in ") : axis.servo ? "at " : "";
    const now = Math.abs(axis.now) < NOTHING * axis.high ? 0 : axis.now;
    text(row.told, `${way}${si(axis.kind === "winch" ? Math.abs(now) : now, axis.unit)}${effort} `);
    row.free.hidden = axis.wanted === null || !axis.free;
  }
}

function helpOf(axis: Axis): string {
  if (axis.kind === "winch") return axis.free ? "hauls in, or pays out when negative" : "hauls in at the end of the rope, or pays out";
  return axis.servo ? "goes to this position" : "runs at this rate";
}
