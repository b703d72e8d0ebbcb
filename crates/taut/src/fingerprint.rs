//! Fingerprints of what a world is made of: a snapshot fits the worlds that were built from the same definition, in this
//! process or in another, and no others.
//!
//! Masses, inertias, damping, joint rows with their laws and bounds, forces and colliders count, bit by bit. Names and
//! the solids of pictures do not, nor does what may be changed between steps without a new structure: options, loads,
//! commands of motors, targets, and materials, groups and strengths that were set after the part was added.

use crate::contact::collider::ColliderEntry;
use crate::joints::{Bound, BoundSpec, RowSpec, Softness};
use crate::model::{Body, ForceEntry, JointEntry};
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

    fn vector(&mut self, v: DVec3) {
        v.to_array().into_iter().for_each(|x| self.number(x));
    }

    fn softness(&mut self, s: &Softness) {
        self.number(s.compliance);
        self.number(s.damping);
    }

    /// Takes in what a value prints; numbers print all their digits.
    fn printed(&mut self, value: &dyn fmt::Debug) {
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

/// Of a body.
pub(crate) fn body(b: &Body) -> u64 {
    let mut f = Fingerprint::new();
    f.word(b.motion as u64);
    f.number(b.mass);
    b.inertia.to_cols_array().into_iter().for_each(|x| f.number(x));
    f.number(b.linear_damping);
    f.number(b.angular_damping);
    f.0
}

/// Of a joint.
pub(crate) fn joint(j: &JointEntry) -> u64 {
    let mut f = Fingerprint::new();
    f.printed(&j.kind);
    for id in [j.i, j.j] {
        f.word(u64::from(id.0.slot));
    }
    for frame in [&j.frames.i, &j.frames.j] {
        [frame.origin, frame.u, frame.v, frame.n].into_iter().for_each(|v| f.vector(v));
    }
    f.word(j.chart.map_or(0, |c| 1 + c as u64));
    j.rows.iter().for_each(|r| row(&mut f, r));
    j.bounds.iter().for_each(|b| bounded(&mut f, b));
    f.0
}

fn row(f: &mut Fingerprint, r: &RowSpec) {
    r.primitive.numbers(|x| f.number(x));
    f.softness(&r.soft);
    if let Some(freedom) = &r.motor {
        f.printed(freedom);
        f.word(r.ordinal as u64);
    }
}

fn bounded(f: &mut Fingerprint, b: &BoundSpec) {
    b.primitive.numbers(|x| f.number(x));
    f.printed(&b.freedom);
    f.word(b.motor.map_or(0, |m| 1 + m as u64));
    match &b.bound {
        Bound::Limit { lower, upper, soft, restitution } => {
            [*lower, *upper, *restitution].into_iter().for_each(|x| f.number(x));
            f.softness(soft);
        }
        Bound::Motor { law, max } => {
            f.softness(law);
            f.number(*max);
        }
        Bound::Friction { max, per_load } => {
            f.number(*max);
            f.number(*per_load);
        }
    }
}

/// Of a force.
pub(crate) fn force(entry: &ForceEntry) -> u64 {
    let mut f = Fingerprint::new();
    f.printed(&entry.force);
    f.0
}

/// Of a collider.
pub(crate) fn collider(c: &ColliderEntry) -> u64 {
    let mut f = Fingerprint::new();
    f.word(u64::from(c.body.0.slot));
    f.vector(c.pose.pos);
    c.pose.rot.to_array().into_iter().for_each(|x| f.number(x));
    f.printed(&c.material);
    f.printed(&c.groups);
    f.word(u64::from(c.sensor));
    f.printed(&c.shape);
    f.0
}
