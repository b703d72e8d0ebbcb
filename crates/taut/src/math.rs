//! Small geometry: rotations, poses and frames.

use glam::{DMat3, DVec3};

pub(crate) mod lanes;
pub mod pose;
pub mod so3;
pub mod twist;

/// Three numbers of a list.
#[inline(always)]
pub(crate) fn vec3(x: &[f64], at: usize) -> DVec3 {
    let v = &x[at..at + 3];
    DVec3::new(v[0], v[1], v[2])
}

/// A symmetric matrix as (xx, yy, zz, xy, yz, xz).
#[inline]
pub(crate) fn packed(m: DMat3) -> [f64; 6] {
    [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.x_axis.z]
}
