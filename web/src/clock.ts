// Real time turned into steps: so many as fit, and no more than the frame has time for.

/** Computing that a frame may spend on steps, s. */
const BUDGET = 0.012;
/** A pause longer than this (a hidden tab) is not caught up with, s. */
const LONGEST = 0.1;

export class Clock {
  speed = 1;
  /** Simulated over real time, smoothed; what the user asked for when the engine keeps up. */
  rate = 1;
  private owed = 0;
  private last = 0;

  reset(): void {
    this.owed = 0;
    this.last = 0;
  }

  /** Calls `step` as often as is due at this moment (ms); returns how far the picture is between the last two steps, 0 to 1. */
  advance(now: number, h: number, step: () => boolean): number {
    const elapsed = this.last === 0 ? 0 : Math.min((now - this.last) / 1000, LONGEST);
    this.last = now;
    this.owed += elapsed * this.speed;
    const start = performance.now();
    let done = 0;
    let going = true;
    while (going && this.owed >= h && performance.now() - start < BUDGET * 1000) {
      going = step();
      this.owed -= h;
      done += h;
    }
    const late = this.owed >= h;
    if (elapsed > 0) {
      const now = late ? done / elapsed : this.speed;
      this.rate += (now - this.rate) * Math.min(1, elapsed / 0.7);
    }
    if (late) this.owed = 0;
    return late ? 1 : Math.min(1, this.owed / h);
  }
}
