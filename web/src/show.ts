// What is drawn besides the bodies: the toggles of the page.

export const TOGGLES = [
  { name: "shapes", label: "Shapes", help: "bodies with their shapes", on: true },
  { name: "cables", label: "Cables and rods", help: "cables, ropes, rods and springs", on: true },
  { name: "links", label: "Cable links", help: "the single bodies that a cable is made of", on: false },
  { name: "joints", label: "Joints", help: "where bodies are joined, with the force that the joint carries", on: false },
  { name: "contacts", label: "Contacts", help: "contact points and the forces there", on: false },
  { name: "tension", label: "Tension colours", help: "cables and joints coloured by the force they carry", on: true },
  { name: "stress", label: "Stress colours", help: "deformables coloured by the von Mises stress, grey to red", on: true },
  { name: "edges", label: "Cells", help: "edges of the cells of deformables", on: false },
  { name: "centre", label: "Centre of mass", help: "of all that moves", on: false },
  { name: "sleeping", label: "Sleeping bodies", help: "bodies at rest that cost nothing are dimmed", on: true },
  { name: "damping", label: "Stabiliser's damping", help: "energy that the stabiliser took from each body in the last step", on: false },
  { name: "smooth", label: "Smooth motion", help: "draws between the last two steps; off: every step as it is", on: true },
] as const;

export type Toggle = (typeof TOGGLES)[number]["name"];
export type Show = Record<Toggle, boolean>;

export function initialShow(wanted: string[] | null): Show {
  const show = {} as Show;
  for (const toggle of TOGGLES) show[toggle.name] = wanted ? wanted.includes(toggle.name) : toggle.on;
  return show;
}

/** The names that are on, or null when all are as at the start. */
export function shown(show: Show): string[] | null {
  if (TOGGLES.every((t) => show[t.name] === t.on)) return null;
  return TOGGLES.filter((t) => show[t.name]).map((t) => t.name);
}
