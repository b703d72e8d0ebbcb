//! Runs a scene in an engine: steps, clocks, judges.

use crate::Result;
use crate::judge::{Judge, Verdict};
use crate::peers::{Engine, Peer};
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
    /// Shortest step, s of processor time.
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
    Runner::new(peer, scene, length).map(|mut runner| {
        runner.advance(length.steps);
        runner.finish()
    })
}

/// Steps that an engine makes before it is the turn of the next.
pub(crate) const TURN: usize = 6;

/// Runs a scene in several engines that take turns, a few steps each, so that what else the machine does falls on all of them alike.
pub fn race(peers: &[&Peer], scene: &Scene, length: Length) -> Result<Vec<Run>> {
    let mut runners: Vec<Runner<'_>> =
        peers.iter().map(|p| Runner::new(p, scene, length)).collect::<Result<Vec<_>>>()?;
    for _ in 0..length.steps.div_ceil(TURN) {
        runners.iter_mut().for_each(|r| r.advance(TURN));
    }
    Ok(runners.into_iter().map(Runner::finish).collect())
}

/// A scene on its way through one engine.
struct Runner<'a> {
    engine: Box<dyn Engine>,
    judge: Judge<'a>,
    motions: Vec<Motion>,
    length: Length,
    /// Steps up to now, and those clocked, s.
    done: usize,
    times: Vec<f64>,
    /// Wall time up to now.
    spent: Duration,
    cut: bool,
    failed: bool,
}

impl<'a> Runner<'a> {
    fn new(peer: &Peer, scene: &'a Scene, length: Length) -> Result<Self> {
        let begin = Instant::now();
        let engine = (peer.build)(scene, length.h).map_err(|e| format!("{}: {e}", peer.name))?;
        Ok(Runner {
            engine,
            judge: Judge::new(scene, length.h, length.steps),
            motions: scene.start(),
            length,
            done: 0,
            times: Vec::with_capacity(length.steps),
            spent: begin.elapsed(),
            cut: false,
            failed: false,
        })
    }

    /// The next steps, at most so many.
    fn advance(&mut self, steps: usize) {
        let begin = Instant::now();
        let before = self.spent;
        for _ in 0..steps {
            if self.failed || self.cut || self.done == self.length.steps {
                return;
            }
            self.failed = !self.step();
            self.spent = before + begin.elapsed();
            self.cut = !self.failed && self.done < self.length.steps && self.spent > self.length.budget;
        }
    }

    /// One step; false when the run has failed.
    fn step(&mut self) -> bool {
        match self.engine.step() {
            Ok(t) if self.done >= self.length.warm_up => self.times.push(t.as_secs_f64()),
            Ok(_) => {}
            Err(e) => {
                self.judge.fail(e);
                return false;
            }
        }
        self.done += 1;
        self.engine.read(&mut self.motions);
        self.judge.see(&self.motions)
    }

    fn finish(mut self) -> Run {
        let (min, median, mean) = clock(&mut self.times);
        Run { verdict: self.judge.verdict(), cut: self.cut, min, median, mean }
    }
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
