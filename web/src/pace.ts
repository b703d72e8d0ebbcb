// Real time turned into steps: how many are to be asked of the workers, and which moment is shown meanwhile.

/** Steps are asked for so many frames of the page before they are shown, so that they are there in time, */
const AHEAD = 2;
/** and a frame takes at least this, s. */
const FRAME = 0.017;
/** A pause longer than this (a hidden tab) is not caught up with, s. */
const LONGEST = 0.1;
/** What takes longer than this is told, s. */
export const LONG = 0.3;
/** Most computing that one request may be, s. */
const BUDGET = 0.03;

export class Pace {
  speed = 1;
  /** Simulated over real time, smoothed; what the user asked for when the engine keeps up. */
  rate = 1;
  /** The moment that is shown, in steps. */
  shown = 0;
  /** Steps that were asked for. */
  asked = 0;
  private last = 0;
  /** How long frames of the page take, smoothed, s. */
  private frame = FRAME;

  /** At the start of a scene, or where it was put. */
  restart(steps = 0): void {
    this.shown = this.asked = steps;
    this.pause();
  }

  /** The clock stands. */
  pause(): void {
    this.last = 0;
  }

  /** Moves on to `now`, ms, with steps of `h` seconds of which so many have come; says how many are to be asked for. */
  advance(now: number, h: number, come: number, stepSeconds: number): number {
    const elapsed = this.last === 0 ? 0 : Math.min((now - this.last) / 1000, LONGEST);
    this.last = now;
    const before = this.shown;
    this.shown = Math.max(before, Math.min(before + (elapsed * this.speed) / h, come));
    if (elapsed > 0) {
      const rate = ((this.shown - before) * h) / elapsed;
      this.rate += (rate - this.rate) * Math.min(1, elapsed / 0.7);
      this.frame += (Math.max(FRAME, elapsed) - this.frame) * 0.2;
    }
    const due = Math.ceil(this.shown + (AHEAD * this.frame * this.speed) / h) - this.asked;
    return Math.max(0, Math.min(due, Math.max(1, Math.floor(BUDGET / Math.max(stepSeconds, 1e-6)))));
  }
}
