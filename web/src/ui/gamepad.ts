// A gamepad with the standard layout: the levers of a crane on its sticks, as operators have them.

import { drive, sticks, type Axis } from "../drives";
import type { Session } from "../session";
import { notice } from "./talk";

/** Sticks within this of their middle are at rest, and what they tell is rounded to this. */
const REST = 0.12;
const NOTCH = 0.05;

/** The stick of slew, luff and hoist in the list of axes of a gamepad, and which way is positive: to the left slews to the left,
 *  pulled back it luffs in and hoists. */
const STICKS = [
  { axis: 0, way: -1 },
  { axis: 1, way: 1 },
  { axis: 3, way: 1 },
] as const;

export interface Buttons {
  ball(): void;
  play(): void;
  back(): void;
}

/** Buttons by their number in the standard layout. */
const BUTTONS: [number, keyof Buttons][] = [
  [0, "ball"],
  [2, "back"],
  [9, "play"],
];

export class Gamepads {
  private readonly told = [0, 0, 0];
  private held = new Set<number>();

  constructor(
    private readonly session: Session,
    private readonly buttons: Buttons,
  ) {
    addEventListener("gamepadconnected", () =>
      notice(`Gamepad: left stick ${this.name(0)} and ${this.name(1)}, right stick ${this.name(2)}`),
    );
  }

  /** Looks at the first gamepad there is; called with every frame. */
  poll(): void {
    const pad = navigator.getGamepads?.().find((one) => one?.mapping === "standard");
    if (!pad || this.session.runs.length === 0) return;
    const driven = sticks(this.session);
    STICKS.forEach(({ axis, way }, k) => this.stick(k, driven[k], way * notched(pad.axes[axis] ?? 0)));
    const pressed = new Set(BUTTONS.map(([k]) => k).filter((k) => pad.buttons[k]?.pressed));
    for (const [k, name] of BUTTONS) if (pressed.has(k) && !this.held.has(k)) this.buttons[name]();
    this.held = pressed;
  }

  private stick(k: number, driven: Axis | undefined, part: number): void {
    if (this.told[k] === part || !driven) return;
    this.told[k] = part;
    void drive(this.session, driven, Number((part * driven.high).toPrecision(3)));
  }

  private name(k: number): string {
    return sticks(this.session)[k]?.name ?? "nothing";
  }
}

function notched(x: number): number {
  return Math.abs(x) < REST ? 0 : Math.round(x / NOTCH) * NOTCH;
}
