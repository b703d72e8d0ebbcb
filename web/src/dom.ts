// Small helpers to build the page's elements without markup in strings.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: any) => void) | undefined>;

/** Makes an element: attributes starting with "on" are listeners, true gives an empty attribute, false leaves it out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, ...children);
  return element;
}

export function append(parent: Element, ...children: Child[]): void {
  for (const child of children) if (child) parent.append(child);
}

/** Replaces all children. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, ...children);
}

/** The element of index.html with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element ${id}`);
  return element as T;
}

/** Sets the text only when it differs, so that nothing is laid out in vain. */
export function text(element: Element, value: string): void {
  if (element.textContent !== value) element.textContent = value;
}

const PATHS: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  back: "M19 5v14l-9-7zM5 5h3v14H5z",
  step: "M5 5v14l9-7zM16 5h3v14h-3z",
  reset: "M12 5V1.5L6.5 6l5.5 4.5V7a5.5 5.5 0 1 1-5.5 5.5h-2A7.5 7.5 0 1 0 12 5z",
  record: "M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12z",
  stop: "M6.5 6.5h11v11h-11z",
  close: "M6.400 5 5 6.400 10.600 12 5 17.600 6.400 19 12 13.400 17.600 19 19 17.600 13.400 12 19 6.400 17.600 5 12 10.600z",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  columns: "M3.5 5h5v14h-5zM9.5 5h5v14h-5zM15.5 5h5v14h-5z",
  link: "M10.600 13.400a1 1 0 0 1-1.400 0 4.5 4.5 0 0 1 0-6.400l3-3a4.5 4.5 0 0 1 6.400 6.400l-1.5 1.5-1.400-1.400 1.5-1.5a2.5 2.5 0 1 0-3.600-3.600l-3 3a2.5 2.5 0 0 0 0 3.600 1 1 0 0 1 0 1.400zm2.800-2.800a1 1 0 0 1 1.400 0 4.5 4.5 0 0 1 0 6.400l-3 3a4.5 4.5 0 0 1-6.400-6.400l1.5-1.5 1.400 1.400-1.5 1.5a2.5 2.5 0 1 0 3.600 3.600l3-3a2.5 2.5 0 0 0 0-3.600 1 1 0 0 1 0-1.400z",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2.200v13.600a6.800 6.800 0 0 1 0-13.600z",
  help: "M11 17h2v2h-2zM12 5a4 4 0 0 0-4 4h2a2 2 0 1 1 3.200 1.600C11.800 11.700 11 12.400 11 15h2c0-1.600.6-2.100 1.600-2.900A4 4 0 0 0 12 5z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  cut: "M8 8.600 12 12.600l8-8L18.600 3 12 9.800 9.5 7.300A3.5 3.5 0 1 0 8 8.600zM6 4.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm0 9A3.5 3.5 0 1 0 9.5 16.700L11 15.200 9.600 13.800 8 15.400a3.5 3.5 0 0 0-2-.6zm0 2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM13.5 14l5.100 6.300 1.400-1.600-4.900-6z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  file: "M6 3h8l5 5v13H6zm7 1.800V9h4.200zM8 5v14h9v-8h-6V5z",
  camera: "M9 5 7.5 7H4v12h16V7h-3.5L15 5zm3 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm0 2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  follow: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm-1-5h2v4h-2zM11 18h2v4h-2zM2 11h4v2H2zM18 11h4v2h-4z",
};

/** An icon of 24 units, drawn in the text's colour. */
export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name] ?? "");
  svg.append(path);
  return svg;
}
