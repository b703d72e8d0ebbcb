// The heading above the worlds: one line that says what one sees.

import { byId, text } from "../dom";
import { pretty, sentence, stepText } from "../format";
import type { Session } from "../session";
import { titleOf } from "./groups";
import { isOpening } from "./story";

const COUNTS = ["", "one method", "two methods", "three methods"];

export function headline(session: Session): void {
  const { scene, runs } = session;
  const opening = isOpening(session);
  const summary = scene ? sentence(scene.summary) : "";
  text(byId("headline"), opening ? "15 tonnes dropped on a cable of 200-gram links" : (titleOf(session.title) ?? pretty(session.title)));
  const compared = runs.length > 1 ? `The same scene and the same steps of ${stepText(session.h)} s with ${COUNTS[runs.length]}.` : "";
  text(
    byId("subline"),
    opening
      ? `The same crane three times, the same steps of ${stepText(session.h)} s, three ways to solve them. Pull on anything.`
      : [summary, compared].filter(Boolean).join(" "),
  );
  document.title = session.title;
}
