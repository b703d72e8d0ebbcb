//! The cloth of Tournier 2015 Fig. 4 and Table 2: inextensible, with weights of 500 and 5000 particles.

use super::rig::lasted;
use super::{Check, Effort, Failure, Measured};

const STEP: f64 = 0.01;

pub(super) fn check() -> Check {
    Check {
        id: "cloth",
        summary: "10 x 10 particles with weights of 500 and 5000 particles, compliance 0, 0.01 s: stable, not stretched at rest",
        source: "Tournier 2015 Fig. 4, Table 2; inextensible threads",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let time = effort.pick(20.0, 10.0);
    let o = effort.outcome("cloth", &[], STEP, time)?;
    let heavy_time = effort.pick(20.0, 3.0);
    let heavy = effort.outcome("cloth", &[("ratio", "5000")], STEP, heavy_time)?;
    Ok(vec![
        lasted("stable for, 500 to 1", &o, time),
        Measured::at_most("strain at rest, 500 to 1", o.end_strain, 1e-5, ""),
        lasted("stable for, 5000 to 1", &heavy, heavy_time),
    ])
}
