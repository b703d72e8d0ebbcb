//! Boxes of hexahedra or tetrahedra.

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use super::{Lattice, Patched, cell_counts};
use crate::error::{Error, length};
use crate::tetrahedra::{Split, split};

/// What the cells of a solid generator are made of.
///
/// ```
/// use taut_mesh::{Filling, bar};
/// let size = glam::DVec3::new(1.0, 0.1, 0.1);
/// assert_eq!(bar(size, [10, 1, 1], Filling::Hexahedra)?.mesh.cells.len(), 10);
/// assert_eq!(bar(size, [10, 1, 1], Filling::FiveTets)?.mesh.cells.len(), 50);
/// assert_eq!(bar(size, [10, 1, 1], Filling::SixTets)?.mesh.cells.len(), 60);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filling {
    /// One hexahedron each.
    #[default]
    Hexahedra,
    /// Five tetrahedra each, mirrored from cell to cell, so that their faces meet.
    FiveTets,
    /// Six tetrahedra each, around the diagonal from the first corner to the last.
    SixTets,
}

/// A box from the origin to `size`, m, of `cells` cells along x, y and z.
///
/// Nodes are numbered with x fastest, then y, then z, and so are the cells.
/// The tetrahedra of a cell are one volume patch; so is each hexahedron by itself.
/// ```
/// use taut_mesh::{Filling, bar};
/// let beam = bar(glam::DVec3::new(1.0, 0.1, 0.1), [20, 2, 2], Filling::SixTets)?;
/// assert_eq!(beam.mesh.nodes.len(), 21 * 3 * 3);
/// assert_eq!(beam.patches.len(), 80);
/// assert_eq!(beam.patches[79], (474..480).collect::<Vec<u32>>());
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn bar(size: DVec3, cells: [usize; 3], filling: Filling) -> Result<Patched, Error> {
    for (name, value) in ["size.x", "size.y", "size.z"].into_iter().zip(size.to_array()) {
        length(name, value)?;
    }
    cell_counts(&["cells.x", "cells.y", "cells.z"], &cells, &[1, 1, 1])?;
    let [nx, ny, nz] = cells;
    let lattice = Lattice { cells };
    let step = |i: usize, n: usize, length: f64| length * i as f64 / n as f64;
    let nodes = lattice
        .nodes()
        .map(|[i, j, k]| DVec3::new(step(i, nx, size.x), step(j, ny, size.y), step(k, nz, size.z)))
        .collect();
    let mesh = Mesh { nodes, cells: lattice.hexahedra().map(Cell::hex8).collect() };
    fill(mesh, filling)
}

/// The hexahedra as they are, or split.
pub(crate) fn fill(mesh: Mesh, filling: Filling) -> Result<Patched, Error> {
    match filling {
        Filling::Hexahedra => Ok(Patched::each(mesh)),
        Filling::FiveTets => split(&mesh, Split::Five),
        Filling::SixTets => split(&mesh, Split::Six),
    }
}
