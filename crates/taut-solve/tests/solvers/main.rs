//! The solvers of bounded rows, elimination in joint coordinates, and nets.

#[path = "../common/mod.rs"]
mod common;

mod bounded;
mod bounded_chain;
mod bounded_reduced;
mod bounded_solvers;
mod bounded_sparse;
mod heap;
mod joint_tree;
mod nets;
