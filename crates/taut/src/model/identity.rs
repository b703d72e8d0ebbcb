//! What of a body, a joint, a coupling, a force and a collider counts for a fingerprint.

use super::coupling::CouplingEntry;
use super::heavy::HeavyEntry;
use super::reeving::RopeEntry;
use super::{BodyEntry, ForceEntry, JointEntry};
use crate::contact::collider::ColliderEntry;
use crate::fingerprint::Fingerprint;
use crate::joints::{Bound, BoundSpec, RowSpec};

/// Of a body.
pub(crate) fn body(b: &BodyEntry) -> u64 {
    let mut f = Fingerprint::new();
    f.word(b.motion as u64);
    f.number(b.mass);
    b.inertia.to_cols_array().into_iter().for_each(|x| f.number(x));
    f.number(b.linear_damping);
    f.number(b.angular_damping);
    f.number(b.gravity_scale);
    f.0
}

/// Of a joint.
pub(crate) fn joint(j: &JointEntry) -> u64 {
    let mut f = Fingerprint::new();
    f.printed(&j.kind.name());
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
    if r.armature > 0.0 {
        f.number(r.armature);
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
        Bound::Motor { law, min, max } => {
            f.softness(law);
            [*min, *max].into_iter().for_each(|x| f.number(x));
        }
        Bound::Speed { lower, upper } => {
            f.number(*lower);
            f.number(*upper);
        }
        Bound::Friction { max, per_load } => {
            f.number(*max);
            f.number(*per_load);
        }
    }
}

/// Of a coupling.
pub(crate) fn coupling(c: &CouplingEntry) -> u64 {
    let mut f = Fingerprint::new();
    for term in &c.terms {
        f.word(u64::from(term.joint.0.slot));
        f.printed(&term.freedom);
        f.number(term.ratio);
    }
    f.number(c.offset);
    f.softness(&c.soft);
    f.0
}

/// Of a rope over guides.
pub(crate) fn rope(r: &RopeEntry) -> u64 {
    let mut f = Fingerprint::new();
    for g in &r.guides {
        f.word(u64::from(g.body.0.slot));
        [g.groove.centre, g.groove.axis, g.groove.zero].into_iter().for_each(|v| f.vector(v));
        [g.groove.radius, g.groove.growth, g.groove.side, g.groove.length].into_iter().for_each(|x| f.number(x));
        f.printed(&g.hold);
        f.word(u64::from(g.keeper) + 2 * u64::from(g.turns));
        if let Some(d) = &g.drum {
            [d.core, d.growth, d.start, d.first, d.sense, d.most].into_iter().for_each(|x| f.number(x));
            f.word(u64::from(d.ends));
        }
        if g.grip {
            f.word(u64::from(g.grip));
        }
    }
    if let Some(first) = r.ring {
        f.word(first as u64);
    }
    f.printed(&r.groups);
    f.number(r.thickness);
    f.printed(&r.stiffness);
    if let Some(gj) = r.torsion {
        f.number(gj);
    }
    if r.free != [false; 2] {
        f.printed(&r.free);
    }
    f.0
}

/// Of a rope with mass.
pub(crate) fn heavy(h: &HeavyEntry) -> u64 {
    let mut f = Fingerprint::new();
    [h.density, h.l0, h.total, h.diameter, h.stiffness.unwrap_or(0.0)].into_iter().for_each(|x| f.number(x));
    f.word(h.pool.len() as u64);
    f.word(u64::from(h.adaptive));
    if let Some(held) = h.held {
        f.word(u64::from(held.body.0.slot));
        [held.along, held.mark].into_iter().for_each(|v| f.vector(v));
    }
    f.0
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
    if !c.enabled {
        f.printed(&"disabled");
    }
    f.0
}
