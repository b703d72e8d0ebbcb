//! `--json`: the outcome of a run as one object.

use crate::extra::{Path, Smooth};
use crate::load::Loaded;
use crate::run::Done;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use taut_scenes::{AnytimeOutcome, BoundedOutcome, JointOutcome, Value};

/// The object; numbers that are not finite become null. SI units.
#[derive(Serialize)]
struct Report<'a> {
    scene: &'a str,
    parameters: Parameters<'a>,
    coordinates: &'a str,
    stabiliser: &'a str,
    solver: &'a str,
    bounded_solver: &'a str,
    dt: f64,
    time: f64,
    steps: u64,
    stable: bool,
    failure: Option<&'a str>,
    interrupted: bool,
    length: f64,
    max_gap: f64,
    max_gap_rel: f64,
    sum_gap_rel: f64,
    end_gap: f64,
    /// Of the scene's edges; null without any.
    max_strain: Option<f64>,
    end_strain: Option<f64>,
    turn: f64,
    energy_start: f64,
    energy_end: f64,
    energy_scale: f64,
    energy_left: f64,
    energy_max_rise: f64,
    kinetic_peak_first: f64,
    kinetic_peak_last: f64,
    ledger: Ledger,
    ledger_imbalance: f64,
    solves_per_step: f64,
    rhs_per_step: f64,
    resolved_share: f64,
    residual: f64,
    redundant_joints: usize,
    /// Events of the scene that fired, joints that broke, and the event that ended the run, if one did.
    events: Vec<Happened<'a>>,
    broken: Vec<Broken<'a>>,
    stopped: Option<Stopped<'a>>,
    conflicts: Conflicts<'a>,
    snapped_steps: u64,
    /// Named joints.
    joints: Vec<Joint<'a>>,
    /// Null without limits, ropes, bounded motors, friction and contacts.
    bounded: Option<Bounded>,
    /// Only with the structured solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    soft: Option<Soft>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anytime: Option<Anytime>,
    /// What the start set up that could not stand; null when it could.
    set_up: Option<SetUp>,
    bodies: usize,
    rows: usize,
    bytes: usize,
    us_per_step: f64,
    state_hash: String,
    /// Null when not asked for.
    path_error: Option<&'a Path>,
    smoothness: Option<&'a Smooth>,
}

/// An event that fired before the step that begins at its time, s.
#[derive(Serialize)]
struct Happened<'a> {
    name: &'a str,
    time: f64,
}

/// A joint that broke: end of the step (s), force (N) and torque (N m) that it carried.
#[derive(Serialize)]
struct Broken<'a> {
    name: &'a str,
    kind: &'a str,
    bodies: &'a [String; 2],
    time: f64,
    force: f64,
    torque: f64,
}

/// The end that an event asked for.
#[derive(Serialize)]
struct Stopped<'a> {
    event: &'a str,
    time: f64,
    message: &'a str,
}

/// Rows that contradicted each other.
#[derive(Serialize)]
struct Conflicts<'a> {
    steps: u64,
    joints: &'a [String],
}

/// A named joint: force (N), torque (N m), gap (m), tension (N) and what it leaves free (m, rad).
#[derive(Serialize)]
struct Joint<'a> {
    name: &'a str,
    kind: &'a str,
    /// Whether it was there at the end.
    present: bool,
    force: Peak,
    torque: Peak,
    gap: Peak,
    /// Null but for ropes, rods and ligaments.
    tension: Option<Peak>,
    coordinates: Vec<Coordinate<'a>>,
}

/// At the end, the largest, and when that was (s).
#[derive(Serialize)]
struct Peak {
    end: f64,
    peak: f64,
    time: f64,
}

/// Position at the end (m, rad), rate at the end (per second), least and largest position.
#[derive(Serialize)]
struct Coordinate<'a> {
    freedom: &'a str,
    unit: &'a str,
    end: f64,
    rate: f64,
    range: [f64; 2],
}

impl<'a> Joint<'a> {
    fn new(j: &'a JointOutcome) -> Self {
        let peak = |p: taut_scenes::Peak| Peak { end: p.end, peak: p.peak, time: p.time };
        let coordinate = |c: &'a taut_scenes::CoordinateOutcome| Coordinate {
            freedom: &c.freedom,
            unit: c.unit,
            end: c.end,
            rate: c.rate,
            range: c.range,
        };
        Joint {
            name: &j.name,
            kind: j.kind,
            present: j.present,
            force: peak(j.force),
            torque: peak(j.torque),
            gap: peak(j.gap),
            tension: j.tension.map(peak),
            coordinates: j.coordinates.iter().map(coordinate).collect(),
        }
    }
}

impl<'a> Broken<'a> {
    fn new(b: &'a taut_scenes::Broken) -> Self {
        Broken { name: &b.name, kind: b.kind, bodies: &b.bodies, time: b.time, force: b.force, torque: b.torque }
    }
}

/// Depth, gap (m) and what removing them and velocities that cannot be came to (J).
#[derive(Serialize)]
struct SetUp {
    penetration: f64,
    gap: f64,
    lift: f64,
    shock: f64,
}

impl SetUp {
    fn new(s: &taut_scenes::SetUp) -> Self {
        SetUp { penetration: s.penetration, gap: s.gap, lift: s.lift, shock: s.shock }
    }
}

/// Sums over the run, J.
#[derive(Serialize)]
struct Ledger {
    work: f64,
    damping: f64,
    stabiliser: f64,
    constraints: f64,
    integration: f64,
    contacts: f64,
    broken: f64,
    elements: f64,
    plastic: f64,
}

/// Deformables.
#[derive(Serialize)]
struct Soft {
    parts_per_step: f64,
    most_parts: usize,
    guarded_islands: usize,
    largest_error: f64,
}

impl Soft {
    fn new(s: taut_scenes::SoftOutcome) -> Self {
        Soft { parts_per_step: s.parts, most_parts: s.most_parts, guarded_islands: s.guarded, largest_error: s.error }
    }
}

/// Rows with bounds: largest values over the run, and sums.
#[derive(Serialize)]
struct Bounded {
    tolerance: f64,
    rows: usize,
    rows_per_step: f64,
    largest: usize,
    contacts: usize,
    residual: f64,
    iterations_per_step: f64,
    iterations: usize,
    unconverged_steps: u64,
    hurried_steps: u64,
    convex_steps: u64,
    penetration: f64,
    events: Events,
}

/// What the structured solver reached and spent.
#[derive(Serialize)]
struct Anytime {
    iterations_per_step: f64,
    iterations: usize,
    responses_per_step: f64,
    passes_per_step: f64,
    velocity_error: f64,
    gap: f64,
    reached: f64,
    contradictions: usize,
}

impl Anytime {
    fn new(a: &AnytimeOutcome) -> Self {
        Anytime {
            iterations_per_step: a.iterations_per_step,
            iterations: a.iterations,
            responses_per_step: a.responses_per_step,
            passes_per_step: a.passes_per_step,
            velocity_error: a.velocity_error,
            gap: a.gap,
            reached: a.reached,
            contradictions: a.contradictions,
        }
    }
}

/// How often each kind of event happened.
#[derive(Serialize)]
struct Events {
    contacts_began: usize,
    contacts_ended: usize,
    sensors_began: usize,
    sensors_ended: usize,
    limits_reached: usize,
    joints_broken: usize,
}

impl Bounded {
    fn new(b: &BoundedOutcome, tolerance: f64) -> Self {
        let e = &b.events;
        Bounded {
            tolerance,
            rows: b.rows,
            rows_per_step: b.rows_per_step,
            largest: b.largest,
            contacts: b.contacts,
            residual: b.residual,
            iterations_per_step: b.iterations_per_step,
            iterations: b.iterations,
            unconverged_steps: b.unconverged_steps,
            hurried_steps: b.hurried_steps,
            convex_steps: b.convex_steps,
            penetration: b.penetration,
            events: Events {
                contacts_began: e.contacts_began,
                contacts_ended: e.contacts_ended,
                sensors_began: e.sensors_began,
                sensors_ended: e.sensors_ended,
                limits_reached: e.limits_reached,
                joints_broken: e.joints_broken,
            },
        }
    }
}

/// Whole numbers below this are written without a decimal point.
const WHOLE: f64 = 1e15;

/// The parameters in the order of the scene.
struct Parameters<'a>(&'a Loaded);

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(Some(self.0.parameters.len()))?;
        for (name, value, _) in &self.0.parameters {
            match value {
                Value::Number(x) if x.fract() == 0.0 && x.abs() < WHOLE => map.serialize_entry(name, &(*x as i64))?,
                Value::Number(x) => map.serialize_entry(name, x)?,
                Value::Choice(c) => map.serialize_entry(name, c)?,
            }
        }
        map.end()
    }
}

/// The object as text.
pub fn text(loaded: &Loaded, done: &Done) -> Result<String, String> {
    let o = &done.outcome;
    let edges = !loaded.scene.edges.is_empty();
    let [work, damping, stabiliser, constraints, integration, contacts, broken, elements, plastic] = o.ledger;
    let report = Report {
        scene: &loaded.name,
        parameters: Parameters(loaded),
        coordinates: done.method.coordinates,
        stabiliser: &done.method.stabiliser,
        solver: &done.method.solver,
        bounded_solver: &done.method.bounded,
        dt: o.dt,
        time: o.dt * o.steps as f64,
        steps: o.steps,
        stable: o.stable,
        failure: o.failure.as_deref(),
        interrupted: done.interrupted,
        length: o.length,
        max_gap: o.max_gap,
        max_gap_rel: o.max_gap_rel,
        sum_gap_rel: o.sum_gap_rel,
        end_gap: o.end_gap,
        max_strain: edges.then_some(o.max_strain),
        end_strain: edges.then_some(o.end_strain),
        turn: o.turn,
        energy_start: o.energy_start,
        energy_end: o.energy_end,
        energy_scale: o.energy_scale,
        energy_left: o.energy_left,
        energy_max_rise: o.energy_max_rise,
        kinetic_peak_first: o.kinetic_peak_first,
        kinetic_peak_last: o.kinetic_peak_last,
        ledger: Ledger { work, damping, stabiliser, constraints, integration, contacts, broken, elements, plastic },
        ledger_imbalance: o.ledger_imbalance,
        solves_per_step: o.solves_per_step,
        rhs_per_step: o.rhs_per_step,
        resolved_share: o.resolved_share,
        residual: o.residual,
        redundant_joints: o.redundant_joints,
        events: o.fired.iter().map(|f| Happened { name: &f.name, time: f.time }).collect(),
        broken: o.broken.iter().map(Broken::new).collect(),
        stopped: o.stopped.as_ref().map(|s| Stopped { event: &s.event, time: s.time, message: &s.message }),
        conflicts: Conflicts { steps: o.conflicts.steps, joints: &o.conflicts.joints },
        snapped_steps: o.snapped_steps,
        joints: done.joints.iter().map(Joint::new).collect(),
        bounded: o.bounded.as_ref().map(|b| Bounded::new(b, done.method.tolerance)),
        soft: o.soft.map(Soft::new),
        anytime: o.anytime.as_ref().map(Anytime::new),
        set_up: o.set_up.as_ref().map(SetUp::new),
        bodies: o.bodies,
        rows: o.rows,
        bytes: o.bytes,
        us_per_step: o.us_per_step,
        state_hash: format!("{:016x}", o.state_hash),
        path_error: done.extra.path.as_ref(),
        smoothness: done.extra.smooth.as_ref(),
    };
    serde_json::to_string_pretty(&report).map(|t| t + "\n").map_err(|e| e.to_string())
}
