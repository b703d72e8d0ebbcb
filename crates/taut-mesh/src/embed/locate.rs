//! In which cell a point lies, and where in it.

use glam::{DMat3, DVec3};
use taut_elements::{CellKind, Mesh};

use crate::generate::CORNERS;

/// A point this little outside, in natural coordinates, is inside: neighbours must not both refuse a point of their common face.
const SLACK: f64 = 1e-9;

/// Farthest that weights are extended beyond a cell, in natural coordinates (a hexahedron is 2 wide);
/// points farther away are bound to the nearest point of the cell.
const REACH: f64 = 4.0;

/// A point in a cell, or beyond it.
#[derive(Clone, Copy, Debug)]
pub struct Located {
    /// Natural coordinates: -1 to 1 for hexahedra, barycentric (the last three) for tetrahedra; never outside of the cell by more than `SLACK`.
    natural: DVec3,
    /// From there to the point, m; zero inside.
    rest: DVec3,
}

impl Located {
    /// How far outside of the cell the point lies, m; 0 inside.
    pub fn outside(&self) -> f64 {
        self.rest.length()
    }

    /// Weights of the corners. Outside they are extended with the gradients of the middle: `w_a + g_a . rest`, which is exact for linear fields.
    pub fn weights(&self, mesh: &Mesh, cell: u32) -> [f64; 8] {
        let (kind, corners) = corners(mesh, cell);
        let mut weights = shape(kind, self.natural);
        let middle = if kind == CellKind::Tet4 { DVec3::splat(0.25) } else { DVec3::ZERO };
        let step = jacobian(kind, &corners, middle).inverse() * self.rest;
        if step.length() <= REACH {
            let gradients = gradients(kind, middle);
            weights.iter_mut().zip(gradients).for_each(|(weight, gradient)| *weight += gradient.dot(step));
        }
        weights
    }
}

/// Where a point lies in a tetrahedron or hexahedron, or the point of the cell next to it.
pub fn locate(mesh: &Mesh, cell: u32, point: DVec3) -> Located {
    let (kind, corners) = corners(mesh, cell);
    let (natural, clamped) = match kind {
        CellKind::Tet4 => {
            let natural = in_tetrahedron(&corners, point);
            (natural, into_simplex(natural))
        }
        _ => {
            let natural = in_hexahedron(&corners, point);
            (natural, natural.max(DVec3::NEG_ONE).min(DVec3::ONE))
        }
    };
    // Newton's method may stop short outside of a distorted cell; then the point is not where it ended.
    let found = (point - at(kind, &corners, natural)).length() <= SLACK * (corners[1] - corners[0]).length();
    if found && natural.distance(clamped) <= SLACK {
        return Located { natural, rest: DVec3::ZERO };
    }
    Located { natural: clamped, rest: point - at(kind, &corners, clamped) }
}

/// The kind and the corners of a cell.
fn corners(mesh: &Mesh, cell: u32) -> (CellKind, [DVec3; 8]) {
    let cell = &mesh.cells[cell as usize];
    let mut corners = [DVec3::ZERO; 8];
    for (corner, &node) in corners.iter_mut().zip(cell.nodes()) {
        *corner = mesh.nodes[node as usize];
    }
    (cell.kind(), corners)
}

/// Shape functions at natural coordinates.
fn shape(kind: CellKind, at: DVec3) -> [f64; 8] {
    if kind == CellKind::Tet4 {
        return [1.0 - at.x - at.y - at.z, at.x, at.y, at.z, 0.0, 0.0, 0.0, 0.0];
    }
    CORNERS.map(|corner| {
        let n = DVec3::ONE + signs(corner) * at;
        0.125 * n.x * n.y * n.z
    })
}

/// Their derivatives.
fn gradients(kind: CellKind, at: DVec3) -> [DVec3; 8] {
    if kind == CellKind::Tet4 {
        let zero = DVec3::ZERO;
        return [DVec3::NEG_ONE, DVec3::X, DVec3::Y, DVec3::Z, zero, zero, zero, zero];
    }
    CORNERS.map(|corner| {
        let sign = signs(corner);
        let n = DVec3::ONE + sign * at;
        0.125 * sign * DVec3::new(n.y * n.z, n.z * n.x, n.x * n.y)
    })
}

/// Natural coordinates of a corner of a hexahedron.
fn signs(corner: [usize; 3]) -> DVec3 {
    DVec3::from_array(corner.map(|c| 2.0 * c as f64 - 1.0))
}

/// The position at natural coordinates, m.
fn at(kind: CellKind, x: &[DVec3; 8], natural: DVec3) -> DVec3 {
    x.iter().zip(shape(kind, natural)).map(|(&x, w)| w * x).sum()
}

/// Derivatives of the position by the natural coordinates, in columns.
fn jacobian(kind: CellKind, x: &[DVec3; 8], natural: DVec3) -> DMat3 {
    let mut jacobian = DMat3::ZERO;
    for (&x, g) in x.iter().zip(gradients(kind, natural)) {
        jacobian.x_axis += x * g.x;
        jacobian.y_axis += x * g.y;
        jacobian.z_axis += x * g.z;
    }
    jacobian
}

/// Barycentric coordinates of the last three corners.
fn in_tetrahedron(x: &[DVec3; 8], point: DVec3) -> DVec3 {
    let edges = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let natural = edges.inverse() * (point - x[0]);
    if natural.is_finite() { natural } else { DVec3::splat(1e9) }
}

/// Barycentric coordinates without negative ones; not the nearest point of the tetrahedron, but one of it.
fn into_simplex(natural: DVec3) -> DVec3 {
    let positive = natural.max(DVec3::ZERO);
    let sum = positive.element_sum();
    if sum > 1.0 { positive / sum } else { positive }
}

/// Newton's method for the trilinear map; exact after one step when the cell is a box.
fn in_hexahedron(x: &[DVec3; 8], point: DVec3) -> DVec3 {
    let mut natural = DVec3::ZERO;
    for _ in 0..20 {
        let rest = point - at(CellKind::Hex8, x, natural);
        let step = jacobian(CellKind::Hex8, x, natural).inverse() * rest;
        // Steps beyond the neighbours are cut: the map may fold there.
        let cut = step.clamp_length_max(2.0);
        if !cut.is_finite() {
            return natural;
        }
        natural += cut;
        if step.length_squared() < 1e-28 {
            break;
        }
    }
    natural
}
