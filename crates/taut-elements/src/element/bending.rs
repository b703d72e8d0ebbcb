//! Bending of sheets: the curvature of a triangle from its hinges, a constant matrix over at most
//! six nodes.
//!
//! ```text
//! K_e x = |e| theta n                              hinge of edge e (Bergou et al. 2006, Eq. 3), constant cotangents
//! L = sum_e (K_e x) t t^T/(2 A)                    curvature, a vector for each of 11, 22, 12; t normal to the edge
//! psi = D/2 (nu |tr L|^2 + (1 - nu) L:L)           D = E t^3/(12 (1 - nu^2)), N m
//! r_k = L_k - F a_k - n c_k                        what is left of L_k after the curvature of the shape at rest
//! ```
//! F is the gradient of the triangle and n its unit normal, so r is zero in every rigid pose of the
//! shape at rest. Only n c_k is not linear in x: in sheets flat at rest c = 0 and the stiffness is
//! constant; else that of Gauss and Newton is used, positive semi-definite and exact at rest. The
//! sum of hinges weighted by areas alone, 3/(A_0 + A_1) K K^T, is twice too stiff on regular meshes
//! and does not converge.
//!
//! Quadrilaterals are cut along their shorter diagonal for this; edges with one cell do not bend.

use super::{in_plane, plane};
use crate::mesh::{CellKind, Mesh};
use glam::{DMat3, DVec3};

/// Curvature times size below which a sheet is flat at rest.
const FLAT: f64 = 1e-9;

/// The bending of one triangle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bending {
    /// Curvatures 11, 22 and twice 12 of the local nodes, 1/m.
    curvature: [[f64; 6]; 3],
    /// Curvature at rest along the normal, 1/m.
    rest: [f64; 3],
    /// A D [1 nu 0; nu 1 0; 0 0 (1 - nu)/2], N m^3.
    stiffness: [[f64; 3]; 3],
}

/// A bending triangle with its nodes: three corners, then the corners opposite across its inner edges.
pub(crate) struct Patch {
    pub cell: u32,
    pub nodes: [u32; 6],
    pub count: usize,
    pub bending: Bending,
}

/// The triangles of all sheet cells, with their cells.
fn triangles(mesh: &Mesh) -> Vec<([u32; 3], u32)> {
    let mut all = Vec::new();
    for (c, cell) in mesh.cells.iter().enumerate() {
        let n = cell.nodes();
        match cell.kind() {
            CellKind::Tri3 => all.push(([n[0], n[1], n[2]], c as u32)),
            CellKind::Quad4 => {
                let x = mesh.corners(c);
                let first = (x[2] - x[0]).length_squared() <= (x[3] - x[1]).length_squared();
                let (a, b) = if first { ([0, 1, 2], [0, 2, 3]) } else { ([0, 1, 3], [1, 2, 3]) };
                all.extend([a, b].map(|t| (t.map(|k| n[k]), c as u32)));
            }
            _ => {}
        }
    }
    all
}

/// The bending of every triangle that has a neighbour; `stiffness` is D in N m. Edges in `cut`, lower
/// nodes first and in ascending order, do not bend.
pub(crate) fn patches(mesh: &Mesh, cut: &[[u32; 2]], stiffness: f64, nu: f64) -> Vec<Patch> {
    let all = triangles(mesh);
    let mut uses: Vec<([u32; 2], usize, usize)> = Vec::new();
    for (t, (n, _)) in all.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (n[k], n[(k + 1) % 3]);
            uses.push(([a.min(b), a.max(b)], t, k));
        }
    }
    uses.sort_unstable();
    // The corner across each edge.
    let mut across = vec![[None; 3]; all.len()];
    let bends = |same: &[([u32; 2], usize, usize)]| same.len() == 2 && cut.binary_search(&same[0].0).is_err();
    for same in uses.chunk_by(|a, b| a.0 == b.0).filter(|same| bends(same)) {
        for (mine, other) in [(same[0], same[1]), (same[1], same[0])] {
            across[mine.1][mine.2] = Some(all[other.1].0[(other.2 + 2) % 3]);
        }
    }
    let found = all.iter().zip(&across).filter(|(_, across)| across.iter().any(Option::is_some));
    found.map(|(&(n, cell), across)| Patch::new(mesh, n, cell, across, stiffness, nu)).collect()
}

fn cot(u: DVec3, v: DVec3) -> f64 {
    u.dot(v) / u.cross(v).length()
}

impl Patch {
    fn new(mesh: &Mesh, n: [u32; 3], cell: u32, across: &[Option<u32>; 3], stiffness: f64, nu: f64) -> Self {
        let at = |k: u32| mesh.nodes[k as usize];
        let x = n.map(at);
        let edges = (x[1] - x[0], x[2] - x[0]);
        let normal = edges.0.cross(edges.1);
        let area = 0.5 * normal.length();
        let basis = plane(normal.normalize(), DMat3::IDENTITY);
        let (mut nodes, mut count, mut curvature) = ([n[0], n[1], n[2], 0, 0, 0], 3, [[0.0; 6]; 3]);
        for (k, d) in across.iter().enumerate().filter_map(|(k, d)| d.map(|d| (k, d))) {
            let (ka, kb, kc) = (k, (k + 1) % 3, (k + 2) % 3);
            let (a, b, c, e) = (x[ka], x[kb], x[kc], x[kb] - x[ka]);
            let (ca, da, cb, db) = (cot(e, c - a), cot(e, at(d) - a), cot(-e, c - b), cot(-e, at(d) - b));
            let t = (e.dot(basis.x_axis), e.dot(basis.y_axis));
            let (t, length) = ((-t.1, t.0), t.0 * t.0 + t.1 * t.1);
            let dyad = [t.0 * t.0 / length, t.1 * t.1 / length, 2.0 * t.0 * t.1 / length];
            for (row, dyad) in curvature.iter_mut().zip(dyad) {
                let w = dyad / (2.0 * area);
                row[ka] += w * (cb + db);
                row[kb] += w * (ca + da);
                row[kc] -= w * (ca + cb);
                row[count] -= w * (da + db);
            }
            nodes[count] = d;
            count += 1;
        }
        let s = stiffness * area;
        let stiffness = [[s, s * nu, 0.0], [s * nu, s, 0.0], [0.0, 0.0, 0.5 * s * (1.0 - nu)]];
        let mut bending = Bending { curvature, rest: [0.0; 3], stiffness };
        let all: [DVec3; 6] = std::array::from_fn(|a| if a < count { at(nodes[a]) } else { DVec3::ZERO });
        bending.take_rest(&all, edges, &basis, area.sqrt());
        Patch { cell, nodes, count, bending }
    }
}

impl Bending {
    /// Takes the curvature of the shape at rest out.
    fn take_rest(&mut self, x: &[DVec3; 6], edges: (DVec3, DVec3), basis: &DMat3, size: f64) {
        for k in 0..3 {
            let l = (0..6).fold(DVec3::ZERO, |l, a| l + x[a] * self.curvature[k][a]);
            if !(l.length() * size > FLAT) {
                continue;
            }
            for (a, d) in [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
                let g = in_plane(d, edges, basis);
                self.curvature[k][a] -= l.dot(basis.x_axis) * g.x + l.dot(basis.y_axis) * g.y;
            }
            self.rest[k] = l.dot(basis.z_axis);
        }
    }

    fn is_flat(&self) -> bool {
        self.rest == [0.0; 3]
    }

    /// Energy, J; forces of the nodes if wanted, N; and stiffness blocks if wanted, N/m.
    pub fn evaluate(&self, x: &[DVec3], f: Option<&mut [DVec3]>, k: Option<&mut [DMat3]>) -> f64 {
        let (normal, turn) = if self.is_flat() { (DVec3::ZERO, [DMat3::ZERO; 3]) } else { normal_of(x) };
        let mut r = [DVec3::ZERO; 3];
        for k in 0..3 {
            r[k] = -normal * self.rest[k];
            for (a, &x) in x.iter().enumerate() {
                r[k] += x * self.curvature[k][a];
            }
        }
        let s = &self.stiffness;
        let moment = [0, 1, 2].map(|k| r[0] * s[k][0] + r[1] * s[k][1] + r[2] * s[k][2]);
        if let Some(f) = f {
            let along = moment[0] * self.rest[0] + moment[1] * self.rest[1] + moment[2] * self.rest[2];
            for (a, f) in f.iter_mut().enumerate() {
                let c = [0, 1, 2].map(|k| self.curvature[k][a]);
                *f = -(moment[0] * c[0] + moment[1] * c[1] + moment[2] * c[2]);
                if a < 3 {
                    *f += turn[a].transpose() * along;
                }
            }
        }
        if let Some(k) = k {
            self.stiffness(x.len(), &turn, k);
        }
        0.5 * (moment[0].dot(r[0]) + moment[1].dot(r[1]) + moment[2].dot(r[2]))
    }

    /// K_ab = sum_kl J_ka^T S_kl J_lb, J_ka = curvature_ka I - rest_k dn/dx_a.
    fn stiffness(&self, nn: usize, turn: &[DMat3; 3], out: &mut [DMat3]) {
        let s = &self.stiffness;
        let product = |p: [f64; 3], q: [f64; 3]| {
            let row = |k: usize| s[k][0] * q[0] + s[k][1] * q[1] + s[k][2] * q[2];
            p[0] * row(0) + p[1] * row(1) + p[2] * row(2)
        };
        let of = |a: usize| [0, 1, 2].map(|k| self.curvature[k][a]);
        let rest = product(self.rest, self.rest);
        for a in 0..nn {
            for b in 0..=a {
                let mut block = DMat3::from_diagonal(DVec3::splat(product(of(a), of(b))));
                if !self.is_flat() {
                    if b < 3 {
                        block -= turn[b] * product(of(a), self.rest);
                    }
                    if a < 3 {
                        block -= turn[a].transpose() * product(self.rest, of(b));
                    }
                    if a < 3 && b < 3 {
                        block += turn[a].transpose() * turn[b] * rest;
                    }
                }
                // Symmetric to the bit.
                out[b * nn + a] = block.transpose();
                out[a * nn + b] = if a == b { (block + block.transpose()) * 0.5 } else { block };
            }
        }
    }
}

/// The unit normal of a triangle and its derivatives by the corners: (I - n n^T)/|N| [e_a]x, e_a
/// the edge across.
fn normal_of(x: &[DVec3]) -> (DVec3, [DMat3; 3]) {
    let product = (x[1] - x[0]).cross(x[2] - x[0]);
    let length = product.length();
    if !(length > 0.0) {
        return (DVec3::ZERO, [DMat3::ZERO; 3]);
    }
    let n = product / length;
    let turn = [0, 1, 2].map(|a| {
        let e = (x[(a + 2) % 3] - x[(a + 1) % 3]) / length;
        let skew = DMat3::from_cols(DVec3::new(0.0, e.z, -e.y), DVec3::new(-e.z, 0.0, e.x), DVec3::new(e.y, -e.x, 0.0));
        let along = skew.transpose() * n;
        skew - DMat3::from_cols(n * along.x, n * along.y, n * along.z)
    });
    (n, turn)
}
