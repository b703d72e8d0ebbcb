//! Couplings laid out for the step: which freedoms of which bodies they tie together.

use super::Topology;
use crate::constraint::Primitive;
use crate::joints::{Freedom, Softness};
use crate::model::{Model, coupling::CouplingEntry};
use std::ops::Range;

/// A coupling: sum of ratio times position over its terms = offset. Its row comes after those with bounds in the row arrays; it has no
/// unknown in the matrix.
#[derive(Clone, Debug)]
pub(crate) struct CouplingRow {
    /// Its slot.
    pub slot: usize,
    /// In `Topology::terms`.
    pub terms: Range<usize>,
    pub offset: f64,
    pub soft: Softness,
}

/// One freedom of a joint in a coupling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermRow {
    /// Dense bodies.
    pub i: usize,
    pub j: usize,
    pub primitive: Primitive,
    pub freedom: Freedom,
    pub ratio: f64,
}

impl Topology {
    /// Row of a coupling in the row arrays.
    #[inline]
    pub fn coupling_row(&self, k: usize) -> usize {
        self.row_count + self.bounds.len() + k
    }

    /// Lays out the couplings whose bodies are awake; the bodies are dense by now.
    pub(super) fn place_terms(&mut self, model: &Model, awake: &impl Fn(usize) -> bool) {
        for (key, entry) in model.couplings.iter().filter(|(_, c)| is_up(model, c, awake)) {
            let first = self.terms.len();
            for (term, &primitive) in entry.terms.iter().zip(&entry.primitives) {
                let Some(joint) = model.joints.get(term.joint.0) else { continue };
                let dense = |slot: u32| self.dense_of[slot as usize];
                let (i, j) = (dense(joint.i.0.slot), dense(joint.j.0.slot));
                self.terms.push(TermRow { i, j, primitive, freedom: term.freedom, ratio: term.ratio });
            }
            let terms = first..self.terms.len();
            let slot = key.slot as usize;
            self.couplings.push(CouplingRow { slot, terms, offset: entry.offset, soft: entry.soft });
        }
    }
}

/// Whether a coupling takes part and its bodies are awake. They sleep together.
fn is_up(model: &Model, c: &CouplingEntry, awake: &impl Fn(usize) -> bool) -> bool {
    model.couples(c) && c.bodies(model).all(|b| awake(b.0.slot as usize))
}
