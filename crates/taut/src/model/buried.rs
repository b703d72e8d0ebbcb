//! Joints that were cut out of a large island. Until the island is laid out anew, at a step that is fixed when the joint is cut,
//! their rows stay in its matrix as dead pivots: J = 0, Sigma = 1, no force (`topology::bury`).
//!
//! They belong to the model, and not to the layout, so that a layout is a function of model and step alone: a world that goes
//! back to a snapshot, or another one that was built and cut in the same way, has the same layout and gives the same bits.

use super::{JointEntry, Model};
use crate::state::RopeState;
use crate::tuning::T;
use std::ops::Deref;

/// A joint that was cut, with the place that it had.
#[derive(Clone, Debug)]
pub(crate) struct Buried {
    pub slot: usize,
    pub entry: JointEntry,
    /// Number of the step from which on it is gone.
    pub until: u64,
}

impl Model {
    /// The step at which a joint that is cut now leaves the layout: all those of the same while leave it together.
    pub fn buried_until(steps: u64) -> u64 {
        (steps / T.layout.epoch + 1) * T.layout.epoch
    }

    /// How many cut joints are in a layout for this step.
    pub fn buried_at(&self, steps: u64) -> usize {
        self.buried.iter().filter(|b| steps < b.until).count()
    }
}

/// A model at a step: what a layout is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laid<'a> {
    pub model: &'a Model,
    /// Where its ropes over guides run.
    pub ropes_now: &'a [RopeState],
    pub steps: u64,
}

impl Deref for Laid<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        self.model
    }
}

impl<'a> Laid<'a> {
    /// The joint that has its rows in a layout under this slot, and whether it is dead.
    pub fn laid(&self, slot: usize) -> Option<(&'a JointEntry, bool)> {
        let dead =
            || self.model.buried.iter().find(|b| b.slot == slot && self.steps < b.until).map(|b| (&b.entry, true));
        self.model.joints.at(slot).map(|j| (j, false)).or_else(dead)
    }

    /// All of them, by slot.
    pub fn joints(&self) -> impl Iterator<Item = (usize, &'a JointEntry)> + use<'a> {
        let laid = *self;
        (0..self.model.joints.slots()).filter_map(move |slot| laid.laid(slot).map(|(j, _)| (slot, j)))
    }
}
