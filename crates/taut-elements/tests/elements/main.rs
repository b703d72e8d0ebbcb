//! Elements: their laws, their derivatives, what they refuse and how they are cut.

#[path = "../common/mod.rs"]
mod common;

mod cut;
mod derivatives;
mod inputs;
mod locking;
mod materials;
