//! Small geometry: rotations, poses and frames.

use glam::DVec3;

pub mod pose;
pub mod so3;
pub mod twist;

/// Three numbers of a list.
#[inline]
pub(crate) fn vec3(x: &[f64], at: usize) -> DVec3 {
    DVec3::new(x[at], x[at + 1], x[at + 2])
}
