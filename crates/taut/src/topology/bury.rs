//! Cutting a joint out of a layout that stands: its group becomes a dead pivot. The layout is then the one that would be made of a
//! model in which the joint is buried (`model::buried`).

use super::{NONE, Topology};
use crate::joints::{Bound, Softness};
use std::ops::Range;

impl Topology {
    /// Makes the group of a joint dead; its place among the groups, where it has one.
    pub fn bury(&mut self, slot: usize) -> Option<usize> {
        let k = *self.group_of.get(slot).filter(|&&k| k != NONE && !self.groups[k].dead)?;
        let (i, j) = (self.groups[k].i(), self.groups[k].j());
        if self.is_node(i) && self.is_node(j) && self.nodes[i].dim == 6 && self.nodes[j].dim == 6 {
            self.nodes[i].neighbours -= 1;
            self.nodes[j].neighbours -= 1;
        }
        let closed = self.groups[k].closes_loop;
        self.groups[k].die();
        if closed {
            self.find_kind();
        }
        Some(k)
    }

    /// Rows with bounds of a joint; those of all joints are by slot.
    pub fn bounds_of(&self, slot: usize) -> Range<usize> {
        let at = |slot| self.bounds.partition_point(|b| b.slot < slot);
        at(slot)..at(slot + 1)
    }

    /// Makes the rows with bounds of a joint dead: nothing bounds them, so they never act.
    pub fn bury_bounds(&mut self, slot: usize) {
        for k in self.bounds_of(slot) {
            let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
            let b = &mut self.bounds[k];
            b.spec.bound = Bound::Limit { lower, upper, soft: Softness::RIGID, restitution: 0.0 };
            b.dead = true;
        }
    }
}
