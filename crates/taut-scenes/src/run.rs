//! One runner and one judge for every scene.

use crate::anytime::{AnytimeMeter, AnytimeOutcome};
use crate::bounded::{BoundedMeter, BoundedOutcome};
use crate::drive::{Fired, Stop};
use crate::happened::{Broken, Conflicts, Witness};
use crate::scene::Scene;
use crate::setup::SetUp;
use crate::stability::Stability;
use std::time::{Duration, Instant};
use taut::{Result, StepReport, Vec3, World};

/// What a run came to. Energies in J, lengths in m.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Step, s.
    pub dt: f64,
    /// Steps taken.
    pub steps: u64,
    /// Whether it stayed finite, in bounds and without energy growth.
    pub stable: bool,
    /// What went wrong, and when.
    pub failure: Option<String>,
    /// Length of the scene.
    pub length: f64,
    /// Largest single gap of a rigid joint, or excess of a rope.
    pub max_gap: f64,
    /// The same over the length.
    pub max_gap_rel: f64,
    /// Largest sum of all joint gaps and excesses of ropes at one instant, over the length.
    pub sum_gap_rel: f64,
    /// Largest single gap at the end.
    pub end_gap: f64,
    /// Largest strain of the scene's edges during the run.
    pub max_strain: f64,
    /// Largest strain of the scene's edges at the end.
    pub end_strain: f64,
    /// Turn of the followed body about its own y axis, along which links and cables hang, rad.
    pub turn: f64,
    /// Energy at the start.
    pub energy_start: f64,
    /// Energy at the end.
    pub energy_end: f64,
    /// What energies are measured against.
    pub energy_scale: f64,
    /// 1 + (end - start)/scale: 1 when none was lost.
    pub energy_left: f64,
    /// Largest (energy - start)/scale, without work, and without what `set_up` tells of.
    pub energy_max_rise: f64,
    /// Largest kinetic energy in the first window.
    pub kinetic_peak_first: f64,
    /// Largest kinetic energy in the last window.
    pub kinetic_peak_last: f64,
    /// Mean factorisations per step of the busiest island.
    pub solves_per_step: f64,
    /// Mean right-hand sides per step.
    pub rhs_per_step: f64,
    /// Largest imbalance of the energy ledger in a step, over the scale.
    pub ledger_imbalance: f64,
    /// Sums of the ledger over the run, J: work, damping, stabiliser, constraints, integration, contacts, broken joints, elements, plastic flow.
    pub ledger: [f64; 9],
    /// Share of the island-steps that ran wholly in the resolved regime.
    pub resolved_share: f64,
    /// Bodies with unknowns.
    pub bodies: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Bytes of memory.
    pub bytes: usize,
    /// Largest relative residual of the linear solves.
    pub residual: f64,
    /// Joints found redundant.
    pub redundant_joints: usize,
    /// Joints that broke, in the order of time.
    pub broken: Vec<Broken>,
    /// Events of the scene that fired, in the order of time.
    pub fired: Vec<Fired>,
    /// The end that an event asked for before the time was over.
    pub stopped: Option<Stop>,
    /// Rows that contradicted each other.
    pub conflicts: Conflicts,
    /// Steps in which a loop snapped taut (reduced coordinates).
    pub snapped_steps: u64,
    /// Limits, ropes, bounded motors, friction and contacts; none when nothing of the kind came near.
    pub bounded: Option<BoundedOutcome>,
    /// What the structured solver reached; none with other solvers.
    pub anytime: Option<AnytimeOutcome>,
    /// What deformables came to; none without any.
    pub soft: Option<SoftOutcome>,
    /// What the start set up that could not stand, and what it took to set it right; none when it could.
    pub set_up: Option<SetUp>,
    /// Median time of a step, microseconds.
    pub us_per_step: f64,
    /// Hash of the final state.
    pub state_hash: u64,
}

/// What the deformables of a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoftOutcome {
    /// Mean number of parts that a step was taken in.
    pub parts: f64,
    /// Largest number of parts of a step.
    pub most_parts: usize,
    /// Island-steps in which the guard took the solution of backward Euler.
    pub guarded: usize,
    /// Largest error of the quadratic model of the elements, in parts of the energy at play.
    pub error: f64,
}

/// One line of a run's record.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Report of the step.
    pub report: StepReport,
    /// Position of the followed body, m.
    pub position: Vec3,
    /// Its velocity, m/s.
    pub velocity: Vec3,
    /// Its rate of turn about its own y axis, rad/s.
    pub turn_rate: f64,
    /// Largest strain of the scene's edges.
    pub strain: f64,
}

/// Runs a scene for `time` seconds with steps of `dt`; `watch` sees every step and may stop the run by returning false.
pub fn run(scene: &mut Scene, dt: f64, time: f64, mut watch: impl FnMut(&Sample) -> bool) -> Result<Outcome> {
    run_with(scene, dt, time, |_, s| watch(s))
}

/// The same, where `watch` may also look at the world.
pub fn run_with(
    scene: &mut Scene,
    dt: f64,
    time: f64,
    mut watch: impl FnMut(&mut World, &Sample) -> bool,
) -> Result<Outcome> {
    if !(dt.is_finite() && dt > 0.0) {
        return Err(taut::Error::input("time step", dt, "a positive, finite number of s"));
    }
    if !(time.is_finite() && time > 0.0) {
        return Err(taut::Error::input("time", time, "a positive, finite number of s"));
    }
    let steps = (time / dt).round().max(1.0) as u64;
    let start = scene.world.energy()?.total();
    let size = scene.world.size()?;
    let mut judge = Judge::new(scene, dt, steps, start)?;
    let mut timer = Vec::with_capacity(4096);
    let mut seen = Followed::new(scene);
    for k in 0..steps {
        let begin = Instant::now();
        let done = scene.next_step(dt);
        if timer.len() < 4096 {
            timer.push(begin.elapsed());
        }
        let report = match done {
            Ok(Some(r)) => r,
            // An event has stopped the run.
            Ok(None) => break,
            // What the engine refuses before the first step is bad input, not a run that diverged.
            Err(e) if k == 0 && !matches!(e, taut::Error::Step { .. }) => return Err(e),
            Err(e) => {
                judge.fail(scene.world.time(), e.to_string());
                break;
            }
        };
        judge.see(&scene.world, &report, k);
        seen.look(scene);
        let strain = scene.strain()?;
        judge.measure(seen.turn_rate, strain);
        let Followed { position, velocity, turn_rate } = seen;
        let sample = Sample { report, position, velocity, turn_rate, strain };
        if !watch(&mut scene.world, &sample) || judge.failure.is_some() {
            break;
        }
    }
    let mut outcome = judge.verdict(size, median(&mut timer), scene.world.state().hash());
    (outcome.fired, outcome.stopped) = (scene.fired(), scene.stopped().cloned());
    Ok(outcome)
}

/// Where the followed body is; one that is gone stays where it was.
#[derive(Clone, Copy)]
struct Followed {
    position: Vec3,
    velocity: Vec3,
    turn_rate: f64,
}

impl Followed {
    fn new(scene: &Scene) -> Self {
        let mut seen = Followed { position: Vec3::ZERO, velocity: Vec3::ZERO, turn_rate: 0.0 };
        seen.look(scene);
        seen
    }

    fn look(&mut self, scene: &Scene) {
        (self.velocity, self.turn_rate) = (Vec3::ZERO, 0.0);
        if let Ok(body) = scene.world.body(scene.follow) {
            (self.position, self.velocity) = (body.position(), body.velocity());
            self.turn_rate = body.angular_velocity().dot(body.pose().rot * Vec3::Y);
        }
    }
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |t| t.as_secs_f64() * 1e6)
}

struct Judge {
    dt: f64,
    length: f64,
    scale: f64,
    window: u64,
    steps: u64,
    start: f64,
    taken: u64,
    failure: Option<String>,
    max_gap: f64,
    sum_gap: f64,
    end_gap: f64,
    max_strain: f64,
    end_strain: f64,
    turn: f64,
    end: f64,
    rise: f64,
    peaks: [f64; 2],
    solves: usize,
    rhs: usize,
    imbalance: f64,
    ledger: [f64; 9],
    resolved: usize,
    islands: usize,
    redundant: usize,
    residual: f64,
    witness: Witness,
    stability: Stability,
    bounded: BoundedMeter,
    anytime: AnytimeMeter,
    /// Parts of all steps, and the rest; none without deformables.
    soft: Option<SoftOutcome>,
}

impl Judge {
    fn new(scene: &mut Scene, dt: f64, steps: u64, start: f64) -> Result<Self> {
        Ok(Judge {
            witness: Witness::new(&scene.world),
            stability: Stability::new(scene, dt)?,
            dt,
            length: scene.length,
            scale: scene.energy_scale,
            window: (scene.window / dt).round() as u64,
            steps,
            start,
            taken: 0,
            failure: None,
            max_gap: 0.0,
            sum_gap: 0.0,
            end_gap: 0.0,
            max_strain: 0.0,
            end_strain: 0.0,
            turn: 0.0,
            end: start,
            rise: f64::NEG_INFINITY,
            peaks: [0.0; 2],
            solves: 0,
            rhs: 0,
            imbalance: 0.0,
            ledger: [0.0; 9],
            resolved: 0,
            islands: 0,
            redundant: 0,
            residual: 0.0,
            bounded: BoundedMeter::default(),
            anytime: AnytimeMeter::default(),
            soft: scene.world.deformables().next().map(|_| SoftOutcome::default()),
        })
    }

    fn fail(&mut self, time: f64, why: String) {
        if self.failure.is_none() {
            self.failure = Some(format!("at {time:.4} s: {why}"));
        }
    }

    fn see(&mut self, world: &World, r: &StepReport, k: u64) {
        self.taken += 1;
        self.witness.see(world, r);
        let judged = self.stability.see(r);
        self.book(r);
        self.end = r.energy.total();
        self.rise = self.rise.max(judged.rise);
        let gap = r.max_gap.max(r.bounded.overrun);
        self.max_gap = self.max_gap.max(gap);
        self.sum_gap = self.sum_gap.max(r.sum_gap + r.bounded.overrun_sum);
        self.end_gap = gap;
        self.solves += r.solves;
        self.rhs += r.right_hand_sides;
        self.imbalance = self.imbalance.max(r.ledger.imbalance.abs() / self.scale);
        self.resolved += r.resolved_islands;
        self.islands += r.islands;
        self.redundant = r.redundant_joints;
        // A residual that is no number must not hide behind one that is.
        self.residual = if r.residual.is_nan() { f64::NAN } else { self.residual.max(r.residual) };
        self.bounded.see(r);
        self.anytime.see(r);
        if let Some(soft) = &mut self.soft {
            soft.parts += r.parts as f64;
            soft.most_parts = soft.most_parts.max(r.parts);
            soft.guarded += r.guarded_islands;
            soft.error = soft.error.max(r.soft_error);
        }
        if k < self.window {
            self.peaks[0] = self.peaks[0].max(r.energy.kinetic);
        }
        if k + self.window >= self.steps {
            self.peaks[1] = self.peaks[1].max(r.energy.kinetic);
        }
        if let Some(why) = judged.fault {
            self.fail(r.time, why);
        }
    }

    fn measure(&mut self, turn_rate: f64, strain: f64) {
        self.turn += self.dt * turn_rate;
        self.max_strain = self.max_strain.max(strain);
        self.end_strain = strain;
    }

    /// Adds a step to the ledger of the run.
    fn book(&mut self, r: &StepReport) {
        let l = &r.ledger;
        let booked = [
            l.work,
            l.damping,
            l.stabiliser,
            l.constraints,
            l.integration,
            l.contacts,
            l.broken,
            l.elements,
            l.plastic,
        ];
        self.ledger.iter_mut().zip(booked).for_each(|(sum, x)| *sum += x);
    }

    fn verdict(self, size: taut::reports::Size, us_per_step: f64, state_hash: u64) -> Outcome {
        let n = self.taken.max(1) as f64;
        let (broken, conflicts, snapped_steps) = self.witness.done();
        Outcome {
            dt: self.dt,
            steps: self.taken,
            stable: self.failure.is_none(),
            failure: self.failure,
            length: self.length,
            max_gap: self.max_gap,
            max_gap_rel: self.max_gap / self.length,
            sum_gap_rel: self.sum_gap / self.length,
            end_gap: self.end_gap,
            max_strain: self.max_strain,
            end_strain: self.end_strain,
            turn: self.turn,
            energy_start: self.start,
            energy_end: self.end,
            energy_scale: self.scale,
            energy_left: 1.0 + (self.end - self.start) / self.scale,
            energy_max_rise: if self.taken == 0 { 0.0 } else { self.rise },
            kinetic_peak_first: self.peaks[0],
            kinetic_peak_last: self.peaks[1],
            solves_per_step: self.solves as f64 / n,
            rhs_per_step: self.rhs as f64 / n,
            ledger_imbalance: self.imbalance,
            ledger: self.ledger,
            resolved_share: self.resolved as f64 / self.islands.max(1) as f64,
            bodies: size.bodies,
            rows: size.rows,
            bytes: size.bytes,
            residual: self.residual,
            redundant_joints: self.redundant,
            broken,
            fired: Vec::new(),
            stopped: None,
            conflicts,
            snapped_steps,
            set_up: self.stability.set_up(),
            bounded: self.bounded.done(),
            anytime: self.anytime.done(),
            soft: self.soft.map(|s| SoftOutcome { parts: s.parts / n, ..s }),
            us_per_step,
            state_hash,
        }
    }
}
