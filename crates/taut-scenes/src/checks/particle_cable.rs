//! The swinging cable of particles of Tournier 2015 Fig. 3.

use super::rig::{Worst, lasted};
use super::{Check, Effort, Failure, Measured};

pub(super) fn check() -> Check {
    Check {
        id: "particle-cable",
        summary: "10 and 100 inextensible segments under loads of 1 to 100 cables, 0.04 s, 20 s",
        source: "Tournier 2015 Fig. 3",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    let mut gap = Worst::new();
    for segments in ["10", "100"] {
        for ratio in ["1", "10", "100"] {
            let o = effort.outcome("particle-cable", &[("segments", segments), ("ratio", ratio)], 0.04, 20.0)?;
            out.push(lasted(format!("stable for, {segments} segments, load {ratio}"), &o, 20.0));
            gap.see(100.0 * o.max_gap_rel, || format!("{segments} segments, load {ratio}"));
        }
    }
    out.push(gap.at_most("largest gap, of the length", 1.0, "%"));
    Ok(out)
}
