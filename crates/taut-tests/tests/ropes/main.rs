//! Ropes over guides.

#[path = "../common/mod.rs"]
mod common;

mod attacks;
mod dynamics;
mod endless;
mod ends;
mod friction;
mod guides;
mod heavy;
mod heavy_adaptive;
mod mooring;
mod ropes;
mod terrain;
mod twist;
