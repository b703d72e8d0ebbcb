// Keys that drive as long as they are held.

import { chosenWinch, drive, sticks, type Axis } from "../drives";
import type { Session } from "../session";

/** Part of full speed that a key drives at. */
const PART = 0.5;

/** The axis that a key drives, and which way. */
const KEYS: Record<string, [(session: Session) => Axis | null | undefined, number]> = {
  h: [chosenWinch, 1],
  p: [chosenWinch, -1],
  q: [(session) => sticks(session)[0], 1],
  e: [(session) => sticks(session)[0], -1],
  t: [(session) => sticks(session)[1], 1],
  g: [(session) => sticks(session)[1], -1],
};

export class HeldKeys {
  private readonly held = new Map<string, Axis>();

  constructor(private readonly session: Session) {
    document.addEventListener("keyup", (e) => this.stop(e.key.toLowerCase()));
    addEventListener("blur", () => [...this.held.keys()].forEach((key) => this.stop(key)));
  }

  /** What a key does when it is pressed; nothing when it drives nothing here. */
  press(key: string): (() => void) | undefined {
    const known = KEYS[key];
    if (!known) return undefined;
    return () => {
      const axis = known[0](this.session);
      if (!axis || this.held.has(key)) return;
      this.held.set(key, axis);
      void drive(this.session, axis, PART * known[1] * axis.high);
    };
  }

  private stop(key: string): void {
    const axis = this.held.get(key);
    this.held.delete(key);
    if (axis) void drive(this.session, axis, 0);
  }
}
