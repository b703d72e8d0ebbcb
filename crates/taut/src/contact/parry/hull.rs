//! Hulls of points, with coplanar triangles merged into faces.

use super::{back, vector};
use crate::contact::convex::Face;
use crate::error::{Error, Result};
use glam::DVec3;
use parry3d_f64::shape::ConvexPolyhedron;
use parry3d_f64::transformation::try_convex_hull;

/// Corners, faces and the loops of the faces.
pub(crate) type Hull = (Vec<DVec3>, Vec<Face>, Vec<u32>);

/// The hull of points that were checked before; an error if rounding leaves none.
pub(crate) fn hull(points: &[DVec3]) -> Result<Hull> {
    let fail =
        |why: String| Error::input("convex hull points", why, "points that span a solid; leave out near duplicates");
    let points: Vec<_> = points.iter().map(|&p| vector(p)).collect();
    let (corners, triangles) = try_convex_hull(&points).map_err(|e| fail(e.to_string()))?;
    let solid = ConvexPolyhedron::from_convex_mesh(corners, &triangles).ok_or_else(|| fail("no closed hull".into()))?;
    let corners: Vec<DVec3> = solid.points().iter().map(|&p| back(p)).collect();
    let mut faces = Vec::new();
    let mut loops: Vec<u32> = Vec::new();
    for f in solid.faces() {
        let (first, count) = (f.first_vertex_or_edge as usize, f.num_vertices_or_edges as usize);
        let start = loops.len() as u32;
        loops.extend_from_slice(&solid.vertices_adj_to_face()[first..first + count]);
        let face = Face { normal: back(f.normal), start, end: loops.len() as u32 };
        faces.push(exact_normal(face, &corners, &loops));
    }
    Ok((corners, faces, loops))
}

/// The normal from the corners themselves: twice the area vector of the loop.
fn exact_normal(face: Face, corners: &[DVec3], loops: &[u32]) -> Face {
    let ring = &loops[face.start as usize..face.end as usize];
    let at = |k: usize| corners[ring[k % ring.len()] as usize];
    let area = (1..ring.len().saturating_sub(1)).fold(DVec3::ZERO, |s, k| s + (at(k) - at(0)).cross(at(k + 1) - at(0)));
    let normal = area.normalize_or(face.normal);
    Face { normal: if normal.dot(face.normal) < 0.0 { face.normal } else { normal }, ..face }
}
