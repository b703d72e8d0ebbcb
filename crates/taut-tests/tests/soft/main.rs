//! Deformables, and the fields around bodies: water and wind.

#[path = "../common/mod.rs"]
mod common;

mod contact;
mod contact_world;
mod cut;
mod frames;
mod inputs;
mod laws;
mod parts;
mod soft;
mod volume;
mod water;
mod wind;
