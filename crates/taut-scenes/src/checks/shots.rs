//! No ball passes a thin wall, however fast.

use super::{Check, Effort, Failure, Measured};
use crate::scene::find;

const STEP: f64 = 1.0 / 60.0;
const TIME: f64 = 0.5;
/// Shots in one world.
const BATCH: usize = 500;

pub(super) fn check() -> Check {
    Check {
        id: "shots",
        summary: "10,000 balls of 1 to 10 cm at up to 500 m/s at a wall of 1 cm, 1/60 s: none passes",
        source: "the wall",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let batches = effort.pick(20, 2);
    let (mut passed, mut hit, mut shots) = (0, 0, 0);
    for seed in 0..batches {
        let (count, seed) = (BATCH.to_string(), seed.to_string());
        let (mut s, p) = find("shots")?.with(&[("shots", &count), ("seed", &seed)])?;
        let balls: Vec<_> = s.world.bodies().skip(1).map(|b| b.id()).collect();
        let start: Vec<f64> =
            balls.iter().map(|b| s.world.body(*b).map(|b| b.velocity().x)).collect::<Result<_, _>>()?;
        let mut through = vec![false; balls.len()];
        let thick = p.number("thickness");
        effort.steps(&mut s.world, STEP, TIME, |w| {
            for (b, t) in balls.iter().zip(&mut through) {
                *t |= w.body(*b)?.position().x > 0.5 * thick;
            }
            Ok(())
        })?;
        for (b, v) in balls.iter().zip(start) {
            hit += usize::from(s.world.body(*b)?.velocity().x < 0.9 * v);
        }
        shots += balls.len();
        passed += through.iter().filter(|t| **t).count();
    }
    Ok(vec![
        Measured::at_most(format!("balls that passed, of {shots}"), passed as f64, 0.0, ""),
        Measured::at_least("balls that hit the wall", hit as f64, 0.9 * shots as f64, ""),
    ])
}
