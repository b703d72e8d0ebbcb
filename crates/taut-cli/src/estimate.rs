//! What a run will take, told before it begins when it is much.

use crate::format::si;
use crate::{output, progress};
use taut::{Options, Solver, reports::Size};

/// Seconds of a step per body and per operation of the factorisation, measured on chains, nets and umbrellas on one core of
/// a server of 2024; contacts are not foreseen. Good to a factor of about three.
const BODY: f64 = 4e-6;
const OPERATION: f64 = 0.6e-9;
/// Less than this goes without a word, s and bytes.
const SHORT: f64 = 10.0;
const SMALL: f64 = 1e9;

/// Seconds that a step will take.
pub fn step(size: &Size, options: &Options) -> f64 {
    let n = size.unknowns as f64;
    let factor = match options.path() {
        Solver::DenseLu | Solver::DenseCholesky | Solver::Pgs { .. } => n * n * n / 3.0,
        _ => size.operations,
    };
    BODY * size.bodies as f64 + OPERATION * factor
}

/// Says what a long or large run will take.
pub fn announce(size: &Size, options: &Options, steps: f64) {
    let seconds = steps * step(size, options);
    if seconds > SHORT || size.bytes as f64 > SMALL {
        output::complain(&format!(
            "{} bodies, {} rows: about {} of memory and {} for {steps} steps",
            size.bodies,
            size.rows,
            si(size.bytes as f64, "B"),
            progress::duration(seconds)
        ));
    }
}
