// What the colours mean: tension in N, damping in J.

import type { Stage } from "../draw/stage";
import { append, byId, h, text } from "../dom";
import { si } from "../format";

export class Legends {
  private readonly most = h("span", {});
  private readonly least = h("span", {});
  private readonly heat = h("span", {});
  private readonly tension = h(
    "div",
    { class: "scale" },
    h("b", {}, "Tension"),
    h("span", {}, "(root scale)"),
    this.least,
    h("i", { class: "ramp tension", "aria-hidden": "true" }),
    this.most,
  );
  private readonly damping = h(
    "div",
    { class: "scale" },
    h("b", {}, "Damping per step"),
    h("span", {}, "0"),
    h("i", { class: "ramp heat", "aria-hidden": "true" }),
    this.heat,
  );

  private readonly force = h("span", {});
  private readonly forces = h("div", { class: "scale" }, h("b", {}, "Forces"), h("span", {}, "longest arrow"), this.force);

  constructor(private readonly stage: Stage) {
    append(byId("legends"), this.tension, this.forces, this.damping);
  }

  update(): void {
    const { show, tension, force, heat } = this.stage;
    this.tension.hidden = !(show.tension && (show.cables || show.joints) && tension.value > 0);
    this.damping.hidden = !show.damping;
    this.forces.hidden = !((show.joints || show.contacts) && force.value > 0);
    text(this.force, si(force.value, "N", 2));
    text(this.least, `−${si(tension.value, "N", 2)}`);
    text(this.most, si(tension.value, "N", 2));
    text(this.heat, si(heat.value, "J", 2));
  }
}
