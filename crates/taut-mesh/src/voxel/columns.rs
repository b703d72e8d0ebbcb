//! Rays along x through a closed surface.

use glam::DVec3;

use super::Grid;
use crate::surface::Surface;

/// How many samples of each cube of the grid lie inside the surface; x fastest.
pub fn inside(surface: &Surface, grid: Grid, samples: usize) -> Vec<u32> {
    let [nx, ny, nz] = grid.cells;
    let step = grid.size / samples as f64;
    let rows = [ny * samples, nz * samples];
    let mut hits = vec![Vec::new(); rows[0] * rows[1]];
    for &triangle in &surface.triangles {
        meet(surface, triangle, grid.origin, step, rows, &mut hits);
    }
    let mut inside = vec![0; nx * ny * nz];
    for (row, hits) in hits.iter_mut().enumerate() {
        hits.sort_unstable_by(f64::total_cmp);
        let [j, k] = [row % rows[0] / samples, row / rows[0] / samples];
        let cubes = &mut inside[nx * (j + ny * k)..][..nx];
        for pair in hits.chunks_exact(2) {
            // Sample i lies at (i + 1/2) step.
            let [from, to] = [pair[0], pair[1]].map(|x| sample_above(x - grid.origin.x, step, nx * samples));
            (from..to).for_each(|i| cubes[i / samples] += 1);
        }
    }
    inside
}

/// Index of the first sample at or above a place, at most `count`.
fn sample_above(place: f64, step: f64, count: usize) -> usize {
    ((place / step - 0.5).ceil().max(0.0) as usize).min(count)
}

/// Adds the places along x at which the rays through the samples of y and z meet a triangle.
fn meet(surface: &Surface, triangle: [u32; 3], origin: DVec3, step: f64, rows: [usize; 2], hits: &mut [Vec<f64>]) {
    let [a, b, c] = triangle.map(|n| surface.nodes[n as usize]);
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    // One sample more on both sides: the test below is the one that counts.
    let range = |low: f64, high: f64, count: usize| {
        sample_above(low, step, count).saturating_sub(1)..(sample_above(high, step, count) + 1).min(count)
    };
    let normal = (b - a).cross(c - a);
    for k in range(low.z - origin.z, high.z - origin.z, rows[1]) {
        let z = origin.z + (k as f64 + 0.5) * step;
        for j in range(low.y - origin.y, high.y - origin.y, rows[0]) {
            let y = origin.y + (j as f64 + 0.5) * step;
            let [p, q, r] = triangle;
            let sides = [[p, q], [q, r], [r, p]].into_iter().filter(|&side| crosses(surface, side, y, z)).count();
            if sides % 2 == 1 {
                let x = a.x - ((y - a.y) * normal.y + (z - a.z) * normal.z) / normal.x;
                // A triangle seen edge-on has no place of its own; its box bounds it.
                hits[j + rows[0] * k].push(x.max(low.x).min(high.x));
            }
        }
    }
}

/// Whether the ray from (y, z) towards +y crosses an edge, both seen along x.
///
/// The lower node comes first, so that both triangles of an edge get the same answer, to the last bit.
fn crosses(surface: &Surface, [from, to]: [u32; 2], y: f64, z: f64) -> bool {
    let [a, b] = [from.min(to), from.max(to)].map(|n| surface.nodes[n as usize]);
    (a.z > z) != (b.z > z) && y < a.y + (z - a.z) * (b.y - a.y) / (b.z - a.z)
}
