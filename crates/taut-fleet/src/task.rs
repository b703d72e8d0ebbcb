//! One run of a sweep: what it is, and what it came to.

use crate::cell::Cell;
use crate::kick::{KICK, kick};
use crate::row::Row;
use crate::source::{Ready, Source};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use taut::World;
use taut_scenes::signals::{Signals, Wanted};
use taut_scenes::{Outcome, run_with};

/// One run, with all that it takes: a small value that goes over any wire as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its number in the sweep, from 0.
    pub run: u64,
    /// The scene.
    pub scene: Source,
    /// What is set: parameters of the scene, `dt` and `time` (s), options, or places in a scene file.
    #[serde(default)]
    pub set: Vec<(String, Cell)>,
    /// The seed of the start; the start is that of the scene without one.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Standard deviation of the velocities that a seed adds, m/s. Without it, [`KICK`] for scenes that have no parameter `seed`, and none
    /// for those that have one.
    #[serde(default)]
    pub kick: Option<f64>,
    /// Names of signals whose least, largest, mean and last values are told; an empty list stands for all. Without it, none.
    #[serde(default)]
    pub signals: Option<Vec<String>>,
}

/// A task that has been done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// The number of its task.
    pub run: u64,
    /// What it came to: a function of the task alone.
    pub row: Row,
    /// How long it took, which is another time every time.
    pub timing: Timing,
}

/// How long a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Time of the whole task, s.
    pub seconds: f64,
    /// Steps per second of it.
    pub steps_per_second: f64,
}

/// Runs a task. What goes wrong is told in the row: its `verdict` is "stable", "diverged", or "failed" where there was no run, and `message`
/// says why.
pub fn run_task(task: &Task) -> Done {
    run_task_while(task, &|| true).unwrap_or_else(|| failed(task, "stopped before its end".into()))
}

/// The same; nothing when `go_on` said no before the run was over.
pub fn run_task_while(task: &Task, go_on: &dyn Fn() -> bool) -> Option<Done> {
    let begin = Instant::now();
    // A panic is a mistake in the engine. It costs this run and no other.
    let done = catch_unwind(AssertUnwindSafe(|| attempt(task, go_on)));
    let mut done = match done {
        Ok(Ok(row)) => Done { run: task.run, row: row?, timing: Timing::default() },
        Ok(Err(message)) => failed(task, message),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
            failed(task, format!("panic: {text}"))
        }
    };
    let seconds = begin.elapsed().as_secs_f64();
    let steps = done.row.number("steps").unwrap_or(0.0);
    done.timing = Timing { seconds, steps_per_second: if seconds > 0.0 { steps / seconds } else { 0.0 } };
    Some(done)
}

fn failed(task: &Task, message: String) -> Done {
    let mut row = head(task, None);
    row.push("verdict", Cell::Text("failed".into()));
    row.push("message", Cell::Text(message));
    Done { run: task.run, row, timing: Timing::default() }
}

/// The scene at its start, and the signals that are wanted of it.
fn build(task: &Task) -> Result<(Ready, Signals), String> {
    let mut ready = task.scene.build(&task.set, task.seed)?;
    if let Some(seed) = task.seed {
        let speed = task.kick.unwrap_or(if task.scene.has_seed() { 0.0 } else { KICK });
        kick(&mut ready.scene.world, seed, speed).map_err(|e| e.to_string())?;
    }
    let wanted = task.signals.as_deref().map_or(Wanted::None, |names| Wanted::of(Some(names)));
    let signals = Signals::new(&ready.scene, ready.from_file, &ready.follow, &wanted);
    Ok((ready, signals.map_err(|e| format!("signals: {e}"))?))
}

/// Whether a task can be built.
pub(crate) fn check(task: &Task) -> Result<(), String> {
    build(task).map(drop)
}

/// The row; none when it was stopped.
fn attempt(task: &Task, go_on: &dyn Fn() -> bool) -> Result<Option<Row>, String> {
    let (mut ready, signals) = build(task)?;
    let mut meter = Meter::new(signals);
    let edges = !ready.scene.edges.is_empty();
    let mut stopped = false;
    let (dt, time) = (ready.dt, ready.time);
    let outcome = run_with(&mut ready.scene, dt, time, |world, _| {
        meter.see(world);
        stopped = !go_on();
        !stopped
    });
    if stopped {
        return Ok(None);
    }
    let outcome = outcome.map_err(|e| e.to_string())?;
    let mut row = head(task, Some(&ready));
    tail(&mut row, &outcome, edges);
    meter.done(&mut row);
    Ok(Some(row))
}

/// The columns that say what was run: number, what was set, seed, step and time (s).
fn head(task: &Task, ready: Option<&Ready>) -> Row {
    let mut row = Row::default();
    row.push("run", Cell::count(task.run));
    for (name, cell) in &task.set {
        row.push(column(name), cell.clone());
    }
    row.push("seed", task.seed.map_or(Cell::Missing, Cell::count));
    for (name, value) in [("dt", ready.map(|r| r.dt)), ("time", ready.map(|r| r.time))] {
        if row.get(name).is_none() {
            row.push(name, value.into());
        }
    }
    row
}

/// Columns that every run has, whatever the scene's parameters are called.
const FIXED: [&str; 32] = [
    "run",
    "seed",
    "verdict",
    "message",
    "steps",
    "simulated",
    "stopped",
    "length",
    "max_gap",
    "max_gap_rel",
    "sum_gap_rel",
    "end_gap",
    "max_strain",
    "end_strain",
    "turn",
    "energy_start",
    "energy_end",
    "energy_scale",
    "energy_left",
    "energy_max_rise",
    "kinetic_peak_first",
    "kinetic_peak_last",
    "ledger_imbalance",
    "solves_per_step",
    "residual",
    "penetration",
    "unconverged_steps",
    "events",
    "broken",
    "bodies",
    "rows",
    "state_hash",
];

/// The name of the column of something that is set: its own, unless the column of a result has that.
pub(crate) fn column(name: &str) -> String {
    if FIXED.contains(&name) || name.starts_with("ledger_") { format!("set.{name}") } else { name.to_owned() }
}

/// The columns that say what it came to, in the words of `taut run --json`.
fn tail(row: &mut Row, o: &Outcome, edges: bool) {
    let text = |t: &str| Cell::Text(t.to_owned());
    row.push("verdict", text(if o.stable { "stable" } else { "diverged" }));
    row.push("message", o.failure.as_deref().map_or(Cell::Missing, text));
    row.push("steps", Cell::count(o.steps));
    row.push("simulated", Cell::finite(o.dt * o.steps as f64));
    row.push("stopped", o.stopped.as_ref().map_or(Cell::Missing, |s| text(&s.event)));
    let strain = |x: f64| if edges { Cell::finite(x) } else { Cell::Missing };
    let bounded = o.bounded.as_ref();
    let [work, damping, stabiliser, constraints, integration, contacts, broken, elements, plastic] =
        o.ledger.map(Cell::finite);
    for (name, cell) in [
        ("length", Cell::finite(o.length)),
        ("max_gap", Cell::finite(o.max_gap)),
        ("max_gap_rel", Cell::finite(o.max_gap_rel)),
        ("sum_gap_rel", Cell::finite(o.sum_gap_rel)),
        ("end_gap", Cell::finite(o.end_gap)),
        ("max_strain", strain(o.max_strain)),
        ("end_strain", strain(o.end_strain)),
        ("turn", Cell::finite(o.turn)),
        ("energy_start", Cell::finite(o.energy_start)),
        ("energy_end", Cell::finite(o.energy_end)),
        ("energy_scale", Cell::finite(o.energy_scale)),
        ("energy_left", Cell::finite(o.energy_left)),
        ("energy_max_rise", Cell::finite(o.energy_max_rise)),
        ("kinetic_peak_first", Cell::finite(o.kinetic_peak_first)),
        ("kinetic_peak_last", Cell::finite(o.kinetic_peak_last)),
        ("ledger_work", work),
        ("ledger_damping", damping),
        ("ledger_stabiliser", stabiliser),
        ("ledger_constraints", constraints),
        ("ledger_integration", integration),
        ("ledger_contacts", contacts),
        ("ledger_broken", broken),
        ("ledger_elements", elements),
        ("ledger_plastic", plastic),
        ("ledger_imbalance", Cell::finite(o.ledger_imbalance)),
        ("solves_per_step", Cell::finite(o.solves_per_step)),
        ("residual", Cell::finite(o.residual)),
        ("penetration", bounded.map_or(Cell::Missing, |b| Cell::finite(b.penetration))),
        ("unconverged_steps", bounded.map_or(Cell::Missing, |b| Cell::count(b.unconverged_steps))),
        ("events", Cell::count(o.fired.len() as u64)),
        ("broken", Cell::count(o.broken.len() as u64)),
        ("bodies", Cell::count(o.bodies as u64)),
        ("rows", Cell::count(o.rows as u64)),
        ("state_hash", Cell::Text(format!("{:016x}", o.state_hash))),
    ] {
        row.push(name, cell);
    }
}

/// Least, largest, mean and last values of signals.
struct Meter {
    signals: Signals,
    seen: Vec<Range>,
    values: Vec<Option<f64>>,
}

#[derive(Clone, Copy)]
struct Range {
    least: f64,
    largest: f64,
    sum: f64,
    count: u64,
    last: f64,
}

impl Meter {
    fn new(signals: Signals) -> Self {
        let none = Range { least: f64::INFINITY, largest: f64::NEG_INFINITY, sum: 0.0, count: 0, last: f64::NAN };
        let seen = vec![none; signals.names().len()];
        Meter { signals, seen, values: Vec::new() }
    }

    fn see(&mut self, world: &World) {
        self.values.clear();
        self.signals.values(world, &mut self.values);
        for (r, x) in self.seen.iter_mut().zip(&self.values) {
            // What is gone has no values any more.
            let Some(x) = *x else { continue };
            *r =
                Range { least: r.least.min(x), largest: r.largest.max(x), sum: r.sum + x, count: r.count + 1, last: x };
        }
    }

    fn done(&self, row: &mut Row) {
        for (name, r) in self.signals.names().iter().zip(&self.seen) {
            let mean = r.sum / r.count as f64;
            for (word, x) in [("min", r.least), ("max", r.largest), ("mean", mean), ("end", r.last)] {
                row.push(format!("{name} {word}"), Cell::finite(x));
            }
        }
    }
}
