// What is known of the selected body, joint and rope, as names and values.

import { plain, si } from "../format";
import type { Session } from "../session";

export type Fact = [string, string];

export function facts(session: Session): Fact[] {
  const { body, joint, rope, run } = session;
  const { frame, drawing } = run;
  const rows: Fact[] = [];
  const chosen = body === null ? undefined : drawing.bodies[body];
  if (chosen) {
    const [speed, turn] = frame.motion ?? [];
    rows.push(["Mass", `${plain(chosen.mass)} kg`]);
    if (speed !== undefined && turn !== undefined) rows.push(["Speed", si(speed, "m/s")], ["Turns at", `${plain(turn, 3)} rad/s`]);
  }
  const held = joint === null ? undefined : drawing.joints[joint];
  if (held && joint !== null) {
    const [x = 0, y = 0, z = 0, gap = 0] = frame.joints.subarray(8 * joint + 3);
    rows.push(["Joint", held.kind], ["Force", si(Math.hypot(x, y, z), "N")], ["Gap", si(gap, "m")]);
  }
  const now = frame.rope;
  if (rope !== null && now) {
    rows.push(["Length", si(now.length, "m")], ["Paid out", si(now.paidOut, "m")], ["Slack", si(now.slack, "m")]);
    now.tensions.forEach((tension, k) => rows.push([`Span ${k}`, tension > 0 ? si(tension, "N") : "slack"]));
  }
  return rows;
}

/** The name of what is selected. */
export function nameOf(session: Session): string {
  const { body, joint, rope, run } = session;
  const { bodies, joints, ropes } = run.drawing;
  if (rope !== null) return ropes[rope]?.name || `rope ${rope}`;
  if (body !== null && !bodies[body]?.link) return bodies[body]?.name || `body ${body}`;
  if (joint !== null) return joints[joint]?.name || `${joints[joint]?.kind ?? "joint"} ${joint}`;
  return body === null ? "" : bodies[body]?.name || `body ${body}`;
}
