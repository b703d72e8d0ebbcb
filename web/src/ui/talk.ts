// What the page says to its user: problems that stay until they are closed, and notices that go by themselves.

import { byId, h, icon, text } from "../dom";

/** How long a notice stays, ms. */
const STAY = 2200;
let timer = 0;

/** Shows a problem; nothing to clear it. */
export function complain(words: string): void {
  const problem = byId("problem");
  problem.hidden = words === "";
  if (words === "") return problem.replaceChildren();
  const close = h(
    "button",
    { type: "button", class: "tool small", "aria-label": "Close the message", onclick: () => complain("") },
    icon("close"),
  );
  problem.replaceChildren(h("p", {}, words), close);
}

export function notice(words: string): void {
  const place = byId("notice");
  clearTimeout(timer);
  text(place, words);
  place.classList.add("on");
  timer = window.setTimeout(() => place.classList.remove("on"), STAY);
}
