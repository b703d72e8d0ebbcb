//! The only folder that names parry: closest points of convex cores, hulls, the tree of bounding boxes, rays. Its vectors and
//! poses do not leave it.

mod gjk;
mod hull;
mod ray;
mod tree;

pub(crate) use gjk::{Closest, closest, shrunk};
pub(crate) use hull::hull;
pub(crate) use ray::round_ray;
pub(crate) use tree::Tree;

use crate::contact::convex::Convex;
use crate::math::pose::Pose;
use glam::DVec3;
use parry3d_f64::math::{Pose as Isometry, Rotation, Vector};

/// The power of two that makes the size of a solid one to two: the tolerances of the library are lengths.
fn to_unit(solid: &Convex) -> f64 {
    let exponent = (solid.arm + solid.skin).clamp(1e-100, 1e100).to_bits() >> 52;
    f64::from_bits((2 * 1023 - exponent) << 52)
}

fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn back(v: Vector) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn isometry(p: &Pose) -> Isometry {
    Isometry::from_parts(vector(p.pos), Rotation::from_xyzw(p.rot.x, p.rot.y, p.rot.z, p.rot.w))
}
