//! Joints and what they carry: mechanisms, their couplings, motors, limits and solvers.

#[path = "../common/mod.rs"]
mod common;

mod analytic;
mod armature;
mod assemble;
mod conflicts;
mod couplings;
mod couplings_edits;
mod couplings_energy;
mod couplings_touch;
mod derivatives;
mod dynamics;
mod dynamics_couplings;
mod dynamics_loops;
mod events;
mod kinds;
mod limits;
mod motors;
mod nets;
mod project;
mod properties;
mod regressions;
mod solvers;
mod speed_limits;
mod structured;
mod topology;
mod turns;
