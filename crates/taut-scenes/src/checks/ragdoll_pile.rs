//! Ragdolls on a heap: limits, contacts between all of them, and rest.

use super::rig::{Worst, excess, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;

pub(super) fn check() -> Check {
    Check {
        id: "ragdoll-pile",
        summary: "8 ragdolls (quick: 3) dropped on a heap: solved, no energy gained, limits kept, little penetration",
        source: "laws of contact and limits",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (count, time) = (effort.pick("8", "3"), effort.pick(3.0, 2.0));
    let (mut s, _) = find("ragdoll-pile")?.with(&[("ragdolls", count)])?;
    let (mut beyond, mut deep, mut unconverged) = (Worst::new(), Worst::new(), 0);
    let o = effort.looked(&mut s, 0.01, time, |w, x| {
        unconverged += x.report.bounded.unconverged;
        let (most, joint) = excess(w)?;
        beyond.see(most.to_degrees(), || format!("{joint}, at {:.2} s", w.time()));
        deep.see(1e3 * x.report.bounded.penetration, || format!("at {:.2} s", w.time()));
        Ok(())
    })?;
    Ok(vec![
        lasted(format!("{count} ragdolls stable for"), &o, time),
        Measured::at_most("largest rise of the energy, of the scale", 100.0 * o.energy_max_rise.max(0.0), 0.1, "%"),
        beyond.at_most("limit passed by", 0.5, "deg"),
        deep.at_most("deepest penetration", 20.0, "mm"),
        Measured::at_most("bounded solves that did not converge", unconverged as f64, 0.0, ""),
    ])
}
