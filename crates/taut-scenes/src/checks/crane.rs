//! The crane of Andrews 2017 Fig. 1: stable for a minute at 1/60 s, and true to its own small-step reference until the first swing.

use super::rig::{Worst, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;
use taut::Vec3;

const STEP: f64 = 1.0 / 60.0;
/// Over which the path is compared, s.
const TIME: f64 = 3.0;

pub(super) fn check() -> Check {
    Check {
        id: "crane",
        summary: "15 t dropped on a cable of 0.2 kg segments: stable for 60 s at 1/60 s, path of the first 3 s",
        source: "Andrews 2017 Fig. 1; path of the same scene with steps of 1e-5 s (quick: 1e-4 s)",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let o = effort.outcome("crane", &[], STEP, effort.pick(60.0, 20.0))?;
    let path = path(effort, 1)?;
    let reference = self::path(effort, effort.pick(1667, 167))?;
    let extent = reference.iter().map(|p| (*p - reference[0]).length()).fold(0.0, f64::max);
    let mut off = Worst::new();
    for (k, (a, b)) in path.iter().zip(&reference).enumerate() {
        off.see(100.0 * (*a - *b).length() / extent, || format!("at {:.2} s", (k + 1) as f64 * STEP));
    }
    Ok(vec![
        lasted("stable for", &o, effort.pick(60.0, 20.0)),
        off.at_most(
            &format!("path of the load against {} times smaller steps, of its extent", effort.pick(1667, 167)),
            5.0,
            "%",
        ),
    ])
}

/// Where the load is at every 1/60 s, with steps `parts` times smaller.
fn path(effort: &Effort<'_>, parts: usize) -> Result<Vec<Vec3>, Failure> {
    let (mut s, _) = find("crane")?.with(&[])?;
    let (follow, mut steps, mut path) = (s.follow, 0, Vec::new());
    effort.steps(&mut s.world, STEP / parts as f64, TIME, |w| {
        steps += 1;
        if steps % parts == 0 {
            path.push(w.body(follow)?.position());
        }
        Ok(())
    })?;
    Ok(path)
}
