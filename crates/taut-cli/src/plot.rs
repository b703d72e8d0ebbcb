//! Pictures: panels with curves. `--plot` draws energies, gaps, height and path of the followed body, and forces of followed joints.

pub mod axis;
mod clip;
mod draw;
mod map;
pub mod panel;
mod panels;
mod pdf;
mod picture;
mod record;

pub use map::{Wanted, map};
pub use picture::{Kind, Picture};
pub use record::Record;

use crate::format::step;
use crate::load::Loaded;
use crate::run::Done;

/// Width and height of the picture of a run, pixels.
const SIZE: (u32, u32) = (1200, 840);

/// What the picture shows.
pub fn title(loaded: &Loaded, done: &Done) -> String {
    let verdict = if done.outcome.stable { "" } else { ", diverged" };
    format!("{}: step {} s, stabiliser {}{verdict}", loaded.name, step(done.outcome.dt), done.method.stabiliser)
}

/// The picture of a run.
pub fn run(title: String, record: &Record) -> Picture {
    let panels = panels::panels(record);
    // Every row of panels is as high as those of four.
    let rows = panels.len().div_ceil(2) as u32;
    Picture { title, size: (SIZE.0, SIZE.1 * rows / 2), columns: 2, panels }
}
