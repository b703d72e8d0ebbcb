//! The surface at which a function is zero, by marching tetrahedra.

use std::collections::HashMap;

use glam::DVec3;

use crate::error::{Error, input, length};
use crate::generate::{Lattice, triples};
use crate::surface::Surface;
use crate::voxel::Grid;

/// The six tetrahedra of a cube around its diagonal, by corners in the order of VTK; all are positive.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];

/// Nearest that a point of the surface comes to a corner, as a part of the edge: nearer ones make needles.
const NEAREST: f64 = 0.02;

/// The closed surface at which `distance` is zero, turned towards where it is positive, from cubes of edge `size`, m, between two corners.
///
/// Every edge has two triangles, whatever the function. It must be positive all around the box, or the surface would be cut.
/// ```
/// use glam::DVec3;
/// let ball = taut_mesh::isosurface(-DVec3::ONE, DVec3::ONE, 0.1, |p| p.length() - 0.8)?;
/// ball.check_closed()?;
/// ball.check_oriented()?;
/// assert!((ball.volume() / 2.1447 - 1.0).abs() < 0.02);
/// # Ok::<(), taut_mesh::Error>(())
/// ```
pub fn isosurface(low: DVec3, high: DVec3, size: f64, distance: impl Fn(DVec3) -> f64) -> Result<Surface, Error> {
    length("size", size)?;
    let grid = Grid::around(low, high, size)?;
    let lattice = Lattice { cells: grid.cells };
    let at = |place: [usize; 3]| grid.origin + grid.size * DVec3::from_array(place.map(|i| i as f64));
    let mut values = Vec::new();
    for place in lattice.nodes() {
        let value = distance(at(place));
        let edge = place.iter().zip(grid.cells).any(|(&i, n)| i == 0 || i == n);
        if value.is_nan() || (edge && value < 0.0) {
            let expected = if edge { "a value not below 0 at the border of the box" } else { "a number" };
            return Err(input("distance", value, format!("{expected}, at {}", at(place))));
        }
        values.push(value);
    }
    let mut marching = Marching { surface: Surface::default(), found: HashMap::new(), values, distance };
    for place in triples(grid.cells) {
        let nodes = lattice.hexahedron(place);
        let positive = nodes.iter().filter(|&&n| marching.values[n as usize] >= 0.0).count();
        if positive % 8 != 0 {
            let corners = crate::generate::CORNERS.map(|[a, b, c]| at([place[0] + a, place[1] + b, place[2] + c]));
            TETRAHEDRA.iter().for_each(|t| marching.cut(t.map(|c| nodes[c]), t.map(|c| corners[c])));
        }
    }
    Ok(marching.surface)
}

struct Marching<F> {
    surface: Surface,
    /// The point on each edge of the lattice.
    found: HashMap<[u32; 2], u32>,
    values: Vec<f64>,
    distance: F,
}

impl<F: Fn(DVec3) -> f64> Marching<F> {
    /// The triangles within one positive tetrahedron.
    fn cut(&mut self, nodes: [u32; 4], corners: [DVec3; 4]) {
        let inside = |&c: &usize| self.values[nodes[c] as usize] < 0.0;
        let (ins, outs): (Vec<usize>, Vec<usize>) = (0..4).partition(inside);
        // The order of the four corners, those inside first, decides on which side the triangle faces.
        let order: Vec<usize> = ins.iter().chain(&outs).copied().collect();
        let even =
            (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))).filter(|&(i, j)| order[i] > order[j]).count() % 2 == 0;
        let mut point = |a: usize, b: usize| self.point([nodes[a], nodes[b]], [corners[a], corners[b]]);
        let triangles = match (ins.as_slice(), outs.as_slice()) {
            (&[a], &[b, c, d]) => vec![[point(a, b), point(a, c), point(a, d)]],
            (&[a, b, c], &[d]) => vec![[point(a, d), point(b, d), point(c, d)]],
            (&[a, b], &[c, d]) => {
                let [p, q, r, s] = [point(a, c), point(a, d), point(b, d), point(b, c)];
                vec![[p, q, r], [p, r, s]]
            }
            _ => Vec::new(),
        };
        for mut triangle in triangles {
            if !even {
                triangle.swap(1, 2);
            }
            self.surface.triangles.push(triangle);
        }
    }

    /// The point on an edge of the lattice, made once.
    fn point(&mut self, [a, b]: [u32; 2], [p, q]: [DVec3; 2]) -> u32 {
        let (key, ends) = if a < b { ([a, b], [p, q]) } else { ([b, a], [q, p]) };
        let next = self.surface.nodes.len() as u32;
        let index = *self.found.entry(key).or_insert(next);
        if index == next {
            let values = key.map(|n| self.values[n as usize]);
            self.surface.nodes.push(root(&self.distance, ends, values));
        }
        index
    }
}

/// Where the function is zero between two points at which its signs differ: false position and bisection by turns.
fn root(distance: impl Fn(DVec3) -> f64, [p, q]: [DVec3; 2], values: [f64; 2]) -> DVec3 {
    let ([mut low, mut high], [mut at_low, mut at_high]) = ([0.0, 1.0], values);
    let mut t = 0.5;
    for step in 0..7 {
        let share = at_low / (at_low - at_high);
        t = low + (high - low) * if step % 2 == 0 && (0.0..=1.0).contains(&share) { share } else { 0.5 };
        let value = distance(p.lerp(q, t));
        if (value < 0.0) == (at_low < 0.0) {
            (low, at_low) = (t, value);
        } else {
            (high, at_high) = (t, value);
        }
    }
    p.lerp(q, t.clamp(NEAREST, 1.0 - NEAREST))
}
