// The panes: one per world, with its method above and its gap, energy and cost below; what failed says so.

import type { Pointer } from "../draw/pointer";
import type { Stage } from "../draw/stage";
import { byId, fill, h, text } from "../dom";
import { percent, sentence, si } from "../format";
import type { Run } from "../run";
import type { Session } from "../session";
import { isOpening, storyOf } from "./story";

interface Pane {
  root: HTMLElement;
  view: HTMLElement;
  name: HTMLElement;
  state: HTMLElement;
  gap: HTMLElement;
  part: HTMLElement;
  energy: HTMLElement;
  setUp: HTMLElement;
  cost: HTMLElement;
  banner: HTMLElement;
  pull: HTMLElement;
  story: HTMLElement;
}

export const LETTERS = ["A", "B", "C"];

export class Panes {
  private panes: Pane[] = [];

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly pointer: Pointer,
  ) {
    session.on(["scene"], () => this.build());
    session.on(["worlds", "active"], () => this.label());
  }

  /** Numbers below the pictures; called a few times a second. */
  update(): void {
    this.panes.forEach((pane, k) => {
      const run = this.session.runs[k];
      if (run) this.numbers(pane, run);
    });
  }

  /** The force of the pull beside its arrow; called with every frame. */
  updatePull(): void {
    this.panes.forEach((pane, k) => {
      const pull = this.pointer.pull(k);
      const at = pull && this.stage.toPage(k, pull.at);
      pane.pull.hidden = !at;
      if (!pull || !at) return;
      const rect = pane.view.getBoundingClientRect();
      text(pane.pull, si(pull.force, "N"));
      const x = Math.min(Math.max(at.x - rect.left + 12, 4), rect.width - 84);
      const y = Math.min(Math.max(at.y - rect.top - 12, 4), rect.height - 28);
      pane.pull.style.transform = `translate(${x}px, ${y}px)`;
    });
  }

  private build(): void {
    const count = this.session.runs.length;
    if (this.panes.length !== count) {
      this.panes = this.session.runs.map((_, k) => this.make(k));
      fill(byId("panes"), ...this.panes.map((pane) => pane.root));
      byId("panes").dataset["count"] = String(count);
      this.stage.panes = this.panes.map((pane) => pane.view);
    }
    this.label();
    this.update();
  }

  private make(k: number): Pane {
    const span = (className: string) => h("span", { class: className });
    const [name, state, gap, energy, cost] = ["name", "state", "", "", ""].map(span) as [
      HTMLElement,
      HTMLElement,
      HTMLElement,
      HTMLElement,
      HTMLElement,
    ];
    const banner = h("p", { class: "banner", hidden: true, role: "status" });
    const pull = h("span", { class: "pull", hidden: true });
    const story = h("p", { class: "told-story", hidden: true }, h("b", {}), " ", span("why"));
    const view = h("div", { class: "view", tabindex: 0, role: "application" }, banner, pull);
    const dot = h("span", { class: "dot", "aria-hidden": "true" });
    const [part, setUp] = [span("part"), span("part")];
    const stat = (label: string, ...values: HTMLElement[]) => h("div", {}, h("dt", {}, label), h("dd", {}, ...values));
    const root = h(
      "section",
      { class: "pane" },
      h("div", { class: "tag" }, dot, name, state),
      story,
      view,
      h("dl", { class: "stats" }, stat("Worst gap", gap, part), stat("Energy", energy, setUp), stat("Per step", cost)),
    );
    root.style.setProperty("--own", `var(--world-${k + 1})`);
    this.pointer.attach(view, k);
    return { root, view, name, state, gap, part, energy, setUp, cost, banner, pull, story };
  }

  private label(): void {
    this.panes.forEach((pane, k) => {
      const run = this.session.runs[k];
      if (!run) return;
      const title = methodName(run);
      text(pane.name, title);
      pane.root.classList.toggle("active", k === this.session.active && this.panes.length > 1);
      pane.view.setAttribute(
        "aria-label",
        `World ${LETTERS[k]}, ${title}: drag a body to pull it, drag the background or use the arrow keys to orbit`,
      );
    });
  }

  private story(pane: Pane, run: Run): void {
    pane.story.hidden = !isOpening(this.session);
    if (pane.story.hidden) return;
    storyOf(run).forEach((words, k) => {
      const part = pane.story.children[k];
      if (part) text(part, words);
    });
  }

  private numbers(pane: Pane, run: Run): void {
    const { report } = run;
    const start = run.history.column("total")[0] ?? NaN;
    text(pane.gap, si(report?.maxGap ?? 0, "m"));
    text(pane.part, percent((report?.maxGap ?? 0) / run.length));
    const change = report ? (report.total - start) / run.energyScale : 0;
    // The energy of what is in pieces says nothing.
    const energy = report ? `${change > 0 ? "+" : ""}${percent(change).replace("-", "−")}` : "0 %";
    text(pane.energy, run.failure ? "in pieces" : energy);
    this.story(pane, run);
    text(pane.setUp, setUpWords(run));
    text(pane.cost, run.history.length > 0 ? si(run.frame.meanStep, "s", 2) : "–");
    pane.root.classList.toggle("failed", run.failure !== null);
    // The opening has said it already.
    pane.banner.hidden = run.failure === null || isOpening(this.session);
    text(pane.state, run.failure ? `diverged at ${run.failure.time.toFixed(2)} s` : "");
    if (run.failure) text(pane.banner, sentence(run.failure.why));
  }
}

/** What the start set up and the run is not blamed for, with the words of `taut run`. */
function setUpWords(run: Run): string {
  const { lift = 0, shock = 0 } = run.frame.setUp ?? {};
  const words = [lift > 0 ? `lift ${si(lift, "J")}` : "", shock > 0 ? `shock ${si(shock, "J")}` : ""];
  return words.filter(Boolean).join(", ");
}

/** The method in a few words: its stabiliser, and what else is not the usual. */
export function methodName(run: Run): string {
  const method = run.method;
  const words: Record<string, string> = { none: "No stabiliser", aligned: "Taut (aligned)", full: "Full geometric stiffness" };
  const stabiliser = method.stabiliser;
  const parts = [words[stabiliser] ?? stabiliser.charAt(0).toUpperCase() + stabiliser.slice(1)];
  if (stabiliser.startsWith("inertial")) parts[0] = "Inertial damping";
  if (stabiliser.startsWith("constraint-space")) parts[0] = "Constraint-space damping";
  if (run.settings.solver && run.settings.solver !== "auto") parts.push(run.settings.solver);
  if (method.coordinates === "reduced") parts.push("reduced");
  return parts.join(" · ");
}
