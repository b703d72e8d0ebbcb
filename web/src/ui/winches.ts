// Winches: a slider for the speed of each drum's motor, and for ropes without a drum that are paid out at their end.

import { fill, h, text } from "../dom";
import type { Winch } from "../engine";
import { si } from "../format";
import type { Session } from "../session";
import { range, type Range } from "./range";

/** Full speed of the sliders in lengths of the scene per second. */
const FULL = 0.25;

interface Row {
  slider: Range;
  told: HTMLElement;
  free: HTMLButtonElement;
}

/** Speed at the end of a slider, m/s: one digit, so that it looks well. */
export function fullSpeed(session: Session): number {
  return Math.max(0.1, Number((FULL * session.run.length).toPrecision(1)));
}

/** The winch that keys drive: that of the selected rope, or the one that was driven last. */
export function chosenWinch(session: Session): number | null {
  const winches = session.run.winches;
  const own = winches.findIndex((winch) => winch.rope === session.rope);
  if (own >= 0) return own;
  return winches.length > 0 ? Math.min(session.winch, winches.length - 1) : null;
}

export class Winches {
  readonly root = h("div", { class: "winches" });
  private rows: Row[] = [];
  private shown = "";

  constructor(
    private readonly session: Session,
    private readonly section: HTMLElement,
  ) {
    session.on(["scene", "active", "winch"], () => this.update());
  }

  /** Numbers that change with time; the rows are made anew when winches came or went. */
  update(): void {
    if (this.session.runs.length === 0) return;
    const winches = this.session.run.winches;
    const key = JSON.stringify([this.session.title, fullSpeed(this.session), winches.map((winch) => winch.name)]);
    if (key !== this.shown) this.build(winches, key);
    winches.forEach((winch, k) => this.show(this.rows[k]!, winch));
  }

  private build(winches: Winch[], key: string): void {
    this.shown = key;
    this.section.hidden = winches.length === 0;
    const full = fullSpeed(this.session);
    this.rows = winches.map((winch, k) => {
      const slider = range({
        label: winch.name,
        help: winch.drum ? "hauls in, or pays out when negative" : "hauls in at the end of the rope, or pays out",
        unit: "m/s",
        span: { low: -full, high: full, log: false, zero: false, whole: false },
        value: 0,
        // Near the middle it stands still.
        round: (value) => (Math.abs(value) < 0.03 * full ? 0 : Number(value.toPrecision(2))),
        change: (given) => this.drive(k, given),
      });
      const told = h("span", {});
      const free = h("button", { type: "button", class: "link", title: "The scene drives it again", onclick: () => void this.session.haul(k, null) }, "Let go");
      slider.root.append(h("p", { class: "told" }, told, free));
      return { slider, told, free };
    });
    fill(this.root, ...this.rows.map((row) => row.slider.root));
  }

  private drive(k: number, given: string): void {
    const speed = Number(given);
    if (!Number.isFinite(speed)) return this.session.complain(`Speed of the winch: ${given} is not a number of m/s.`);
    this.session.winch = k;
    void this.session.haul(k, speed);
  }

  private show(row: Row, winch: Winch): void {
    row.slider.set(Number((winch.wanted ?? winch.speed).toPrecision(3)));
    const effort = winch.effort === null ? "" : `, ${si(winch.effort, "N m")}`;
    text(row.told, `${winch.speed < 0 ? "pays out" : "hauls in"} ${si(Math.abs(winch.speed), "m/s")}${effort} `);
    row.free.hidden = winch.wanted === null || !winch.drum;
  }
}
