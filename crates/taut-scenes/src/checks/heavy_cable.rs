//! A thousand tonnes on a cable of 200 g segments, at a tenth of a second.

use super::rig::lasted;
use super::{Check, Effort, Failure, Measured};

pub(super) fn check() -> Check {
    Check {
        id: "heavy-cable",
        summary: "1e6 kg on segments of 0.2 kg (5,000,000 to 1), steps of 0.1 s, 60 s",
        source: "promise of the README; Andrews 2017 Fig. 10",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let o = effort.outcome("pendulum-cable", &[("load", "1e6")], 0.1, 60.0)?;
    Ok(vec![
        lasted("stable for", &o, 60.0),
        Measured::at_most("largest gap, of the length", 100.0 * o.max_gap_rel, 1.0, "%"),
        Measured::at_most("largest energy rise, of the scale", 100.0 * o.energy_max_rise, 2.0, "%"),
    ])
}
