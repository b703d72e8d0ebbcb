//! Runs a scene in an engine: steps, clocks, judges.

use crate::Result;
use crate::judge::{Judge, Verdict};
use crate::peers::Peer;
use crate::scene::{Motion, Scene};
use std::time::{Duration, Instant};

/// How long to run.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// Step, s.
    pub h: f64,
    /// Number of steps.
    pub steps: usize,
    /// First steps that are judged but not clocked.
    pub warm_up: usize,
    /// Wall time after which the run is cut short.
    pub budget: Duration,
}

impl Length {
    /// So many seconds of simulated time, without limit.
    pub fn seconds(h: f64, time: f64) -> Self {
        Length { h, steps: (time / h).round().max(1.0) as usize, warm_up: 0, budget: Duration::MAX }
    }
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it came to.
    pub verdict: Verdict,
    /// Whether it was cut short for time, with no failure up to then.
    pub cut: bool,
    /// Shortest step, s of wall time.
    pub min: f64,
    /// Median step, s.
    pub median: f64,
    /// Mean step, s. A step longer than ten medians is counted as ten: there the machine was busy elsewhere, not the engine.
    pub mean: f64,
}

impl Run {
    /// Complete, stable, and stretched by less than 1 %.
    pub fn held(&self) -> bool {
        !self.cut && self.verdict.held()
    }
}

/// Runs a scene. An engine that cannot take the scene is an error; one that fails on the way is a verdict.
pub fn run(peer: &Peer, scene: &Scene, length: Length) -> Result<Run> {
    let begin = Instant::now();
    let mut engine = (peer.build)(scene, length.h).map_err(|e| format!("{}: {e}", peer.name))?;
    let mut judge = Judge::new(scene, length.h, length.steps);
    let mut motions: Vec<Motion> = scene.start();
    let mut times = Vec::with_capacity(length.steps);
    let mut cut = false;
    for k in 0..length.steps {
        match engine.step() {
            Ok(t) if k >= length.warm_up => times.push(t.as_secs_f64()),
            Ok(_) => {}
            Err(e) => {
                judge.fail(e);
                break;
            }
        }
        engine.read(&mut motions);
        if !judge.see(&motions) {
            break;
        }
        if k + 1 < length.steps && begin.elapsed() > length.budget {
            cut = true;
            break;
        }
    }
    let (min, median, mean) = clock(&mut times);
    Ok(Run { verdict: judge.verdict(), cut, min, median, mean })
}

/// Least, median and clipped mean.
fn clock(times: &mut [f64]) -> (f64, f64, f64) {
    times.sort_unstable_by(f64::total_cmp);
    let (Some(&min), Some(&median)) = (times.first(), times.get(times.len() / 2)) else {
        return (f64::NAN, f64::NAN, f64::NAN);
    };
    let mean = times.iter().map(|t| t.min(10.0 * median)).sum::<f64>() / times.len() as f64;
    (min, median, mean)
}
