//! Helpers of the articulated tests: systems, dense references in twice the precision, eigenvalues.

pub mod dense;
pub mod systems;
