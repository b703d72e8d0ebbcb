// The page as it stands in the frame of <taut-view>: only the worlds and, when asked for, a bar. It does what its parent says.

import { append, byId, fill, h, icon, text } from "../dom";
import type { Stage } from "../draw/stage";
import { parseStep } from "../format";
import { readSettings, type Link } from "../link";
import { runTo } from "../opening";
import type { Session } from "../session";
import { setTheme } from "../theme";
import { button } from "../ui/transport";
import { complain } from "../ui/talk";
import { heard, order, send, type Look, type News, type Opening, type Order } from "./protocol";

/** Keys that mean the same in a frame; the others are those of a page with panels. */
const KEYS = [" ", ".", ",", "r", "f", "+", "=", "-", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Tab", "Enter", "Escape", "Shift"];

/** Listens to the parent whose origin the address names, and tells it what happens. */
export function embed(session: Session, stage: Stage, link: Link, repaint: () => void): void {
  const tell = (news: News) => send(parent, link.host, news);
  session.complain = (why) => {
    complain(why);
    if (why) tell({ kind: "error", message: why });
  };
  const act = (wanted: Order) => perform(wanted, session, stage, tell, repaint);
  addEventListener("message", (event) => {
    const said = heard(event, parent, link.host);
    const wanted = said && order(said);
    if (wanted) void act(wanted).catch((thrown: unknown) => session.complain(thrown instanceof Error ? thrown.message : String(thrown)));
  });
  report(session, tell);
  quieten();
  bar(session);
  tell({ kind: "here" });
}

async function perform(wanted: Order, session: Session, stage: Stage, tell: (news: News) => void, repaint: () => void): Promise<void> {
  switch (wanted.kind) {
    case "open":
      return open(wanted.opening, session, stage, tell);
    case "look":
      return look(wanted.look, repaint);
    case "fail":
      document.getElementById("loading")?.remove();
      return session.complain(wanted.why);
    case "play":
      return session.play(session.runs.length > 0);
    case "pause":
      return session.play(false);
    case "reset":
      if (session.runs.length > 0) await session.again();
  }
}

async function open(asked: Opening, session: Session, stage: Stage, tell: (news: News) => void): Promise<void> {
  const { what, dt, world, at, play } = asked;
  session.play(false);
  const step = dt === "" ? undefined : parseStep(dt);
  const worlds = world.split(/\s+/).filter(Boolean).map(readSettings);
  const asIs = worlds.length > 0 ? worlds : [{}];
  let opened = false;
  if (Number.isNaN(step)) session.complain(`dt = ${dt}: expected a number of seconds from 0 to 1, such as 0.01 or 1/60.`);
  else if ("text" in what) opened = await session.openFile(what, asIs, step);
  else opened = await session.open(what.scene, {}, asIs, step);
  if (opened && at > 0) await runTo(session, stage, at);
  document.getElementById("loading")?.remove();
  if (!opened) return;
  tell({ kind: "ready", opened: { name: session.title, dt: session.h, worlds: session.runs.map((run) => run.method.stabiliser) } });
  session.play(play);
}

function look({ theme, controls }: Look, repaint: () => void): void {
  document.documentElement.classList.toggle("controls", controls);
  setTheme(theme);
  repaint();
}

/** Steps as they come, and whether it plays. */
function report(session: Session, tell: (news: News) => void): void {
  let last = "";
  session.on(["frame", "scene"], () => {
    const steps = Math.max(...session.runs.map((run) => run.latest.steps));
    const time = Math.max(...session.runs.map((run) => run.latest.time));
    const failed = session.runs.map((run) => run.latest.failure?.why).find((why) => why !== undefined) ?? null;
    const now = `${steps} ${failed}`;
    if (now === last) return;
    last = now;
    tell({ kind: "step", stepped: { steps, time, failed } });
  });
  session.on(["play"], () => tell({ kind: "playing", playing: session.playing }));
}

/** What belongs to the page alone stays away: its keys, and files that are dropped. */
function quieten(): void {
  const root = document.documentElement;
  addEventListener("keydown", (e) => !KEYS.includes(e.key) && !e.ctrlKey && !e.metaKey && e.stopImmediatePropagation(), true);
  for (const type of ["dragenter", "dragover", "drop"] as const) addEventListener(type, (e) => e.stopImmediatePropagation(), true);
  root.classList.add("embed");
}

/** Play, back to the start, and the time. */
function bar(session: Session): void {
  const play = button("play", "Play (space)", () => session.play(!session.playing));
  const time = h("output", { class: "time", "aria-label": "Simulated time" });
  const root = h(
    "div",
    { id: "bar", role: "toolbar", "aria-label": "Simulation" },
    play,
    button("reset", "Back to the start (r)", () => void session.again()),
    time,
  );
  append(byId("stage"), root);
  session.on(["play"], () => {
    fill(play, icon(session.playing ? "pause" : "play"));
    play.setAttribute("aria-label", session.playing ? "Pause" : "Play");
  });
  session.on(["frame", "scene"], () => text(time, `${Math.max(...session.runs.map((run) => run.frame.time)).toFixed(2)} s`));
}
