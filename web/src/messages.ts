// What the page and the worker of a world say to each other. Every request has one answer, and they are answered in order.

import type { Choices, Drawing, MotorState, Report, RopeState, SceneInfo, Settings, SetUp, Vec3, Winch } from "./engine";

/** Where a world comes from: a scene of the library, or the text of a scene file. */
export type Source = { scene: string; params: Record<string, string> } | { file: string };

/** What somebody does to a world while it runs. The same inputs before the same steps make the same run. */
export type Input =
  /** Takes hold of a body at a point of its own, m. */
  | { kind: "grab"; body: number; at: Vec3 }
  /** Moves the hand by so much from where it took hold, m. */
  | { kind: "drag"; by: Vec3 }
  | { kind: "release" }
  /** Hauls in by a winch, m/s; null lets it go. */
  | { kind: "haul"; winch: number; speed: number | null }
  /** Drives a motor: a servo to a position, m or rad, another at a rate, m/s or rad/s; null lets it go. */
  | { kind: "drive"; motor: number; value: number | null }
  /** m/s^2 */
  | { kind: "gravity"; g: Vec3 }
  /** A ball or a cube: radius or half an edge, m; kg; m; m/s. */
  | { kind: "throw"; ball: boolean; size: number; mass: number; at: Vec3; velocity: Vec3 }
  /** Cuts a joint, or a rope over guides at a point or in its middle: one of so many. A world that has others is left alone. */
  | { kind: "cut"; joint: number; of: number }
  | { kind: "cutRope"; rope: number; of: number; at: Vec3 | null }
  /** Cuts what lies between two rays from the eye: nine numbers, m. */
  | { kind: "knife"; at: number[] };

/** What somebody does to the page that the worlds depend on: the method of one of them, or the step of all. */
export type Setting = { kind: "configure"; world: number; settings: Settings } | { kind: "pace"; h: number };

/** What is looked at: sent along with every frame. */
export interface Watch {
  body: number | null;
  joint: number | null;
  rope: number | null;
  contacts: boolean;
  damping: boolean;
  stress: boolean;
  /** Times of the stages of a step. */
  stages: boolean;
}

export interface Mesh {
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
}

/** What there is to draw; sent when it has changed. */
export interface Shape {
  drawing: Drawing;
  meshes: Mesh[];
}

export interface Failure {
  time: number;
  why: string;
}

/** A world after its last step. */
export interface Frame {
  steps: number;
  time: number;
  shape: Shape | null;
  poses: Float32Array;
  rods: Float64Array;
  ropes: Float64Array;
  sheaves: Float64Array;
  softs: Float32Array;
  asleep: Uint8Array;
  joints: Float64Array;
  contacts: Float64Array;
  damping: Float64Array;
  stress: Float32Array;
  centre: Float64Array;
  /** Point, target and force of the hand; empty when nothing is held. */
  grabbed: Float64Array;
  winches: Winch[];
  motors: MotorState[];
  gravity: Vec3;
  /** Surfaces that something can hit. */
  surfaces: number;
  /** Of the body and the rope that are watched. */
  motion: Float64Array | null;
  rope: RopeState | null;
  report: Report | null;
  setUp: SetUp | null;
  failure: Failure | null;
  /** It cannot or should not go on. */
  frozen: boolean;
  worstGap: number;
  /** Seconds that the last step took, and the mean of those before it. */
  stepSeconds: number;
  meanStep: number;
  recorded: number;
  /** The oldest step that can be gone back to, if there is one, and the memory of all that are kept, bytes. */
  oldest: number | null;
  keptBytes: number;
  /** One row for each step since the last frame. */
  rows: Record<string, number>[];
}

/** What stays as long as a world does. */
export interface Opened {
  dt: number;
  length: number;
  energyScale: number;
  method: Required<Settings>;
}

export interface Catalogue {
  scenes: SceneInfo[];
  choices: Choices;
  version: string;
}

/** Every request with what it says and what it is answered, besides a frame where the world may have changed. */
export interface Calls {
  /** The engine, compiled once for all workers. */
  load: { says: { module: WebAssembly.Module }; answers: Catalogue };
  open: { says: { source: Source; settings: Settings; watch: Watch }; answers: Opened };
  step: { says: { count: number; h: number }; answers: null };
  watch: { says: { watch: Watch }; answers: null };
  /** How many things were cut, of inputs that cut. */
  input: { says: { input: Input }; answers: number };
  configure: { says: { settings: Settings }; answers: Required<Settings> };
  /** Goes back to a step that is kept, or to one after it by taking the steps between again with what was done between them. */
  back: { says: { steps: number }; answers: null };
  hash: { says: object; answers: string };
  /** The world as it is now, as the text of a scene file, and what that does not say. */
  saved: { says: object; answers: { text: string; warnings: string[] } };
  rope: { says: { rope: number }; answers: RopeState };
  record: { says: { fps: number }; answers: null };
  recording: { says: object; answers: Uint8Array };
  /** Median seconds of so many steps, without report and frame. */
  bare: { says: { count: number; h: number }; answers: number };
}

export type Call = keyof Calls;

export interface Request {
  id: number;
  call: Call;
  says: unknown;
}

export interface Reply {
  id: number;
  answer: unknown;
  frame: Frame | null;
  /** Why it was refused; what was before it stands. */
  error: string | null;
}
