//! The report of a run for people: one aligned table, with units.

use crate::format::{number, percent, si, step};
use crate::load::Loaded;
use crate::run::Done;
use std::f64::consts::TAU;
use std::fmt::Write;
use taut_scenes::{AnytimeOutcome, BoundedOutcome, GAP_LIMIT, Outcome, RISE_LIMIT, Value};

/// The table.
pub fn text(loaded: &Loaded, done: &Done) -> String {
    let o = &done.outcome;
    let mut t = Table(String::new());
    t.line("scene", &loaded.name);
    if !loaded.parameters.is_empty() {
        t.list(
            "parameters",
            loaded.parameters.iter().map(|(name, value, unit)| match value {
                Value::Number(x) => format!("{name}={} {unit}", number(*x)).trim_end().to_owned(),
                Value::Choice(c) => format!("{name}={c}"),
            }),
        );
    }
    let time = number(o.dt * o.steps as f64);
    t.line("run", &format!("{} steps of {} s, {time} s", o.steps, step(o.dt)));
    let rows = if o.bounded.is_some() { format!(", bounded rows {}", done.method.bounded) } else { String::new() };
    t.line(
        "method",
        &format!(
            "{} coordinates, stabiliser {}, solver {}{rows}",
            done.method.coordinates, done.method.stabiliser, done.method.solver
        ),
    );
    t.line("size", &size(done));
    t.line("verdict", &verdict(done));
    if let Some(warning) = warning(done) {
        t.line("WARNING", &warning);
    }
    gaps(&mut t, o);
    motion(&mut t, loaded, done);
    energies(&mut t, o);
    if let Some(b) = &o.bounded {
        bounds(&mut t, b, done.method.tolerance);
    }
    if let Some(a) = &o.anytime {
        anytime(&mut t, a);
    }
    cost(&mut t, done);
    t.0
}

fn size(done: &Done) -> String {
    let o = &done.outcome;
    let shape = match done.last.as_ref().map(|r| r.is_tree) {
        Some(true) => ", no loops",
        Some(false) => ", with loops",
        None => "",
    };
    let bodies = if o.bodies == 1 { "1 body".into() } else { format!("{} bodies", o.bodies) };
    format!("{bodies}, {} constraint rows{shape}, {}", o.rows, si(o.bytes as f64, "B"))
}

fn verdict(done: &Done) -> String {
    let ended = if done.interrupted { "; interrupted" } else { "" };
    match &done.outcome.failure {
        Some(why) => format!("DIVERGED {why}{ended}"),
        None => format!("stable: gaps and energy stayed within their limits{ended}"),
    }
}

fn gaps(t: &mut Table, o: &Outcome) {
    t.gap();
    let of = |rel: f64| format!("{} of the length", percent(rel));
    let limit = format!("{} (length {}, limit {})", of(o.max_gap_rel), si(o.length, "m"), percent(GAP_LIMIT));
    t.measure("largest gap of a joint", &si(o.max_gap, "m"), &limit);
    t.measure("largest sum of gaps", &si(o.sum_gap_rel * o.length, "m"), &of(o.sum_gap_rel));
    t.measure("largest gap at the end", &si(o.end_gap, "m"), &of(o.end_gap / o.length));
}

/// Turn below which it is not worth a line, rad.
const LEAST_TURN: f64 = 0.01;

/// Strains of the edges, the turn of the followed body, and what was asked for.
fn motion(t: &mut Table, loaded: &Loaded, done: &Done) {
    let o = &done.outcome;
    if !loaded.scene.edges.is_empty() {
        t.measure("largest strain", &percent(o.max_strain), "of an edge of the scene");
        t.measure("strain at the end", &percent(o.end_strain), "");
    }
    if o.turn.abs() >= LEAST_TURN {
        let turns = format!("{} turns of the followed body about its own y axis", number(o.turn / TAU));
        t.measure("turn", &format!("{} rad", number(o.turn)), &turns);
    }
    if let Some(p) = &done.extra.path {
        let against = format!("against a step of {} s over {} s", step(p.reference), number(p.time));
        match (p.distance, p.distance_rel, p.at, p.travel) {
            (Some(distance), Some(rel), Some(at), Some(travel)) => {
                let note = format!("{} of the length, at {} s, {against}", percent(rel), number(at));
                t.measure("path error", &si(distance, "m"), &note);
                t.measure("path of the reference", &si(travel, "m"), "length of the path of the followed body");
            }
            _ => {
                t.line("path error", &format!("not measured {against}: {}", p.failure.as_deref().unwrap_or("no path")))
            }
        }
    }
    if let Some(s) = &done.extra.smooth {
        let note = format!("of that of the angular accelerations, {} rad/s^2 rms", number(s.rms));
        t.measure(&format!("power above {} Hz", number(s.cutoff)), &percent(s.share_above), &note);
    }
}

fn energies(t: &mut Table, o: &Outcome) {
    t.gap();
    let joule = |x: f64| si(x, "J");
    let of = |x: f64| format!("{} of the scale", percent(x / o.energy_scale));
    t.measure("energy at the start", &joule(o.energy_start), &format!("scale {}", joule(o.energy_scale)));
    let change = format!("changed by {}", of(o.energy_end - o.energy_start));
    t.measure("energy at the end", &joule(o.energy_end), &change);
    // A highest point below the start is no rise.
    let rise = (o.energy_max_rise * o.energy_scale).max(0.0);
    t.measure("largest rise", &joule(rise), &format!("{} (limit {})", of(rise), percent(RISE_LIMIT)));
    if let Some(s) = &o.set_up {
        let note = "of penetrations and gaps that the start set up, removed: no rise of the run's";
        if s.lift > 0.0 {
            t.measure("lift", &joule(s.lift), note);
        }
        if s.shock > 0.0 {
            t.measure("shock", &joule(s.shock), "of start velocities that cannot be, gone with the first step");
        }
    }
    t.measure("first kinetic peak", &joule(o.kinetic_peak_first), "in the scene's window at the start");
    if o.kinetic_peak_last > 0.0 {
        t.measure("last kinetic peak", &joule(o.kinetic_peak_last), "in the window at the end");
    }
    t.heading("where energy came from (+) and went (-)");
    let names =
        ["forces and drives", "damping", "stabiliser", "constraints", "integration", "contacts", "broken joints"];
    // The last two only where there are any.
    let always = 5;
    for (name, x) in names.iter().zip(o.ledger).enumerate().filter(|(k, (_, x))| *k < always || *x != 0.0).map(|e| e.1)
    {
        let sign = if x > 0.0 { "+" } else { "" };
        t.measure(&format!("  {name}"), &format!("{sign}{}", joule(x)), &of(x));
    }
    let imbalance = o.ledger_imbalance * o.energy_scale;
    t.measure("  largest imbalance", &joule(imbalance), &format!("{} in a step", of(imbalance)));
}

/// What must not be overlooked: steps whose bounded rows were not solved.
pub fn warning(done: &Done) -> Option<String> {
    let b = done.outcome.bounded.as_ref().filter(|b| b.unconverged_steps > 0)?;
    let most = number(b.residual);
    Some(format!(
        "bounded rows missed the tolerance of {} m/s in {} of {} steps; largest residual {most} m/s",
        number(done.method.tolerance),
        b.unconverged_steps,
        done.outcome.steps
    ))
}

/// Limits, ropes, friction, bounded motors, contacts.
fn bounds(t: &mut Table, b: &BoundedOutcome, tolerance: f64) {
    t.gap();
    let mean =
        format!("at most, {} in a step on average; {} in the largest cluster", number(b.rows_per_step), b.largest);
    t.measure("bounded rows", &b.rows.to_string(), &mean);
    if b.contacts > 0 || b.penetration > 0.0 {
        t.measure("contact points", &b.contacts.to_string(), "that pushed, at most");
        t.measure("deepest penetration", &si(b.penetration, "m"), "of rigid contacts");
    }
    t.measure(
        "bounded residual",
        &format!("{} m/s", number(b.residual)),
        &format!("at most (tolerance {})", number(tolerance)),
    );
    let most = format!("in a step on average, {} at most", b.iterations);
    t.measure("bounded iterations", &number(b.iterations_per_step), &most);
    t.measure("unconverged steps", &b.unconverged_steps.to_string(), "");
    if b.convex_steps > 0 {
        t.measure("convex steps", &b.convex_steps.to_string(), "in which the convex law stood in for Coulomb's");
    }
    for (name, count) in b.events.list().into_iter().filter(|e| e.1 > 0) {
        t.measure(name, &count.to_string(), "");
    }
}

/// What the structured solver reached and spent.
fn anytime(t: &mut Table, a: &AnytimeOutcome) {
    t.gap();
    let most = format!("in a step on average, {} at most", a.iterations);
    t.measure("loop iterations", &number(a.iterations_per_step), &most);
    if a.responses_per_step > 0.0 {
        t.measure("  for bounded rows", &number(a.responses_per_step), "in a step on average, outside the budget");
    }
    t.measure("passes on poses", &number(a.passes_per_step), "in a step on average");
    t.measure("velocity error", &format!("{} m/s", number(a.velocity_error)), "largest residual of a loop row");
    t.measure("position error", &si(a.gap, "m"), "largest opening of a rigid joint");
    t.measure("reached", &percent(a.reached), "of the steps were within the tolerances");
    if a.contradictions > 0 {
        t.measure("contradictions", &a.contradictions.to_string(), "steps with rows that contradict each other");
    }
}

fn cost(t: &mut Table, done: &Done) {
    let o = &done.outcome;
    t.gap();
    let real = if o.us_per_step > 0.0 { o.dt * 1e6 / o.us_per_step } else { 0.0 };
    let speed = format!("median; {} times real time", number(real));
    t.measure("time per step", &si(1e-6 * o.us_per_step, "s"), &speed);
    let rhs = format!("{} right-hand sides", number(o.rhs_per_step));
    t.measure("solves per step", &number(o.solves_per_step), &rhs);
    t.measure("resolved share", &percent(o.resolved_share), "of the steps of islands ran with second order");
    t.measure("redundant joints", &o.redundant_joints.to_string(), "");
    t.line("state hash", &format!("{:016x}", o.state_hash));
}

/// Width of the names and of the measures.
const NAME: usize = 22;
const VALUE: usize = 12;

/// Where a long list is broken, characters.
const WIDTH: usize = 110;

struct Table(String);

impl Table {
    /// Several things in one entry, over as many lines as they need.
    fn list(&mut self, name: &str, items: impl Iterator<Item = String>) {
        let mut row = String::new();
        let mut name = name;
        for item in items {
            if !row.is_empty() && NAME + 2 + row.len() + item.len() + 2 > WIDTH {
                self.line(name, &format!("{row},"));
                (name, row) = ("", String::new());
            }
            row = if row.is_empty() { item } else { format!("{row}, {item}") };
        }
        self.line(name, &row);
    }

    fn line(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.0, "{name:NAME$}  {text}");
    }

    fn measure(&mut self, name: &str, value: &str, note: &str) {
        let row = format!("{name:NAME$}  {value:>VALUE$}  {note}");
        let _ = writeln!(self.0, "{}", row.trim_end());
    }

    fn heading(&mut self, text: &str) {
        let _ = writeln!(self.0, "{text}");
    }

    fn gap(&mut self) {
        self.0.push('\n');
    }
}
