//! Symmetric block-sparse matrices: blocks of a body (6), a particle (3) or the rows of a joint.

pub mod matrix;
pub mod structure;
