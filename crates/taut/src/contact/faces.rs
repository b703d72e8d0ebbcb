//! Triangles of a hull that lie in one plane made one face.

use super::convex::Face;
use crate::tuning::T;
use glam::DVec3;

/// Faces and their loops of corners; `None` if the triangles do not close.
pub(crate) fn merge(corners: &[DVec3], triangles: &[[u32; 3]]) -> Option<(Vec<Face>, Vec<u32>)> {
    let edges = directed(triangles);
    let size = corners.iter().fold(0.0_f64, |m, c| c.distance(corners[0]).max(m));
    let group = groups(corners, triangles, &edges, T.manifold.coplanar * size)?;
    let (mut faces, mut loops) = (Vec::new(), Vec::new());
    for first in (0..triangles.len()).filter(|&k| group[k] == k) {
        // Edges around the group: those that no other triangle of it runs through backwards.
        let mut rim: Vec<(u32, u32)> = Vec::new();
        let mut area = DVec3::ZERO;
        for (_, t) in triangles.iter().enumerate().filter(|(k, _)| group[*k] == first) {
            let [a, b, c] = t.map(|v| corners[v as usize]);
            area += (b - a).cross(c - a);
            let outer = |&(a, b): &(u32, u32)| find(&edges, b, a).is_none_or(|k| group[k] != first);
            rim.extend([(t[0], t[1]), (t[1], t[2]), (t[2], t[0])].iter().filter(|e| outer(e)));
        }
        let normal = area.normalize_or_zero();
        if normal == DVec3::ZERO {
            return None;
        }
        let start = loops.len();
        chain(&rim, &mut loops)?;
        faces.push(Face { normal, start: start as u32, end: loops.len() as u32 });
    }
    Some((faces, loops))
}

/// Directed edges with their triangles, sorted.
fn directed(triangles: &[[u32; 3]]) -> Vec<(u32, u32, usize)> {
    let of = |(k, t): (usize, &[u32; 3])| [(t[0], t[1], k), (t[1], t[2], k), (t[2], t[0], k)];
    let mut edges: Vec<_> = triangles.iter().enumerate().flat_map(of).collect();
    edges.sort_unstable();
    edges
}

/// The triangle that runs from a to b.
fn find(edges: &[(u32, u32, usize)], a: u32, b: u32) -> Option<usize> {
    let k = edges.partition_point(|e| (e.0, e.1) < (a, b));
    edges.get(k).filter(|e| (e.0, e.1) == (a, b)).map(|e| e.2)
}

/// The first triangle of each triangle's plane.
fn groups(corners: &[DVec3], triangles: &[[u32; 3]], edges: &[(u32, u32, usize)], flat: f64) -> Option<Vec<usize>> {
    let mut group: Vec<usize> = vec![usize::MAX; triangles.len()];
    let mut open = Vec::new();
    // The largest first: its plane is the most certain.
    let area = |k: usize| {
        let [a, b, c] = triangles[k].map(|v| corners[v as usize]);
        (b - a).cross(c - a)
    };
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&x, &y| area(y).length().total_cmp(&area(x).length()).then(x.cmp(&y)));
    for &seed in &order {
        if group[seed] != usize::MAX {
            continue;
        }
        let (normal, on) = (area(seed).normalize_or_zero(), corners[triangles[seed][0] as usize]);
        group[seed] = seed;
        open.push(seed);
        while let Some(k) = open.pop() {
            let t = triangles[k];
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                let next = find(edges, b, a)?;
                let level = |v: u32| (corners[v as usize] - on).dot(normal).abs() <= flat;
                if group[next] == usize::MAX
                    && triangles[next].iter().all(|&v| level(v))
                    && area(next).dot(normal) >= 0.0
                {
                    group[next] = seed;
                    open.push(next);
                }
            }
        }
    }
    Some(group)
}

/// Edges in a row, end to start, once around.
fn chain(rim: &[(u32, u32)], loops: &mut Vec<u32>) -> Option<()> {
    let first = rim.first()?.0;
    let mut at = first;
    for _ in 0..rim.len() {
        loops.push(at);
        at = rim.iter().find(|e| e.0 == at)?.1;
    }
    (at == first).then_some(())
}
