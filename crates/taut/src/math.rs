//! Small geometry: rotations, poses and frames.

use glam::{DMat3, DVec3};

pub(crate) mod lanes;
pub mod pose;
pub mod so3;
pub mod twist;

/// Three numbers of a list.
#[inline]
pub(crate) fn vec3(x: &[f64], at: usize) -> DVec3 {
    DVec3::new(x[at], x[at + 1], x[at + 2])
}

/// A symmetric matrix as (xx, yy, zz, xy, yz, xz).
#[inline]
pub(crate) fn packed(m: DMat3) -> [f64; 6] {
    [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.x_axis.z]
}

/// The inverse of `packed`.
#[inline]
pub(crate) fn unpacked(a: &[f64; 6]) -> DMat3 {
    DMat3::from_cols(DVec3::new(a[0], a[3], a[5]), DVec3::new(a[3], a[1], a[4]), DVec3::new(a[5], a[4], a[2]))
}
