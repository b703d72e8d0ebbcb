//! Length, area and volume of cells.

use super::{CellKind, Mesh};
use glam::{DMat3, DVec3};

/// Natural coordinates of the corners of a hexahedron; the first four, without the last coordinate,
/// are those of a quadrilateral.
pub(crate) const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// 1/sqrt(3): the points of the two-point rule of Gauss.
pub(crate) const GAUSS: f64 = 0.577_350_269_189_625_8;

/// Derivatives of the trilinear shape functions by the natural coordinates.
pub(crate) fn trilinear(xi: [f64; 3]) -> [DVec3; 8] {
    CORNERS.map(|c| {
        let n = [1.0 + c[0] * xi[0], 1.0 + c[1] * xi[1], 1.0 + c[2] * xi[2]];
        DVec3::new(c[0] * n[1] * n[2], c[1] * n[0] * n[2], c[2] * n[0] * n[1]) * 0.125
    })
}

/// The two tangents of a quadrilateral.
pub(crate) fn tangents(x: &[DVec3; 8], xi: [f64; 2]) -> (DVec3, DVec3) {
    let mut t = (DVec3::ZERO, DVec3::ZERO);
    for (c, &x) in CORNERS[..4].iter().zip(x) {
        t.0 += x * (c[0] * (1.0 + c[1] * xi[1]) * 0.25);
        t.1 += x * (c[1] * (1.0 + c[0] * xi[0]) * 0.25);
    }
    t
}

/// dX/dxi of a hexahedron: the columns are the derivatives.
pub(crate) fn jacobian(x: &[DVec3; 8], shape: &[DVec3; 8]) -> DMat3 {
    let mut j = DMat3::ZERO;
    for (&x, g) in x.iter().zip(shape) {
        j.x_axis += x * g.x;
        j.y_axis += x * g.y;
        j.z_axis += x * g.z;
    }
    j
}

/// The normal of a quadrilateral times twice its area: the product of its diagonals.
pub(crate) fn quad_normal(x: &[DVec3; 8]) -> DVec3 {
    (x[2] - x[0]).cross(x[3] - x[1])
}

impl Mesh {
    /// Length, area or volume of a cell at rest, m, m^2 or m^3; negative for a tetrahedron turned
    /// inside out.
    pub fn volume(&self, cell: usize) -> f64 {
        self.points(cell).iter().sum()
    }

    /// Lengths, areas or volumes at the integration points of a cell; unused entries are zero.
    pub(crate) fn points(&self, cell: usize) -> [f64; 8] {
        let x = self.corners(cell);
        let mut w = [0.0; 8];
        match self.cells[cell].kind {
            CellKind::Bar2 => w[0] = (x[1] - x[0]).length(),
            CellKind::Tri3 => w[0] = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).length(),
            CellKind::Tet4 => w[0] = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0,
            CellKind::Quad4 => {
                let n = quad_normal(&x).normalize_or_zero();
                for (w, c) in w.iter_mut().zip(&CORNERS[..4]) {
                    let (a, b) = tangents(&x, [c[0] * GAUSS, c[1] * GAUSS]);
                    let area = a.cross(b);
                    // A folded corner counts as negative.
                    *w = if area.dot(n) > 0.0 { area.length() } else { -area.length() };
                }
            }
            CellKind::Hex8 => {
                for (w, c) in w.iter_mut().zip(CORNERS) {
                    *w = jacobian(&x, &trilinear(c.map(|c| c * GAUSS))).determinant();
                }
            }
        }
        w
    }

    /// The longest edge of a cell, m.
    pub fn longest_edge(&self, cell: usize) -> f64 {
        let x = self.corners(cell);
        let edges = self.cells[cell].kind.edges();
        edges.iter().fold(0.0, |l, e| f64::max(l, (x[e[1] as usize] - x[e[0] as usize]).length()))
    }
}
