//! Hollow cylinders of hexahedra.

use glam::DVec3;
use taut_elements::{Cell, Mesh};

use super::cell_counts;
use crate::error::{Error, input, length};

/// Measures of a tube, m.
///
/// ```
/// use taut_mesh::{TubeSize, tube};
/// let hose = tube(TubeSize { inner: 0.02, outer: 0.03, length: 0.5 }, [1, 16, 20])?;
/// assert_eq!(hose.cells.len(), 320);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeSize {
    /// Radius of the bore, m.
    pub inner: f64,
    /// Radius of the outside, m.
    pub outer: f64,
    /// Length, m.
    pub length: f64,
}

/// A tube around the x axis from x = 0, of `cells` hexahedra through the wall, around (at least 3) and along it.
///
/// Nodes lie on the circles, so that the volume is below that of the round tube by a factor sin(a)/a, a = 2 pi/cells around.
/// They are numbered through the wall fastest, then around, then along.
/// ```
/// use taut_mesh::{TubeSize, tube};
/// let ring = tube(TubeSize { inner: 0.9, outer: 1.0, length: 0.1 }, [2, 12, 1])?;
/// assert_eq!(ring.nodes.len(), 3 * 12 * 2);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn tube(size: TubeSize, cells: [usize; 3]) -> Result<Mesh, Error> {
    let inner = length("inner", size.inner)?;
    let outer = length("outer", size.outer)?;
    if outer <= inner {
        return Err(input("outer", outer, format!("more than the inner radius, {inner} m")));
    }
    let along = length("length", size.length)?;
    cell_counts(&["cells[0]", "cells[1]", "cells[2]"], &cells, &[1, 3, 1])?;
    let [nr, na, nl] = cells;
    let mut mesh = Mesh { nodes: Vec::new(), cells: Vec::new() };
    for k in 0..=nl {
        for j in 0..na {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * j as f64 / na as f64);
            for i in 0..=nr {
                let radius = inner + (outer - inner) * i as f64 / nr as f64;
                mesh.nodes.push(DVec3::new(along * k as f64 / nl as f64, radius * cos, radius * sin));
            }
        }
    }
    let node = |i: usize, j: usize, k: usize| (i + (nr + 1) * (j % na + na * k)) as u32;
    for k in 0..nl {
        for j in 0..na {
            let quad =
                |i: usize, k: usize| [node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k)];
            mesh.cells.extend((0..nr).map(|i| {
                let ([a, b, c, d], [e, f, g, h]) = (quad(i, k), quad(i, k + 1));
                Cell::hex8([a, b, c, d, e, f, g, h])
            }));
        }
    }
    Ok(mesh)
}
