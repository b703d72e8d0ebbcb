//! Runs a scene of many contacts in several engines side by side, phase by phase: clock, penetration, joint gaps, limits, motion at rest.

use crate::Result;
use crate::judge::gaps;
use crate::measure::{Ruler, excess};
use crate::peers::{Engine, Peer};
use crate::run::TURN;
use crate::scene::{Motion, Scene};
use std::ops::Range;
use std::time::{Duration, Instant};

/// A part of a run.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Its name.
    pub name: &'static str,
    /// From when, s.
    pub from: f64,
    /// Until when, s.
    pub to: f64,
}

/// How a scene is run.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Step, s.
    pub h: f64,
    /// Its parts, in order of time; the last one ends the run.
    pub phases: &'a [Phase],
    /// Bodies whose motion is looked at: the first so many.
    pub watched: usize,
    /// Runs, for the clock; only the first is measured otherwise.
    pub repeats: usize,
    /// Wall time after which a run is cut short.
    pub budget: Duration,
}

/// What a phase came to.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Steps clocked, s: least, median and longest, each the least of all runs.
    pub least: f64,
    /// Median, s.
    pub median: f64,
    /// Longest, s.
    pub worst: f64,
    /// Deepest penetration after a step, m.
    pub depth: f64,
    /// Largest gap of a joint, m.
    pub gap: f64,
    /// Largest angle by which a hinge or a cone was passed, rad.
    pub excess: f64,
    /// Largest angle by which a twist was passed, rad.
    pub twist: f64,
    /// Largest speed of the centre of a body at the end of a step, m/s.
    pub speed: f64,
    /// Farthest a body got from where it was when the phase began, m.
    pub drift: f64,
    /// Energy at its end as part of that at the start of the run; heights count from the floor.
    pub energy: f64,
    /// Steps not solved to the engine's own tolerance, if it tells.
    pub unconverged: Option<usize>,
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// One per phase.
    pub phases: Vec<Seen>,
    /// Why it failed.
    pub failure: Option<String>,
    /// When it was cut short for time, s of the scene.
    pub cut: Option<f64>,
}

/// Runs a scene in all engines as often as the plan says. They take turns, so that what else the machine does falls on all of them alike.
pub fn run(peers: &[&Peer], scene: &Scene, plan: &Plan<'_>) -> Result<Vec<Crowd>> {
    let mut all: Vec<Crowd> = Vec::new();
    for repeat in 0..plan.repeats.max(1) {
        let mut runs = Vec::new();
        for p in peers {
            runs.push(Run::new(p, scene, plan, repeat == 0)?);
        }
        let end = plan.phases.last().map_or(0.0, |p| p.to);
        let steps = (end / plan.h).round() as usize;
        for from in (0..steps).step_by(TURN) {
            runs.iter_mut().for_each(|r| r.turn(from..(from + TURN).min(steps)));
        }
        if repeat == 0 {
            all = runs.iter().map(|r| r.crowd.clone()).collect();
        }
        for (crowd, run) in all.iter_mut().zip(runs) {
            crowd.clock(run.times);
        }
    }
    Ok(all)
}

impl Crowd {
    /// Takes the times of a run, if they are less than those of the runs before.
    fn clock(&mut self, times: Vec<Vec<f64>>) {
        for (seen, mut t) in self.phases.iter_mut().zip(times) {
            t.sort_unstable_by(f64::total_cmp);
            if let (Some(&least), Some(&median), Some(&worst)) = (t.first(), t.get(t.len() / 2), t.last()) {
                seen.least = seen.least.min(least);
                seen.median = seen.median.min(median);
                seen.worst = seen.worst.min(worst);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.failure.is_some() || self.cut.is_some()
    }
}

/// A scene on its way through one engine.
struct Run<'a> {
    scene: &'a Scene,
    plan: &'a Plan<'a>,
    engine: Box<dyn Engine>,
    measured: bool,
    ruler: Ruler,
    motions: Vec<Motion>,
    /// Where bodies were when a phase began.
    from: Vec<Option<Vec<Motion>>>,
    /// Energy at the start, J.
    whole: f64,
    /// Wall time up to now.
    spent: Duration,
    crowd: Crowd,
    times: Vec<Vec<f64>>,
}

impl<'a> Run<'a> {
    fn new(peer: &Peer, scene: &'a Scene, plan: &'a Plan<'a>, measured: bool) -> Result<Self> {
        let blank = Seen { least: f64::INFINITY, median: f64::INFINITY, worst: f64::INFINITY, ..Seen::default() };
        let (motions, phases) = (scene.start(), plan.phases.len());
        Ok(Run {
            scene,
            plan,
            engine: (peer.build)(scene, plan.h).map_err(|e| format!("{}: {e}", peer.name))?,
            measured,
            ruler: Ruler::new(scene),
            from: vec![None; phases],
            whole: energy(scene, &motions),
            motions,
            spent: Duration::ZERO,
            crowd: Crowd { phases: vec![blank; phases], failure: None, cut: None },
            times: vec![Vec::new(); phases],
        })
    }

    fn turn(&mut self, steps: Range<usize>) {
        let begin = Instant::now();
        for k in steps {
            if self.crowd.is_over() {
                return;
            }
            let time = (k + 1) as f64 * self.plan.h;
            self.step(time);
            if self.spent + begin.elapsed() > self.plan.budget {
                self.crowd.cut = Some(time);
            }
        }
        self.spent += begin.elapsed();
    }

    /// One step, to `time`.
    fn step(&mut self, time: f64) {
        let before = self.engine.unconverged();
        let took = match self.engine.step() {
            Ok(took) => took.as_secs_f64(),
            Err(e) => {
                self.crowd.failure = Some(e);
                return;
            }
        };
        let phase = self.plan.phases.iter().position(|p| time > p.from + 1e-9 && time <= p.to + 1e-9);
        if let Some(at) = phase {
            self.times[at].push(took);
        }
        if self.measured {
            self.measure(time, phase, before);
        }
    }

    fn measure(&mut self, time: f64, phase: Option<usize>, before: Option<usize>) {
        let last = self.motions.clone();
        self.engine.read(&mut self.motions);
        if !self.motions.iter().all(|m| m.pos.is_finite() && m.vel.is_finite() && m.rot.is_finite()) {
            self.crowd.failure = Some(format!("not finite at {time:.3} s"));
            return;
        }
        let Some(at) = phase else { return };
        let start = self.from[at].get_or_insert(last);
        let seen = &mut self.crowd.phases[at];
        look(seen, self.scene, &self.motions, &start[..self.plan.watched], &mut self.ruler);
        seen.energy = energy(self.scene, &self.motions) / self.whole;
        let missed = self.engine.unconverged().zip(before).map(|(now, before)| now - before);
        seen.unconverged = missed.map(|m| m + seen.unconverged.unwrap_or(0));
    }
}

fn look(seen: &mut Seen, scene: &Scene, motions: &[Motion], start: &[Motion], ruler: &mut Ruler) {
    seen.depth = seen.depth.max(ruler.depth(motions));
    seen.gap = seen.gap.max(gaps(scene, motions).1);
    let (limit, twist) = excess(scene, motions);
    seen.excess = seen.excess.max(limit);
    seen.twist = seen.twist.max(twist);
    for (m, s) in motions.iter().zip(start) {
        seen.speed = seen.speed.max(m.vel.length());
        seen.drift = seen.drift.max((m.pos - s.pos).length());
    }
}

/// Kinetic energy and height, J.
fn energy(scene: &Scene, motions: &[Motion]) -> f64 {
    let of = |(b, m): (&crate::scene::Body, &Motion)| {
        let w = m.rot.inverse() * m.ang;
        let spin: f64 = w.to_array().iter().zip(b.inertia.to_array()).map(|(w, i)| w * w * i).sum();
        0.5 * (b.mass * m.vel.length_squared() + spin) - b.mass * scene.gravity.dot(m.pos)
    };
    scene.bodies.iter().zip(motions).map(of).sum()
}
