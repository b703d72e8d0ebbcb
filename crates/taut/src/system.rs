//! The one equation of a step, assembled for the solvers.

pub mod choice;
pub mod jointed;
pub mod kkt;
pub mod linear;
pub mod low_rank;
pub mod schur;
pub mod structured;
