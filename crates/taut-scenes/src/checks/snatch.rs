//! Slack to taut: a load caught by a line of links a hundred to a million times lighter.

use super::rig::{Worst, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;

const STEP: f64 = 1.0 / 60.0;
const TIME: f64 = 2.5;

pub(super) fn check() -> Check {
    Check {
        id: "snatch",
        summary: "a load falls through 5 % of slack, line of 20 links, ratios of 1e2 to 1e6, 1/60 s",
        source: "conservation of energy; length of the line",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    let (mut gap, mut rise, mut rods, mut again) = (Worst::new(), Worst::new(), Worst::new(), Worst::new());
    for kind in ["rope", "hook", "rod"] {
        for ratio in effort.pick(&["1e2", "1e3", "1e4", "1e5", "1e6"][..], &["1e2", "1e6"]) {
            let (mut s, _) = find("snatch")?.with(&[("kind", kind), ("ratio", ratio)])?;
            let (scale, mut lowest, mut from_lowest) = (s.energy_scale, f64::INFINITY, 0.0_f64);
            let o = effort.watched(&mut s, STEP, TIME, |x| {
                let e = x.report.energy.total();
                lowest = lowest.min(e);
                from_lowest = from_lowest.max((e - lowest) / scale);
            })?;
            let at = || format!("{kind}, {ratio}");
            out.push(lasted(format!("stable for, {kind}, {ratio}"), &o, TIME));
            gap.see(100.0 * o.max_gap_rel, at);
            if kind == "rope" { &mut rise } else { &mut rods }.see(100.0 * o.energy_max_rise, at);
            if kind == "rope" {
                again.see(100.0 * from_lowest, at);
            }
        }
    }
    out.push(gap.at_most("largest gap, of the length", 1.0, "%"));
    out.push(rise.at_most("energy gained by ropes, of the scale", 0.01, "%"));
    // A rope that was stretched by the shock lifts the load when it is made short again.
    out.push(again.at_most("energy gained by ropes after the lowest, of the scale", 2.0, "%"));
    out.push(rods.at_most("energy gained by rods, of the scale", 3.0, "%"));
    Ok(out)
}
