//! One scene per file.

pub mod bricard;
pub mod cable_table1;
pub mod cable_torsion;
pub mod cable_vibration;
pub mod chain;
pub mod cloth;
pub mod crane;
pub mod crane_boom;
mod crane_parts;
pub mod fourbar;
pub mod ladder;
pub mod net;
pub mod particle_cable;
pub(crate) mod parts;
pub mod pendulum_cable;
pub mod ragdoll;
mod ragdoll_body;
pub mod ragdoll_pile;
pub mod ragdolls;
pub mod rigid_chain;
mod robot_body;
pub mod spinning_body;
pub mod strong_robot;
pub mod thin_wire;
pub mod tree;
