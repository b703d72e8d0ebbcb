//! One scene of one size: its size, the time of its steps, and of their stages.

use super::kinds::Kind;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use taut::{Result, StepReport};
use taut_scenes::{GAP_LIMIT, RISE_LIMIT, Scene};

/// Length of the steps, s.
pub const STEP: f64 = 0.01;
/// Steps before the clock runs: the first ones find the load and the redundant rows.
const WARM: usize = 3;
/// Times that steps and bare solves take turns, so that both meet the same noise.
const ROUNDS: usize = 10;
/// Most steps in a round.
const MOST: usize = 300;

/// How long one case may take.
pub struct Budget {
    /// Time for steps and bare solves.
    pub time: Duration,
    /// Rounds to make even if the time is over.
    pub least: usize,
}

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
    /// Timed steps.
    pub steps: usize,
    /// Least time of a step.
    pub step_min: f64,
    /// Median time of a step.
    pub step_median: f64,
    /// Least time of a bare factorisation and solve of the same matrix.
    pub bare_min: f64,
    /// Time of each stage in a step, on average.
    pub stages: Vec<(&'static str, f64)>,
    /// Why the run is not one to time.
    pub failure: Option<String>,
}

/// Seconds since some moment.
fn clock() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// A scene that runs, and what went wrong with it.
struct Run {
    scene: Scene,
    start: f64,
    failure: Option<String>,
}

impl Run {
    /// The same limits as those of `taut run`.
    fn judge(&mut self, r: &StepReport) {
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

    /// One step: its time and factorisations.
    fn step(&mut self) -> Result<(f64, usize)> {
        let t = clock();
        let report = self.scene.world.step(STEP)?;
        let time = clock() - t;
        self.judge(&report);
        Ok((time, report.factorisations))
    }
}

/// Measures one scene.
pub fn measure(kind: &'static Kind, size: usize, budget: &Budget) -> Result<Case> {
    let n = size.to_string();
    let sized = kind.sized.iter().map(|&name| (name, n.as_str()));
    let given: Vec<(&str, &str)> = sized.chain(kind.fixed.iter().copied()).collect();
    let (mut scene, _) = taut_scenes::find(kind.scene)?.with(&given)?;
    let start = scene.world.energy()?.total();
    let mut run = Run { scene, start, failure: None };
    let mut last = 0.0;
    for _ in 0..WARM {
        last = run.step()?.0;
    }
    let chunk = ((budget.time.as_secs_f64() / (2 * ROUNDS) as f64 / last) as usize).clamp(1, MOST);
    let (mut times, mut factorisations, mut bare_min) = (Vec::new(), 0, f64::INFINITY);
    let begin = Instant::now();
    for round in 0..ROUNDS {
        if round >= budget.least && begin.elapsed() > budget.time {
            break;
        }
        for _ in 0..chunk {
            let (time, factors) = run.step()?;
            times.push(time);
            factorisations += factors;
        }
        run.scene.world.bare_solve(|once| {
            for _ in 0..chunk {
                let t = clock();
                once();
                bare_min = bare_min.min(clock() - t);
            }
        })?;
    }
    let (report, stages) = profile(&mut run, chunk)?;
    times.sort_by(f64::total_cmp);
    let s = run.scene.world.size()?;
    Ok(Case {
        kind,
        size,
        bodies: s.bodies,
        rows: s.rows,
        bytes: s.bytes / s.bodies.max(1),
        path: path(&report, s.fill_blocks),
        values: s.factor_values / s.bodies.max(1),
        factorisations: factorisations as f64 / times.len() as f64,
        steps: times.len(),
        step_min: times[0],
        step_median: times[times.len() / 2],
        bare_min,
        stages,
        failure: run.failure,
    })
}

/// The mean time of each stage over some steps, and the last report.
fn profile(run: &mut Run, steps: usize) -> Result<(StepReport, Vec<(&'static str, f64)>)> {
    let (mut report, mut sum) = run.scene.world.profiled_step(STEP, clock)?;
    run.judge(&report);
    for _ in 1..steps {
        let (next, stages) = run.scene.world.profiled_step(STEP, clock)?;
        run.judge(&next);
        report = next;
        for (s, (_, time)) in sum.iter_mut().zip(stages) {
            s.1 += time;
        }
    }
    for s in &mut sum {
        s.1 /= steps as f64;
    }
    Ok((report, sum))
}

fn path(report: &StepReport, fill_blocks: usize) -> &'static str {
    match (report.panels, fill_blocks) {
        (0, 0) => "blocks, no fill",
        (0, _) => "blocks",
        _ => "panels",
    }
}
