//! Rotations with the same bits on every machine: the functions of the standard library differ in the last digit from one to another.

use taut::{Quat, Vec3};

/// A turn about a unit axis, rad.
pub(crate) fn rotation(axis: Vec3, angle: f64) -> Quat {
    let (s, c) = libm::sincos(0.5 * angle);
    Quat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c)
}
