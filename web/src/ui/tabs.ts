// On a phone the panels share a sheet at the bottom; these tabs open one of them, or none.

import { byId, fill, h } from "../dom";

const TABS: [string, string][] = [
  ["scene", "Scene"],
  ["drive", "Drive"],
  ["method", "Method"],
  ["show", "Show"],
  ["plots", "Plots"],
];

export function initTabs(changed: () => void): void {
  const app = byId("app");
  const tabs = byId("tabs");
  const open = (name: string) => {
    const now = app.dataset["tab"] === name ? "" : name;
    app.dataset["tab"] = now;
    for (const tab of tabs.children) tab.setAttribute("aria-expanded", String((tab as HTMLElement).dataset["tab"] === now));
    if (now) for (const section of document.querySelectorAll<HTMLDetailsElement>(`.section[data-tab=${now}]`)) section.open = true;
    changed();
  };
  fill(
    tabs,
    ...TABS.map(([name, label]) =>
      h("button", { type: "button", "data-tab": name, "aria-expanded": "false", onclick: () => open(name) }, label),
    ),
  );
}
