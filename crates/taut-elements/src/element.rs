//! The elements: their integration points, and the gradients that make F linear in the node positions.
//!
//! ```text
//! F = sum_a x_a G_a^T at each point, with a constant G_a (1/m)
//! ```
//! Gradients are in the material axes: of a solid those of its law, of a sheet two directions in
//! it, the first nearest to the first axis of the law, of a bar the bar itself.

pub(crate) mod bar2;
pub(crate) mod bending;
pub(crate) mod frame;
pub(crate) mod hex8;
pub(crate) mod over;
pub(crate) mod quad4;
pub(crate) mod tet4;
pub(crate) mod tri3;

use crate::mesh::{CellKind, Mesh};
use glam::{DMat3, DVec3};

/// How the gradients of hexahedra and frames vary within a cell.
///
/// ```
/// use taut_elements::Gradients;
/// assert_eq!(Gradients::default(), Gradients::Scaled);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Gradients {
    /// Scaled so that one layer of cells bends right, whose cells are at least as long as they are tall along what bends. Those that are
    /// shorter bend too softly: two layers of cells of 2/3 of their height by 15 %.
    #[default]
    Scaled,
    /// Scaled so that hexahedra bend right in both directions of each of their three planes, as far as that can be: up to sides of 1.4 to 1 at nu = 0.3;
    /// two layers of cells of 2/3 of their height bend by 2 % too much, of half by 13 %. The stretch at the points of long
    /// cells is then more of a shear: choose it for cells that are bent in all directions. Frames take it as `Scaled`.
    Paired,
    /// As the shape functions give them: locks in bending.
    Plain,
    /// Deviations from the mean of the cell times this number.
    Uniform(f64),
}

/// Integration points of one cell with its nodes' gradients.
pub(crate) struct Points {
    pub count: usize,
    /// Length, area or volume, m, m^2, m^3.
    pub weight: [f64; 8],
    pub gradient: [[DVec3; 8]; 8],
    /// Material axes at each point, in the shape at rest.
    pub basis: [DMat3; 8],
    /// Part of length, area or volume that belongs to each node: the integral of its shape function.
    pub share: [f64; 8],
}

impl Points {
    /// Those of a cell of this kind, all zero.
    fn of(kind: CellKind) -> Self {
        Points {
            count: kind.points(),
            weight: [0.0; 8],
            gradient: [[DVec3::ZERO; 8]; 8],
            basis: [DMat3::IDENTITY; 8],
            share: [0.0; 8],
        }
    }

    /// The mean of the gradient of node a over the volume.
    fn mean(&self, a: usize) -> DVec3 {
        let volume = self.weight.iter().sum::<f64>();
        (0..self.count).fold(DVec3::ZERO, |sum, q| sum + self.gradient[q][a] * (self.weight[q] / volume))
    }

    /// Deviations of the gradients from their mean times `alpha`.
    fn scale(&mut self, alpha: f64) {
        for a in 0..8 {
            let mean = self.mean(a);
            for q in 0..self.count {
                self.gradient[q][a] = mean + (self.gradient[q][a] - mean) * alpha;
            }
        }
    }
}

/// The points of a cell; `nu` is Poisson's ratio.
pub(crate) fn points(mesh: &Mesh, cell: usize, axes: DMat3, nu: f64, gradients: Gradients) -> Points {
    let x = mesh.corners(cell);
    match mesh.cells[cell].kind() {
        CellKind::Bar2 => bar2::points(&x),
        CellKind::Tri3 => tri3::points(&x, axes),
        CellKind::Quad4 => quad4::points(&x, axes),
        CellKind::Tet4 => tet4::points(&x, axes),
        CellKind::Hex8 => hex8::points(&x, axes, nu, gradients),
    }
}

/// Two directions in the plane of the unit normal n and n itself: the first along the material's
/// first axis, or along its second where the first is normal to the plane.
pub(crate) fn plane(n: DVec3, axes: DMat3) -> DMat3 {
    let along = |axis: DVec3| axis - n * n.dot(axis);
    let first = along(axes.x_axis);
    let flat = first.length_squared() > 1e-12 * axes.x_axis.length_squared();
    let e = if flat { first } else { along(axes.y_axis) }.normalize_or(n.any_orthonormal_vector());
    DMat3::from_cols(e, n.cross(e), n)
}

/// Gradients in a plane from derivatives by two natural coordinates: G = dN J^-1, J the tangents in
/// that plane.
pub(crate) fn in_plane(derivative: [f64; 2], tangents: (DVec3, DVec3), basis: &DMat3) -> DVec3 {
    let (a, b) = (
        (tangents.0.dot(basis.x_axis), tangents.0.dot(basis.y_axis)),
        (tangents.1.dot(basis.x_axis), tangents.1.dot(basis.y_axis)),
    );
    let det = a.0 * b.1 - a.1 * b.0;
    DVec3::new(derivative[0] * b.1 - derivative[1] * a.1, derivative[1] * a.0 - derivative[0] * b.0, 0.0) / det
}
