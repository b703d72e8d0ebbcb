//! A vehicle takes up the slack of a rope and drags a sled.

use super::rig::{Worst, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;

const STEP: f64 = 1.0 / 60.0;
const TIME: f64 = 6.0;

pub(super) fn check() -> Check {
    Check {
        id: "tow",
        summary: "slack, snatch and tow by a rope of one piece and of 20 one-way links, ratios of 1e2 to 1e5, 1/60 s",
        source: "work of the motors; length of the rope",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    let (mut gap, mut rise) = (Worst::new(), Worst::new());
    let mut slowest = f64::INFINITY;
    let all: [&[(&str, &str)]; 4] = [
        &[],
        &[("links", "20"), ("ratio", "1e2")],
        &[("links", "20"), ("ratio", "1e4")],
        &[("links", "20"), ("ratio", "1e5")],
    ];
    for set in effort.pick(&all[..], &all[..2]) {
        let (mut s, p) = find("tow")?.with(set)?;
        let mut last = 0.0;
        let o = effort.watched(&mut s, STEP, TIME, |x| last = x.velocity.x)?;
        let at = || format!("{} links, {}", p.count("links"), p.number("ratio"));
        out.push(lasted(format!("stable for, {}", at()), &o, TIME));
        gap.see(100.0 * o.max_gap_rel, at);
        rise.see(100.0 * o.energy_max_rise, at);
        slowest = slowest.min(last);
    }
    out.push(gap.at_most("largest gap of the rope, of its length", 1.0, "%"));
    out.push(rise.at_most("energy gained beyond the motors' work, of the scale", 0.1, "%"));
    out.push(Measured::at_least("speed of the sled at the end, slowest", slowest, 1.0, "m/s"));
    Ok(out)
}
