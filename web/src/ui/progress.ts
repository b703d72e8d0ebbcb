// What takes long says so, with a way to stop it.

import { byId, fill, h, text } from "../dom";
import { LONG } from "../pace";
import type { Session } from "../session";

export class Progress {
  private readonly root = byId("busy");
  private readonly words = h("span", {});

  constructor(private readonly session: Session) {
    const stop = h("button", { type: "button", class: "wide", onclick: () => void session.stop() }, "Stop");
    fill(this.root, h("i", { class: "turning", "aria-hidden": "true" }), this.words, stop);
  }

  /** Called with every frame. */
  update(): void {
    const { busy } = this.session;
    const long = busy !== null && busy.seconds > LONG;
    if (this.root.hidden === long) this.root.hidden = !long;
    if (!busy || !long) return;
    const time = `${busy.seconds.toFixed(1)} s`;
    text(this.words, busy.what === "build" ? `building … ${time}` : `a step has taken ${time} so far`);
  }
}
