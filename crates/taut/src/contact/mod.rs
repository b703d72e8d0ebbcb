//! Placeholder until the collision module arrives.
use glam::DVec3;
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ContactKey(pub u64);
/// Collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderId(pub(crate) u64);
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub id: ContactKey,
    pub bodies: (usize, usize),
    pub point_i: DVec3,
    pub point_j: DVec3,
    pub normal: DVec3,
    pub distance: f64,
    pub tangents: [DVec3; 2],
    pub friction: [f64; 2],
    pub restitution: f64,
    pub compliance: f64,
    pub damping: f64,
    pub surface_velocity: DVec3,
}
