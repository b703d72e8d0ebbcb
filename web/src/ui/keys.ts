// Keys of the page; those that a field or a button needs are left to it.

import type { Pointer } from "../draw/pointer";
import type { Stage } from "../draw/stage";
import type { Session } from "../session";
import { HeldKeys } from "./held";

export interface Commands {
  stepOnce(): void;
  stepBack(): void;
  fit(): void;
  follow(): void;
  compare(): void;
  scenes(): void;
  knife(): void;
  help(): void;
  ball(): void;
  box(): void;
}

export function listenKeys(session: Session, stage: Stage, pointer: Pointer, commands: Commands): void {
  const orbit: Record<string, () => void> = {
    ArrowLeft: () => stage.orbit.turn(0.08, 0),
    ArrowRight: () => stage.orbit.turn(-0.08, 0),
    ArrowUp: () => stage.orbit.turn(0, -0.08),
    ArrowDown: () => stage.orbit.turn(0, 0.08),
    "+": () => stage.orbit.zoom(0.9),
    "=": () => stage.orbit.zoom(0.9),
    "-": () => stage.orbit.zoom(1.1),
  };
  const pull: Record<string, () => void> = {
    ArrowLeft: () => pointer.nudge(-1, 0),
    ArrowRight: () => pointer.nudge(1, 0),
    ArrowUp: () => pointer.nudge(0, 1),
    ArrowDown: () => pointer.nudge(0, -1),
  };
  const always: Record<string, () => void> = {
    ",": () => commands.stepBack(),
    ".": () => commands.stepOnce(),
    r: () => void session.again(),
    f: () => commands.fit(),
    o: () => commands.follow(),
    c: () => commands.compare(),
    s: () => commands.scenes(),
    x: () => void session.cut(),
    k: () => commands.knife(),
    "?": () => commands.help(),
    Escape: () => session.select(null, null),
    b: () => commands.ball(),
    n: () => commands.box(),
    "1": () => session.activate(0),
    "2": () => session.activate(1),
    "3": () => session.activate(2),
  };
  const held = new HeldKeys(session);
  document.addEventListener("keydown", (e) => {
    const target = e.target instanceof Element ? e.target : document.body;
    if (e.ctrlKey || e.metaKey || e.altKey || target.closest("dialog[open]")) return;
    if (target.matches("input:not([type=range], [type=checkbox]), select, textarea")) return;
    const turn = target.matches(".view") ? (e.shiftKey && pull[e.key]) || orbit[e.key] : undefined;
    const space = e.key === " " && !target.matches("button, summary, input, a") ? () => session.play(!session.playing) : undefined;
    const act = turn ?? space ?? always[e.key] ?? held.press(e.key);
    if (!act) return;
    e.preventDefault();
    act();
    stage.dirty = true;
  });
  document.addEventListener("keyup", (e) => e.key === "Shift" && pointer.release());
}
