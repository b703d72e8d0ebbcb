//! Cages assembled from scattered rods by the projection of poses alone.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::parameters::Parameters;
use crate::scenes::assembly::{cage, info, scatter};
use taut::assembly::Assembly;

pub(super) fn check() -> Check {
    Check {
        id: "assembly",
        summary: "the scattered rods of a cage come together, and the error falls quadratically at the end",
        source: "Faure's slides: assembly of a complex structure; Newton's method",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let seeds = effort.pick(20, 3);
    let (mut closed, mut gap, mut passes, mut order) = (0, Worst::new(), Worst::new(), f64::INFINITY);
    for seed in 0..seeds {
        effort.go_on()?;
        let info = info();
        let mut p = Parameters::defaults(&info.parameters);
        p.set(&info.parameters, "seed", &seed.to_string())?;
        let (mut world, _) = cage(&p)?;
        scatter(&mut world, &p)?;
        let done = world.assemble(&Assembly { keep: true, ..Assembly::default() })?;
        closed += usize::from(done.closed);
        gap.see(done.gap, || format!("seed {seed}"));
        passes.see(done.passes as f64, || format!("seed {seed}"));
        // The order of the last pass that is not rounding: log e_k / log e_(k-1), lengths in m.
        let last = (1..done.history.len()).rev().find(|&k| done.history[k] > 1e-13 && done.history[k - 1] < 0.05);
        if let Some(k) = last {
            order = order.min(done.history[k].ln() / done.history[k - 1].ln());
        }
    }
    Ok(vec![
        Measured::all_of(format!("assembled of {seeds}"), closed, seeds),
        gap.at_most("largest opening", 1e-9, "m"),
        passes.at_most("passes", 100.0, ""),
        Measured::at_least("order of the last pass", order, 1.5, ""),
    ])
}
