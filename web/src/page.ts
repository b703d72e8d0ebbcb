// The page: puts the parts together, and draws frames.

import { Address } from "./address";
import { append, byId, h, icon } from "./dom";
import { saveCanvas } from "./download";
import { Pointer } from "./draw/pointer";
import { Stage } from "./draw/stage";
import { listenFiles } from "./drop";
import { readLink, type Link } from "./link";
import { openLink } from "./opening";
import { throwBody } from "./drives";
import { EditPanel } from "./edit/panel";
import { Recorder } from "./recorder";
import { COMPARED, type SceneFile, type Session } from "./session";
import { initialShow } from "./show";
import { expose, type Handle } from "./testing";
import { Card } from "./ui/card";
import { Gallery } from "./ui/gallery";
import { Gamepads } from "./ui/gamepad";
import { headline } from "./ui/headline";
import { Help } from "./ui/help";
import { listenKeys } from "./ui/keys";
import { Legends } from "./ui/legends";
import { Panes } from "./ui/panes";
import { Plots } from "./ui/plots";
import { Progress } from "./ui/progress";
import { Side } from "./ui/side";
import { initTabs } from "./ui/tabs";
import { complain, notice } from "./ui/talk";
import { button, Transport } from "./ui/transport";

/** Numbers and plots are drawn anew after so many milliseconds. */
const NUMBERS = 120;

/** A ball starts at this part of the way to what one looks at, and is there after so many seconds; a box falls from so high, in extents. */
const THROW = { from: 0.35, time: 0.5, drop: 0.15 };

export class Page {
  readonly stage: Stage;
  private readonly pointer: Pointer;
  private readonly panes: Panes;
  private readonly transport: Transport;
  private readonly side: Side;
  private readonly plots: Plots;
  private readonly legends: Legends;
  private readonly card: Card;
  private readonly progress: Progress;
  private readonly recorder: Recorder;
  private readonly gallery: Gallery;
  private readonly help: Help;
  private readonly address: Address;
  private readonly gamepads: Gamepads;
  private readonly handle: Handle;
  private readonly knife = button("cut", "Knife: draw a line to cut (k)", () => this.takeKnife());
  private title = "";
  private numbersAt = 0;
  private stale = true;

  constructor(
    private readonly session: Session,
    link: Link,
    themeButton: HTMLElement,
  ) {
    session.complain = complain;
    this.stage = new Stage(byId<HTMLCanvasElement>("canvas"), session, initialShow(link.show), link.shot);
    this.pointer = new Pointer(this.stage, session);
    this.pointer.sliced = (count) => notice(count === 0 ? "Nothing lies below that line" : `${count} cut`);
    this.knife.setAttribute("aria-pressed", "false");
    this.panes = new Panes(session, this.stage, this.pointer);
    this.transport = new Transport(session, {
      fit: () => this.stage.fit(),
      follow: () => this.follow(),
      record: () => this.recorder.toggle(),
      picture: () => this.picture(),
    });
    this.recorder = new Recorder(session, this.transport.record);
    this.side = new Side(session, this.stage, notice, { ball: () => this.throw(true), box: () => this.throw(false) });
    this.plots = new Plots(session);
    this.legends = new Legends(this.stage);
    this.card = new Card(session, { follow: () => this.setFollow(true), plot: () => this.plots.show() });
    this.pointer.clicked = (x, y) => this.card.open(x, y);
    this.progress = new Progress(session);
    const openFile = listenFiles((file) => void this.openFile(file), complain);
    this.gallery = new Gallery(session, (scene) => void this.openScene(scene.name), openFile);
    this.help = new Help(session.engine.version);
    this.address = new Address(session, this.stage);
    this.gamepads = new Gamepads(session, {
      ball: () => this.throw(true),
      play: () => session.play(!session.playing),
      back: () => this.transport.stepBack(),
    });
    this.handle = expose(session, this.stage, this.pointer, this.address);
    this.tools(themeButton);
    initTabs(() => this.repaint());
    this.listen();
    this.look();
  }

  /** Draws from now on. */
  begin(): void {
    requestAnimationFrame((now) => this.frame(now));
  }

  repaint(): void {
    this.stage.repaint();
    this.stale = true;
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const { session, stage } = this;
    this.progress.update();
    if (session.runs.length === 0) return;
    this.look();
    this.gamepads.poll();
    session.frame(now);
    if (session.playing || stage.dirty) {
      stage.draw(now);
      this.panes.updatePull();
      this.stale = true;
    }
    if (this.stale && now - this.numbersAt > (stage.software ? 2 : 1) * NUMBERS) {
      this.numbersAt = now;
      this.stale = false;
      this.numbers();
    }
    if (!this.handle.ready && !document.getElementById("loading")) {
      this.numbers();
      this.handle.ready = true;
      document.documentElement.dataset["ready"] = "true";
    }
  }

  /** Frames carry what is shown. */
  private look(): void {
    const { contacts, damping, stress } = this.stage.show;
    this.session.show({ contacts, damping, stress, stages: this.plots.wantsStages });
  }

  private numbers(): void {
    this.panes.update();
    this.transport.update();
    this.side.update();
    this.plots.update();
    this.legends.update();
    this.recorder.update();
    this.card.update();
  }

  private listen(): void {
    const { session } = this;
    session.on(["scene"], () => {
      this.stage.reset(session.title === this.title);
      if (session.title !== this.title) this.setFollow(false);
      this.title = session.title;
      headline(session);
    });
    session.on(["worlds"], () => headline(session));
    session.on(["scene", "worlds", "frame", "select", "active", "play", "show", "drive"], () => {
      this.stage.dirty = true;
      this.stale = true;
    });
    listenKeys(session, this.stage, this.pointer, {
      stepOnce: () => this.transport.stepOnce(),
      stepBack: () => this.transport.stepBack(),
      fit: () => this.stage.fit(),
      follow: () => this.follow(),
      compare: () => void this.compare(),
      scenes: () => this.gallery.open(),
      knife: () => this.takeKnife(),
      help: () => this.help.open(),
      ball: () => this.throw(true),
      box: () => this.throw(false),
    });
    addEventListener("hashchange", () => void this.goTo(readLink(location.hash)));
    addEventListener("resize", () => this.repaint());
  }

  private tools(themeButton: HTMLElement): void {
    const labelled = (name: string, label: string, help: string, act: () => void) =>
      h(
        "button",
        { type: "button", class: "tool labelled", title: help, "aria-label": label, onclick: act },
        icon(name),
        h("span", { class: "label" }, label),
      );
    append(
      byId("tools"),
      labelled("grid", "Scenes", "All scenes (s)", () => this.gallery.open()),
      new EditPanel(this.session, this.stage).button,
      labelled("columns", "Compare", "Three methods side by side, or one (c)", () => void this.compare()),
      labelled("link", "Copy link", "A link to this scene with these settings", () => void this.address.copy()),
      this.knife,
      button("camera", "Save the picture", () => this.picture()),
      themeButton,
      button("help", "Help (?)", () => this.help.open()),
    );
  }

  private async goTo(link: Link): Promise<void> {
    Object.assign(this.stage.show, initialShow(link.show));
    this.side.refreshToggles();
    if (!(await openLink(this.session, link))) return;
    this.side.parameters.refresh();
    this.session.play(link.play);
  }

  private async openScene(name: string): Promise<void> {
    if (await this.session.open(name)) this.session.play(true);
  }

  private async openFile(file: SceneFile): Promise<void> {
    if (await this.session.openFile(file)) this.session.play(true);
  }

  private async compare(): Promise<void> {
    const { session } = this;
    const own = session.run.settings;
    const many = session.runs.length > 1;
    if (await session.again(session.params, many ? [own] : COMPARED)) session.play(true);
  }

  private takeKnife(): void {
    this.pointer.knife = !this.pointer.knife;
    this.knife.setAttribute("aria-pressed", String(this.pointer.knife));
    document.documentElement.classList.toggle("knife", this.pointer.knife);
  }

  /** A ball is thrown from where one stands, a box dropped over what one looks at. */
  private throw(ball: boolean): void {
    const sight = this.pointer.sight();
    const view = this.stage.views[this.session.active];
    if (!sight || !view) return;
    const { eye, along } = sight;
    const at = eye.addScaledVector(along, ball ? THROW.from : 1);
    if (!ball) at.y += THROW.drop * view.size;
    const velocity = ball ? along.multiplyScalar((1 - THROW.from) / THROW.time) : along.set(0, 0, 0);
    // As far as it falls on its way it is aimed higher.
    const [gx, gy, gz] = this.session.run.latest.gravity;
    if (ball) velocity.sub({ x: 0.5 * THROW.time * gx, y: 0.5 * THROW.time * gy, z: 0.5 * THROW.time * gz });
    if (this.session.run.latest.surfaces === 0) notice("Nothing in this scene has a surface: it will fly through");
    void throwBody(this.session, ball, view.size, at.toArray(), velocity.toArray());
  }

  private follow(): void {
    this.setFollow(!this.stage.follow);
  }

  private setFollow(on: boolean): void {
    this.stage.setFollow(on);
    this.transport.follow.setAttribute("aria-pressed", String(on));
  }

  private picture(): void {
    saveCanvas(`${this.session.title}.png`, this.stage.picture());
  }
}
