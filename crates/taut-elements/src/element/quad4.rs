//! The bilinear quadrilateral: 2 x 2 points, F 3 x 2. At each point the plane is that of the
//! surface there, so that a warped cell is free of stress at rest.

use super::{Points, in_plane, plane};
use crate::mesh::{CORNERS, CellKind, GAUSS, tangents};
use glam::{DMat3, DVec3};

pub(crate) fn points(x: &[DVec3; 8], axes: DMat3) -> Points {
    let mut points = Points::of(CellKind::Quad4);
    for q in 0..4 {
        let xi = [CORNERS[q][0] * GAUSS, CORNERS[q][1] * GAUSS];
        let t = tangents(x, xi);
        let normal = t.0.cross(t.1);
        points.weight[q] = normal.length();
        points.basis[q] = plane(normal.normalize(), axes);
        for a in 0..4 {
            let c = CORNERS[a];
            let n = [1.0 + c[0] * xi[0], 1.0 + c[1] * xi[1]];
            points.gradient[q][a] = in_plane([0.25 * c[0] * n[1], 0.25 * c[1] * n[0]], t, &points.basis[q]);
            points.share[a] += 0.25 * n[0] * n[1] * points.weight[q];
        }
    }
    points
}
