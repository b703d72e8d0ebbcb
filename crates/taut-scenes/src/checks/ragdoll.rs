//! The ragdoll of Tournier 2015 on its liana, shaken.

use super::rig::{Worst, excess, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;
use taut::{Options, Stabiliser};

pub(super) fn check() -> Check {
    Check {
        id: "ragdoll",
        summary: "a ragdoll of 12 bodies with limits on a liana of 10 links, shaken at 10 m/s, 0.01 s and 1/60 s",
        source: "Tournier 2015 section 4: stable, 70 frames a second, unstable without geometric stiffness",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let time = effort.pick(30.0, 20.0);
    let mut out = Vec::new();
    for dt in [0.01, 1.0 / 60.0] {
        let (mut s, _) = find("ragdoll")?.with(&[])?;
        let (mut beyond, mut unconverged) = (Worst::new(), 0);
        let o = effort.looked(&mut s, dt, time, |w, x| {
            unconverged += x.report.bounded.unconverged;
            let (most, joint) = excess(w)?;
            beyond.see(most.to_degrees(), || format!("{joint}, at {:.2} s", w.time()));
            Ok(())
        })?;
        let with = |what: &str| format!("{what}, steps of {dt:.4} s");
        out.push(lasted(with("stable for"), &o, time));
        out.push(beyond.at_most(&with("limit passed by"), 0.5, "deg"));
        out.push(Measured::at_most(with("bounded solves that did not converge"), unconverged as f64, 0.0, ""));
        out.push(Measured::at_least(with("frames of one step on one core"), 1e6 / o.us_per_step, 70.0, "1/s"));
    }
    let (mut s, _) = find("ragdoll")?.with(&[])?;
    let options = Options { stabiliser: Stabiliser::None, ..*s.world.options() };
    s.world.set_options(options)?;
    let o = effort.watched(&mut s, 0.01, time, |_| {})?;
    let stable = if o.stable { f64::INFINITY } else { o.dt * o.steps as f64 };
    out.push(Measured::at_most("without a stabiliser stable for, steps of 0.0100 s", stable, 10.0, "s"));
    Ok(out)
}
