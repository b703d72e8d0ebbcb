//! The solvers of bounded rows, and elimination in joint coordinates.

#[path = "../common/mod.rs"]
mod common;

mod bounded;
mod bounded_chain;
mod bounded_reduced;
mod bounded_solvers;
mod bounded_sparse;
mod heap;
mod joint_tree;
