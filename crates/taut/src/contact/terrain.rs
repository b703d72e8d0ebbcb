//! Surfaces of triangles, and the normals their inner edges may have.
//!
//! ```text
//! f: unit normal of a triangle;  o: unit vector in its plane, out across an edge;  g: unit normal of the neighbour there
//! an edge is convex where g.o > 0; a contact normal m that leans out over it (m.o > 0) may lean as far as g, over any
//! other edge with a neighbour not at all; a normal that looks at the back of the triangle is none.
//! ```
//!
//! So a body that slides over flat triangles feels the plane, not the edges between them.

use super::bounds::Bounds;
use super::parry::Tree;
use crate::tuning::T;
use glam::DVec3;

/// A surface of triangles.
#[derive(Clone, Debug)]
pub(crate) enum Terrain {
    Mesh { vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>, neighbours: Vec<[u32; 3]>, tree: Tree },
    Grid { heights: Vec<f64>, rows: usize, columns: usize, scale: DVec3, bounds: Bounds },
}

/// No neighbour.
const NONE: u32 = u32::MAX;

/// A triangle of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub corners: [DVec3; 3],
    pub normal: DVec3,
    /// Normals of the neighbours beyond the edges 0-1, 1-2, 2-0.
    beyond: [Option<DVec3>; 3],
}

fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

impl Element {
    /// The normal (out of the front) that a contact with the normal `m` has; `None` when it is at the back.
    pub fn admit(&self, m: DVec3) -> Option<DVec3> {
        let f = self.normal;
        if m.dot(f) <= 0.0 {
            return None;
        }
        let mut lean = (0.0, 0, DVec3::ZERO);
        for k in 0..3 {
            let edge = self.corners[(k + 1) % 3] - self.corners[k];
            let out = edge.cross(f).normalize_or_zero();
            if m.dot(out) > lean.0 {
                lean = (m.dot(out), k, out);
            }
        }
        let Some(g) = self.beyond[lean.1].filter(|_| lean.0 > 0.0) else { return Some(m) };
        let (over, up) = (g.dot(lean.2), g.dot(f));
        Some(if over <= T.manifold.flat_edge {
            f
        } else if up > 0.0 && m.dot(lean.2) * up > over * m.dot(f) {
            g
        } else {
            m
        })
    }
}

impl Terrain {
    /// A valid mesh.
    pub fn mesh(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let bounds = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| vertices[v as usize]);
            Bounds::point(a).with(b).with(c)
        };
        let boxes: Vec<(u32, Bounds)> = triangles.iter().enumerate().map(|(k, t)| (k as u32, bounds(t))).collect();
        let tree = Tree::new(&boxes);
        let neighbours = neighbours(vertices, triangles);
        Terrain::Mesh { vertices: vertices.to_vec(), triangles: triangles.to_vec(), neighbours, tree }
    }

    /// Valid heights.
    pub fn grid(heights: &[Vec<f64>], scale: DVec3) -> Self {
        let (rows, columns) = (heights.len(), heights.first().map_or(0, Vec::len));
        let heights: Vec<f64> = heights.iter().flatten().copied().collect();
        let (low, high) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |m, &h| (h.min(m.0), h.max(m.1)));
        let min = DVec3::new(-0.5 * scale.x, low * scale.y, -0.5 * scale.z);
        let max = DVec3::new(0.5 * scale.x, high * scale.y, 0.5 * scale.z);
        Terrain::Grid { heights, rows, columns, scale, bounds: Bounds { min, max } }
    }

    /// All corners and triangles.
    pub fn triangles(&self) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        match self {
            Terrain::Mesh { vertices, triangles, .. } => (vertices.clone(), triangles.clone()),
            Terrain::Grid { rows, columns, .. } => {
                let points = (0..rows * columns).map(|k| self.point(k / columns, k % columns)).collect();
                let count = 2 * (rows - 1) * (columns - 1);
                (
                    points,
                    (0..count as u32)
                        .map(|id| grid_corners(id, *columns).map(|(r, c)| (r * columns + c) as u32))
                        .collect(),
                )
            }
        }
    }

    /// A point of a grid.
    fn point(&self, r: usize, c: usize) -> DVec3 {
        let Terrain::Grid { heights, rows, columns, scale, .. } = self else { return DVec3::ZERO };
        let x = c as f64 / (columns - 1) as f64 - 0.5;
        let z = r as f64 / (rows - 1) as f64 - 0.5;
        DVec3::new(x, heights[r * columns + c], z) * *scale
    }

    /// The box around it.
    pub fn bounds(&self) -> Bounds {
        match self {
            Terrain::Mesh { tree, .. } => tree.bounds(),
            Terrain::Grid { bounds, .. } => *bounds,
        }
    }

    /// Numbers of the triangles that may meet a box, ascending.
    pub fn elements(&self, b: &Bounds, out: &mut Vec<u32>) {
        out.clear();
        match self {
            Terrain::Mesh { tree, .. } => {
                tree.overlapping(b, out);
                out.sort_unstable();
            }
            Terrain::Grid { bounds, rows, columns, scale, .. } => {
                if !bounds.meets(b) {
                    return;
                }
                // Cells from and to along an axis.
                let span = |min: f64, max: f64, whole: f64, cells: usize| {
                    let cell = |x: f64| ((x / whole + 0.5) * cells as f64).clamp(0.0, cells as f64);
                    (cell(min) as usize).min(cells - 1)..(cell(max) as usize + 1).min(cells)
                };
                for r in span(b.min.z, b.max.z, scale.z, rows - 1) {
                    for c in span(b.min.x, b.max.x, scale.x, columns - 1) {
                        let id = 2 * (r * (columns - 1) + c) as u32;
                        out.extend([id, id + 1].into_iter().filter(|&k| self.box_of(k).meets(b)));
                    }
                }
            }
        }
    }

    /// Numbers of the triangles that a ray may meet, ascending.
    pub fn along(&self, origin: DVec3, direction: DVec3, limit: f64, out: &mut Vec<u32>) {
        if let Terrain::Mesh { tree, .. } = self {
            out.clear();
            tree.along(origin, direction, limit, out);
            out.sort_unstable();
            return;
        }
        // The part of the ray that is in the box.
        let bounds = self.bounds();
        let bounds = bounds.grown(1e-9 * (bounds.max - bounds.min).max_element());
        let Some((from, to)) = bounds.pierced(origin, direction, limit) else { return out.clear() };
        self.elements(&Bounds::point(origin + direction * from).with(origin + direction * to), out);
    }

    fn box_of(&self, id: u32) -> Bounds {
        let [a, b, c] = self.corners(id);
        Bounds::point(a).with(b).with(c)
    }

    fn corners(&self, id: u32) -> [DVec3; 3] {
        match self {
            Terrain::Mesh { vertices, triangles, .. } => triangles[id as usize].map(|v| vertices[v as usize]),
            Terrain::Grid { columns, .. } => grid_corners(id, *columns).map(|(r, c)| self.point(r, c)),
        }
    }

    /// The triangle beyond each edge of a triangle.
    fn beyond(&self, id: u32) -> [u32; 3] {
        match self {
            Terrain::Mesh { neighbours, .. } => neighbours[id as usize],
            Terrain::Grid { rows, columns, .. } => {
                let (cell, cells) = (id as usize / 2, columns - 1);
                let (r, c) = (cell / cells, cell % cells);
                let number = |r: usize, c: usize, half: u32| 2 * (r * cells + c) as u32 + half;
                if id.is_multiple_of(2) {
                    let left = if c > 0 { number(r, c - 1, 1) } else { NONE };
                    let back = if r > 0 { number(r - 1, c, 1) } else { NONE };
                    [left, id + 1, back]
                } else {
                    let right = if c + 1 < cells { number(r, c + 1, 0) } else { NONE };
                    let front = if r + 2 < *rows { number(r + 1, c, 0) } else { NONE };
                    [right, id - 1, front]
                }
            }
        }
    }

    /// How many triangles it has.
    pub fn count(&self) -> u32 {
        match self {
            Terrain::Mesh { triangles, .. } => triangles.len() as u32,
            Terrain::Grid { rows, columns, .. } => 2 * ((rows - 1) * (columns - 1)) as u32,
        }
    }

    /// The edges of a triangle that stick out, those of two triangles with the first alone: which, its ends, and the unit vector out between its
    /// faces. A rim sticks out in its plane, and so does the edge between two that lie on each other.
    pub fn sharp(&self, id: u32, mut each: impl FnMut(u32, [DVec3; 2], DVec3)) {
        let (e, next) = (self.element(id), self.beyond(id));
        for k in 0..3 {
            let ends = [e.corners[k], e.corners[(k + 1) % 3]];
            let out = (ends[1] - ends[0]).cross(e.normal).normalize_or_zero();
            let Some(g) = e.beyond[k] else {
                each(k as u32, ends, out);
                continue;
            };
            let (over, between) = (g.dot(out), e.normal + g);
            let folded = between.length() < T.ropes.creased;
            if next[k] > id && (folded || over > T.manifold.flat_edge) {
                each(k as u32, ends, if folded { out } else { between.normalize() });
            }
        }
    }

    /// A triangle by its number.
    pub fn element(&self, id: u32) -> Element {
        let corners = self.corners(id);
        let beyond = self.beyond(id).map(|k| (k != NONE).then(|| normal(self.corners(k))));
        Element { corners, normal: normal(corners), beyond }
    }
}

/// Row and column of the corners of a triangle of a grid.
fn grid_corners(id: u32, columns: usize) -> [(usize, usize); 3] {
    let (cell, cells) = (id as usize / 2, columns - 1);
    let (r, c) = (cell / cells, cell % cells);
    if id.is_multiple_of(2) { [(r, c), (r + 1, c), (r, c + 1)] } else { [(r + 1, c + 1), (r, c + 1), (r + 1, c)] }
}

/// The triangle beyond each edge of each triangle.
fn neighbours(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let ids = super::surface::weld(vertices);
    let mut edges: Vec<(u32, u32, u32, u8)> = Vec::with_capacity(3 * triangles.len());
    for (k, t) in triangles.iter().enumerate() {
        for e in 0..3 {
            let (a, b) = (ids[t[e] as usize], ids[t[(e + 1) % 3] as usize]);
            edges.push((a.min(b), a.max(b), k as u32, e as u8));
        }
    }
    edges.sort_unstable();
    let mut out = vec![[NONE; 3]; triangles.len()];
    for run in edges.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        if let [x, y] = run {
            out[x.2 as usize][x.3 as usize] = y.2;
            out[y.2 as usize][y.3 as usize] = x.2;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hill() -> Vec<Vec<f64>> {
        (0..5).map(|r| (0..7).map(|c| (0.9 * f64::from(r)).sin() + (0.7 * f64::from(c)).cos()).collect()).collect()
    }

    #[test]
    fn a_grid_is_the_mesh_of_its_triangles() {
        let grid = Terrain::grid(&hill(), DVec3::new(6.0, 0.5, 4.0));
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for id in 0..48 {
            triangles.push([0, 1, 2].map(|k| vertices.len() as u32 + k));
            vertices.extend(grid.corners(id));
        }
        let mesh = Terrain::mesh(&vertices, &triangles);
        assert!(super::super::surface::check_mesh(&vertices, &triangles).is_ok());
        for id in 0..48 {
            let (g, m) = (grid.element(id), mesh.element(id));
            assert!(g.normal.y > 0.0 && g.corners == m.corners);
            for k in 0..3 {
                assert_eq!(g.beyond[k].is_some(), m.beyond[k].is_some(), "triangle {id} edge {k}");
                assert_eq!(g.beyond[k], m.beyond[k], "triangle {id} edge {k}");
            }
        }
        let b = Bounds { min: DVec3::new(-1.3, -2.0, -0.4), max: DVec3::new(0.2, 2.0, 0.9) };
        let (mut g, mut m) = (Vec::new(), Vec::new());
        grid.elements(&b, &mut g);
        mesh.elements(&b, &mut m);
        assert_eq!(g, m);
        assert!(g.len() > 8 && g.len() < 40);
    }

    #[test]
    fn normals_lean_over_convex_edges_only() {
        let tent = |y: f64| {
            let v = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(0.0, y, 1.0), DVec3::new(0.0, y, -1.0), DVec3::X];
            Terrain::mesh(&v, &[[0, 1, 2], [3, 2, 1]])
        };
        let m = DVec3::new(0.6, 0.8, 0.0);
        // Flat and valley: the face normal.
        for y in [0.0, -0.5] {
            let e = tent(y).element(0);
            assert!((e.admit(m).unwrap() - e.normal).length() < 1e-15, "{y}");
        }
        // Ridge: as far as the other side.
        let e = tent(0.5).element(0);
        assert_eq!(e.admit(DVec3::Y), Some(DVec3::Y));
        let steep = DVec3::new(0.8, 0.6, 0.0);
        assert!((e.admit(steep).unwrap() - DVec3::new(0.5, 1.0, 0.0).normalize()).length() < 1e-15);
        // The rim is free; the back is not there.
        let out = DVec3::new(-0.6, 0.8, 0.0);
        assert_eq!(tent(0.0).element(0).admit(out), Some(out));
        assert_eq!(e.admit(DVec3::NEG_Y), None);
    }
}
