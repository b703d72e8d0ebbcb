//! The straight bar: F = (x_1 - x_0)/L, one point.

use super::Points;
use crate::mesh::CellKind;
use glam::{DMat3, DVec3};

pub(crate) fn points(x: &[DVec3; 8]) -> Points {
    let mut points = Points::of(CellKind::Bar2);
    let length = (x[1] - x[0]).length();
    let along = (x[1] - x[0]) / length;
    let side = along.any_orthonormal_vector();
    points.weight[0] = length;
    points.gradient[0][0].x = -1.0 / length;
    points.gradient[0][1].x = 1.0 / length;
    points.basis[0] = DMat3::from_cols(along, side, along.cross(side));
    points.share[..2].fill(0.5 * length);
    points
}
