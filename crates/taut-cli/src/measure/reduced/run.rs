//! One scene of one size, run for 5 s.

use super::cases::Case;
use super::ways::Way;
use std::time::{Duration, Instant};
use taut::Result;
use taut_scenes::run_with;

/// Length of a step and of a run, s.
pub const STEP: f64 = 0.01;
pub const TIME: f64 = 5.0;

/// What was measured. Times in s.
pub struct Measured {
    /// The scene.
    pub case: &'static str,
    /// How it was run.
    pub way: Way,
    /// Its size, in the scene's own parameter.
    pub size: usize,
    /// Bodies that move.
    pub bodies: usize,
    /// Degrees of freedom of its joints, without the loops.
    pub dofs: usize,
    /// Steps that fitted into the time given.
    pub steps: u64,
    /// Least and median time of a step.
    pub least: f64,
    pub median: f64,
    /// Right-hand sides per step: one, and one for each loop row of reduced coordinates.
    pub sides: f64,
    /// Iterations per right-hand side: mean of the run and of its worst step; 0 for a direct solve.
    pub iterations: f64,
    pub worst: f64,
    /// Largest gap of a joint over the length of the scene.
    pub gap: f64,
    /// Why the run is not one to time.
    pub failure: Option<String>,
}

/// Runs a scene for 5 s, or for as long as it may take.
pub fn measure(case: &'static Case, size: usize, way: Way, budget: Duration) -> Result<Measured> {
    let mut scene = case.scene(size)?;
    way.apply(&mut scene.world)?;
    let begin = Instant::now();
    let mut last = begin;
    let mut least = f64::INFINITY;
    let (mut iterations, mut sides, mut worst) = (0, 0, 0.0_f64);
    let o = run_with(&mut scene, STEP, TIME, |_, s| {
        let now = Instant::now();
        // The first steps lay out the matrix and find the load.
        if last != begin {
            least = least.min((now - last).as_secs_f64());
        }
        let (i, n) = (s.report.iterations, s.report.right_hand_sides.max(1));
        iterations += i;
        sides += n;
        worst = worst.max(i as f64 / n as f64);
        last = Instant::now();
        begin.elapsed() < budget
    })?;
    Ok(Measured {
        case: case.name,
        way,
        size,
        bodies: o.bodies,
        dofs: (case.dofs)(size),
        steps: o.steps,
        least,
        median: 1e-6 * o.us_per_step,
        sides: o.rhs_per_step,
        iterations: iterations as f64 / sides.max(1) as f64,
        worst,
        gap: o.max_gap_rel,
        failure: o.failure,
    })
}
