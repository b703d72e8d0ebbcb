// What somebody can drive in a world: motors, winches, gravity; and what can be thrown into it.

import type { Vec3 } from "./engine";
import type { Session } from "./session";

/** Full speed of a winch without a parameter of its name, in lengths of the scene per second; of a motor that slides; of one that turns, rad/s. */
const WINCH = 0.25;
const SLIDE = 0.1;
const TURN = 1;
/** Names of the axes of a crane, in the order in which keys and sticks have them. */
const CRANE = ["slew", "luff", "hoist"];
/** What is thrown: its radius in extents of the scene, its mass in masses of the heaviest body, and its density between these, kg/m^3. */
const SIZE = 0.04;
const PART = 0.5;
const DENSITY = [50, 8000] as const;

/** A motor or a winch. */
export interface Axis {
  kind: "winch" | "motor";
  index: number;
  name: string;
  unit: string;
  /** What a slider goes between: rates, or positions of a servo. */
  low: number;
  high: number;
  servo: boolean;
  /** The rate now, or the position of a servo. */
  now: number;
  /** What the hand wants; null while the scene has it. */
  wanted: number | null;
  /** N m or N; null where it is not known. */
  effort: number | null;
  /** Whether the scene can have it back. */
  free: boolean;
}

/** All that can be driven, winches last, as the active world has them. */
export function axes(session: Session): Axis[] {
  const { run } = session;
  const motors = run.motors.map((motor, index): Axis => {
    const full = named(session, motor.name) ?? (motor.turns ? TURN : round(SLIDE * run.length));
    const reach = motor.turns ? Math.PI : 0.5 * run.length;
    const [low, high] = motor.servo ? [motor.low ?? -reach, motor.high ?? reach] : [-full, full];
    const unit = `${motor.turns ? "rad" : "m"}${motor.servo ? "" : "/s"}`;
    const now = motor.servo ? motor.position : motor.rate;
    return {
      kind: "motor",
      index,
      name: motor.name,
      unit,
      low,
      high,
      servo: motor.servo,
      now,
      wanted: motor.wanted,
      effort: Math.abs(motor.effort),
      free: true,
    };
  });
  const winches = run.winches.map((winch, index): Axis => {
    const full = named(session, winch.name) ?? Math.max(0.1, round(WINCH * run.length));
    return {
      kind: "winch",
      index,
      name: winch.name,
      unit: "m/s",
      low: -full,
      high: full,
      servo: false,
      now: winch.speed,
      wanted: winch.wanted,
      effort: winch.effort,
      free: winch.drum,
    };
  });
  return [...motors, ...winches];
}

/** The axes of keys and sticks: slew, luff and hoist of a crane, else the first that run at a rate. */
export function sticks(session: Session): (Axis | undefined)[] {
  const all = axes(session).filter((axis) => !axis.servo);
  const crane = CRANE.map((name) => all.find((axis) => axis.name === name));
  if (crane.some(Boolean)) return crane;
  return CRANE.map((_, k) => all[k]);
}

/** The winch that keys drive: that of the selected rope, or the one that was driven last. */
export function chosenWinch(session: Session): Axis | null {
  const winches = axes(session).filter((axis) => axis.kind === "winch");
  const own = session.run.winches.findIndex((winch) => winch.rope === session.rope);
  return winches[own >= 0 ? own : Math.min(session.winch, winches.length - 1)] ?? null;
}

/** Drives a motor or a winch in every world that has it; null lets it go. */
export async function drive(session: Session, axis: Pick<Axis, "kind" | "index">, value: number | null): Promise<void> {
  const { index } = axis;
  if (axis.kind === "winch") {
    session.winch = index;
    await session.act({ kind: "haul", winch: index, speed: value });
  } else await session.act({ kind: "drive", motor: index, value });
  session.tell("drive");
}

/** Downward acceleration, m/s^2; what else gravity has stays. */
export async function fall(session: Session, g: number): Promise<void> {
  const [x, , z] = session.run.latest.gravity;
  await session.act({ kind: "gravity", g: [x, -g, z] });
  session.tell("drive");
}

/** Throws a ball or a cube of a size that suits a scene of this extent, m. */
export async function throwBody(session: Session, ball: boolean, extent: number, at: Vec3, velocity: Vec3): Promise<void> {
  const size = round(SIZE * extent);
  const volume = ball ? (4 / 3) * Math.PI * size ** 3 : 8 * size ** 3;
  const heaviest = Math.max(...session.run.drawing.bodies.map((body) => (body.motion === "dynamic" ? body.mass : 0)));
  const mass = Math.min(DENSITY[1] * volume, Math.max(DENSITY[0] * volume, PART * heaviest));
  await session.act({ kind: "throw", ball, size, mass: round(mass, 2), at: tidy(at), velocity: tidy(velocity) });
  session.tell("frame");
}

/** Full speed of a drive that a parameter of the scene is named after. */
function named(session: Session, name: string): number | null {
  const parameter = session.scene?.parameters.find((p) => (p.name === name || p.name === `${name}_speed`) && /\/s$/.test(p.unit));
  return parameter ? Number(session.params[name] ?? parameter.default) || null : null;
}

/** So many digits, so that it looks well. */
function round(x: number, digits = 1): number {
  return Number(x.toPrecision(digits));
}

function tidy(v: Vec3): Vec3 {
  return v.map((x) => round(x, 5)) as Vec3;
}
