// Play, step, reset, slow motion, and where the time stands.

import { append, byId, fill, h, icon, text } from "../dom";
import { plain, si } from "../format";
import { LONG } from "../pace";
import type { Run } from "../run";
import type { Session } from "../session";

const SPEEDS: [number, string, string][] = [
  [1, "1×", "real time"],
  [0.5, "½", "half speed"],
  [0.25, "¼", "a quarter of the speed"],
  [0.1, "⅒", "a tenth of the speed"],
];

export interface Actions {
  fit(): void;
  follow(): void;
  record(): void;
  picture(): void;
}

export class Transport {
  readonly follow = button("follow", "Follow the load (o)", () => this.actions.follow());
  readonly record = button("record", "Record this world as glTF", () => this.actions.record());
  private readonly play = button("play", "Play (space)", () => this.session.play(!this.session.playing));
  private readonly time = h("output", { class: "time", "aria-label": "Simulated time" });
  private readonly steps = h("span", { class: "steps" });
  private readonly note = h("span", { class: "note", role: "status" });

  constructor(
    private readonly session: Session,
    private readonly actions: Actions,
  ) {
    this.play.classList.add("primary");
    this.record.append(h("span", { class: "label" }, "Record"));
    append(
      byId("transport"),
      h(
        "div",
        { class: "group" },
        this.play,
        button("step", "One step (.)", () => this.stepOnce()),
        button("reset", "Back to the start (r)", () => void this.session.again()),
      ),
      this.speeds(),
      this.time,
      this.steps,
      this.note,
      h("div", { class: "group end" }, this.follow, button("fit", "Fit everything into view (f)", () => actions.fit()), this.record),
    );
    this.follow.setAttribute("aria-pressed", "false");
    session.on(["play", "scene"], () => this.update());
  }

  stepOnce(): void {
    if (this.session.playing) this.session.play(false);
    void this.session.stepBy(1);
  }

  update(): void {
    const { playing, runs, pace } = this.session;
    fill(this.play, icon(playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.play.title = playing ? "Pause (space)" : "Play (space)";
    const most = (of: (run: Run) => number) => Math.max(0, ...runs.map(of));
    text(this.time, `${most((run) => run.frame.time).toFixed(2)} s`);
    text(this.steps, `${most((run) => run.frame.steps)} steps`);
    const slow = playing && pace.rate < 0.9 * pace.speed;
    const step = most((run) => (run.frozen ? 0 : run.frame.stepSeconds));
    if (step > LONG) text(this.note, `a step takes ${si(step, "s", 2)}`);
    else text(this.note, slow ? `${plain(pace.rate, 1)}× real time` : "");
  }

  private speeds(): HTMLElement {
    const group = h("div", { class: "segments", role: "group", "aria-label": "Speed" });
    for (const [speed, label, help] of SPEEDS) {
      const choose = () => {
        this.session.pace.speed = this.session.pace.rate = speed;
        for (const other of group.children) other.setAttribute("aria-pressed", String(other === item));
      };
      const item = h("button", { type: "button", title: help, "aria-label": help, "aria-pressed": String(speed === 1), onclick: choose }, label);
      group.append(item);
    }
    return group;
  }
}

export function button(name: string, label: string, act: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "tool", title: label, "aria-label": label.replace(/ \(.*/, ""), onclick: act }, icon(name));
}
