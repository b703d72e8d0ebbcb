// What can be placed, what it is at first, and the words and units of its fields.

import type { Item, Json, Path } from "./json";

const FRICTION = { friction: 0.5 };

export interface Kind {
  label: string;
  word: string;
  help: string;
}

export interface BodyKind extends Kind {
  /** How far its lowest point is below its middle, m. */
  half: number;
  make(): Item;
}

export const BODIES: Record<string, BodyKind> = {
  box: { label: "Box", word: "box", help: "a box that moves", half: 0.25, make: () => solid({ type: "box", size: [0.5, 0.5, 0.5] }) },
  ball: { label: "Ball", word: "ball", help: "a ball that moves", half: 0.25, make: () => solid({ type: "sphere", radius: 0.25 }) },
  capsule: {
    label: "Capsule",
    word: "capsule",
    help: "a rod with round ends",
    half: 0.6,
    make: () => solid({ type: "capsule", radius: 0.1, height: 1 }),
  },
  fixed: {
    label: "Fixed box",
    word: "block",
    help: "a box that never moves",
    half: 0.25,
    make: () => ({ type: "fixed", colliders: [{ shape: { type: "box", size: [1, 0.5, 1] }, material: { ...FRICTION } }] }),
  },
  particle: {
    label: "Particle",
    word: "particle",
    help: "a mass without rotation",
    half: 0.05,
    make: () => ({ type: "particle", mass: 1 }),
  },
};

function solid(shape: Item): Item {
  return { type: "dynamic", mass: 10, shape, colliders: [{ material: { ...FRICTION } }] };
}

export interface JointKind extends Kind {
  list: "joints" | "forces";
  /** It has a point on each body; else both meet at one. */
  two: boolean;
  own: Item;
  /** What may be added to it. */
  extras: Record<string, [Path, Json]>;
}

const limits = (freedom: string, range: Item): [Path, Json] => [["limits"], [{ freedom, ...range }]];
const STRENGTH: [Path, Json] = [["strength"], { force: 5000 }];
const GIVE: [Path, Json] = [["linear"], { stiffness: 10000, damping: 100 }];

export const JOINTS: Record<string, JointKind> = {
  ball: {
    label: "Ball joint",
    word: "ball",
    help: "holds two points together",
    list: "joints",
    two: false,
    own: {},
    extras: { axis: [["axis"], [0, 1, 0]], limits: limits("swing", { upper: 1 }), strength: STRENGTH },
  },
  hinge: {
    label: "Hinge",
    word: "hinge",
    help: "turns about an axis",
    list: "joints",
    two: false,
    own: { axis: [0, 0, 1] },
    extras: { limits: limits("turn", { lower: -1, upper: 1 }), motor: [["motor"], { rate: 1, max_force: 500 }], strength: STRENGTH },
  },
  weld: {
    label: "Weld",
    word: "weld",
    help: "holds two bodies together",
    list: "joints",
    two: false,
    own: {},
    extras: { strength: STRENGTH },
  },
  distance: {
    label: "Distance",
    word: "rod",
    help: "keeps the distance of two points",
    list: "joints",
    two: true,
    own: {},
    extras: { length: [["length"], 1], give: GIVE, strength: STRENGTH },
  },
  rope: {
    label: "Rope",
    word: "rope",
    help: "pulls when it is taut",
    list: "joints",
    two: true,
    own: {},
    extras: { length: [["length"], 1], give: GIVE, strength: STRENGTH },
  },
  spring: {
    label: "Spring",
    word: "spring",
    help: "a spring with a damper",
    list: "forces",
    two: true,
    own: { stiffness: 1000, damping: 10 },
    extras: { rest_length: [["rest_length"], 1] },
  },
};

/** What may be added to a body. */
export const BODY_EXTRAS: Record<string, [Path, Json]> = {
  velocity: [["velocity"], [0, 0, 0]],
  angular_velocity: [["angular_velocity"], [0, 0, 0]],
  rotation: [["rotation"], { axis: [0, 1, 0], degrees: 0 }],
};

const UNITS: Record<string, string> = {
  position: "m", point: "m", points: "m", size: "m", radius: "m", height: "m", length: "m", rest_length: "m", origin: "m", local_point: "m",
  local_points: "m", mass: "kg", density: "kg/m³", inertia: "kg m²", velocity: "m/s", angular_velocity: "rad/s", gravity: "m/s²", degrees: "°",
  linear_damping: "1/s", angular_damping: "1/s", dt: "s", time: "s", force: "N", energy_scale: "J", window: "s", shortest: "m", longest: "m",
  surface_velocity: "m/s", compliance: "m/N", torque: "N m",
}; // prettier-ignore
const TURNING = ["turn", "swing", "twist", "lean", "spin", "steer", "about-u", "about-v", "about-n"];
const LABELS: Record<string, string> = { linear: "give", degrees: "angle", dt: "time step" };

/** SI unit of the field at a path of a part; "none" where it is a number without. */
export function unitOf(path: Path, part: Item): string {
  const words = path.filter((step) => typeof step === "string");
  const key = words[words.length - 1] ?? "";
  const turns =
    words[0] === "limits"
      ? TURNING.includes(String((part["limits"] as Item[] | undefined)?.[Number(path[1])]?.["freedom"]))
      : part["type"] === "hinge";
  if (key === "lower" || key === "upper") return turns ? "rad" : "m";
  if (key === "rate") return turns ? "rad/s" : "m/s";
  if (key === "target") return turns ? "rad" : "m";
  if (key === "max_force" || key === "min_force") return turns ? "N m" : "N";
  if (key === "stiffness") return turns || words[0] === "angular" ? "N m/rad" : "N/m";
  if (key === "damping") return turns || words[0] === "angular" ? "N m s/rad" : "N s/m";
  return UNITS[key] ?? "none";
}

/** The words of a path: limits 1 lower, without what is plain from where it stands. */
export function labelOf(path: Path): string {
  const words = path
    .filter((step, k) => !(step === 0 && k < path.length - 1))
    .map((step) => (typeof step === "number" ? String(step + 1) : (LABELS[step] ?? step.replace(/_/g, " "))));
  const text = words
    .join(" ")
    .replace(/^colliders /, "surface ")
    .replace(/material /, "")
    .replace(/^bodies /, "body ")
    .replace(/^points /, "point ")
    .replace(/^limits (\d)/, "limit $1");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
