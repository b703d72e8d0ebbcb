// The engine as the page sees it: the types of crates/taut-web, and its loading.
// Every failing call throws a string, a readable message. Lengths m, times s, forces N, energies J, angles rad, masses kg.

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

/** One simulated world. The arrays it returns are copies; their layouts are written at the functions of crates/taut-web. */
export interface Sim {
  free(): void;
  readonly name: string;
  readonly dt: number;
  readonly duration: number;
  readonly length: number;
  readonly energyScale: number;
  readonly time: number;
  readonly steps: number;
  hash(): string;
  method(): string;
  configure(settings: string): void;
  step(h: number): void;
  profiledStep(h: number): void;
  readonly edition: number;
  drawing(): string;
  meshPositions(k: number): Float32Array;
  meshNormals(k: number): Float32Array;
  meshIndices(k: number): Uint32Array;
  poses(): Float32Array;
  asleep(): Uint8Array;
  damping(): Float64Array;
  joints(): Float64Array;
  rods(): Float64Array;
  ropes(): Float64Array;
  sheaves(): Float64Array;
  winches(): string;
  haul(winch: number, speed: number): void;
  letGo(winch: number): void;
  rope(k: number): string;
  cutRope(k: number, at?: Float64Array): void;
  softs(): Float32Array;
  stress(): Float32Array;
  contacts(): Float64Array;
  report(): string;
  setUp(): string;
  stages(): string;
  centre(): Float64Array;
  grab(body: number, x: number, y: number, z: number): void;
  drag(x: number, y: number, z: number): void;
  release(): void;
  grabbed(): Float64Array;
  cut(joint: number): void;
  knife(at: Float64Array): number;
  bodyMotion(k: number): Float64Array;
  record(fps: number): void;
  readonly recorded: number;
  recording(): Uint8Array;
}

interface Module {
  default(input: { module_or_path: URL }): Promise<unknown>;
  scenes(): string;
  choices(): string;
  version(): string;
  Sim: {
    scene(name: string, parameters: string, settings: string): Sim;
    file(text: string, settings: string): Sim;
  };
}

export interface Engine {
  scenes: SceneInfo[];
  choices: Choices;
  version: string;
  scene(name: string, parameters: Record<string, string>, settings: Settings): Sim;
  file(text: string, settings: Settings): Sim;
}

/** Loads the module that lies beside the page's script. */
export async function load(): Promise<Engine> {
  const address = new URL("engine/taut_web.js", import.meta.url).href;
  const module = (await import(address)) as Module;
  await module.default({ module_or_path: new URL("engine/taut_web_bg.wasm", import.meta.url) });
  return {
    scenes: JSON.parse(module.scenes()) as SceneInfo[],
    choices: JSON.parse(module.choices()) as Choices,
    version: module.version(),
    scene: (name, parameters, settings) =>
      module.Sim.scene(name, JSON.stringify(parameters), JSON.stringify(settings)),
    file: (text, settings) => module.Sim.file(text, JSON.stringify(settings)),
  };
}

/** The message of whatever was thrown. */
export function message(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
