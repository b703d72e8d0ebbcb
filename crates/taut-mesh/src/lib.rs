//! Meshes for the deformables of Taut: generators, readers and writers of files, and checks of surfaces.
//!
//! Readers take bytes, never paths, so that they work in a browser too. A damaged file gives an error that says where, what and why; it never
//! makes a reader stop the program, and never makes it allocate more than the size of the file justifies.
//! ```
//! use glam::DVec3;
//! use taut_mesh::{Filling, Format, ReadOptions, bar, read, write_msh};
//! let beam = bar(DVec3::new(1.0, 0.1, 0.1), [10, 1, 1], Filling::Hexahedra)?.mesh;
//! let file = write_msh(&beam, &[])?;
//! assert_eq!(read(file.as_bytes(), Format::Gmsh, &ReadOptions::default())?.mesh, beam);
//! # Ok::<(), taut_mesh::Error>(())
//! ```

mod embed;
mod error;
mod generate;
mod isosurface;
mod read;
mod surface;
mod tetrahedra;
mod voxel;
mod weld;
mod write;

pub use embed::{Binding, embed};
pub use error::{Error, Place};
pub use generate::{
    Creature, Filling, Patched, SheetCells, TubeSize, ball, bar, creature, creature_balls, creature_distance, net,
    rope, sheet, tube,
};
pub use isosurface::isosurface;
pub use read::{Format, Group, ReadMesh, ReadOptions, read, read_named};
pub use surface::{Outward, Surface};
pub use taut_elements::{Cell, CellKind, Mesh};
pub use tetrahedra::{Split, split};
pub use voxel::{VoxelOptions, Voxels, voxelise, voxelise_distance};
pub use weld::{Welded, weld};
pub use write::{Field, von_mises, write_msh, write_obj, write_pvd, write_vtu, write_vtu_points};
