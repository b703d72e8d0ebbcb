//! Hulls of points.

use super::vector;
use crate::contact::convex::Face;
use crate::contact::faces::merge;
use crate::contact::surface::extents;
use crate::error::{Error, Result};
use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;

/// Corners, faces and the loops of the faces.
pub(crate) type Hull = (Vec<DVec3>, Vec<Face>, Vec<u32>);

/// The hull of points that were checked before; an error if rounding leaves none.
pub(crate) fn hull(points: &[DVec3]) -> Result<Hull> {
    let fail =
        |why: String| Error::input("convex hull points", why, "points that span a solid; leave out near duplicates");
    // Stretched to the same extent along all axes, which leaves the hull the same: flat ones lose corners otherwise.
    let (axes, reach) = extents(points);
    let stretched: Vec<_> = points
        .iter()
        .map(|&p| {
            let d = p - points[0];
            vector(DVec3::new(d.dot(axes[0]) / reach[0], d.dot(axes[1]) / reach[1], d.dot(axes[2]) / reach[2]))
        })
        .collect();
    let (corners, triangles) = try_convex_hull(&stretched).map_err(|e| fail(e.to_string()))?;
    let original = |c: Vector| stretched.iter().position(|s| *s == c).map(|k| points[k]);
    let corners: Option<Vec<DVec3>> = corners.into_iter().map(original).collect();
    let corners = corners.ok_or_else(|| fail("a corner that was not given".into()))?;
    let (faces, loops) = merge(&corners, &triangles).ok_or_else(|| fail("no closed hull".into()))?;
    // Points that almost coincide or almost lie in a face can lead it astray.
    let slack = 1e-4 * reach[2] + 1e-9 * reach[0];
    for f in &faces {
        let on = corners[loops[f.start as usize] as usize];
        if let Some(p) = points.iter().find(|p| f.normal.dot(**p - on) > slack) {
            return Err(fail(format!("{p} is left out")));
        }
    }
    Ok((corners, faces, loops))
}
