//! Balls of hexahedra: a cube mapped to the ball.

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use super::{Lattice, cell_counts};
use crate::error::{Error, length};

/// A ball around the origin, of `cells` hexahedra along each edge of the cube that is mapped to it (at least 2).
///
/// The point p of the cube of half edge 1 goes to `radius * x sqrt(1 - (y^2 + z^2)/2 + y^2 z^2/3)` and so on: faces become patches of the sphere.
/// Nodes and cells are numbered as in [`bar`](crate::bar). The cells at the edges of the cube are flattened: three of the angles at its corners
/// approach 120 degrees, in the plane of the surface.
/// ```
/// let ball = taut_mesh::ball(0.5, 4)?;
/// assert_eq!((ball.nodes.len(), ball.cells.len()), (125, 64));
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn ball(radius: f64, cells: usize) -> Result<Mesh, Error> {
    length("radius", radius)?;
    cell_counts(&["cells", "cells", "cells"], &[cells; 3], &[2; 3])?;
    let lattice = Lattice { cells: [cells; 3] };
    let natural = |i: usize| (2 * i) as f64 / cells as f64 - 1.0;
    let nodes = lattice.nodes().map(|place| radius * to_ball(DVec3::from_array(place.map(natural)))).collect();
    Ok(Mesh { nodes, cells: lattice.hexahedra().map(Cell::hex8).collect() })
}

/// The cube of half edge 1 to the ball of radius 1.
fn to_ball(p: DVec3) -> DVec3 {
    let [x, y, z] = (p * p).to_array();
    let factor = |a: f64, b: f64| (1.0 - 0.5 * (a + b) + a * b / 3.0).sqrt();
    p * DVec3::new(factor(y, z), factor(z, x), factor(x, y))
}
