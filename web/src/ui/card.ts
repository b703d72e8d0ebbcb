// A card at the pointer: what was clicked, what it carries, and what can be done with it.

import { byId, fill, h, icon, text } from "../dom";
import type { Session } from "../session";
import { facts, nameOf } from "./facts";

/** Most facts on the card: of ropes of many spans the first ones. */
const MOST = 9;
/** How far from the pointer it stands, pixels. */
const AWAY = 44;

export interface CardActions {
  follow(): void;
  plot(): void;
}

export class Card {
  private readonly name = h("b", {});
  private readonly rows = h("dl", { class: "facts" });
  private readonly cut: HTMLButtonElement;
  private readonly follow: HTMLButtonElement;
  private readonly root: HTMLElement;
  private shown = "";

  constructor(
    private readonly session: Session,
    actions: CardActions,
  ) {
    const button = (label: string, act: () => void) => h("button", { type: "button", class: "wide", onclick: act }, label);
    this.cut = button("Cut", () => void session.cut());
    this.follow = button("Follow", () => actions.follow());
    const close = h(
      "button",
      { type: "button", class: "tool small", "aria-label": "Close the card", onclick: () => session.select(null, null) },
      icon("close"),
    );
    this.root = h(
      "div",
      { class: "picked", role: "dialog", "aria-label": "What was clicked", hidden: true },
      h("div", { class: "picked-head" }, this.name, close),
      this.rows,
      h(
        "div",
        { class: "pair" },
        this.cut,
        this.follow,
        button("Plot", () => actions.plot()),
      ),
    );
    byId("stage").append(this.root);
    session.on(["select", "scene"], () => this.hideEmpty());
  }

  /** Shows what is selected beside a point of the page. */
  open(x: number, y: number): void {
    if (nameOf(this.session) === "") return;
    this.update();
    this.root.hidden = false;
    const stage = byId("stage").getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const left = x - stage.left + AWAY + width > stage.width ? x - stage.left - AWAY - width : x - stage.left + AWAY;
    const top = Math.min(Math.max(8, y - stage.top - height / 2), stage.height - height - 8);
    this.root.style.setProperty("--x", `${Math.max(8, Math.min(left, stage.width - width - 8))}px`);
    this.root.style.setProperty("--y", `${Math.max(8, top)}px`);
  }

  /** Numbers that change with time; called a few times a second. */
  update(): void {
    const { session } = this;
    text(this.name, nameOf(session));
    this.cut.hidden = session.joint === null && session.rope === null;
    this.follow.hidden = session.body === null;
    const rows = facts(session).slice(0, MOST);
    const key = JSON.stringify(rows);
    if (key === this.shown) return;
    this.shown = key;
    fill(this.rows, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  }

  private hideEmpty(): void {
    const { body, joint, rope } = this.session;
    if (body === null && joint === null && rope === null) this.root.hidden = true;
  }
}
