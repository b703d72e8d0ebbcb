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
  private readonly memory = h("span", { class: "steps memory", title: "Memory of what can be gone back to" });
  private readonly steps = h("span", { class: "steps" });
  private readonly past = h("input", {
    type: "range",
    class: "past",
    min: 0,
    max: 0,
    step: 1,
    "aria-label": "Moment of the run",
    oninput: () => void this.scrub(),
  });
  private scrubbing = false;
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
        button("back", "One step back (,)", () => this.stepBack()),
        button("step", "One step (.)", () => this.stepOnce()),
        button("reset", "Back to the start (r)", () => void this.session.again()),
      ),
      this.speeds(),
      this.past,
      this.time,
      this.steps,
      this.memory,
      this.note,
      h(
        "div",
        { class: "group end" },
        this.follow,
        button("fit", "Fit everything into view (f)", () => actions.fit()),
        this.record,
      ),
    );
    this.follow.setAttribute("aria-pressed", "false");
    session.on(["play", "scene"], () => this.update());
  }

  stepOnce(): void {
    if (this.session.playing) this.session.play(false);
    void this.session.stepBy(1);
  }

  stepBack(): void {
    void this.session.goTo(this.session.steps - 1);
  }

  /** Goes where the slider is; while that takes, only its last place counts. */
  private async scrub(): Promise<void> {
    if (this.scrubbing) return;
    this.scrubbing = true;
    while (this.session.steps !== this.past.valueAsNumber) {
      const to = this.past.valueAsNumber;
      await this.session.goTo(to);
      if (this.session.steps !== to) break;
    }
    this.scrubbing = false;
    this.update();
  }

  /** The slider goes over all that can be gone to; what that takes is told. */
  private updatePast(): void {
    const { session } = this;
    if (this.scrubbing || session.runs.length === 0) return;
    const { oldest, steps, tape, runs, h: length } = session;
    this.past.min = String(oldest);
    this.past.max = String(Math.max(tape.end, oldest + 1));
    this.past.value = String(steps);
    this.past.disabled = tape.end <= oldest;
    const bytes = runs.reduce((sum, run) => sum + run.latest.keptBytes, 0);
    this.past.title = `The last ${((steps - oldest) * length).toFixed(1)} s are kept, in ${(bytes / 1e6).toFixed(1)} MB`;
    this.past.setAttribute("aria-valuetext", `step ${steps}`);
    const part = (steps - oldest) / Math.max(1, tape.end - oldest);
    this.past.style.setProperty("--at", `${100 * part}%`);
    text(this.memory, bytes > 0 ? `${plain(bytes / 1e6, 2)} MB kept` : "");
  }

  update(): void {
    this.updatePast();
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
      const item = h(
        "button",
        { type: "button", title: help, "aria-label": help, "aria-pressed": String(speed === 1), onclick: choose },
        label,
      );
      group.append(item);
    }
    return group;
  }
}

export function button(name: string, label: string, act: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "tool", title: label, "aria-label": label.replace(/ \(.*/, ""), onclick: act }, icon(name));
}
