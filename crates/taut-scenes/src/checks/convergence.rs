//! Order of convergence: how fast the error falls with the step where the step resolves the motion.

use super::effort::Case;
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;
use taut::Vec3;

/// Coarsest step, s; it is halved three times. The reference has an eighth of the finest.
const STEP: f64 = 0.01;
const HALVINGS: i32 = 3;

pub(super) fn check() -> Check {
    Check {
        id: "convergence",
        summary: "the error after 1 s falls with the square of the step in the resolved regime",
        source: "second order of the resolved regime; error against a run with a small step",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let rods =
        |links, ratio| [("links", links), ("ratio", ratio), ("link_length", "1"), ("link_mass", "1"), ("kick", "0")];
    let cases: [Case<'_>; 4] = [
        ("pendulum of one rod and a ball", "chain", &rods("1", "1")),
        ("four rods and a ball", "chain", &rods("4", "1")),
        ("ten rods, ratio 10", "chain", &rods("10", "10")),
        ("four-bar", "fourbar", &[]),
    ];
    let mut out = Vec::new();
    for (name, scene, set) in cases {
        let end = |h: f64| position(effort, scene, set, h);
        let exact = end(STEP * 0.5_f64.powi(HALVINGS + 3))?;
        let coarse = (end(STEP)? - exact).length();
        let fine = (end(STEP * 0.5_f64.powi(HALVINGS))? - exact).length();
        let order = (coarse / fine).log2() / f64::from(HALVINGS);
        out.push(Measured::near(format!("order, {name} (error {coarse:.1e} m at 0.01 s)"), order, 2.0, 0.05, ""));
    }
    Ok(out)
}

/// Where the followed body is after 1 s.
fn position(effort: &Effort<'_>, scene: &str, set: &[(&str, &str)], h: f64) -> Result<Vec3, Failure> {
    let (mut s, _) = find(scene)?.with(set)?;
    effort.steps(&mut s.world, h, 1.0, |_| Ok(()))?;
    Ok(s.world.body(s.follow)?.position())
}
