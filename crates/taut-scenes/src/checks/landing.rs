//! A load lowered to the ground, its cable slack, hoisted again.

use super::rig::{Worst, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::run::run_with;
use crate::scene::find;

pub(super) fn check() -> Check {
    Check {
        id: "crane-landing",
        summary: "a load lands at 0.5 m/s, its cable goes slack, it lifts off; ratios of 1e2 to 1e6, 1/60 and 0.05 s",
        source: "work of the winch; length of the cable",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    let (mut gap, mut rise, mut speed, mut deep) = (Worst::new(), Worst::new(), Worst::new(), Worst::new());
    let (mut landed, mut cases) = (0, 0);
    let steps: &[(f64, &str)] = effort.pick(&[(1.0 / 60.0, "1/60 s"), (0.05, "0.05 s")], &[(1.0 / 60.0, "1/60 s")]);
    for kind in ["hook", "rope"] {
        for ratio in effort.pick(&["1e2", "1e3", "1e4", "1e5", "1e6"][..], &["1e2", "1e6"]) {
            for &(h, name) in steps {
                let (mut s, _) = find("crane-landing")?.with(&[("kind", kind), ("ratio", ratio)])?;
                let (mut fastest, mut lowest, mut end, mut depth) = (0.0_f64, f64::INFINITY, 0.0_f64, 0.0_f64);
                let o = run_with(&mut s, h, 4.0, |world, x| {
                    let speeds = world.bodies().map(|b| b.velocity().length());
                    fastest = speeds.fold(fastest, f64::max);
                    lowest = lowest.min(x.position.y);
                    end = x.position.y;
                    depth = depth.max(x.report.bounded.penetration);
                    !(effort.stop)()
                })?;
                effort.go_on()?;
                let at = || format!("{kind}, {ratio}, {name}");
                cases += 1;
                // The load is a box of 40 cm: it stood on the ground, and hangs above it in the end.
                landed += usize::from((lowest - 0.2).abs() < 1e-3 && end > 0.3);
                out.push(lasted(format!("stable for, {}", at()), &o, 4.0));
                gap.see(100.0 * o.max_gap_rel, at);
                rise.see(100.0 * o.energy_max_rise, at);
                speed.see(fastest, at);
                deep.see(1e3 * depth, at);
            }
        }
    }
    out.push(Measured::all_of(format!("landed and lifted off, of {cases}"), landed, cases));
    out.push(gap.at_most("largest gap, of the length", 1.0, "%"));
    out.push(rise.at_most("energy gained beyond the winch's work, of the scale", 0.1, "%"));
    out.push(speed.at_most("fastest link", 2.0, "m/s"));
    out.push(deep.at_most("deepest penetration", 0.1, "mm"));
    Ok(out)
}
