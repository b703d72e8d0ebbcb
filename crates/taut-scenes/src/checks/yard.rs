//! A yard at rest costs nothing, and only what is touched wakes up.

use super::{Check, Effort, Failure, Measured};
use crate::scene::{Scene, find};
use std::time::Instant;

const STEP: f64 = 1.0 / 60.0;
/// Steps that are timed; the fastest counts.
const TIMED: usize = 200;

pub(super) fn check() -> Check {
    Check {
        id: "yard",
        summary: "10,000 boxes at rest fall asleep; a step then costs at most 0.1 ms; a ball wakes what it touches",
        source: "promise of the README; groups of boxes that touch",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let n = effort.pick(10_000, 1000);
    let count = n.to_string();
    let (mut s, p) = find("yard")?.with(&[("bodies", &count)])?;
    let high = p.count("stack");
    let mut steps = 0;
    while s.world.sleeping() < n && steps < 60 {
        effort.go_on()?;
        s.step(STEP)?;
        steps += 1;
    }
    let asleep = s.world.sleeping();
    let mut fastest = f64::INFINITY;
    for _ in 0..TIMED {
        effort.go_on()?;
        let begin = Instant::now();
        s.step(STEP)?;
        fastest = fastest.min(begin.elapsed().as_secs_f64());
    }
    let some = s.world.bodies().map(|b| b.id()).nth(1 + n / 2).unwrap_or(s.follow);
    s.world.wake(some)?;
    let woken = n - s.world.sleeping();
    let (before, after, far) = wave(effort)?;
    Ok(vec![
        Measured::all_of("boxes asleep", asleep, n),
        Measured::at_most("time until they are", steps as f64 * STEP, 0.6, "s"),
        Measured::at_most("fastest step once asleep", 1e3 * fastest, 0.1, "ms"),
        Measured::near("boxes woken with one of them", woken as f64, high as f64, 0.0, ""),
        Measured::at_most("boxes awake before the ball arrives", before as f64, 0.0, ""),
        Measured::at_least("boxes awake after it", after as f64, high as f64, ""),
        Measured::at_most("boxes awake far from it", far as f64, 0.0, ""),
    ])
}

/// A ball rolled at a corner of a small yard: boxes awake just before it arrives, after it, and of the far half.
fn wave(effort: &Effort<'_>) -> Result<(usize, usize, usize), Failure> {
    let (mut s, p) = find("yard")?.with(&[("bodies", "256"), ("ball", "3")])?;
    let n = p.count("bodies");
    let boxes: Vec<_> = s.world.bodies().skip(1).take(n).map(|b| b.id()).collect();
    let awake = |s: &Scene, of: &[taut::BodyId]| of.iter().filter(|b| s.world.is_asleep(**b) == Ok(false)).count();
    effort.steps(&mut s.world, STEP, 0.7, |_| Ok(()))?;
    let before = awake(&s, &boxes);
    effort.steps(&mut s.world, STEP, 0.5, |_| Ok(()))?;
    Ok((before, awake(&s, &boxes), awake(&s, &boxes[n / 2..])))
}
