// The help dialog: what the pointer and the keys do.

import { byId, fill, h, icon } from "../dom";

const POINTER: [string, string][] = [
  ["Drag a body", "pull it with a spring; the arrow shows its force"],
  ["Alt and drag, or drag with the knife", "cut cables, ropes, cloth and soft bodies along the line"],
  ["Drag the background", "orbit"],
  ["Right drag, or shift and drag", "move the camera; two fingers on a touch screen"],
  ["Wheel or pinch", "zoom"],
  ["Click", "select a body, a joint, a cable or a rope; its card and plot show what it carries"],
];

const KEYS: [string, string][] = [
  ["Space", "play and pause"],
  [", .", "one step back, one step on; the slider goes through all that is kept"],
  ["r", "back to the start"],
  ["f", "fit everything into view"],
  ["o", "follow the load, or the selected body"],
  ["c", "compare three methods, or one again"],
  ["s", "scenes"],
  ["x", "cut the selected joint or rope"],
  ["q e, t g", "slew left and right, luff in and out, as long as the key is held; in other scenes the first and the second motor"],
  ["h, p", "haul in and pay out, as long as the key is held: the winch of the selected rope, or the last one"],
  ["b, n", "throw a ball from where you stand to where the pointer is; drop a box there"],
  ["k", "take the knife, or put it away"],
  ["1 2 3", "choose the world that plots and numbers belong to"],
  ["Arrows, + and −", "orbit and zoom, when a world has the focus"],
  ["Shift and arrows", "pull the selected body, until shift is let go"],
  ["?", "this help"],
];

const PAD: [string, string][] = [
  ["Left stick, left and right", "slew"],
  ["Left stick, forward and back", "luff out and in"],
  ["Right stick, forward and back", "lower and hoist"],
  ["A, X, Start", "throw a ball, step back, play and pause"],
];

export class Help {
  private readonly dialog = byId<HTMLDialogElement>("help");

  constructor(version: string) {
    const close = h("button", { type: "button", class: "tool", "aria-label": "Close", onclick: () => this.dialog.close() }, icon("close"));
    const rows = (list: [string, string][], key: "kbd" | "b") =>
      list.map(([name, what]) => h("div", {}, h("dt", {}, h(key, {}, name)), h("dd", {}, what)));
    fill(
      this.dialog,
      h("div", { class: "dialog-head" }, h("h2", { id: "help-title" }, "How to use this page"), close),
      h(
        "p",
        {},
        "The engine itself runs in your browser. Each pane is one world; all take the same steps at the same time. Drop a scene file (JSON) anywhere to run your own.",
      ),
      h("h3", {}, "Pointer"),
      h("dl", { class: "keys" }, ...rows(POINTER, "b")),
      h("h3", {}, "Keyboard"),
      h("dl", { class: "keys" }, ...rows(KEYS, "kbd")),
      h("h3", {}, "Gamepad"),
      h("p", {}, "As in a crane. In scenes without slew, luff and hoist the sticks drive the first three motors and winches."),
      h("dl", { class: "keys" }, ...rows(PAD, "b")),
      h("p", { class: "version" }, `Taut ${version}`),
    );
    this.dialog.addEventListener("click", (e) => e.target === this.dialog && this.dialog.close());
  }

  open(): void {
    this.dialog.showModal();
  }
}
