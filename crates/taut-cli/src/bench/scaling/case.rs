//! One scene of one size: its size, the time of its steps, and of their stages.
//!
//! Every size is timed over the same few steps, again and again from the same state: what differs is noise, so the least time of
//! each step counts. Each scene is one mechanism, solved on one thread: the clock is that of the thread.

use super::kinds::Kind;
use std::time::{Duration, Instant};
use taut::study::Study;
use taut::{Options, Result, StepReport};
use taut_scenes::{GAP_LIMIT, RISE_LIMIT, Scene, thread_clock as clock};

/// Length of the steps, s.
pub const STEP: f64 = 0.01;
/// Steps before the clock runs: the first ones find the load and the redundant rows.
const WARM: usize = 3;
/// Steps that are timed; on trees one in eight checks its residual.
const STEPS: usize = 8;
/// Bare solves in a round.
const BARE: usize = 4;
/// Most rounds.
const MOST: usize = 200;

/// What was measured. Times in s.
pub struct Case {
    /// The kind of scene.
    pub kind: &'static Kind,
    /// Its size.
    pub size: usize,
    /// Bodies and particles with unknowns.
    pub bodies: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Bytes per body.
    pub bytes: usize,
    /// How the matrix is factorised.
    pub path: &'static str,
    /// Stored values of the factor per body.
    pub values: usize,
    /// Factorisations in a timed step, on average.
    pub factorisations: f64,
    /// Right-hand sides solved in a timed step, on average.
    pub solves: f64,
    /// How often the steps were timed.
    pub rounds: usize,
    /// Mean over the steps of the least time of each.
    pub step_min: f64,
    /// Median time of all steps in all rounds.
    pub step_median: f64,
    /// Least time of a bare factorisation and solve of the same matrix.
    pub bare_min: f64,
    /// Time of each stage in a step: mean over the steps of the round where it was least.
    pub stages: Vec<(&'static str, f64)>,
    /// Largest gap of a joint or a rod after any step, m.
    pub gap: f64,
    /// Largest residual that a step tells of.
    pub residual: f64,
    /// Why the run is not one to time.
    pub failure: Option<String>,
}

/// A scene that runs, and what went wrong with it.
struct Run {
    scene: Scene,
    start: f64,
    gap: f64,
    residual: f64,
    failure: Option<String>,
}

impl Run {
    /// The same limits as those of `taut run`.
    fn judge(&mut self, r: &StepReport) {
        self.gap = self.gap.max(r.max_gap);
        self.residual = self.residual.max(r.residual);
        let (gap, rise) = (r.max_gap / self.scene.length, (r.energy.total() - self.start) / self.scene.energy_scale);
        if self.failure.is_none() && !(gap < GAP_LIMIT && rise < RISE_LIMIT) {
            self.failure = Some(format!(
                "diverged at {:.2} s: gap {:.1} % of the length, energy risen by {:.1} % of the scale",
                r.time,
                100.0 * gap,
                100.0 * rise
            ));
        }
    }

    /// One step: its time and report.
    fn step(&mut self) -> Result<(f64, StepReport)> {
        let t = clock();
        let report = self.scene.step(STEP)?;
        let time = clock() - t;
        self.judge(&report);
        Ok((time, report))
    }

    /// Seconds of each stage over the steps.
    fn stages(&mut self) -> Result<Vec<(&'static str, f64)>> {
        let (_, mut sum) = self.scene.world.profiled_step(STEP, clock)?;
        for _ in 1..STEPS {
            let (_, stages) = self.scene.world.profiled_step(STEP, clock)?;
            sum.iter_mut().zip(stages).for_each(|(s, (_, time))| s.1 += time);
        }
        Ok(sum)
    }
}

/// Measures one scene; rounds are repeated for as long as `time`.
pub fn measure(kind: &'static Kind, size: usize, time: Duration) -> Result<Case> {
    let mut run = start(kind, size)?;
    for _ in 0..WARM {
        run.step()?;
    }
    // What steps hold: the bare solve below makes room for blocks, which trees do without.
    let s = run.scene.world.size()?;
    let state = run.scene.world.state().clone();
    let mut all = Vec::new();
    let mut least = [f64::INFINITY; STEPS];
    let (mut bare_min, mut factorisations, mut solves, mut panels) = (f64::INFINITY, 0, 0, 0);
    let mut stages: Vec<(&'static str, f64)> = Vec::new();
    let mut rounds = 0;
    let begin = Instant::now();
    while rounds < MOST && (rounds == 0 || begin.elapsed() < time) {
        run.scene.world.restore(&state)?;
        (factorisations, solves) = (0, 0);
        for least in &mut least {
            let (time, report) = run.step()?;
            all.push(time);
            *least = least.min(time);
            factorisations += report.factorisations;
            solves += report.right_hand_sides;
            panels = report.panels;
        }
        run.scene.world.bare_solve(|once| {
            for _ in 0..BARE {
                let t = clock();
                once();
                bare_min = bare_min.min(clock() - t);
            }
        })?;
        run.scene.world.restore(&state)?;
        let now = run.stages()?;
        stages = if rounds == 0 { now } else { stages.iter().zip(now).map(|(a, b)| (a.0, a.1.min(b.1))).collect() };
        rounds += 1;
    }
    all.sort_by(f64::total_cmp);
    let per_step = 1.0 / STEPS as f64;
    Ok(Case {
        kind,
        size,
        bodies: s.bodies,
        rows: s.rows,
        bytes: s.bytes / s.bodies.max(1),
        path: path(panels, s.fill_blocks),
        values: s.factor_values / s.bodies.max(1),
        factorisations: factorisations as f64 * per_step,
        solves: solves as f64 * per_step,
        rounds,
        step_min: least.iter().sum::<f64>() * per_step,
        step_median: all[all.len() / 2],
        bare_min,
        stages: stages.into_iter().map(|(name, time)| (name, time * per_step)).collect(),
        gap: run.gap,
        residual: run.residual,
        failure: run.failure,
    })
}

/// The scene at its start.
fn start(kind: &Kind, size: usize) -> Result<Run> {
    let n = size.to_string();
    let sized = kind.sized.iter().map(|&name| (name, n.as_str()));
    let given: Vec<(&str, &str)> = sized.chain(kind.fixed.iter().copied()).collect();
    let (mut scene, _) = taut_scenes::find(kind.scene)?.with(&given)?;
    // Threads that share a factor would not be on the clock.
    scene.world.set_options(Options { parallel: false, ..*scene.world.options() })?;
    let start = scene.world.energy()?.total();
    Ok(Run { scene, start, gap: 0.0, residual: 0.0, failure: None })
}

fn path(panels: usize, fill_blocks: usize) -> &'static str {
    match (panels, fill_blocks) {
        (0, 0) => "blocks, no fill",
        (0, _) => "blocks",
        _ => "panels",
    }
}
