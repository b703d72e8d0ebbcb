// The scene's parameters as sliders and choices, and the time step.

import { fill, h } from "../dom";
import type { Parameter } from "../engine";
import { exact, stepText } from "../format";
import type { Session } from "../session";
import { range, type Range } from "./range";
import { spanOf } from "./spans";

/** Steps that are offered exactly when the slider comes near them, s. */
const STEPS = [0.0005, 0.001, 0.002, 1 / 240, 0.005, 1 / 120, 0.01, 1 / 60, 0.02, 1 / 30, 0.04, 0.05, 0.1];

export class Parameters {
  readonly root = h("div", { class: "parameters" });
  private step: Range | null = null;
  private shown = "";
  private timer = 0;

  constructor(private readonly session: Session) {
    session.on(["scene"], () => this.build());
    session.on(["worlds"], () => this.step?.set(session.h, stepText(session.h)));
  }

  private build(): void {
    const { session } = this;
    this.step?.set(session.h, stepText(session.h));
    const key = session.file ? `file ${session.file.name}` : session.title;
    if (key === this.shown) return;
    this.shown = key;
    this.step = this.timeStep();
    const rows = (session.scene?.parameters ?? []).map((p) => (p.choices.length > 0 ? this.choice(p) : this.number(p)));
    fill(this.root, this.step.root, ...rows);
  }

  /** Redraws every row, after values were set from elsewhere. */
  refresh(): void {
    this.shown = "";
    this.build();
  }

  private number(p: Parameter): HTMLElement {
    const given = this.session.params[p.name];
    return range({
      label: p.name.replace(/_/g, " "),
      help: p.help === p.name ? "" : p.help,
      unit: p.unit,
      span: spanOf(p),
      value: given === undefined ? Number(p.default) : Number(given),
      change: (text) => this.apply(p, text),
    }).root;
  }

  private choice(p: Parameter): HTMLElement {
    const given = this.session.params[p.name] ?? String(p.default);
    const select = h("select", { "aria-label": p.name, onchange: () => this.apply(p, select.value) });
    for (const word of p.choices) select.append(h("option", { value: word, selected: word === given }, word));
    const head = h("p", {}, h("b", {}, p.name.replace(/_/g, " ")), " ", p.help);
    return h("div", { class: "range" }, h("div", { class: "range-head" }, head, select));
  }

  private timeStep(): Range {
    const { session } = this;
    return range({
      label: "time step",
      help: "simulated time per step",
      unit: "s",
      span: { low: 0.0005, high: 0.1, log: true, zero: false, whole: false },
      value: session.h,
      text: stepText(session.h),
      write: stepText,
      round: (value) => STEPS.find((s) => Math.abs(Math.log(value / s)) < 0.03) ?? Number(value.toPrecision(2)),
      change: (text) => session.setStep(text),
    });
  }

  /** Builds the scene anew, at most a few times a second while a slider moves. */
  private apply(p: Parameter, text: string): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const value = p.choices.length > 0 || !Number.isFinite(Number(text)) ? text : exact(Number(text));
      void this.session.again(this.session.changed(p.name, value));
    }, 90);
  }
}
