// The past of a world: moments that the engine keeps within a bound of memory, and what was done between them, so that any step since
// the oldest one can be gone back to. The steps from a moment on are taken again, with the same bits.

import type { Told, World } from "./world";

/** Most memory of all moments that are kept of a world, bytes. */
const MEMORY = 96e6;
/** A moment is kept after so many steps, or after so much computing, s. */
const STEPS = 30;
const SECONDS = 0.2;
/** Keeping one may take this part of the time of the steps between. */
const SHARE = 0.1;

export class Past {
  /** What was done, after how many steps. */
  private done: { steps: number; redo: () => unknown }[] = [];
  /** From which step on steps were how long, s. */
  private lengths: { steps: number; h: number }[] = [];
  /** What the world had become at the moments that are kept. */
  private kept: { steps: number; told: Told }[] = [];
  /** Since the last moment that was kept: steps, and computing, s. */
  private since = { steps: 0, seconds: 0 };
  private cost = 0;

  constructor(private readonly world: World) {}

  /** Does something that will be done again when the steps after it are. */
  log<T>(act: () => T): T {
    const answer = act();
    this.done.push({ steps: this.world.sim.steps, redo: act });
    return answer;
  }

  /** A step of so many seconds was taken, and took so long. */
  stepped(h: number, seconds: number): void {
    if (this.lengths.at(-1)?.h !== h) this.lengths.push({ steps: this.world.sim.steps - 1, h });
    this.since.steps += 1;
    this.since.seconds += seconds;
    const due = this.since.steps >= STEPS || this.since.seconds > SECONDS;
    if (due && this.since.seconds * SHARE >= this.cost) this.keep();
  }

  /** Keeps the present moment. */
  keep(): void {
    const { sim, told } = this.world;
    const start = performance.now();
    sim.keep(MEMORY);
    this.cost = (performance.now() - start) / 1000;
    this.since = { steps: 0, seconds: 0 };
    const oldest = sim.kept()[0] ?? -1;
    this.kept = this.kept.filter((k) => k.steps >= oldest && k.steps !== sim.steps);
    if (oldest >= 0) this.kept.push({ steps: sim.steps, told: structuredClone(told) });
    this.forget(oldest);
  }

  /** Goes back to a step; `step` takes one without telling of it. */
  back(steps: number, step: (h: number) => void): void {
    const { world } = this;
    const at = world.sim.back(steps);
    const kept = this.kept.find((k) => k.steps === at);
    if (kept) world.told = structuredClone(kept.told);
    this.kept = this.kept.filter((k) => k.steps <= at);
    const again = this.done.filter((one) => one.steps >= at && one.steps < steps);
    while (world.sim.steps < steps && !world.frozen) {
      const now = world.sim.steps;
      for (const { redo } of again.filter((one) => one.steps === now)) redo();
      step(this.lengths.findLast((one) => one.steps <= now)?.h ?? 0);
    }
    this.done = this.done.filter((one) => one.steps < steps);
    this.lengths = this.lengths.filter((one) => one.steps < steps);
    this.since = { steps: world.sim.steps - at, seconds: 0 };
  }

  /** What was done before the oldest moment cannot be done again. */
  private forget(oldest: number): void {
    if (oldest < 0) return;
    this.done = this.done.filter((one) => one.steps >= oldest);
    const first = this.lengths.findLastIndex((one) => one.steps <= oldest);
    if (first > 0) this.lengths = this.lengths.slice(first);
  }
}
