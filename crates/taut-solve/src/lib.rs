//! The solvers of Taut. They see matrices, graphs and rows with bounds, never bodies: what this crate does not depend on, it cannot name.

#[cfg(feature = "ablate")]
pub mod ablate;
#[doc(hidden)]
pub mod block;
pub mod block_ldlt;
pub mod block_lu;
pub mod bounded;
pub mod dense;
pub mod joint_tree;
pub mod least_squares;
pub mod minres;
pub mod ordering;
pub mod paths;
pub mod structured;
pub mod supernodal;
pub mod sweep_cg;
mod tuning;

#[cfg(feature = "ablate")]
pub use tuning::numbers;
