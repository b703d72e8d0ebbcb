//! Closing joints: one measure of how open they are, and one Newton on it.
//!
//! `opening` is the measure. `newton` moves poses and leaves velocities: for reduced coordinates, loops that snap taut, assembly and the
//! anytime solver, each with the metric that it needs. `velocities` is the same step on the velocities, while they are found: for the
//! default step and for a push of contacts.

pub(crate) mod newton;
pub(crate) mod opening;
pub(crate) mod velocities;
