//! What a joint leaves free, from the rows of its block.

use super::JointEntry;
use crate::constraint::{Eval, Side};
use crate::tuning::T;

/// Directions of relative motion that are taken, each of length 1 and at right angles to the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken(Vec<[f64; 12]>);

impl Taken {
    /// What a joint takes with its bodies at these poses; motors take nothing.
    pub fn by(joint: &JointEntry, i: &Side, j: &Side) -> Self {
        let mut out = Taken::default();
        for spec in joint.rows.iter().filter(|s| s.holds()) {
            let e = spec.primitive.eval(i, j);
            for q in 0..spec.primitive.rows() {
                out.take(&e, q);
            }
        }
        out
    }

    /// Takes row q of a primitive; false when nothing was left of it.
    pub fn take(&mut self, e: &Eval, q: usize) -> bool {
        let mut row = [0.0; 12];
        row[..6].copy_from_slice(&e.ji[q]);
        row[6..].copy_from_slice(&e.jj[q]);
        let before = norm(&row);
        for t in &self.0 {
            let along: f64 = row.iter().zip(t).map(|(a, b)| a * b).sum();
            row.iter_mut().zip(t).for_each(|(a, b)| *a -= along * b);
        }
        let left = norm(&row);
        let is_free = left > T.rows.free * before;
        if is_free {
            self.0.push(row.map(|x| x / left));
        }
        is_free
    }

    /// How many of the six freedoms of two bodies against each other are left.
    pub fn left(&self) -> usize {
        6_usize.saturating_sub(self.0.len())
    }
}

fn norm(x: &[f64; 12]) -> f64 {
    f64::sqrt(x.iter().map(|x| x * x).sum())
}
