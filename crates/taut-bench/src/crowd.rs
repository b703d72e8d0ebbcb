//! Runs a scene of many contacts in an engine, phase by phase: clock, penetration, joint gaps, limits, motion at rest.

use crate::Result;
use crate::judge::gaps;
use crate::measure::{Ruler, excess};
use crate::peers::Peer;
use crate::scene::{Motion, Scene};
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

/// Runs a scene as often as the plan says.
pub fn run(peer: &Peer, scene: &Scene, plan: &Plan<'_>) -> Result<Crowd> {
    let mut all: Option<Crowd> = None;
    for _ in 0..plan.repeats.max(1) {
        let (once, times) = once(peer, scene, plan, all.is_none())?;
        let crowd = all.get_or_insert(once);
        for (seen, mut t) in crowd.phases.iter_mut().zip(times) {
            t.sort_unstable_by(f64::total_cmp);
            let (Some(&least), Some(&median), Some(&worst)) = (t.first(), t.get(t.len() / 2), t.last()) else {
                continue;
            };
            seen.least = seen.least.min(least);
            seen.median = seen.median.min(median);
            seen.worst = seen.worst.min(worst);
        }
        if crowd.failure.is_some() || crowd.cut.is_some() {
            break;
        }
    }
    all.ok_or_else(|| "no run".into())
}

fn once(peer: &Peer, scene: &Scene, plan: &Plan<'_>, measured: bool) -> Result<(Crowd, Vec<Vec<f64>>)> {
    let begin = Instant::now();
    let mut engine = (peer.build)(scene, plan.h).map_err(|e| format!("{}: {e}", peer.name))?;
    let (mut ruler, mut motions) = (Ruler::new(scene), scene.start());
    let blank = Seen { least: f64::INFINITY, median: f64::INFINITY, worst: f64::INFINITY, ..Seen::default() };
    let mut crowd = Crowd { phases: vec![blank; plan.phases.len()], failure: None, cut: None };
    let mut times = vec![Vec::new(); plan.phases.len()];
    let mut from: Vec<Option<Vec<Motion>>> = vec![None; plan.phases.len()];
    let whole = energy(scene, &motions);
    let end = plan.phases.last().map_or(0.0, |p| p.to);
    for k in 1..=(end / plan.h).round() as usize {
        let time = k as f64 * plan.h;
        let before = engine.unconverged();
        let took = match engine.step() {
            Ok(t) => t.as_secs_f64(),
            Err(e) => {
                crowd.failure = Some(e);
                break;
            }
        };
        let phase = plan.phases.iter().position(|p| time > p.from + 1e-9 && time <= p.to + 1e-9);
        if let Some(at) = phase {
            times[at].push(took);
        }
        if measured {
            let last = motions.clone();
            engine.read(&mut motions);
            if !motions.iter().all(|m| m.pos.is_finite() && m.vel.is_finite() && m.rot.is_finite()) {
                crowd.failure = Some(format!("not finite at {time:.3} s"));
                break;
            }
            if let Some(at) = phase {
                let start = from[at].get_or_insert(last);
                look(&mut crowd.phases[at], scene, &motions, &start[..plan.watched], &mut ruler);
                crowd.phases[at].energy = energy(scene, &motions) / whole;
                let missed = engine.unconverged().zip(before).map(|(now, before)| now - before);
                let seen = &mut crowd.phases[at];
                seen.unconverged = missed.map(|m| m + seen.unconverged.unwrap_or(0));
            }
        }
        if begin.elapsed() > plan.budget {
            crowd.cut = Some(time);
            break;
        }
    }
    Ok((crowd, times))
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
        let spin: f64 = w.to_array().iter().zip(b.inertia).map(|(w, i)| w * w * i).sum();
        0.5 * (b.mass * m.vel.length_squared() + spin) - b.mass * scene.gravity.dot(m.pos)
    };
    scene.bodies.iter().zip(motions).map(of).sum()
}
