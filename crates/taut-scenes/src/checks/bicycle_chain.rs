//! The closed chain over two sprockets.

use super::rig::{Worst, excess, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;

/// Steps, s, and the time that is left for the chain to come up to speed, s.
const STEP: f64 = 0.002;
const START: f64 = 0.5;

pub(super) fn check() -> Check {
    Check {
        id: "bicycle-chain",
        summary: "a closed chain of 40 links runs over two sprockets: limits of 25 deg kept, the driven one turns evenly",
        source: "Tournier 2015 section 4; equal sprockets in phase turn at the same rate",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let time = effort.pick(5.0, 1.5);
    let (mut s, p) = find("bicycle-chain")?.with(&[])?;
    let driven = s.world.find_body("driven sprocket")?;
    let (mut beyond, mut unconverged) = (Worst::new(), 0);
    let (mut sum, mut squares, mut n) = (0.0, 0.0, 0.0);
    let o = effort.looked(&mut s, STEP, time, |w, x| {
        unconverged += x.report.bounded.unconverged;
        beyond.see(excess(w)?.0.to_degrees(), || format!("at {:.2} s", w.time()));
        if w.time() > START {
            let rate = w.body(driven)?.angular_velocity().z;
            (sum, squares, n) = (sum + rate, squares + rate * rate, n + 1.0);
        }
        Ok(())
    })?;
    let mean: f64 = sum / n;
    let ripple = (squares / n - mean * mean).max(0.0).sqrt() / p.number("speed");
    Ok(vec![
        lasted("stable for", &o, time),
        beyond.at_most("limit passed by", 0.1, "deg"),
        Measured::near("mean rate of the driven sprocket", mean, p.number("speed"), 0.01, "rad/s"),
        Measured::at_most("deviation of that rate (root of the mean square), of the rate", 100.0 * ripple, 5.0, "%"),
        Measured::at_most("bounded solves that did not converge", unconverged as f64, 0.0, ""),
    ])
}
