// The panel beside the stage: scene and parameters, method, what is drawn, what is selected, the same run natively.

import type { Stage } from "../draw/stage";
import { append, byId, fill, h, icon, text } from "../dom";
import { copy } from "../download";
import { command } from "../native";
import { sentence } from "../format";
import type { Session } from "../session";
import { TOGGLES, type Toggle } from "../show";
import { axes } from "../drives";
import { DrivePanel, type Throws } from "./drive";
import { facts } from "./facts";
import { Methods } from "./methods";
import { Parameters } from "./parameters";

/** Most entries of the lists of bodies and joints. */
const LISTED = 2000;

export class Side {
  readonly parameters: Parameters;
  private readonly boxes = new Map<Toggle, HTMLInputElement>();
  private readonly intro = h("div", { class: "intro" });
  private readonly hash = h("code", { class: "hash", "aria-label": "State hash" });
  private later: ReturnType<typeof setTimeout> | undefined;
  /** The state that the hash is of. */
  private readonly command = h("code", { class: "command" });
  private readonly copyCommand: HTMLButtonElement;
  private readonly bodies = h("select", { "aria-label": "Selected body" });
  private readonly joints = h("select", { "aria-label": "Selected joint" });
  private readonly ropes = h("select", { "aria-label": "Selected rope" });
  private readonly ropeRow = h("label", { class: "field-head" }, h("span", {}, "Rope"), this.ropes);
  private readonly drives: DrivePanel;
  private readonly driven: HTMLElement;
  private readonly facts = h("dl", { class: "facts" });
  private readonly cut = h("button", { type: "button", class: "wide", disabled: true }, icon("cut"), "Cut this joint");

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly notice: (text: string) => void,
    throws: Throws,
  ) {
    this.parameters = new Parameters(session);
    this.copyCommand = h("button", { type: "button", class: "link", onclick: () => void this.copyIt() }, "Copy");
    const selected = section("show", "Selected", false, this.selection());
    // The card of a rope that was clicked is there to be read.
    session.on(["select"], () => {
      if (session.rope === null) return;
      selected.open = true;
      selected.scrollIntoView({ block: "nearest" });
    });
    this.drives = new DrivePanel(session, throws);
    this.driven = section("drive", "Drive", true, this.drives.root);
    append(
      byId("side"),
      section("scene", "Scene", true, this.intro, this.parameters.root),
      this.driven,
      section("method", "Method", true, new Methods(session).root),
      section("show", "Show", false, this.toggles()),
      selected,
      this.seen(section("method", "The same run natively", false, this.native())),
    );
    session.on(["scene"], () => this.opened());
    session.on(["select", "active"], () => this.selected());
  }

  /** Numbers that change with time; called a few times a second. */
  update(): void {
    this.updateHash();
    const repeats = command(this.session);
    text(this.command, repeats ?? "Pulled, cut or changed in mid-run: reset to compare.");
    this.copyCommand.hidden = repeats === null;
    this.updateFacts();
    this.drives.update();
  }

  /** What is opened shows the hash at once. */
  private seen(section: HTMLDetailsElement): HTMLDetailsElement {
    section.addEventListener("toggle", () => this.updateHash());
    return section;
  }

  /** Asks for the hash of the present state, where it is looked at; later, where the worker has something else to do. */
  private updateHash(): void {
    clearTimeout(this.later);
    if (this.hash.offsetParent === null) return;
    const { run } = this.session;
    if (run.remote.pending > 0) {
      this.later = setTimeout(() => this.updateHash(), 100);
      return;
    }
    run.remote.call("hash", {}).then(
      (hash) => {
        if (run === this.session.run) text(this.hash, hash);
      },
      () => {},
    );
  }

  private async defaults(): Promise<void> {
    if (await this.session.again({})) this.parameters.refresh();
  }

  private opened(): void {
    const { scene, file } = this.session;
    const reset = h("button", { type: "button", class: "link", onclick: () => void this.defaults() }, "Defaults");
    fill(
      this.intro,
      h(
        "p",
        { class: "source" },
        scene ? sentence(scene.source) : `From your file ${file?.name ?? ""}.`,
        scene && Object.keys(this.session.params).length > 0 && reset,
      ),
    );
    this.fillLists();
    this.selected();
    this.update();
    // What there is to drive comes first; without it only gravity and throws are there.
    if (axes(this.session).length > 0) byId("side").prepend(this.driven);
    else this.intro.closest("details")?.after(this.driven);
  }

  private toggles(): HTMLElement {
    const root = h("div", { class: "toggles" });
    for (const toggle of TOGGLES) {
      const box = h("input", {
        type: "checkbox",
        checked: this.stage.show[toggle.name],
        onchange: () => {
          this.stage.show[toggle.name] = box.checked;
          this.stage.dirty = true;
          this.session.tell("show");
        },
      });
      this.boxes.set(toggle.name, box);
      root.append(h("label", { class: "toggle", title: toggle.help }, box, h("span", {}, toggle.label)));
    }
    return root;
  }

  /** Shows what is on after it was set from elsewhere. */
  refreshToggles(): void {
    for (const [name, box] of this.boxes) box.checked = this.stage.show[name];
  }

  private selection(): HTMLElement {
    const read = (select: HTMLSelectElement) => (select.value === "" ? null : Number(select.value));
    for (const select of [this.bodies, this.joints, this.ropes]) {
      select.addEventListener("change", () => {
        this.session.select(read(this.bodies), read(this.joints), read(this.ropes));
        this.stage.dirty = true;
      });
    }
    this.cut.addEventListener("click", () => void this.session.cut());
    return h(
      "div",
      { class: "selection" },
      h("label", { class: "field-head" }, h("span", {}, "Body"), this.bodies),
      h("label", { class: "field-head" }, h("span", {}, "Joint"), this.joints),
      this.ropeRow,
      this.facts,
      this.cut,
    );
  }

  private fillLists(): void {
    const { bodies, joints, ropes } = this.session.run.drawing;
    const none = () => h("option", { value: "" }, "none");
    // Of very many only the first are in the lists; all can be clicked.
    fill(this.bodies, none(), ...bodies.slice(0, LISTED).map((body, k) => h("option", { value: k }, body.name || `body ${k}`)));
    fill(this.ropes, none(), ...ropes.slice(0, LISTED).map((rope, k) => h("option", { value: k }, rope.name || `rope ${k}`)));
    this.ropeRow.hidden = ropes.length === 0;
    fill(this.joints, none(), ...joints.slice(0, LISTED).map((joint, k) => h("option", { value: k }, joint.name || `${joint.kind} ${k}`)));
  }

  private selected(): void {
    const { body, joint, rope, run } = this.session;
    const listed = (list: unknown[]) => Math.min(list.length, LISTED) + 1;
    if (
      this.bodies.options.length !== listed(run.drawing.bodies) ||
      this.joints.options.length !== listed(run.drawing.joints) ||
      this.ropes.options.length !== listed(run.drawing.ropes)
    )
      this.fillLists();
    this.bodies.value = body === null ? "" : String(body);
    this.joints.value = joint === null ? "" : String(joint);
    this.ropes.value = rope === null ? "" : String(rope);
    this.cut.disabled = joint === null && rope === null;
    fill(this.cut, icon("cut"), rope === null ? "Cut this joint" : "Cut this rope");
    this.updateFacts();
  }

  private updateFacts(): void {
    const rows = facts(this.session);
    const key = JSON.stringify(rows);
    if (this.facts.dataset["key"] === key) return;
    this.facts.dataset["key"] = key;
    fill(this.facts, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  }

  private native(): HTMLElement {
    return h(
      "div",
      { class: "native" },
      h("p", {}, "State hash, equal to the command's to the last bit:"),
      this.hash,
      h("div", { class: "command-row" }, this.command, this.copyCommand),
    );
  }

  private async copyIt(): Promise<void> {
    const repeats = command(this.session);
    if (repeats && (await copy(repeats))) this.notice("Command copied");
  }
}

function section(tab: string, title: string, open: boolean, ...children: Node[]): HTMLDetailsElement {
  return h("details", { class: "section", "data-tab": tab, open }, h("summary", {}, title), ...children);
}
