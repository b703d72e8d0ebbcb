//! The energy ledger of every scene of the library, step by step and over the whole run.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::scene::all;

pub(super) fn check() -> Check {
    Check {
        id: "ledger",
        summary: "in every scene the change of energy is the sum of what the ledger books",
        source: "balance of energy: work, damping, stabiliser, constraints, integration, contacts, broken joints",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut step, mut whole) = (Worst::new(), Worst::new());
    let (mut stable, mut scenes) = (0, 0);
    for info in all() {
        let o = effort.outcome(info.name, info.small(), info.dt, effort.pick(5.0, 1.0))?;
        let booked: f64 = o.ledger.iter().sum();
        let gap = (o.energy_end - o.energy_start - booked).abs() / o.energy_scale;
        step.see(o.ledger_imbalance, || info.name.into());
        whole.see(gap, || info.name.into());
        stable += usize::from(o.stable);
        scenes += 1;
    }
    Ok(vec![
        Measured::all_of(format!("stable scenes of {scenes}"), stable, scenes),
        step.at_most("largest imbalance of a step, of the scale", 1e-9, ""),
        whole.at_most("imbalance of a run, of the scale", 1e-9, ""),
    ])
}
