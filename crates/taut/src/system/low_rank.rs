//! M~^-1 = (M - h^2 K~)^-1 by rank-1 updates of M^-1 (Andrews 2017 section 3, Sherman-Morrison):
//! ```text
//! Minv <- Minv + h^2 (Minv a)(b^T Minv) / (1 - h^2 b^T Minv a)      for each dyad a b^T of K~
//! ```
//! Departs from the paper: Eq. 6 prints 1 + b^T Minv a, without h^2 and with the wrong sign. The vectors have at most twelve
//! entries that are not zero and the inverse starts block-diagonal; both are exploited.

use crate::constraint::{Dyad, Primitive};
use crate::system::kkt::{self, Equations};
use crate::topology::{Group, Island, Load, Topology};
use glam::{DMat3, DVec3};

/// A dense inverse that knows which columns of each row can be nonzero (one interval per row).
///
/// The inverse of diag(2, 4) less a dyad that takes 1 from the first entry: 1/1 and 1/4.
/// ```
/// # #[cfg(feature = "study")] {
/// use taut::study::SparseInverse;
/// let mut inverse = SparseInverse::new(2);
/// inverse.set_block(0, 1, &[0.5]);
/// inverse.set_block(1, 1, &[0.25]);
/// inverse.update(&[(0, 1.0)], &[(0, 1.0)], 1.0).unwrap();
/// assert_eq!(inverse.into_values(), [1.0, 0.0, 0.0, 0.25]);
/// # }
/// ```
pub struct SparseInverse {
    n: usize,
    values: Vec<f64>,
    /// Nonzero interval of each row; columns have the same by the symmetry of the pattern.
    span: Vec<(usize, usize)>,
    left: Vec<f64>,
    right: Vec<f64>,
}

/// A rank-1 update whose denominator is zero or not finite.
///
/// A dyad that takes all of an entry leaves a matrix without an inverse.
/// ```
/// # #[cfg(feature = "study")] {
/// use taut::study::{SingularUpdate, SparseInverse};
/// let mut inverse = SparseInverse::new(1);
/// inverse.set_block(0, 1, &[0.5]);
/// assert_eq!(inverse.update(&[(0, 1.0)], &[(0, 1.0)], 2.0), Err(SingularUpdate));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingularUpdate;

impl SparseInverse {
    /// Of `n` unknowns, empty; `set_block` fills in the inverse of the block-diagonal matrix to start from.
    pub fn new(n: usize) -> Self {
        SparseInverse { n, values: vec![0.0; n * n], span: vec![(0, 0); n], left: vec![0.0; n], right: vec![0.0; n] }
    }

    /// The inverse of one diagonal block of `d` unknowns from `at` on, row-major.
    pub fn set_block(&mut self, at: usize, d: usize, block: &[f64]) {
        let n = self.n;
        for r in 0..d {
            self.values[(at + r) * n + at..(at + r) * n + at + d].copy_from_slice(&block[r * d..(r + 1) * d]);
            self.span[at + r] = (at, at + d);
        }
    }

    /// Subtracts `scale` a b^T from the matrix and updates its inverse. `a` and `b` are lists of (unknown, value).
    pub fn update(&mut self, a: &[(usize, f64)], b: &[(usize, f64)], scale: f64) -> Result<(), SingularUpdate> {
        let n = self.n;
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        let touched = |list: &[(usize, f64)], span: &[(usize, usize)]| {
            list.iter().fold((n, 0), |(lo, hi), &(k, _)| (lo.min(span[k].0), hi.max(span[k].1)))
        };
        // left = Minv a: rows whose span holds an entry of a; right = b^T Minv.
        let (l0, l1) = touched(a, &self.span);
        let (r0, r1) = touched(b, &self.span);
        for r in l0..l1 {
            self.left[r] = a.iter().map(|&(k, v)| self.values[r * n + k] * v).sum();
        }
        self.right[r0..r1].fill(0.0);
        for &(k, v) in b {
            for c in r0..r1 {
                self.right[c] += v * self.values[k * n + c];
            }
        }
        let dot: f64 = b.iter().map(|&(k, v)| if (l0..l1).contains(&k) { v * self.left[k] } else { 0.0 }).sum();
        let denominator = 1.0 - scale * dot;
        if !denominator.is_finite() || denominator.abs() < 1e-300 {
            return Err(SingularUpdate);
        }
        let f = scale / denominator;
        for r in l0..l1 {
            let s = f * self.left[r];
            if s != 0.0 {
                let row = &mut self.values[r * n + r0..r * n + r1];
                for (v, &q) in row.iter_mut().zip(&self.right[r0..r1]) {
                    *v += s * q;
                }
                self.span[r] = (self.span[r].0.min(r0), self.span[r].1.max(r1));
            }
        }
        // Keep the pattern symmetric: rows of the right interval may now meet columns of the left one.
        for r in r0..r1 {
            self.span[r] = (self.span[r].0.min(l0), self.span[r].1.max(l1));
        }
        Ok(())
    }

    /// The inverse, row-major.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// The inverse with unknown k in row and column `order[k]` of it.
    fn into_order(self, order: &[usize]) -> Vec<f64> {
        let n = self.n;
        let mut out = vec![0.0; n * n];
        for (r, &(from, to)) in self.span.iter().enumerate() {
            for c in from..to {
                out[order[r] * n + order[c]] = self.values[r * n + c];
            }
        }
        out
    }
}

/// The inverse over the node unknowns of an island, in the order of the nodes; `Err` names the group of a singular update, if it was a joint's.
pub(crate) fn inverse(e: &Equations<'_>, h2: f64) -> Result<Vec<f64>, Option<usize>> {
    let Equations { t, island, .. } = *e;
    let places = Places::new(t, island);
    let mut inverse = SparseInverse::new(places.order.len());
    for (k, n) in island.nodes.clone().enumerate() {
        let node = &t.nodes[n];
        let (mass, inertia) = kkt::mass_block(t, t.inputs.hk[node.island], n, &t.inputs.inertia, &[], 0.0);
        inverse.set_block(places.linear[k], 3, &DMat3::from_diagonal(DVec3::splat(1.0 / mass)).to_cols_array());
        if node.dim == 6 {
            inverse.set_block(places.angular[k], 3, &inertia.inverse().to_cols_array());
        }
    }
    // Springs couple two nodes: three dyads each.
    for k in island.links.clone() {
        let (l, term) = (&t.links[k], &t.inputs.links[k]);
        let u = if term.u == DVec3::ZERO { DVec3::X } else { term.u };
        let (r, q) = crate::math::so3::complete(u);
        for (dir, weight) in [(u, term.along), (r, term.across), (q, term.across)] {
            if weight == 0.0 {
                continue;
            }
            let mut v = Vec::with_capacity(12);
            for (b, arm, sign) in [(l.i, term.si, 1.0), (l.j, term.sj, -1.0)] {
                if t.is_node(b) {
                    let all: Vec<f64> =
                        (sign * dir).to_array().into_iter().chain((sign * arm.cross(dir)).to_array()).collect();
                    v.extend((0..t.nodes[b].dim).map(|c| (places.of(b - island.nodes.start, c), all[c])));
                }
            }
            inverse.update(&v, &v, -weight).map_err(|_| None)?;
        }
    }
    // Points first: they change the blocks of single bodies. The others couple neighbours and fill the inverse: every other joint
    // first, then every fourth, and so on, so that along a chain the filled parts stay short until the last few updates.
    let first = island.groups.start;
    let mut groups: Vec<usize> = island.groups.clone().collect();
    groups.sort_by_key(|&k| ((k - first + 1).trailing_zeros(), k));
    let mut dyads: Vec<Dyad> = Vec::new();
    for points in [true, false] {
        for &k in &groups {
            let g = &t.groups[k];
            let (i, j) = (t.inputs.kin[g.i()].side(), t.inputs.kin[g.j()].side());
            dyads.clear();
            let mut r = g.row();
            for spec in &t.prims[g.prims().clone()] {
                let n = spec.primitive.rows();
                if matches!(spec.primitive, Primitive::Point { .. }) == points {
                    spec.primitive.low_rank(&i, &j, &e.load[r..r + n], &mut dyads);
                }
                r += n;
            }
            for d in &dyads {
                let (a, b) = (gather(t, g, &places, island, &d.a), gather(t, g, &places, island, &d.b));
                inverse.update(a.as_slice(), b.as_slice(), h2).map_err(|_| Some(k))?;
            }
        }
    }
    Ok(if places.in_order { inverse.into_values() } else { inverse.into_order(&places.order) })
}

/// Where the unknowns of an island's nodes are in the inverse. Points change single bodies and leave the unknowns as they come;
/// rows that couple the rotations of neighbours fill less when all rotations stand together.
struct Places {
    /// First linear and first angular unknown of each node.
    linear: Vec<usize>,
    angular: Vec<usize>,
    /// The unknown, node by node, at each place.
    order: Vec<usize>,
    in_order: bool,
}

impl Places {
    fn new(t: &Topology, island: &Island) -> Self {
        let nodes = &t.nodes[island.nodes.clone()];
        let only_points = t.groups[island.groups.clone()].iter().all(|g| g.rows() == 3 && g.load == Load::Point(0));
        let in_order = only_points && island.links.is_empty();
        let mut p = Places { linear: Vec::new(), angular: Vec::new(), order: Vec::new(), in_order };
        let rotations = nodes.iter().filter(|n| n.dim == 6).count();
        let (mut plain, mut linear, mut angular) = (0, 3 * rotations, 0);
        p.order = vec![0; 3 * (rotations + nodes.len())];
        for n in nodes {
            let (l, a) = if in_order { (plain, plain + 3) } else { (linear, angular) };
            p.linear.push(l);
            p.angular.push(a);
            for c in 0..3 {
                p.order[l + c] = plain + c;
                if n.dim == 6 {
                    p.order[a + c] = plain + 3 + c;
                }
            }
            plain += n.dim;
            linear += 3;
            angular += if n.dim == 6 { 3 } else { 0 };
        }
        p
    }

    fn of(&self, node: usize, c: usize) -> usize {
        if c < 3 { self.linear[node] + c } else { self.angular[node] + c - 3 }
    }
}

/// Up to twelve entries of a vector of node unknowns.
struct Entries {
    list: [(usize, f64); 12],
    count: usize,
}

impl Entries {
    fn as_slice(&self) -> &[(usize, f64)] {
        &self.list[..self.count]
    }
}

/// The entries of a 12-vector that are not zero and belong to nodes, at their places among the node unknowns.
fn gather(t: &Topology, g: &Group, places: &Places, island: &Island, v: &[f64; 12]) -> Entries {
    let mut out = Entries { list: [(0, 0.0); 12], count: 0 };
    for (slot, b) in [(0, g.i()), (6, g.j())] {
        if t.is_node(b) {
            for c in 0..t.nodes[b].dim {
                if v[slot + c] != 0.0 {
                    out.list[out.count] = (places.of(b - island.nodes.start, c), v[slot + c]);
                    out.count += 1;
                }
            }
        }
    }
    out
}
