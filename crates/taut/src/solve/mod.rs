//! Linear solvers. They see matrices and orders, never bodies.

pub mod articulated;
pub mod block_ldlt;
pub mod block_lu;
pub mod bounded;
pub mod dense;
pub mod minres;
pub mod ordering;
pub mod paths;
pub mod structured;
pub mod supernodal;
