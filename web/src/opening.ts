// What a link asks for: which scene is opened, how far it is run, and to whom its picture goes.

import { Vector3 } from "three";
import { deliver, composed } from "./deliver";
import { byId, text } from "./dom";
import type { Stage } from "./draw/stage";
import { message } from "./engine";
import { parseStep } from "./format";
import { readLink, type Link } from "./link";
import { COMPARED, type Session } from "./session";
import type { Tape } from "./tape";
import { unpackTape } from "./tapelink";
import { complain, notice } from "./ui/talk";

/** Most steps that a link may run ahead. */
const MOST_STEPS = 200_000;
/** The extent is widened after so many steps of them. */
const LOOK = 8;

/** Does what the link says; what it cannot is said, and the opening is there instead. */
export async function start(session: Session, stage: Stage, link: Link): Promise<void> {
  const opened = link.file ? await openAddress(session, link) : await openLink(session, link);
  const why = byId("problem").textContent ?? "";
  if (!opened && link.to) throw new Error(why);
  if (!opened) {
    await openLink(session, readLink(""));
    // The opening has cleared what was said of the link.
    complain(why);
  }
  if (link.camera) stage.orbit.restore(link.camera);
  if (link.caption && !link.to) {
    byId("caption").hidden = false;
    text(byId("caption"), link.caption);
  }
  try {
    await runTo(session, stage, link.at);
  } catch (thrown) {
    if (link.to) throw thrown;
    complain(message(thrown));
  }
  if (link.from || link.look || link.zoom !== 1) {
    // What the scene would be seen from without that.
    stage.draw(performance.now());
    const point = (at: [number, number, number] | null) => at && new Vector3(...at);
    stage.orbit.look(point(link.from), point(link.look), link.zoom);
    stage.dirty = true;
  }
  byId("loading").remove();
  if (!link.to) return session.play(!link.shot && link.play && link.at === 0);
  await deliver(link.to, composed(stage, session, link.caption));
  document.documentElement.dataset["ready"] = "true";
}

/** What a link asks for; without a scene the opening: the crane, three methods. */
export async function openLink(session: Session, link: Link): Promise<boolean> {
  const step = linkStep(link);
  if (Number.isNaN(step)) return false;
  if (!link.scene) return session.open("crane", {}, COMPARED, step);
  try {
    const tape = link.tape ? await unpackTape(link.tape) : null;
    const opened = await session.open(link.scene, link.params, link.worlds.length > 0 ? link.worlds : [{}], step);
    if (opened && tape) replay(session, tape);
    return opened;
  } catch (thrown) {
    complain(message(thrown));
    return false;
  }
}

/** From its start the scene does again what is on a tape. */
function replay(session: Session, tape: Tape): void {
  session.tape = tape;
  notice(`Replays what was done: ${(tape.end * session.h).toFixed(1)} s`);
}

/** The step of a link, if it has one; NaN when it cannot be, and the reason is shown. */
function linkStep(link: Link): number | undefined {
  const step = link.dt ? parseStep(link.dt) : undefined;
  if (Number.isNaN(step)) complain(`Time step ${link.dt}: expected a number of seconds from 0 to 1, such as 0.01 or 1/60.`);
  return step;
}

/** A scene file that the server has. */
async function openAddress(session: Session, link: Link): Promise<boolean> {
  const step = linkStep(link);
  if (Number.isNaN(step)) return false;
  const answer = await fetch(link.file).catch(() => null);
  if (!answer?.ok) {
    complain(`${link.file}: ${answer ? `the server answered ${answer.status}` : "it cannot be read from here"}.`);
    return false;
  }
  const name = link.file.split("/").pop() ?? link.file;
  const worlds = link.worlds.length > 0 ? link.worlds : [{}];
  return session.openFile({ name, text: await answer.text() }, worlds, step);
}

/** Runs on to a time as fast as it goes. */
export async function runTo(session: Session, stage: Stage, time: number): Promise<void> {
  const steps = Math.round(time / session.h);
  if (steps > MOST_STEPS)
    throw new Error(`at = ${time} s with steps of ${session.h} s makes ${steps} steps: expected at most ${MOST_STEPS}`);
  for (let k = 0; k < steps; k += LOOK) {
    await session.stepBy(Math.min(LOOK, steps - k));
    for (const view of stage.views) view.grow();
  }
  stage.fitNow(document.documentElement.classList.contains("shot"));
}
