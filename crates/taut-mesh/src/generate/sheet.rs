//! Flat sheets of triangles or quadrilaterals.

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use super::cell_counts;
use crate::error::{Error, length};

/// What a sheet is made of.
///
/// ```
/// use taut_mesh::{SheetCells, sheet};
/// assert_eq!(sheet([1.0, 1.0], [10, 10], SheetCells::Triangles)?.cells.len(), 200);
/// assert_eq!(sheet([1.0, 1.0], [10, 10], SheetCells::Quads)?.cells.len(), 100);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SheetCells {
    /// Two triangles a cell; the diagonals of neighbours lean to opposite sides.
    #[default]
    Triangles,
    /// One quadrilateral a cell.
    Quads,
}

/// A rectangle in the plane z = 0 from the origin to `size`, m, of `cells` cells along x and y; its normal is +z.
///
/// Nodes and cells are numbered with x fastest.
/// ```
/// use taut_mesh::{SheetCells, sheet};
/// let cloth = sheet([1.0, 2.0], [10, 20], SheetCells::Triangles)?;
/// assert_eq!(cloth.nodes.len(), 11 * 21);
/// assert_eq!(cloth.nodes[230], glam::DVec3::new(1.0, 2.0, 0.0));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn sheet(size: [f64; 2], cells: [usize; 2], kind: SheetCells) -> Result<Mesh, Error> {
    let [width, height] = [length("size[0]", size[0])?, length("size[1]", size[1])?];
    cell_counts(&["cells[0]", "cells[1]"], &cells, &[1, 1])?;
    let [nx, ny] = cells;
    let step = |i: usize, n: usize, length: f64| length * i as f64 / n as f64;
    let node = |i: usize, j: usize| (i + (nx + 1) * j) as u32;
    let mut mesh = Mesh { nodes: Vec::new(), cells: Vec::new() };
    for j in 0..=ny {
        mesh.nodes.extend((0..=nx).map(|i| DVec3::new(step(i, nx, width), step(j, ny, height), 0.0)));
    }
    for j in 0..ny {
        for i in 0..nx {
            let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            match kind {
                SheetCells::Quads => mesh.cells.push(Cell::quad4([a, b, c, d])),
                SheetCells::Triangles if (i + j) % 2 == 0 => {
                    mesh.cells.extend([Cell::tri3([a, b, c]), Cell::tri3([a, c, d])]);
                }
                SheetCells::Triangles => mesh.cells.extend([Cell::tri3([a, b, d]), Cell::tri3([b, c, d])]),
            }
        }
    }
    Ok(mesh)
}
