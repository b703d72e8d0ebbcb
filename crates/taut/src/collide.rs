//! Collision of the bodies of a world: who may meet whom within a step, and the contact points of those that do.

pub(crate) mod cell;
pub(crate) mod detect;
mod inside;
pub(crate) mod scene;
pub(crate) mod soft;
pub(crate) mod soft_query;
mod soft_rigid;
mod soft_soft;
mod threads;
mod trials;
