// Worlds that are being built, each in a worker of its own; they can be given up.

import type { Settings } from "./engine";
import type { Frame, Source, Watch } from "./messages";
import { Ended, type Engine, type Remote } from "./remote";
import { Run } from "./run";

export interface Plan {
  source: Source;
  worlds: Settings[];
  watch: Watch;
}

export class Build {
  /** All worlds, or why one of them cannot be. */
  readonly runs: Promise<Run[]>;
  private readonly since = performance.now();
  private readonly remotes: Remote[] = [];
  private ended = false;

  constructor(
    private readonly engine: Engine,
    private readonly plan: Plan,
  ) {
    this.runs = Promise.all(plan.worlds.map((settings) => this.world(settings))).catch((thrown: unknown) => {
      this.end();
      throw thrown;
    });
  }

  /** How long it has taken so far, s. */
  get seconds(): number {
    return (performance.now() - this.since) / 1000;
  }

  end(): void {
    this.ended = true;
    for (const remote of this.remotes) remote.end();
  }

  private async world(settings: Settings): Promise<Run> {
    const remote = this.engine.worker();
    this.remotes.push(remote);
    const frames: Frame[] = [];
    remote.see = (frame) => frames.push(frame);
    await this.engine.ready(remote);
    const opened = await remote.call("open", { source: this.plan.source, settings, watch: this.plan.watch });
    const [first] = frames;
    if (this.ended || !first) throw new Ended("it was stopped");
    return new Run(remote, settings, opened, first);
  }
}
