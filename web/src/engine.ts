// What the engine tells as JSON: the types of crates/taut-web. Its calls are typed by what wasm-bindgen makes (pkg/).
// Lengths m, times s, forces N, energies J, angles rad, masses kg.

export interface Parameter {
  name: string;
  unit: string;
  help: string;
  default: number | string;
  min: number | null;
  max: number | null;
  whole: boolean;
  choices: string[];
}

export interface SceneInfo {
  name: string;
  summary: string;
  /** The paper it is from. */
  source: string;
  parameters: Parameter[];
  dt: number;
  time: number;
}

export interface Choice {
  name: string;
  help: string;
}

export interface Choices {
  stabiliser: Choice[];
  solver: Choice[];
  coordinates: Choice[];
}

/** What is left out keeps the scene's own. Written as on the command line. */
export interface Settings {
  stabiliser?: string;
  solver?: string;
  coordinates?: string;
}

export type Vec3 = [number, number, number];

export interface Part {
  mesh: number;
  pos: Vec3;
  rot: [number, number, number, number];
  ground: boolean;
  sensor: boolean;
  guess: boolean;
}

export interface Body {
  name: string;
  motion: "dynamic" | "particle" | "fixed" | "kinematic";
  mass: number;
  link: boolean;
  parts: Part[];
}

export interface Joint {
  name: string;
  kind: string;
  i: number;
  j: number;
}

export interface Rod {
  kind: string;
  radius: number;
  joint: number | null;
}

/** A rope over guides. */
export interface Rope {
  name: string;
  spans: number;
  radius: number;
}

/** A sheave that turns by the rope that runs over it, about the y axis of its mesh. */
export interface Sheave {
  body: number;
  mesh: number;
  pos: Vec3;
  rot: [number, number, number, number];
}

/** What a rope over guides is like: N, rad, m. */
export interface RopeState {
  tensions: number[];
  slacks: number[];
  wraps: number[];
  length: number;
  paidOut: number;
  slack: number;
}

/** A motor on the axle of a drum, or the end of a rope without a drum. */
export interface Winch {
  name: string;
  rope: number;
  drum: boolean;
  /** How fast it hauls in, m/s. */
  speed: number;
  /** What the hand wants, m/s; null while the scene has it. */
  wanted: number | null;
  effort: number | null;
}

/** A motor besides those of winches: m, rad, s, N. */
export interface MotorState {
  name: string;
  /** It turns; else it slides. */
  turns: boolean;
  /** It goes to a position; else it runs at a rate. */
  servo: boolean;
  position: number;
  rate: number;
  /** What the hand wants: a position of a servo, a rate of another; null while the scene has it. */
  wanted: number | null;
  effort: number;
  low: number | null;
  high: number | null;
}

export interface Soft {
  name: string;
  nodes: number;
  triangles: number[];
  edges: number[];
  carriers: number[][];
  weights: number[][];
}

export interface Drawing {
  bodies: Body[];
  joints: Joint[];
  rods: Rod[];
  ropes: Rope[];
  sheaves: Sheave[];
  surface: number[];
  softs: Soft[];
  meshes: number;
  bounds: [Vec3, Vec3];
  follow: number;
}

export interface Ledger {
  change: number;
  work: number;
  damping: number;
  stabiliser: number;
  constraints: number;
  contacts: number;
  broken: number;
  integration: number;
  imbalance: number;
}

export interface Report {
  time: number;
  kinetic: number;
  gravity: number;
  elastic: number;
  total: number;
  ledger: Ledger;
  maxGap: number;
  maxGapJoint: number | null;
  sumGap: number;
  solves: number;
  iterations: number;
  rightHandSides: number;
  contacts: number;
  penetration: number;
  residual: number;
  /** Energy above the start as a part of the scale, without work and without what the start set up; null when not finite. */
  rise: number | null;
  /** Largest gap as a part of the length, none while it is that of the start; null when not finite. */
  opening: number | null;
  /** Why the run is no longer stable after this step. */
  fault: string | null;
  islands: number;
  sleeping: number;
  path: string;
  events: string[];
}

/** What the start set up that could not stand. */
export interface SetUp {
  penetration: number;
  gap: number;
  /** Work of removing both. */
  lift: number;
  /** Energy of velocities that the joints do not allow, gone with the first step. */
  shock: number;
}

/** The message of whatever was thrown. */
export function message(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
