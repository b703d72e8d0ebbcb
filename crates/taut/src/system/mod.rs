//! The one equation of a step, assembled for the solvers.

pub mod kkt;
pub mod linear;
pub mod schur;
pub mod structured;
