//! Small geometry: rotations, poses and frames.

pub mod pose;
pub mod so3;
