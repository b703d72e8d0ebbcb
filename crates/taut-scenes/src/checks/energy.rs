//! Energy kept by mechanisms that should keep it. `taut bench energy` prints more of them.

use super::effort::Case;
use super::{Check, Effort, Failure, Measured};
use crate::run::Outcome;
use crate::scene::find;

/// Largest part of its kinetic peak that the cable pendulum may lose in 40 s at 0.01 s.
pub const PEAK_LOSS: f64 = 0.002;

/// Largest part of the energy scale by which the energy of linkages and of a pendulum may ever be off in 20 s at 0.01 s.
const OFF: f64 = 0.01;
/// The same for a double pendulum, whose energy swings by more when it whips, and comes back.
const OFF_DOUBLE: f64 = 0.02;

/// Part of the kinetic peak that was lost between the first and the last window of a run.
pub fn peak_loss(o: &Outcome) -> f64 {
    1.0 - o.kinetic_peak_last / o.kinetic_peak_first
}

pub(super) fn check() -> Check {
    Check {
        id: "energy",
        summary: "a cable pendulum, linkages and pendulums keep their energy at 0.01 s",
        source: "Andrews 2017 Fig. 8: 2 % lost with adaptive damping, 40 % with full geometric stiffness; conservation",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    for joint in effort.pick(&["cable", "ball"][..], &["cable"]) {
        let o = effort.outcome("pendulum-cable", &[("joint", joint)], 0.01, 40.0)?;
        let what = format!("kinetic peak lost in 40 s, 100 kg on a cable of {joint} joints");
        out.push(Measured::at_most(what, stable(&o, 100.0 * peak_loss(&o)), 100.0 * PEAK_LOSS, "%"));
    }
    let pendulum = [("links", "1"), ("link_length", "1"), ("link_mass", "1"), ("ratio", "1")];
    let two = [("links", "2"), ("link_length", "1"), ("link_mass", "1"), ("ratio", "1")];
    let scenes: [Case<'_>; 5] = [
        ("single pendulum", "chain", &pendulum),
        ("double pendulum", "chain", &two),
        ("four-bar", "fourbar", &[]),
        ("four-bar, coupler 10 times as heavy", "fourbar", &[("ratio", "10")]),
        ("Bricard's linkage", "bricard", &[]),
    ];
    let time = effort.pick(20.0, 10.0);
    for (name, scene, set) in scenes {
        let (mut s, _) = find(scene)?.with(set)?;
        let (start, scale, mut off) = (s.world.energy()?.total(), s.energy_scale, 0.0_f64);
        let o =
            effort.watched(&mut s, 0.01, time, |x| off = off.max((x.report.energy.total() - start).abs() / scale))?;
        let bound = if name == "double pendulum" { OFF_DOUBLE } else { OFF };
        let what = format!("largest change of the energy in {time} s, {name}");
        out.push(Measured::at_most(what, stable(&o, 100.0 * off), 100.0 * bound, "%"));
    }
    Ok(out)
}

/// The value, or no number when the run has failed.
fn stable(o: &Outcome, value: f64) -> f64 {
    if o.stable { value } else { f64::NAN }
}
