//! Closing joints: one measure of how open they are, and one Newton on it.
//!
//! The step keeps joints closed by its velocities (`passes::closing`, `stabilise::resolved`); here poses are moved and velocities are not.
//! Reduced coordinates, loops that snap taut, assembly and the anytime solver are its users, each with the metric that it needs.

pub(crate) mod newton;
pub(crate) mod opening;
