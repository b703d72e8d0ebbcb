// The page: loads the engine, puts the parts together, and draws frames.

import { Pointer } from "./draw/pointer";
import { Stage } from "./draw/stage";
import { append, byId, h, icon, text } from "./dom";
import { composed, deliver } from "./deliver";
import { copy, saveCanvas } from "./download";
import { listenFiles } from "./drop";
import { load, message } from "./engine";
import { parseStep, stepText } from "./format";
import { readLink, writeLink, type Link } from "./link";
import { Recorder } from "./recorder";
import { COMPARED, Session } from "./session";
import { initialShow, shown } from "./show";
import { expose, type Handle } from "./testing";
import { initTheme } from "./theme";
import { Gallery } from "./ui/gallery";
import { headline } from "./ui/headline";
import { Help } from "./ui/help";
import { listenKeys } from "./ui/keys";
import { Legends } from "./ui/legends";
import { Panes } from "./ui/panes";
import { Plots } from "./ui/plots";
import { Side } from "./ui/side";
import { initTabs } from "./ui/tabs";
import { button, Transport } from "./ui/transport";

/** Numbers and plots are drawn anew after so many milliseconds. */
const NUMBERS = 120;
/** Most steps that a link may run ahead. */
const MOST_STEPS = 200_000;

async function main(): Promise<void> {
  const link = readLink(location.hash);
  document.documentElement.classList.toggle("shot", link.shot);
  document.documentElement.classList.toggle("handed", link.to !== "");
  if (link.size) {
    byId("stage").style.width = `${link.size[0]}px`;
    byId("stage").style.height = `${link.size[1]}px`;
  }
  const themeButton = button("theme", "Light or dark", () => {});
  let page: Page | null = null;
  initTheme(themeButton, link.theme, () => page?.repaint());
  page = new Page(new Session(await load()), link, themeButton);
  await page.start(link);
}

class Page {
  private readonly stage: Stage;
  private readonly pointer: Pointer;
  private readonly panes: Panes;
  private readonly transport: Transport;
  private readonly side: Side;
  private readonly plots: Plots;
  private readonly legends: Legends;
  private readonly recorder: Recorder;
  private readonly gallery: Gallery;
  private readonly help: Help;
  private readonly handle: Handle;
  private readonly knife = button("cut", "Knife: draw a line to cut (k)", () => this.takeKnife());
  private title = "";
  private numbersAt = 0;
  private stale = true;
  private addressTimer = 0;
  private noticeTimer = 0;

  constructor(
    private readonly session: Session,
    link: Link,
    themeButton: HTMLElement,
  ) {
    session.complain = (words) => this.complain(words);
    this.stage = new Stage(byId<HTMLCanvasElement>("canvas"), session, initialShow(link.show), link.shot);
    this.pointer = new Pointer(this.stage, session);
    this.pointer.sliced = (count) => this.notice(count === 0 ? "Nothing lies below that line" : `${count} cut`);
    this.knife.setAttribute("aria-pressed", "false");
    this.panes = new Panes(session, this.stage, this.pointer);
    this.transport = new Transport(session, {
      fit: () => this.stage.fit(),
      follow: () => this.follow(),
      record: () => this.recorder.toggle(),
      picture: () => this.picture(),
    });
    this.recorder = new Recorder(session, this.transport.record);
    this.side = new Side(session, this.stage, (words) => this.notice(words));
    this.plots = new Plots(session);
    this.legends = new Legends(this.stage);
    const openFile = listenFiles((file) => session.openFile(file, [{}]) && session.play(true), session.complain);
    this.gallery = new Gallery(session, (scene) => session.open(scene.name) && session.play(true), openFile);
    this.help = new Help(session.engine.version);
    this.handle = expose(session, this.stage, this.pointer);
    this.tools(themeButton);
    initTabs(() => this.repaint());
    this.listen();
  }

  async start(link: Link): Promise<void> {
    const opened = link.file ? await this.openAddress(link) : this.openLink(link);
    const why = byId("problem").textContent ?? "";
    if (!opened && link.to) throw why;
    if (!opened) this.openLink(readLink(""));
    // The opening has cleared what was said of the link.
    if (!opened) this.complain(why);
    if (link.camera) this.stage.orbit.restore(link.camera);
    if (link.caption && !link.to) {
      byId("caption").hidden = false;
      text(byId("caption"), link.caption);
    }
    await this.runTo(link.at).catch((thrown: unknown) => {
      if (link.to) throw thrown;
      this.complain(message(thrown));
    });
    if (link.to) return this.hand(link);
    byId("loading").remove();
    this.session.play(!link.shot && link.play && link.at === 0);
    requestAnimationFrame((now) => this.frame(now));
  }

  repaint(): void {
    this.stage.repaint();
    this.stale = true;
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    this.session.profiled = this.plots.wantsStages;
    this.session.frame(now);
    if (this.session.playing || this.stage.dirty) {
      this.stage.draw(now);
      this.panes.updatePull();
      this.stale = true;
    }
    if (this.stale && now - this.numbersAt > (this.stage.software ? 2 : 1) * NUMBERS) {
      this.numbersAt = now;
      this.stale = false;
      this.numbers();
    }
    if (!this.handle.ready) {
      this.numbers();
      this.handle.ready = true;
      document.documentElement.dataset["ready"] = "true";
    }
  }

  private numbers(): void {
    this.panes.update();
    this.transport.update();
    this.side.update();
    this.plots.update();
    this.legends.update();
    this.recorder.update();
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
    session.on(["scene", "worlds", "show"], () => this.writeAddress());
    session.on(["scene", "worlds", "frame", "select", "active", "play", "show", "winch"], () => {
      this.stage.dirty = true;
      this.stale = true;
    });
    listenKeys(session, this.stage, this.pointer, {
      stepOnce: () => this.transport.stepOnce(),
      fit: () => this.stage.fit(),
      follow: () => this.follow(),
      compare: () => this.compare(),
      scenes: () => this.gallery.open(),
      knife: () => this.takeKnife(),
      help: () => this.help.open(),
    });
    addEventListener("hashchange", () => {
      const link = readLink(location.hash);
      Object.assign(this.stage.show, initialShow(link.show));
      this.side.refreshToggles();
      this.openLink(link);
      this.side.parameters.refresh();
      session.play(link.play);
    });
    addEventListener("resize", () => this.repaint());
  }

  private tools(themeButton: HTMLElement): void {
    const labelled = (name: string, label: string, help: string, act: () => void) =>
      h("button", { type: "button", class: "tool labelled", title: help, "aria-label": label, onclick: act }, icon(name), h("span", { class: "label" }, label));
    append(
      byId("tools"),
      labelled("grid", "Scenes", "All scenes (s)", () => this.gallery.open()),
      labelled("columns", "Compare", "Three methods side by side, or one (c)", () => this.compare()),
      labelled("link", "Copy link", "A link to this scene with these settings", () => void this.copyLink()),
      this.knife,
      button("camera", "Save the picture", () => this.picture()),
      themeButton,
      button("help", "Help (?)", () => this.help.open()),
    );
  }

  /** What a link asks for; without a scene the opening: the crane, three methods. */
  private openLink(link: Link): boolean {
    const step = this.linkStep(link);
    if (Number.isNaN(step)) return false;
    if (!link.scene) return this.session.open("crane", {}, COMPARED, step);
    return this.session.open(link.scene, link.params, link.worlds.length > 0 ? link.worlds : [{}], step);
  }

  /** The step of a link, if it has one; NaN when it cannot be, and the reason is shown. */
  private linkStep(link: Link): number | undefined {
    const step = link.dt ? parseStep(link.dt) : undefined;
    if (Number.isNaN(step)) this.complain(`Time step ${link.dt}: expected a number of seconds from 0 to 1, such as 0.01 or 1/60.`);
    return step;
  }

  /** A scene file that the server has. */
  private async openAddress(link: Link): Promise<boolean> {
    const step = this.linkStep(link);
    if (Number.isNaN(step)) return false;
    const answer = await fetch(link.file).catch(() => null);
    if (!answer?.ok) {
      this.complain(`${link.file}: ${answer ? `the server answered ${answer.status}` : "it cannot be read from here"}.`);
      return false;
    }
    const name = link.file.split("/").pop() ?? link.file;
    const worlds = link.worlds.length > 0 ? link.worlds : [{}];
    return this.session.openFile({ name, text: await answer.text() }, worlds, step);
  }

  /** The picture goes to the server that asked for it. */
  private async hand(link: Link): Promise<void> {
    byId("loading").remove();
    await deliver(link.to, composed(this.stage, this.session, link.caption));
    document.documentElement.dataset["ready"] = "true";
  }

  /** Runs on to a time as fast as it goes, letting the browser breathe. */
  private async runTo(time: number): Promise<void> {
    const { session } = this;
    const steps = Math.round(time / session.h);
    if (steps > MOST_STEPS) throw `at = ${time} s with steps of ${session.h} s makes ${steps} steps: expected at most ${MOST_STEPS}`;
    let last = performance.now();
    for (let k = 0; k < steps && session.step(); k++) {
      if (k % 8 === 0) for (const view of this.stage.views) view.grow();
      if (performance.now() - last < 100) continue;
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    }
    for (const run of session.runs) run.settle();
    this.stage.fitNow(document.documentElement.classList.contains("shot"));
  }

  private compare(): void {
    const { session } = this;
    const own = session.run.settings;
    const many = session.runs.length > 1;
    if (session.again(session.params, many ? [own] : COMPARED)) session.play(true);
  }

  private takeKnife(): void {
    this.pointer.knife = !this.pointer.knife;
    this.knife.setAttribute("aria-pressed", String(this.pointer.knife));
    document.documentElement.classList.toggle("knife", this.pointer.knife);
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

  private address(camera: boolean): string {
    const { session } = this;
    const own = session.scene?.dt === session.h;
    return writeLink({
      scene: session.title,
      params: session.params,
      dt: own ? "" : stepText(session.h),
      worlds: session.runs.length > 1 || Object.keys(session.run.settings).length > 0 ? session.runs.map((run) => run.settings) : [],
      show: shown(this.stage.show),
      camera: camera && !this.stage.orbit.auto ? this.stage.orbit.save() : null,
    });
  }

  private writeAddress(): void {
    clearTimeout(this.addressTimer);
    if (this.session.file || document.documentElement.classList.contains("shot")) return;
    this.addressTimer = window.setTimeout(() => history.replaceState(null, "", this.address(false)), 300);
  }

  private async copyLink(): Promise<void> {
    if (this.session.file) return this.complain("A link cannot carry a scene file; share the file itself.");
    const url = new URL(this.address(true), location.href).href;
    this.notice((await copy(url)) ? "Link copied" : url);
  }

  private complain(words: string): void {
    const problem = byId("problem");
    problem.hidden = words === "";
    if (words === "") return problem.replaceChildren();
    const close = h("button", { type: "button", class: "tool small", "aria-label": "Close the message", onclick: () => this.complain("") }, icon("close"));
    problem.replaceChildren(h("p", {}, words), close);
  }

  private notice(words: string): void {
    const notice = byId("notice");
    clearTimeout(this.noticeTimer);
    text(notice, words);
    notice.classList.add("on");
    this.noticeTimer = window.setTimeout(() => notice.classList.remove("on"), 2200);
  }
}

main().catch((thrown: unknown) => {
  const { to } = readLink(location.hash);
  if (to) void deliver(to, message(thrown));
  const loading = document.getElementById("loading");
  if (loading) text(loading, `The engine did not start: ${message(thrown)}`);
  console.error(thrown);
});
