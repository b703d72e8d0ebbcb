// What was done to a scene since its start, with the steps before which it was done. Done again at the same steps it makes the same run.

import type { Input, Setting } from "./messages";

export interface Entry {
  step: number;
  what: Input | Setting;
}

export class Tape {
  entries: Entry[] = [];
  /** The last step that was ever asked for. */
  end = 0;
  /** How many entries are done by now. */
  private at = 0;

  /** Somebody does something now: what was on the tape after this is gone. */
  record(step: number, what: Entry["what"]): void {
    this.cut(step);
    const last = this.entries.at(-1);
    // Of several places that the hand was moved to between two steps only the last one matters.
    if (last?.step === step && last.what.kind === "drag" && what.kind === "drag") this.entries.pop();
    this.entries.push({ step, what });
    this.at = this.entries.length;
  }

  /** The present is the end of the tape. */
  cut(step: number): void {
    this.entries.length = this.at;
    this.end = step;
  }

  /** Whether there is more on the tape than was done. */
  isAhead(step: number): boolean {
    return this.end > step || this.at < this.entries.length;
  }

  /** Goes to a step, before anything is done there. */
  seek(step: number): void {
    const next = this.entries.findIndex((entry) => entry.step >= step);
    this.at = next < 0 ? this.entries.length : next;
  }

  /** What is to be done before the step after this one. */
  due(step: number): Entry["what"][] {
    const due: Entry["what"][] = [];
    for (let next = this.entries[this.at]; next && next.step <= step; next = this.entries[++this.at]) due.push(next.what);
    return due;
  }

  /** How many steps can be taken before something is to be done; infinite when nothing is. */
  room(step: number): number {
    return (this.entries[this.at]?.step ?? Infinity) - step;
  }
}
