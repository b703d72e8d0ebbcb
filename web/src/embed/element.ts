// <taut-view>: a scene that runs in any web page. The page of Taut stands in a frame inside it, so that workers, policy and styles are its own.
//   src       a scene file, relative to the page that it stands in; or scene, the name of one of the library
//   dt        time step, s, such as 1/60; world: method, as on the address of the page; at: s to run to first
//   play, controls   are there or not; theme: light or dark

import { heard, record, send, type Look, type Opened, type Opening, type Order, type Stepped } from "./protocol";

const PAGE = new URL("index.html", import.meta.url);
/** Those that make another world of it. */
const OPENING = ["src", "scene", "dt", "world", "at"];
const LOOK = ["theme", "controls"];
const STYLE = `
:host { display: block; position: relative; width: 100%; aspect-ratio: 8 / 5; min-height: 120px; }
:host([hidden]) { display: none; }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
`;

export class TautView extends HTMLElement {
  static readonly observedAttributes = [...OPENING, ...LOOK, "play"];
  private readonly frame = document.createElement("iframe");
  private listens = false;
  private opening = 0;
  private asked = false;
  private readonly state = { ready: false, steps: 0, time: 0, playing: false, error: null as string | null };
  private readonly listen = (event: MessageEvent<unknown>) => this.hear(event);

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    root.append(this.frame);
  }

  connectedCallback(): void {
    this.listens = this.state.ready = false;
    addEventListener("message", this.listen);
    this.frame.title = this.getAttribute("aria-label") ?? "Physics scene";
    this.frame.src = `${PAGE.href}#embed=1&host=${encodeURIComponent(location.origin)}`;
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.listen);
    this.frame.removeAttribute("src");
    this.listens = false;
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.listens) return;
    if (LOOK.includes(name)) this.order({ kind: "look", look: this.look });
    else if (name === "play") this.order({ kind: now === null ? "pause" : "play" });
    else this.openSoon();
  }

  /** Whether the scene is built and drawn. */
  get ready(): boolean {
    return this.state.ready;
  }

  /** Steps taken since the start. */
  get step(): number {
    return this.state.steps;
  }

  /** Simulated time, s. */
  get time(): number {
    return this.state.time;
  }

  get playing(): boolean {
    return this.state.playing;
  }

  /** What went wrong last, in the engine's words; null when nothing did. */
  get error(): string | null {
    return this.state.error;
  }

  play(): void {
    this.order({ kind: "play" });
  }

  pause(): void {
    this.order({ kind: "pause" });
  }

  reset(): void {
    this.order({ kind: "reset" });
  }

  private get look(): Look {
    return { theme: this.getAttribute("theme") ?? "", controls: this.hasAttribute("controls") };
  }

  private order(order: Order): void {
    if (this.listens && this.frame.contentWindow) send(this.frame.contentWindow, PAGE.origin, order);
  }

  private hear(event: MessageEvent<unknown>): void {
    const said = heard(event, this.frame.contentWindow, PAGE.origin);
    const { state } = this;
    switch (said?.["kind"]) {
      case "here":
        this.listens = true;
        this.order({ kind: "look", look: this.look });
        void this.open();
        break;
      case "ready":
        state.ready = true;
        this.tell("ready", record(said["opened"]) as unknown as Opened);
        break;
      case "step": {
        const stepped = record(said["stepped"]) as unknown as Stepped;
        [state.steps, state.time] = [stepped.steps, stepped.time];
        this.tell("step", stepped);
        break;
      }
      case "playing":
        state.playing = said["playing"] === true;
        break;
      case "error":
        this.fail(String(said["message"]));
    }
  }

  private fail(message: string): void {
    this.state.error = message;
    this.tell("error", { message });
  }

  private tell(name: "ready" | "step" | "error", detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Reads the file, if there is one, and has the frame open it; of several calls the last counts. */
  private async open(): Promise<void> {
    const call = ++this.opening;
    this.state.ready = false;
    this.state.error = null;
    try {
      const what = await this.what();
      if (call !== this.opening) return;
      const opening: Opening = {
        what,
        dt: this.getAttribute("dt") ?? "",
        world: this.getAttribute("world") ?? "",
        at: Number(this.getAttribute("at") ?? 0),
        play: this.hasAttribute("play"),
      };
      this.order({ kind: "open", opening });
    } catch (thrown) {
      if (call === this.opening) this.order({ kind: "fail", why: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }

  /** Attributes that change together open it once. */
  private openSoon(): void {
    if (this.asked) return;
    this.asked = true;
    queueMicrotask(() => {
      this.asked = false;
      void this.open();
    });
  }

  private async what(): Promise<Opening["what"]> {
    const src = this.getAttribute("src");
    const scene = this.getAttribute("scene");
    if (src === null && scene === null)
      throw new Error("src: none given; expected the address of a scene file, or scene with the name of one of the library");
    if (src === null) return { scene: scene ?? "" };
    const answer = await fetch(new URL(src, this.baseURI)).catch(() => null);
    if (!answer?.ok) throw new Error(`${src}: ${answer ? `the server answered ${answer.status}` : "it cannot be read from here"}.`);
    return { name: src.split(/[?#]/)[0]!.split("/").pop() || src, text: await answer.text() };
  }
}

if (!customElements.get("taut-view")) customElements.define("taut-view", TautView);
