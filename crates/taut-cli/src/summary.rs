//! The report of a run for people: one aligned table, with units.

use crate::format::{number, percent, si, step};
use crate::load::Loaded;
use crate::run::Done;
use crate::words::{self, Word};
use std::f64::consts::TAU;
use std::fmt::Write;
use taut_scenes::{AnytimeOutcome, BoundedOutcome, GAP_LIMIT, Outcome, RISE_LIMIT, Value};

/// The table; with `explained`, what its words mean after it.
pub fn text(loaded: &Loaded, done: &Done, explained: bool) -> String {
    let o = &done.outcome;
    let mut t = Table::default();
    t.line(&words::SCENE, &loaded.name);
    if !loaded.parameters.is_empty() {
        t.list(
            &words::PARAMETERS,
            loaded.parameters.iter().map(|(name, value, unit)| match value {
                Value::Number(x) => format!("{name}={} {unit}", number(*x)).trim_end().to_owned(),
                Value::Choice(c) => format!("{name}={c}"),
            }),
        );
    }
    let time = number(o.dt * o.steps as f64);
    t.line(&words::RUN, &format!("{} steps of {} s, {time} s", o.steps, step(o.dt)));
    let rows = if o.bounded.is_some() { format!(", bounded rows {}", done.method.bounded) } else { String::new() };
    t.line(
        &words::METHOD,
        &format!(
            "{} coordinates, stabiliser {}, solver {}{rows}",
            done.method.coordinates, done.method.stabiliser, done.method.solver
        ),
    );
    t.line(&words::SIZE, &size(done));
    t.line(&words::VERDICT, &verdict(done));
    if let Some(warning) = warning(done) {
        t.line(&words::WARNING, &warning);
    }
    happened(&mut t, o);
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
    if explained {
        t.gap();
        t.text += &words::explain(t.used.iter().copied());
    }
    t.text
}

/// Events that fired, joints that broke, and what ended the run.
fn happened(t: &mut Table, o: &Outcome) {
    t.lines(&words::EVENTS, o.fired.iter().map(|f| format!("{} at {} s", f.name, number(f.time))));
    t.lines(
        &words::BROKEN,
        o.broken.iter().map(|b| {
            let name = if b.name.is_empty() { b.bodies.join(" to ") } else { b.name.clone() };
            let load = format!("{} and {}", si(b.force, "N"), si(b.torque, "N m"));
            format!("{name} ({}) at {} s, with {load}", b.kind, number(b.time))
        }),
    );
    if let Some(stop) = &o.stopped {
        t.line(&words::STOPPED, &format!("at {} s by {}: {}", number(stop.time), stop.event, stop.message));
    }
}

/// Most lines of a list.
const MOST: usize = 20;

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
    t.measure(&words::MAX_GAP, &si(o.max_gap, "m"), &limit);
    t.measure(&words::SUM_GAP, &si(o.sum_gap_rel * o.length, "m"), &of(o.sum_gap_rel));
    t.measure(&words::END_GAP, &si(o.end_gap, "m"), &of(o.end_gap / o.length));
}

/// Turn below which it is not worth a line, rad.
const LEAST_TURN: f64 = 0.01;

/// Strains of the edges, the turn of the followed body, and what was asked for.
fn motion(t: &mut Table, loaded: &Loaded, done: &Done) {
    let o = &done.outcome;
    if !loaded.scene.edges.is_empty() {
        t.measure(&words::MAX_STRAIN, &percent(o.max_strain), "of an edge of the scene");
        t.measure(&words::END_STRAIN, &percent(o.end_strain), "");
    }
    if o.turn.abs() >= LEAST_TURN {
        let turns = format!("{} turns of the followed body about its own y axis", number(o.turn / TAU));
        t.measure(&words::TURN, &format!("{} rad", number(o.turn)), &turns);
    }
    if let Some(p) = &done.extra.path {
        let against = format!("against a step of {} s over {} s", step(p.reference), number(p.time));
        match (p.distance, p.distance_rel, p.at, p.travel) {
            (Some(distance), Some(rel), Some(at), Some(travel)) => {
                let note = format!("{} of the length, at {} s, {against}", percent(rel), number(at));
                t.measure(&words::PATH_ERROR, &si(distance, "m"), &note);
                t.measure(&words::REFERENCE_PATH, &si(travel, "m"), "length of the path of the followed body");
            }
            _ => t.line(
                &words::PATH_ERROR,
                &format!("not measured {against}: {}", p.failure.as_deref().unwrap_or("no path")),
            ),
        }
    }
    if let Some(s) = &done.extra.smooth {
        let note = format!("of that of the angular accelerations, {} rad/s^2 rms", number(s.rms));
        t.measure(&words::POWER, &percent(s.share_above), &note);
    }
}

fn energies(t: &mut Table, o: &Outcome) {
    t.gap();
    let joule = |x: f64| si(x, "J");
    let of = |x: f64| format!("{} of the scale", percent(x / o.energy_scale));
    t.measure(&words::ENERGY_START, &joule(o.energy_start), &format!("scale {}", joule(o.energy_scale)));
    let change = format!("changed by {}", of(o.energy_end - o.energy_start));
    t.measure(&words::ENERGY_END, &joule(o.energy_end), &change);
    t.measure(&words::ENERGY_LEFT, &percent(o.energy_left), "of the scale, with the start as 100 %");
    // A highest point below the start is no rise.
    let rise = (o.energy_max_rise * o.energy_scale).max(0.0);
    t.measure(&words::RISE, &joule(rise), &format!("{} (limit {})", of(rise), percent(RISE_LIMIT)));
    if let Some(s) = &o.set_up {
        let note = "of penetrations and gaps that the start set up, removed: no rise of the run's";
        if s.lift > 0.0 {
            t.measure(&words::LIFT, &joule(s.lift), note);
        }
        if s.shock > 0.0 {
            t.measure(&words::SHOCK, &joule(s.shock), "of start velocities that cannot be, gone with the first step");
        }
    }
    t.measure(&words::PEAK_FIRST, &joule(o.kinetic_peak_first), "in the scene's window at the start");
    if o.kinetic_peak_last > 0.0 {
        t.measure(&words::PEAK_LAST, &joule(o.kinetic_peak_last), "in the window at the end");
    }
    t.heading(&words::LEDGER);
    let names = [
        &words::WORK,
        &words::DAMPING,
        &words::STABILISER,
        &words::CONSTRAINTS,
        &words::INTEGRATION,
        &words::CONTACTS,
        &words::BROKEN_ENERGY,
        &words::ELEMENTS,
        &words::PLASTIC,
    ];
    // The last four only where there are any.
    let always = 5;
    for (name, x) in names.iter().zip(o.ledger).enumerate().filter(|(k, (_, x))| *k < always || *x != 0.0).map(|e| e.1)
    {
        let sign = if x > 0.0 { "+" } else { "" };
        t.part(name, &format!("{sign}{}", joule(x)), &of(x));
    }
    let imbalance = o.ledger_imbalance * o.energy_scale;
    t.part(&words::IMBALANCE, &joule(imbalance), &format!("{} in a step", of(imbalance)));
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
    t.measure(&words::BOUNDED_ROWS, &b.rows.to_string(), &mean);
    if b.contacts > 0 || b.penetration > 0.0 {
        t.measure(&words::CONTACT_POINTS, &b.contacts.to_string(), "that pushed, at most");
        t.measure(&words::PENETRATION, &si(b.penetration, "m"), "of rigid contacts");
    }
    t.measure(
        &words::BOUNDED_RESIDUAL,
        &format!("{} m/s", number(b.residual)),
        &format!("at most (tolerance {})", number(tolerance)),
    );
    let most = format!("in a step on average, {} at most", b.iterations);
    t.measure(&words::BOUNDED_ITERATIONS, &number(b.iterations_per_step), &most);
    t.measure(&words::UNCONVERGED, &b.unconverged_steps.to_string(), "");
    if b.hurried_steps > 0 {
        t.measure(&words::HURRIED, &b.hurried_steps.to_string(), "in which a heap in motion was swept within a budget");
    }
    if b.convex_steps > 0 {
        t.measure(&words::CONVEX, &b.convex_steps.to_string(), "in which the convex law stood in for Coulomb's");
    }
    for (name, count) in b.events.list().into_iter().filter(|e| e.1 > 0) {
        t.measure(words::counted(name), &count.to_string(), "");
    }
}

/// What the structured solver reached and spent.
fn anytime(t: &mut Table, a: &AnytimeOutcome) {
    t.gap();
    let most = format!("in a step on average, {} at most", a.iterations);
    t.measure(&words::LOOP_ITERATIONS, &number(a.iterations_per_step), &most);
    if a.responses_per_step > 0.0 {
        t.part(&words::RESPONSES, &number(a.responses_per_step), "in a step on average, outside the budget");
    }
    t.measure(&words::PASSES, &number(a.passes_per_step), "in a step on average");
    t.measure(&words::VELOCITY_ERROR, &format!("{} m/s", number(a.velocity_error)), "largest residual of a loop row");
    t.measure(&words::POSITION_ERROR, &si(a.gap, "m"), "largest opening of a rigid joint");
    t.measure(&words::REACHED, &percent(a.reached), "of the steps were within the tolerances");
    if a.contradictions > 0 {
        t.measure(&words::CONTRADICTIONS, &a.contradictions.to_string(), "steps with rows that contradict each other");
    }
}

fn cost(t: &mut Table, done: &Done) {
    let o = &done.outcome;
    t.gap();
    let real = if o.us_per_step > 0.0 { o.dt * 1e6 / o.us_per_step } else { 0.0 };
    let speed = format!("median; {} times real time", number(real));
    t.measure(&words::STEP_TIME, &si(1e-6 * o.us_per_step, "s"), &speed);
    let rhs = format!("{} right-hand sides", number(o.rhs_per_step));
    t.measure(&words::SOLVES, &number(o.solves_per_step), &rhs);
    if let Some(soft) = &o.soft {
        let most = format!("at most {}; guarded {} times", soft.most_parts, soft.guarded);
        t.measure(&words::PARTS, &number(soft.parts), &most);
    }
    t.measure(&words::RESIDUAL, &number(o.residual), "of the linear solves, at most");
    t.measure(&words::RESOLVED, &percent(o.resolved_share), "of the steps of islands ran with second order");
    t.measure(&words::REDUNDANT, &o.redundant_joints.to_string(), "");
    if o.conflicts.steps > 0 {
        let joints = format!("steps, of {}", o.conflicts.joints.join(", "));
        t.measure(&words::CONFLICTS, &o.conflicts.steps.to_string(), &joints);
    }
    if o.snapped_steps > 0 {
        t.measure(&words::SNAPPED, &o.snapped_steps.to_string(), "steps in which a loop snapped taut");
    }
    t.line(&words::HASH, &format!("{:016x}", o.state_hash));
}

/// Width of the names and of the measures.
const NAME: usize = 22;
const VALUE: usize = 12;

/// Where a long list is broken, characters.
const WIDTH: usize = 110;

/// The report as it grows, and the words in it.
#[derive(Default)]
struct Table {
    text: String,
    used: Vec<&'static Word>,
}

impl Table {
    /// The name of a word, which is then among those used.
    fn word(&mut self, word: &'static Word) -> &'static str {
        if !self.used.contains(&word) {
            self.used.push(word);
        }
        word.name
    }

    /// Several things in one entry, over as many lines as they need.
    fn list(&mut self, word: &'static Word, items: impl Iterator<Item = String>) {
        let mut row = String::new();
        let mut name = self.word(word);
        for item in items {
            if !row.is_empty() && NAME + 2 + row.len() + item.len() + 2 > WIDTH {
                self.write(name, &format!("{row},"));
                (name, row) = ("", String::new());
            }
            row = if row.is_empty() { item } else { format!("{row}, {item}") };
        }
        self.write(name, &row);
    }

    /// Several things, one in a line; nothing where there are none.
    fn lines(&mut self, word: &'static Word, items: impl ExactSizeIterator<Item = String>) {
        let more = items.len().saturating_sub(MOST);
        for (k, item) in items.take(MOST).enumerate() {
            let name = if k == 0 { self.word(word) } else { "" };
            self.write(name, &item);
        }
        if more > 0 {
            self.write("", &format!("and {more} more; --json has them all"));
        }
    }

    fn line(&mut self, word: &'static Word, text: &str) {
        let name = self.word(word);
        self.write(name, text);
    }

    fn write(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.text, "{name:NAME$}  {text}");
    }

    fn measure(&mut self, word: &'static Word, value: &str, note: &str) {
        let name = self.word(word);
        self.row(name, value, note);
    }

    /// A measure that is part of the one above.
    fn part(&mut self, word: &'static Word, value: &str, note: &str) {
        let name = format!("  {}", self.word(word));
        self.row(&name, value, note);
    }

    fn row(&mut self, name: &str, value: &str, note: &str) {
        let row = format!("{name:NAME$}  {value:>VALUE$}  {note}");
        let _ = writeln!(self.text, "{}", row.trim_end());
    }

    fn heading(&mut self, word: &'static Word) {
        let name = self.word(word);
        let _ = writeln!(self.text, "{name}");
    }

    fn gap(&mut self) {
        self.text.push('\n');
    }
}
