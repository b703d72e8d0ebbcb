//! Meshes for the deformables of Taut: generators and checks of surfaces.

mod embed;
mod error;
mod generate;
mod isosurface;
mod surface;
mod tetrahedra;
mod voxel;
mod weld;

pub use embed::{Binding, embed};
pub use error::{Error, Place};
pub use generate::{
    Creature, Filling, Patched, SheetCells, TubeSize, ball, bar, creature, creature_balls, creature_distance, net,
    rope, sheet, tube,
};
pub use isosurface::isosurface;
pub use surface::{Outward, Surface};
pub use taut_elements::{Cell, CellKind, Mesh};
pub use tetrahedra::{Split, split};
pub use voxel::{VoxelOptions, Voxels, voxelise, voxelise_distance};
pub use weld::{Welded, weld};
