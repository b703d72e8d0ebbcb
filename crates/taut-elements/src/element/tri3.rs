//! The triangle of constant strain: one point, F 3 x 2.

use super::{Points, in_plane, plane};
use crate::mesh::CellKind;
use glam::{DMat3, DVec3};

pub(crate) fn points(x: &[DVec3; 8], axes: DMat3) -> Points {
    let mut points = Points::of(CellKind::Tri3);
    let edges = (x[1] - x[0], x[2] - x[0]);
    let normal = edges.0.cross(edges.1);
    points.weight[0] = 0.5 * normal.length();
    points.basis[0] = plane(normal.normalize(), axes);
    for (a, d) in [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
        points.gradient[0][a] = in_plane(d, edges, &points.basis[0]);
    }
    points.share[..3].fill(points.weight[0] / 3.0);
    points
}
