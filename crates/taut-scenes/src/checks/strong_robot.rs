//! The robot of Andrews 2017 Fig. 5 that holds a vehicle.

use super::rig::lasted;
use super::{Check, Effort, Failure, Measured};

pub(super) fn check() -> Check {
    Check {
        id: "strong-robot",
        summary: "a robot of 94 kg with servos in every joint holds a vehicle of 15 t, 60 s",
        source: "Andrews 2017 Fig. 5",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let time = effort.pick(60.0, 10.0);
    let mut out = Vec::new();
    for dt in [0.01, 1.0 / 60.0] {
        let o = effort.outcome("strong-robot", &[], dt, time)?;
        out.push(lasted(format!("stable for, steps of {dt:.4} s"), &o, time));
    }
    Ok(out)
}
