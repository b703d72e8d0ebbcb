//! What is added to the mass and to the rows so that heavy loads on light bodies stay stable.

pub mod aligned;
pub mod constraint_space;
pub mod criterion;
pub mod curvature;
pub mod geometric;
pub mod inertial;
pub mod momentum;
pub mod resolved;
pub mod work;
