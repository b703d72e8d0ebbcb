//! Fingerprints of what a world is made of: a snapshot fits the worlds that were built from the same definition, in this
//! process or in another, and no others.
//!
//! Masses, inertias, damping, joint rows with their laws and bounds, forces and colliders count, bit by bit. Names, data of
//! the user and the solids of pictures do not, nor does what may be changed between steps without a new structure: options,
//! loads, commands of motors, targets, and what was set after a part was added: strengths, and materials, groups, shapes, poses,
//! sensing and switching of colliders.

use crate::joints::Softness;
use glam::DVec3;
use std::fmt::{self, Write};

/// A running 64-bit hash. It is no defence against malice: two definitions made to collide do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(pub u64);

impl Fingerprint {
    /// Of nothing.
    pub fn new() -> Self {
        Fingerprint(0x9e37_79b9_7f4a_7c15)
    }

    /// Takes in 64 bits.
    pub fn word(&mut self, x: u64) {
        let mixed = (self.0 ^ x).wrapping_mul(0xff51_afd7_ed55_8ccd);
        self.0 = (mixed ^ (mixed >> 32)).wrapping_add(1).rotate_left(17);
    }

    /// Takes in the bits of a number.
    pub fn number(&mut self, x: f64) {
        self.word(x.to_bits());
    }

    pub fn vector(&mut self, v: DVec3) {
        v.to_array().into_iter().for_each(|x| self.number(x));
    }

    pub fn softness(&mut self, s: &Softness) {
        self.number(s.compliance);
        self.number(s.damping);
    }

    /// Takes in what a value prints; numbers print all their digits.
    pub fn printed(&mut self, value: &dyn fmt::Debug) {
        // Nothing that a fingerprint writes to fails.
        let _ = write!(self, "{value:?}");
    }
}

impl Write for Fingerprint {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        s.bytes().for_each(|b| self.word(u64::from(b)));
        Ok(())
    }
}
