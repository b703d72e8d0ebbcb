//! The dropped boom of Andrews 2017 Fig. 11 at steps of 0.1, 0.01 and 0.001 s.

use super::rig::lasted;
use super::{Check, Effort, Failure, Measured};

pub(super) fn check() -> Check {
    Check {
        id: "crane-boom",
        summary: "a boom of 100 t with 15 t on its cable, dropped, is stable for 60 s at 0.1, 0.01 and 0.001 s",
        source: "Andrews 2017 Fig. 11",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    for dt in [0.1, 0.01, 0.001] {
        let time = effort.pick(60.0, if dt < 0.005 { 6.0 } else { 20.0 });
        let o = effort.outcome("crane-boom", &[], dt, time)?;
        out.push(lasted(format!("stable for, steps of {dt} s"), &o, time));
    }
    Ok(out)
}
