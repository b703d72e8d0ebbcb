//! Helpers of the articulated tests: systems, dense references in twice the precision, eigenvalues.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod dense;
pub mod systems;

use crate::common::Rng;
use dense::{Matrix, dd, difference};
use systems::{System, twist};
use taut_redmax::articulated::{Motion, Twist};

/// Random right-hand sides in joint space and on the bodies.
pub fn loads(rng: &mut Rng, sys: &System) -> (Vec<f64>, Vec<Twist>) {
    let s = &sys.structure;
    ((0..s.dofs()).map(|_| rng.range(-1.0, 1.0)).collect(), (0..s.len()).map(|_| twist(rng)).collect())
}

/// v = J y.
pub fn assert_velocities(sys: &System, m: &Motion) {
    let j = dense::jacobian(sys);
    let y = Matrix { rows: m.y.len(), columns: 1, a: m.y.iter().map(|&y| dd(y)).collect() };
    let want: Vec<f64> = j.times(&y).a.iter().map(|x| x.value()).collect();
    let got: Vec<f64> = m.v.iter().flatten().copied().collect();
    assert!(difference(&got, &want) < 1e-13, "v is not J y: {}", difference(&got, &want));
}
