// What the opening shows, in plain words: what is compared, why two of three fly apart, and where the third lost its energy.

import { si } from "../format";
import type { Run } from "../run";
import type { Session } from "../session";

/** Simulated time after which the rope has caught the load, s. */
const CAUGHT = 0.9;

/** What is done, and why it ends as it does. */
const WORDS: Record<string, [string, string]> = {
  none: [
    "Solved as most engines do.",
    "Joints hold along the rope, nothing holds the links sideways. Once it is taut they are thrown aside, more in every step.",
  ],
  inertial: [
    "Each link damped by the last pull.",
    "When 15 t snap the rope taut the pull jumps within one step, and the damping comes too late.",
  ],
  aligned: ["The pull stiffens the rope sideways.", "Taut takes that in, and solves again when the pull jumps. It holds."],
};

/** Whether the page shows its opening: the crane as it is, with several methods. */
export function isOpening(session: Session): boolean {
  const { scene, params, runs } = session;
  return scene?.name === "crane" && Object.keys(params).length === 0 && runs.length > 1;
}

/** What a world of the opening shows, and why; nothing for a method that is not in the story. */
export function storyOf(run: Run): [string, string] {
  const method = run.method.stabiliser.split(":")[0] ?? "";
  const [what, why] = WORDS[method] ?? ["", ""];
  if (method !== "aligned" || run.failure || run.frame.time < CAUGHT) return [what, why];
  const totals = run.history.column("total");
  const lost = (totals[0] ?? 0) - run.history.last("total");
  const caught = -run.history.last("ledger_constraints");
  if (!(caught > 0.5 * lost)) return [what, why];
  return [what, `${why} Of ${si(lost, "J", 2)} lost, ${si(caught, "J", 2)} went into the jerk with which the rope caught the load.`];
}
