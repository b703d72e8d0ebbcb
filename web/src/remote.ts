// A worker as the page sees it: requests that are answered in order, and what is left unanswered for how long.

import type { Call, Calls, Catalogue, Frame, Reply, Request } from "./messages";

interface Waiting {
  since: number;
  done(answer: unknown): void;
  refused(why: Error): void;
}

/** Why a request of a worker that was ended has no answer. */
export class Ended extends Error {}

export class Remote {
  /** Told every frame, before the request that it came with is answered. */
  see: (frame: Frame) => void = () => {};
  private readonly worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor() {
    this.worker.onmessage = (event: MessageEvent<Reply>) => this.receive(event.data);
    this.worker.onerror = (event) => this.end(new Error(event.message || "the engine's worker could not be started"));
  }

  call<C extends Call>(call: C, says: Calls[C]["says"]): Promise<Calls[C]["answers"]> {
    const id = ++this.last;
    const answer = new Promise<unknown>((done, refused) => this.waiting.set(id, { since: performance.now(), done, refused }));
    this.worker.postMessage({ id, call, says } satisfies Request);
    return answer as Promise<Calls[C]["answers"]>;
  }

  /** Requests that are not answered yet. */
  get pending(): number {
    return this.waiting.size;
  }

  /** For how long it has been at the request that it is at, s; zero when there is none. */
  get busy(): number {
    const [first] = this.waiting.values();
    return first ? (performance.now() - first.since) / 1000 : 0;
  }

  /** Ends the worker, whatever it is at. */
  end(why: Error = new Ended("it was stopped")): void {
    this.worker.terminate();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { refused } of waiting) refused(why);
  }

  private receive(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    // What comes next was begun only now.
    const [next] = this.waiting.values();
    if (next) next.since = performance.now();
    if (reply.frame) this.see(reply.frame);
    if (reply.error !== null) waiting?.refused(new Error(reply.error));
    else waiting?.done(reply.answer);
  }
}

/** The engine: compiled once, loaded in a worker for each world. */
export class Engine {
  private readonly loaded = new WeakSet<Remote>();

  private constructor(
    private readonly module: WebAssembly.Module,
    readonly catalogue: Catalogue,
    private spare: Remote | null,
  ) {}

  static async load(): Promise<Engine> {
    const address = new URL("engine/taut_web_bg.wasm", import.meta.url);
    // Some hosts do not know what WebAssembly is: then it is compiled when all of it is there.
    const whole = async () => WebAssembly.compile(await (await fetch(address)).arrayBuffer());
    const module = await WebAssembly.compileStreaming(fetch(address)).catch(whole);
    const first = new Remote();
    return new Engine(module, await first.call("load", { module }), first);
  }

  /** A worker, in which the engine is yet to be loaded. */
  worker(): Remote {
    const remote = this.spare ?? new Remote();
    if (this.spare) this.loaded.add(remote);
    this.spare = null;
    return remote;
  }

  /** Loads the engine in a worker, unless it is there. */
  async ready(remote: Remote): Promise<void> {
    if (!this.loaded.has(remote)) await remote.call("load", { module: this.module });
  }

  get scenes(): Catalogue["scenes"] {
    return this.catalogue.scenes;
  }

  get choices(): Catalogue["choices"] {
    return this.catalogue.choices;
  }

  get version(): string {
    return this.catalogue.version;
  }
}
