//! Meshes: files, generators, solids of cubes.

#[path = "../common/mod.rs"]
mod common;

mod files;
mod generators;
mod voxels;
mod vtu;
