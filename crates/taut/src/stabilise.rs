//! What is added to the mass and to the rows so that heavy loads on light bodies stay stable.

pub mod aligned;
pub mod along;
pub mod constraint_space;
pub mod criterion;
pub mod curvature;
pub mod geometric;
pub mod inertial;
pub mod memory;
pub mod momentum;
pub mod resolved;
#[cfg(feature = "study")]
pub mod work;
