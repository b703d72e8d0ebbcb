// The plots there are: what each draws from the histories of the worlds.

import type { Run } from "../run";
import type { Session } from "../session";
import { colour } from "../theme";
import type { Line, Plot } from "./chart";
import { methodName } from "./panes";

export interface Kind {
  name: string;
  label: string;
  /** What is plotted, in a few words. */
  title: string;
  /** Columns of the history that it shows, for the CSV file. */
  columns(run: Run): string[];
  plot(session: Session): Omit<Plot, "from" | "to">;
  /** Why there is nothing to see. */
  empty?: (session: Session) => string | null;
}

const MOST_STAGES = 4;
const ENERGIES = ["kinetic", "gravity", "elastic", "total"];
const LEDGER = ["work", "damping", "stabiliser", "constraints", "contacts", "broken", "integration"];

function line(run: Run, column: string, name: string, of: string, change: (v: number, first: number) => number = (v) => v): Line {
  const values = run.history.column(column);
  const first = values[0] ?? 0;
  return { name, colour: of, times: run.history.column("time"), values: values.map((v) => change(v, first)) };
}

/** As far as it held: the energy of what is in pieces says nothing. */
function whole(of: Line, run: Run | undefined): Line {
  const end = run?.failure?.time;
  return end === undefined ? of : { ...of, values: of.values.map((v, k) => ((of.times[k] ?? 0) <= end ? v : NaN)) };
}

const tone = (k: number) => colour(`--tone-${(k % 8) + 1}`);
const since = (v: number, first: number) => v - first;

/** One line per world of the same column. */
function worlds(session: Session, column: string, change?: (v: number, first: number) => number): Line[] {
  return session.runs.map((run, k) =>
    line(run, column, methodName(run), session.runs.length > 1 ? colour(`--world-${k + 1}`) : tone(0), change),
  );
}

function energies(session: Session): Omit<Plot, "from" | "to"> {
  const scale = session.run.energyScale;
  if (session.runs.length > 1)
    return { lines: worlds(session, "total", since).map((of, k) => whole(of, session.runs[k])), unit: "J", ceiling: scale };
  return { lines: ENERGIES.map((name, k) => line(session.run, name, name, tone(k), since)), unit: "J" };
}

function stages(run: Run): string[] {
  return [...run.history.columns.keys()].filter((name) => name.startsWith("stage_"));
}

function times(session: Session): Omit<Plot, "from" | "to"> {
  const names = stages(session.run);
  if (session.runs.length > 1 || names.length === 0) {
    return { lines: worlds(session, "step_mean_us").map(seconds), unit: "s", robust: true };
  }
  return { lines: largest(names.map((name) => seconds(line(session.run, name, name.slice(6), "")))), unit: "s", stacked: true };
}

/** The stages that take most of the time, in their order, and the rest as one. */
function largest(lines: Line[]): Line[] {
  const sum = (of: Line) => of.values.slice(-600).reduce((a, b) => a + (b || 0), 0);
  const ranked = [...lines].sort((a, b) => sum(b) - sum(a));
  const kept = lines.filter((of) => ranked.indexOf(of) < MOST_STAGES);
  const rest = lines.filter((of) => !kept.includes(of));
  const other = lines[0]!.values.map((_, k) => rest.reduce((total, of) => total + (of.values[k] || 0), 0));
  return [...kept, { ...lines[0]!, name: "other", values: other }].map((of, k) => ({
    ...of,
    colour: k === kept.length ? tone(7) : tone(k),
  }));
}

/** One line per span of the selected rope in one world, or of its strongest in each of several. */
function spans(session: Session): Omit<Plot, "from" | "to"> {
  const { run } = session;
  const columns = (of: Run) => [...of.history.columns.keys()].filter((name) => name.startsWith("rope_span"));
  if (session.runs.length === 1) {
    const lines = columns(run).map((name, k) => line(run, name, `span ${name.slice(9)}`, tone(k)));
    return { lines, unit: "N" };
  }
  const strongest = (of: Run): number[] => {
    const all = columns(of).map((name) => of.history.column(name));
    return of.history.column("time").map((_, k) => Math.max(...all.map((column) => column[k] ?? NaN)));
  };
  const lines = session.runs.map((of, k) => ({
    name: methodName(of),
    colour: colour(`--world-${k + 1}`),
    times: of.history.column("time"),
    values: strongest(of),
  }));
  return { lines, unit: "N" };
}

function seconds(of: Line): Line {
  return { ...of, values: of.values.map((v) => v * 1e-6) };
}

export const KINDS: Kind[] = [
  { name: "energy", label: "Energy", title: "Energy since the start", columns: () => ENERGIES, plot: energies },
  {
    name: "gap",
    label: "Joint gap",
    title: "Worst joint gap",
    columns: () => ["gap", "gap_sum"],
    plot: (session) => ({ lines: worlds(session, "gap"), unit: "m", log: true }),
  },
  {
    name: "time",
    label: "Time per step",
    title: "Time per step",
    columns: (run) => ["step_us", "step_mean_us", ...stages(run)],
    plot: times,
  },
  {
    name: "ledger",
    label: "Ledger",
    title: "Where energy went",
    columns: () => [...LEDGER, "imbalance"].map((name) => `ledger_${name}`),
    plot: (session) => ({
      lines: LEDGER.map((name, k) => line(session.run, `ledger_${name}`, name, tone(k))),
      unit: "J",
      ceiling: session.run.energyScale,
    }),
  },
  {
    name: "solves",
    label: "Solves",
    title: "Solves per step",
    columns: () => ["solves", "right_hand_sides", "iterations"],
    plot: (session) => ({ lines: worlds(session, "solves"), unit: "" }),
  },
  {
    name: "force",
    label: "Joint force",
    title: "Force of the selected joint",
    columns: () => ["joint_force"],
    plot: (session) => ({ lines: worlds(session, "joint_force"), unit: "N" }),
    empty: (session) => (session.joint === null ? "Click a joint or a cable to select it." : null),
  },
  {
    name: "rope",
    label: "Rope tension",
    title: "Tension of the selected rope, span by span",
    columns: (run) => [...run.history.columns.keys()].filter((name) => name.startsWith("rope_span")),
    plot: spans,
    empty: (session) => (session.rope === null ? "Click a rope to select it." : null),
  },
  {
    name: "paid",
    label: "Rope length",
    title: "Paid-out length and slack of the selected rope",
    columns: () => ["rope_paid_out", "rope_slack"],
    plot: (session) =>
      session.runs.length > 1
        ? { lines: worlds(session, "rope_paid_out"), unit: "m" }
        : {
            lines: [line(session.run, "rope_paid_out", "paid out", tone(0)), line(session.run, "rope_slack", "slack", tone(1))],
            unit: "m",
          },
    empty: (session) => (session.rope === null ? "Click a rope to select it." : null),
  },
  {
    name: "speed",
    label: "Body speed",
    title: "Speed of the selected body",
    columns: () => ["body_speed"],
    plot: (session) => ({ lines: worlds(session, "body_speed"), unit: "m/s" }),
    empty: (session) => (session.body === null ? "Click a body to select it." : null),
  },
];
