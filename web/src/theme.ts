// Light and dark: the system's choice unless the user has made one.

export type Theme = "light" | "dark";
const KEY = "taut-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export function theme(): Theme {
  const own = document.documentElement.dataset["theme"];
  if (own === "light" || own === "dark") return own;
  return system.matches ? "dark" : "light";
}

/** Sets up the theme; `changed` is called whenever it becomes another. `wanted` goes before what was stored. */
export function initTheme(button: HTMLElement, wanted: string, changed: () => void): void {
  const stored = wanted || read();
  if (stored === "light" || stored === "dark") document.documentElement.dataset["theme"] = stored;
  system.addEventListener("change", changed);
  button.addEventListener("click", () => {
    const next = theme() === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    write(next);
    changed();
  });
}

/** Light, dark, or with any other word as the system has it. */
export function setTheme(wanted: string): void {
  if (wanted === "light" || wanted === "dark") document.documentElement.dataset["theme"] = wanted;
  else delete document.documentElement.dataset["theme"];
}

/** A colour of style.css, e.g. "--floor". */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Storage may be forbidden (private windows, file addresses): the theme is then kept for this visit only.
function read(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function write(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    return;
  }
}
