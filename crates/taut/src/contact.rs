//! Collision: shapes, who meets whom, and the contact points of a step. It finds; it never solves.
//!
//! Contacts are speculative: every pair that can touch within the step gets its contact points before it touches, with the
//! distance that is left; a pair that is fast for its size is advanced to its impact first (`travel`, `narrow`). Nothing is kept
//! from step to step but bounding boxes, so that the same poses and velocities give the same contacts.

pub(crate) mod axis;
pub(crate) mod bends;
pub(crate) mod bounds;
pub(crate) mod boxes;
pub(crate) mod collider;
pub(crate) mod convex;
pub(crate) mod duel;
pub(crate) mod faces;
pub(crate) mod flat;
pub(crate) mod geometry;
pub(crate) mod hooks;
pub(crate) mod immersed;
pub(crate) mod manifold;
pub(crate) mod mass;
pub(crate) mod material;
pub(crate) mod narrow;
pub(crate) mod nearest;
pub(crate) mod outline;
pub(crate) mod parry;
pub(crate) mod polygon;
pub(crate) mod ray;
pub(crate) mod reduce;
pub(crate) mod shape;
pub(crate) mod skin;
pub(crate) mod surface;
pub(crate) mod terrain;
pub(crate) mod travel;

use crate::ids::{ColliderId, Key};
use glam::DVec3;

/// What a contact point is called, the same from step to step while its features touch. Colliders in the order of their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ContactKey {
    pub a: Key,
    pub b: Key,
    /// Part (of a compound, or triangle) and corner, edge or face of a and b.
    pub features: [u64; 2],
    /// Number among those with the same features.
    pub ordinal: u32,
}

/// A share of a side of a contact on a deformable: what a body that carries one of its nodes takes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    /// Slot of the body.
    pub body: usize,
    /// Where on the body, world, m.
    pub point: DVec3,
    /// The shares of a side add up to 1.
    pub weight: f64,
}

/// One contact point, at the pose where the step begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contact {
    pub id: ContactKey,
    /// Slots of bodies i (of collider a) and j (of collider b). Of a deformable the one with the largest share.
    pub bodies: (usize, usize),
    /// Sides on deformables: first and last in the list of shares; none for a side on a body.
    pub shares: [Option<(u32, u32)>; 2],
    /// On the surface of i, world, m.
    pub point_i: DVec3,
    /// On the surface of j, world, m.
    pub point_j: DVec3,
    /// Unit, from j towards i.
    pub normal: DVec3,
    /// n.(point_i - point_j), m: positive apart, negative in each other.
    pub distance: f64,
    /// Orthonormal with the normal: t0 x t1 = n.
    pub tangents: [DVec3; 2],
    /// Along the tangents.
    pub friction: [f64; 2],
    pub restitution: f64,
    /// m/N.
    pub compliance: f64,
    /// N s/m.
    pub damping: f64,
    /// Tangential velocity of i relative to j that friction works towards, world, m/s.
    pub surface_velocity: DVec3,
}

/// A sensor and a collider overlap at the start of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Sensing {
    /// In the order of their slots.
    pub colliders: (ColliderId, ColliderId),
}

/// A contact point of the last step as the state keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ContactRecord {
    pub id: ContactKey,
    /// World, m, at the start of the step: between the surfaces.
    pub point: DVec3,
    /// From b to a.
    pub normal: DVec3,
    pub distance: f64,
    /// On the body of a, N, and how long it acted, s.
    pub force: DVec3,
    pub acted: f64,
    /// Energy in its compliance after the step, J.
    pub stored: f64,
}

/// A walk along a list of records that is sorted by name: pairs of colliders that are asked for in the order of their names are found in
/// one walk.
#[derive(Default)]
pub(crate) struct PairWalk(usize);

impl PairWalk {
    /// Whether the pair of a contact has a record in the list.
    pub fn finds(&mut self, id: &ContactKey, list: &[ContactRecord]) -> bool {
        let before = |r: &ContactRecord| (r.id.a, r.id.b) < (id.a, id.b);
        // One that comes earlier than the last is looked for from the start.
        if self.0 > 0 && !before(&list[self.0 - 1]) {
            self.0 = list.partition_point(before);
        }
        while list.get(self.0).is_some_and(before) {
            self.0 += 1;
        }
        list.get(self.0).is_some_and(|r| (r.id.a, r.id.b) == (id.a, id.b))
    }
}
