//! What touches: collision, contacts, heaps, sleep.

#[path = "../common/mod.rs"]
mod common;

mod attacks;
mod collider_edits;
mod collision;
mod contact;
mod energy;
mod heaps;
mod hooks;
mod impact;
mod queries;
mod rolling;
mod sleep;
