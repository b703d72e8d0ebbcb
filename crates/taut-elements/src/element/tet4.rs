//! The tetrahedron of constant strain: one point. It locks in bending and, without a volume patch,
//! near nu = 0.5.

use super::Points;
use crate::mesh::CellKind;
use glam::{DMat3, DVec3};

pub(crate) fn points(x: &[DVec3; 8], axes: DMat3) -> Points {
    let mut points = Points::of(CellKind::Tet4);
    let edges = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let volume = edges.determinant() / 6.0;
    // Rows of the inverse are the gradients.
    let rows = axes.transpose() * edges.inverse().transpose();
    points.weight[0] = volume;
    points.gradient[0][1] = rows.x_axis;
    points.gradient[0][2] = rows.y_axis;
    points.gradient[0][3] = rows.z_axis;
    points.gradient[0][0] = -(rows.x_axis + rows.y_axis + rows.z_axis);
    points.basis[0] = axes;
    points.share[..4].fill(0.25 * volume);
    points
}
