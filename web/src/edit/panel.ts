// The panel of the editor: tools, what there is, and the card of what is chosen.

import { Vector3 } from "three";
import { append, byId, fill, h, icon } from "../dom";
import { saveText } from "../download";
import type { Stage } from "../draw/stage";
import type { Session } from "../session";
import { notice } from "../ui/talk";
import { action, EditCard } from "./card";
import { LISTS, type List } from "./document";
import { Editor, EMPTY, type End } from "./editor";
import { bodyChoice } from "./fields";
import { Hands, type Held } from "./hands";
import { at, items, type Item } from "./json";
import { BODIES, JOINTS } from "./kinds";

const TITLES: Record<List, string> = { bodies: "Bodies", joints: "Joints", forces: "Springs and forces" };

export class EditPanel {
  readonly button: HTMLButtonElement;
  private readonly editor: Editor;
  private readonly hands: Hands;
  private readonly tools = new Map<string, HTMLButtonElement>();
  private readonly hint = h("p", { class: "help", role: "status" });
  private readonly form = h("div", { class: "edit-form" });
  private readonly wrong = h("p", { class: "edit-error", role: "alert", hidden: true });
  private readonly parts = h("div", { class: "edit-parts" });
  private readonly card: EditCard;
  private readonly undo = action("Undo", "Undo (ctrl z)", () => void this.editor.step(true));
  private readonly redo = action("Redo", "Redo (ctrl shift z)", () => void this.editor.step(false));
  private readonly root: HTMLElement;
  private tool = "move";
  private first: End | null = null;
  private listed = "";
  private shown = false;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
  ) {
    this.editor = new Editor(session);
    this.card = new EditCard(this.editor);
    this.editor.changed = () => this.update();
    this.editor.refused = (why) => this.tell(why);
    const named = (body: number) => session.run.drawing.bodies[body]?.name ?? "";
    this.hands = new Hands(session, stage, {
      placed: (body, point) => this.placed(body === null ? "ground" : named(body), body, point),
      selected: (body) => this.editor.chooseBody(named(body)),
      joint: (joint) => this.chooseJoint(session.run.drawing.joints[joint]?.name ?? ""),
      moved: (body, by) => void this.editor.move(named(body), by),
      turned: (body, by) => void this.editor.turn(named(body), by),
    });
    this.button = h(
      "button",
      {
        type: "button",
        class: "tool labelled",
        title: "Build and edit a scene",
        "aria-pressed": "false",
        onclick: () => void this.toggle(),
      },
      icon("plus"),
      h("span", { class: "label" }, "Edit"),
    );
    this.button.setAttribute("aria-label", "Edit");
    this.root = h("aside", { id: "edit", "aria-label": "Edit", hidden: true });
    append(this.root, this.files(), this.toolbox(), this.hint, this.form, this.wrong, this.card.root, this.parts);
    byId("side").after(this.root);
    document.addEventListener("keydown", (e) => this.key(e), true);
    this.take("move");
  }

  private async toggle(): Promise<void> {
    this.shown = !this.shown;
    this.root.hidden = !this.shown;
    this.hands.on = this.shown;
    this.button.setAttribute("aria-pressed", String(this.shown));
    document.documentElement.classList.toggle("editing", this.shown);
    this.stage.show.joints = this.shown;
    this.stage.dirty = true;
    if (!this.shown) return;
    const lost = await this.editor.take();
    if (lost.length > 0) this.tell(`The file does not say all: ${lost.join("; ")}`);
  }

  private files(): HTMLElement {
    const input = h("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": "Scene file to edit" });
    input.id = "edit-file";
    input.addEventListener("change", () => void input.files?.[0]?.text().then((text) => this.editor.openText(text)));
    const library = h("select", { "aria-label": "Start from a scene of the library" }, h("option", { value: "" }, "From library…"));
    append(library, ...this.session.engine.scenes.map((scene) => h("option", { value: scene.name }, scene.name)));
    library.addEventListener("change", () => void this.fromLibrary(library));
    return h(
      "div",
      { class: "edit-bar", role: "toolbar", "aria-label": "Document" },
      action("New", "An empty floor", () => void this.editor.open(EMPTY)),
      action("Open", "A scene file to edit", () => input.click()),
      library,
      action("Save", "Save the scene file, which taut run runs", () =>
        saveText(`${this.editor.document.name}.json`, this.editor.document.text, "application/json"),
      ),
      this.undo,
      this.redo,
      action("To the start", "Back to the start that is edited", () => void this.editor.restart()),
      action("Scene", "Gravity, time step, floor", () => this.editor.choose(null)),
      input,
    );
  }

  private async fromLibrary(library: HTMLSelectElement): Promise<void> {
    const { value } = library;
    library.value = "";
    if (!value || !(await this.session.open(value))) return;
    const lost = await this.editor.take();
    notice(lost.length > 0 ? `The file does not say all: ${lost.join("; ")}` : `${value} as a scene file`);
  }

  private toolbox(): HTMLElement {
    const tool = (name: string, label: string, help: string) => {
      const button = action(label, help, () => this.take(name));
      this.tools.set(name, button);
      return button;
    };
    const group = (label: string, ...buttons: HTMLElement[]) =>
      h("div", { class: "edit-bar", role: "group", "aria-label": label }, ...buttons);
    return h(
      "div",
      { class: "edit-tools" },
      group("Drag", tool("move", "Move", "Drag a body to move it"), tool("turn", "Turn", "Drag a body sideways to turn it about the view")),
      group("Bodies", ...Object.entries(BODIES).map(([name, kind]) => tool(`body ${name}`, kind.label, kind.help))),
      group("Joints", ...Object.entries(JOINTS).map(([name, kind]) => tool(`joint ${name}`, kind.label, kind.help))),
    );
  }

  private take(tool: string): void {
    this.tool = tool;
    this.first = this.hands.through = null;
    const [what = "", name = ""] = tool.split(" ");
    this.hands.held = ({ body: "place", joint: "join" }[what] ?? tool) as Held;
    for (const [other, button] of this.tools) button.setAttribute("aria-pressed", String(other === tool));
    const hints: Record<string, string> = {
      move: "Drag a body to move it, click one to change it. Drag the background to look around.",
      turn: "Drag a body sideways to turn it about the direction of view.",
      body: "Click where it goes: on a body, or in the plane in front of you.",
      joint: JOINTS[name]?.two
        ? "Click a point of a body, then a point of another or of empty space."
        : "Click a body, then the point where it is held: on another body, or in empty space.",
    };
    fill(this.hint, hints[what] ?? "");
    this.fillForm();
  }

  /** The same by keys: a button and lists in place of clicks. */
  private fillForm(): void {
    const [what, name = ""] = this.tool.split(" ");
    if (what === "body")
      return fill(
        this.form,
        action("Place in the middle", "Where the camera looks", () => this.placed("ground", null, this.stage.orbit.target.clone())),
      );
    if (what !== "joint") return fill(this.form);
    const names = this.editor.names;
    this.listed = names.join();
    const [one, other] = [bodyChoice("First body", names, names[0] ?? "ground"), bodyChoice("Second body", names, names[1] ?? "ground")];
    const place = (body: string) =>
      new Vector3().fromArray(
        (at(
          items(this.editor.document.value["bodies"]).find((b) => b["name"] === body),
          ["position"],
        ) as number[] | undefined) ?? [0, 0, 0],
      );
    const join = () => {
      const ends = [one.value, other.value].map((body) => ({ body, at: place(body) })) as [End, End];
      // Of two bodies it joins the middles, to the ground it holds a body where it is.
      if (other.value === "ground") ends[1].at.copy(ends[0].at).y += JOINTS[name]!.two ? 1 : 0;
      void this.editor.addJoint(name, ...ends);
    };
    fill(this.form, one, other, action("Join", "Joins the two bodies", join));
  }

  private placed(body: string, hit: number | null, point: Vector3): void {
    const [what, name = ""] = this.tool.split(" ");
    // From now on the eye stays where it is, until somebody fits all into view.
    this.stage.orbit.auto = false;
    if (what === "body") {
      const { half } = BODIES[name]!;
      const spot = point.clone();
      spot.y = hit === null ? Math.max(half, spot.y) : spot.y + half;
      this.take("move");
      return void this.editor.addBody(name, spot);
    }
    const end = { body, at: point };
    if (!this.first) {
      this.first = end;
      this.hands.through = point;
      return fill(this.hint, `${body}: now the second point.`);
    }
    const { first } = this;
    this.take("move");
    void this.editor.addJoint(name, first, end);
  }

  private chooseJoint(name: string): void {
    const index = items(this.editor.document.value["joints"]).findIndex((joint) => joint["name"] === name);
    if (index >= 0) this.editor.choose({ list: "joints", index });
  }

  private update(): void {
    const { editor } = this;
    this.undo.disabled = !editor.document.undoable;
    this.redo.disabled = !editor.document.redoable;
    fill(this.parts, ...LISTS.map((list) => this.list(list)));
    this.card.update();
    // What was chosen in the lists stays as long as they name the same bodies.
    if (this.tool.startsWith("joint") && this.editor.names.join() !== this.listed) this.fillForm();
  }

  private list(list: List): HTMLElement {
    const all = items(this.editor.document.value[list]);
    const button = (item: Item, index: number) => {
      const { chosen } = this.editor;
      const on = chosen?.list === list && chosen.index === index;
      return h(
        "button",
        { type: "button", class: "chip", "aria-pressed": String(on), onclick: () => this.editor.choose({ list, index }) },
        String(item["name"] ?? `${String(item["type"])} ${index}`),
      );
    };
    return h(
      "details",
      { open: all.length <= 40 },
      h("summary", {}, `${TITLES[list]} (${all.length})`),
      h("div", { class: "edit-bar" }, ...all.map(button)),
    );
  }

  /** What the engine refuses stands at the field that it names, else below the tools. */
  private tell(why: string): void {
    this.wrong.hidden = this.card.blame(why) || why === "";
    fill(this.wrong, why);
  }

  private key(e: KeyboardEvent): void {
    if (!this.shown || document.querySelector("dialog[open]")) return;
    const writing = e.target instanceof Element && e.target.matches("input:not([type=range], [type=checkbox]), select, textarea");
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z" && !writing) void this.editor.step(!e.shiftKey);
    else if ((e.key === "Delete" || e.key === "Backspace") && !writing && this.editor.chosen) void this.editor.remove();
    else if (e.key === "Escape") this.take("move");
    else return;
    e.preventDefault();
  }
}
