//! One scene per file.

pub mod bricard;
pub mod cable_table1;
pub mod chain;
pub mod crane;
pub mod crane_boom;
mod crane_parts;
pub mod fourbar;
pub mod ladder;
mod parts;
pub mod pendulum_cable;
pub mod spinning_body;
pub mod tree;
