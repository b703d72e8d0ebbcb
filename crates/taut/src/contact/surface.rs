//! What is accepted as the points of a hull, as a mesh and as a grid of heights.

use super::shape::point;
use crate::error::{Error, Result, finite};
use crate::tuning::T;
use glam::DVec3;

/// Most points of a hull and triangles of a mesh or height field.
const MOST: usize = 1 << 24;

/// At least four points that do not lie in one plane.
pub(super) fn check_hull(points: &[DVec3]) -> Result<()> {
    if points.len() < 4 || points.len() > MOST {
        return Err(Error::input("convex hull points", points.len(), format!("4 to {MOST} points")));
    }
    for (k, p) in points.iter().enumerate() {
        point(&format!("convex hull point {k}"), *p)?;
    }
    let [length, _, height] = extents(points).1;
    if !(height > T.input.flat * length) {
        let value = format!("{} points within {height} m of a plane", points.len());
        return Err(Error::input("convex hull points", value, "four points that do not lie in one plane"));
    }
    Ok(())
}

/// Orthonormal axes, right-handed, and how far points reach along them from the first: along the longest, then across.
pub(crate) fn extents(points: &[DVec3]) -> ([DVec3; 3], [f64; 3]) {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        points.iter().copied().fold((0.0, DVec3::ZERO), |best, p| {
            let m = measure(p);
            if m > best.0 { (m, p) } else { best }
        })
    };
    let first = points.first().copied().unwrap_or_default();
    let (length, b) = farthest(&|p| p.distance(first));
    let along = (b - first) / length;
    let (width, c) = farthest(&|p| (p - first).cross(along).length());
    let normal = along.cross(c - first) / width;
    let (height, _) = farthest(&|p| (p - first).dot(normal).abs());
    ([along, normal.cross(along), normal], [length, width, height])
}

/// Indices in range, no flat triangle, every edge in at most two triangles, which run through it in opposite directions.
pub(super) fn check_mesh(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<()> {
    if triangles.is_empty() || triangles.len() > MOST {
        return Err(Error::input("mesh triangles", triangles.len(), format!("1 to {MOST} triangles")));
    }
    for (k, v) in vertices.iter().enumerate() {
        point(&format!("mesh vertex {k}"), *v)?;
    }
    for (k, t) in triangles.iter().enumerate() {
        check_triangle(vertices, k, t)?;
    }
    check_edges(vertices, triangles)
}

fn check_triangle(vertices: &[DVec3], k: usize, t: &[u32; 3]) -> Result<()> {
    let name = format!("mesh triangle {k}");
    if let Some(v) = t.iter().find(|&&v| v as usize >= vertices.len()) {
        return Err(Error::input(name, format!("vertex {v}"), format!("vertices below {}", vertices.len())));
    }
    let [a, b, c] = t.map(|v| vertices[v as usize]);
    let longest = (b - a).length().max((c - b).length()).max((a - c).length());
    if !((b - a).cross(c - a).length() > T.input.flat * longest * longest) {
        return Err(Error::input(name, format!("{t:?}"), "three corners that do not lie on one line"));
    }
    Ok(())
}

fn check_edges(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<()> {
    let ids = weld(vertices);
    // Edges with their lower end first, the direction the triangle runs through them, the triangle.
    let mut edges: Vec<(u32, u32, bool, u32)> = Vec::with_capacity(3 * triangles.len());
    for (k, t) in triangles.iter().enumerate() {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            let (a, b) = (ids[a as usize], ids[b as usize]);
            edges.push((a.min(b), a.max(b), a < b, k as u32));
        }
    }
    edges.sort_unstable();
    for run in edges.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        let (a, b, _, first) = run[0];
        let named = || format!("mesh edge {a}-{b} of triangle {first}");
        if run.len() > 2 {
            return Err(Error::input(named(), format!("{} triangles", run.len()), "at most two triangles at an edge"));
        }
        if run.len() == 2 && run[0].2 == run[1].2 {
            let value = format!("turned against triangle {}", run[1].3);
            return Err(Error::input(named(), value, "neighbours with their corners in the same sense"));
        }
    }
    Ok(())
}

/// For each vertex the first one at the same place.
pub(super) fn weld(vertices: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    let at = |k: &u32| vertices[*k as usize] + DVec3::ZERO;
    let compare = |a: &DVec3, b: &DVec3| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z));
    order.sort_by(|a, b| compare(&at(a), &at(b)).then(a.cmp(b)));
    let mut ids = vec![0; vertices.len()];
    for run in order.chunk_by(|a, b| at(a) == at(b)) {
        for k in run {
            ids[*k as usize] = run[0];
        }
    }
    ids
}

/// Two rows and columns or more, all rows of one length, finite heights.
pub(super) fn check_heights(heights: &[Vec<f64>], scale: f64) -> Result<()> {
    let columns = heights.first().map_or(0, Vec::len);
    if heights.len() < 2 || columns < 2 || heights.len().saturating_mul(columns) > MOST / 2 {
        let expected = format!("at least 2 rows of 2 heights, at most {} heights", MOST / 2);
        return Err(Error::input("height field", format!("{} rows of {columns}", heights.len()), expected));
    }
    for (r, row) in heights.iter().enumerate() {
        if row.len() != columns {
            return Err(Error::input(format!("height field row {r}"), row.len(), format!("{columns} heights")));
        }
        for (c, &height) in row.iter().enumerate() {
            let name = format!("height at row {r}, column {c}");
            finite(&name, height, "scale.y")?;
            point(&name, DVec3::Y * (height * scale))?;
        }
    }
    Ok(())
}
