//! Ropes and nets of straight bars.

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use super::cell_counts;
use crate::error::{Error, input, length};

/// A straight rope of `segments` equal bars between two points, m.
///
/// ```
/// use glam::DVec3;
/// let rope = taut_mesh::rope(DVec3::ZERO, DVec3::new(0.0, -2.0, 0.0), 8)?;
/// assert_eq!((rope.nodes.len(), rope.cells.len()), (9, 8));
/// assert_eq!(rope.nodes[4], DVec3::new(0.0, -1.0, 0.0));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn rope(from: DVec3, to: DVec3, segments: usize) -> Result<Mesh, Error> {
    if !from.is_finite() {
        return Err(input("from", from, "finite coordinates"));
    }
    if !to.is_finite() || !(from.distance(to) > 0.0) {
        return Err(input("to", to, "finite coordinates, away from the other end"));
    }
    cell_counts(&["segments"], &[segments], &[1])?;
    let nodes = (0..=segments).map(|i| from.lerp(to, i as f64 / segments as f64)).collect();
    Ok(Mesh { nodes, cells: (0..segments as u32).map(|i| Cell::bar2([i, i + 1])).collect() })
}

/// A net of bars along x and y in the plane z = 0, from the origin to `size`, m, with `cells` meshes along x and y.
///
/// The bars along x come first, row by row; then those along y.
/// ```
/// let net = taut_mesh::net([3.0, 3.0], [19, 19])?;
/// assert_eq!((net.nodes.len(), net.cells.len()), (400, 2 * 19 * 20));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn net(size: [f64; 2], cells: [usize; 2]) -> Result<Mesh, Error> {
    let [width, height] = [length("size[0]", size[0])?, length("size[1]", size[1])?];
    cell_counts(&["cells[0]", "cells[1]"], &cells, &[1, 1])?;
    let [nx, ny] = cells;
    let node = |i: usize, j: usize| (i + (nx + 1) * j) as u32;
    let mut mesh = Mesh { nodes: Vec::new(), cells: Vec::new() };
    for j in 0..=ny {
        let y = height * j as f64 / ny as f64;
        mesh.nodes.extend((0..=nx).map(|i| DVec3::new(width * i as f64 / nx as f64, y, 0.0)));
        mesh.cells.extend((0..nx).map(|i| Cell::bar2([node(i, j), node(i + 1, j)])));
    }
    for j in 0..ny {
        mesh.cells.extend((0..=nx).map(|i| Cell::bar2([node(i, j), node(i, j + 1)])));
    }
    Ok(mesh)
}
