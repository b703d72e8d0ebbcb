//! One scene per file.

pub mod bricard;
pub mod cable_table1;
pub mod chain;
pub mod fourbar;
pub mod ladder;
pub(crate) mod parts;
pub mod pendulum_cable;
pub mod spinning_body;
pub mod tree;
