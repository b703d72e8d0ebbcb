//! The problem made ready: canonical rows, the factor of K, products with W.
//!
//! ```text
//! J = S Ju,   W y = J K^-1 J^T y + S Sigma S y,   u(y) = J K^-1 (b + J^T y) + S Sigma S y - S c
//! ```
//! W_ii and the 3 x 3 blocks of contacts come from the blocks of K^-1 (`inverse`); they scale the rows and measure the residual.

use super::super::block3::Block3;
use super::super::canon::{Canon, Cell as Law};
use super::assemble::base_matrix;
use super::inverse::SelectedInverse;
use super::layout::Layout;
use super::lent::{Counter, Lent};
use super::sweep::Mobility;
use super::{GROUND, SparseProblem};
use crate::block_ldlt::BlockLdlt;

/// No pair.
const NONE: usize = usize::MAX;

/// The two sides of a law.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// Given block of each side, or `GROUND`.
    pub node: [usize; 2],
    /// First scalar of each side in the base order.
    pub base: [usize; 2],
    /// First scalar of each side in the order of the Newton matrix.
    pub newton: [usize; 2],
    /// Width of each side, 0 for the ground.
    pub dim: [usize; 2],
    /// Its pair in the Newton layout, or NONE.
    pub pair: usize,
    /// Its pair in the base layout, when both sides belong to one joint island.
    own: usize,
}

impl Sides {
    /// Its pair in the Newton layout.
    pub(super) fn pair(&self) -> Option<usize> {
        (self.pair != NONE).then_some(self.pair)
    }
}

/// The problem in canonical form.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct System {
    /// Sides of each law, and the law of each cell of the canonical form.
    pub(super) sides: Vec<Sides>,
    pub(super) law_of_cell: Vec<usize>,
    /// Scaled rows, twelve values each, and K^-1 J^T of each row at its own sides.
    pub(super) jac: Vec<f64>,
    pub(super) response: Vec<f64>,
    /// Scaled compliance and target.
    pub(super) sigma: Vec<f64>,
    wanted: Vec<f64>,
    /// Diagonal blocks of W: n, u, T of contacts by law; a box has its diagonal at n.
    pub(super) own: Vec<Block3>,
    pub(super) base: Layout,
    pub(super) newton: Layout,
    /// Joint island of each given block, named by its first member.
    pub(super) island: Vec<usize>,
    pub(super) ldlt: BlockLdlt,
    inverse: SelectedInverse,
    /// K in the Newton layout: diagonal blocks, couplings, mobility of loop rows.
    pub(super) base_diag: Vec<f64>,
    pub(super) base_off: Vec<f64>,
    pub(super) base_reference: Vec<f64>,
    /// Right-hand side in the base order, and the unknowns.
    b: Vec<f64>,
    pub(super) x: Lent,
    load: Lent,
    pub(super) mobility: Mobility,
    pairs: Vec<(usize, usize)>,
    own_pairs: Vec<(usize, usize)>,
    /// Products with W so far.
    pub(super) products: Counter,
}

impl System {
    /// Reads a problem. False when it cannot be used.
    pub(super) fn load(&mut self, p: &SparseProblem<'_>, c: &mut Canon) -> bool {
        self.products.set(0);
        if !usable(p) {
            return false;
        }
        self.find_layouts(p);
        let pattern = &self.base.pattern;
        self.ldlt.diag.resize(pattern.diag_len, 0.0);
        self.ldlt.off.resize(pattern.off_len, 0.0);
        self.ldlt.reference.resize(pattern.size(), 0.0);
        self.ldlt.dropped.resize(pattern.size(), false);
        let m = &mut self.ldlt;
        base_matrix(&p.matrix, &self.base, &mut m.diag, &mut m.off, &mut m.reference);
        let blocks = 0..pattern.blocks();
        if self.ldlt.factor(pattern, &self.base.signs, blocks).is_err() {
            return false;
        }
        self.inverse.find(pattern, &self.ldlt);
        self.responses(p);
        self.mobility.made = false;
        self.scale(p, c);
        self.right_hand_side(p, c);
        true
    }

    /// Times an order was found.
    pub(super) fn layouts(&self) -> usize {
        self.base.made + self.newton.made
    }

    fn find_layouts(&mut self, p: &SparseProblem<'_>) {
        let m = &p.matrix;
        find_islands(m.dims.len(), m.couplings.iter().map(|c| (c.a, c.b)), &mut self.island);
        self.pairs.clear();
        let both = |s: &&[usize; 2]| s[0] != GROUND && s[1] != GROUND && s[0] != s[1];
        self.pairs.extend(p.sides.iter().filter(both).map(|s| (s[0].min(s[1]), s[0].max(s[1]))));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.own_pairs.clear();
        self.own_pairs.extend(self.pairs.iter().filter(|&&(a, b)| self.island[a] == self.island[b]));
        let couplings = m.couplings.iter().map(|c| (c.a, c.b));
        let island = &self.island;
        self.base.find((m.dims, m.is_row), couplings, &self.own_pairs, |b| island[b]);
        self.sides.clear();
        for s in p.sides {
            let pair = (s[0].min(s[1]), s[0].max(s[1]));
            let known = |f: &dyn Fn(usize) -> usize| s.map(|n| if n == GROUND { 0 } else { f(n) });
            self.sides.push(Sides {
                node: *s,
                base: known(&|n| self.base.x(n)),
                newton: [0; 2],
                dim: known(&|n| m.dims[n]),
                pair: self.pairs.binary_search(&pair).unwrap_or(NONE),
                own: self.own_pairs.binary_search(&pair).unwrap_or(NONE),
            });
        }
    }

    /// The layout of the Newton matrix, and K in it for the steps to start from.
    pub(super) fn prepare(&mut self, p: &SparseProblem<'_>) {
        let m = &p.matrix;
        self.newton.find((m.dims, m.is_row), m.couplings.iter().map(|c| (c.a, c.b)), &self.pairs, |_| 0);
        for s in &mut self.sides {
            s.newton = s.node.map(|n| if n == GROUND { 0 } else { self.newton.x(n) });
        }
        let n = &self.newton;
        self.base_diag.resize(n.pattern.diag_len, 0.0);
        self.base_off.resize(n.pattern.off_len, 0.0);
        self.base_reference.resize(n.pattern.size(), 0.0);
        base_matrix(m, n, &mut self.base_diag, &mut self.base_off, &mut self.base_reference);
    }

    /// What sweeps need.
    pub(super) fn prepare_sweeps(&mut self, dims: &[usize]) {
        if !self.mobility.made {
            let mut mobility = std::mem::take(&mut self.mobility);
            mobility.find(self, dims);
            self.mobility = mobility;
        }
    }

    /// K^-1 J^T at each row's own sides and the diagonal blocks of W, not yet scaled.
    fn responses(&mut self, p: &SparseProblem<'_>) {
        self.jac.clear();
        self.jac.extend_from_slice(p.jac);
        self.response.clear();
        self.response.resize(p.jac.len(), 0.0);
        self.own.clear();
        let mut row = 0;
        for (law, s) in p.blocks.iter().zip(&self.sides) {
            let rows = law.rows();
            let range = 12 * row..12 * (row + rows);
            let (jac, response) = (&self.jac[range.clone()], &mut self.response[range]);
            for r in 0..rows {
                let (j, out) = (&jac[12 * r..12 * r + 12], &mut response[12 * r..12 * r + 12]);
                for side in 0..2 {
                    let d = s.dim[side];
                    if d == 0 {
                        continue;
                    }
                    let at = self.base.pattern.diag[self.base.position[s.node[side]]];
                    times(&self.inverse.diag[at..at + d * d], (d, 1), d, &j[6 * side..], d, &mut out[6 * side..]);
                }
                if s.own != NONE {
                    let place = self.base.pairs[s.own];
                    let [da, db] = s.dim;
                    let z = &self.inverse.off[place.at..place.at + da * db];
                    // The pair is named by the smaller block first.
                    let first_is_pivot = place.first_is_pivot == (s.node[0] < s.node[1]);
                    let (ab, ba) = if first_is_pivot { ((db, 1), (1, db)) } else { ((1, da), (da, 1)) };
                    let (one, two) = out.split_at_mut(6);
                    times(z, ab, da, &j[6..], db, one);
                    times(z, ba, db, j, da, two);
                }
            }
            let w = |a: usize, b: usize| {
                let product: f64 = (0..12).map(|q| jac[12 * a + q] * response[12 * b + q]).sum();
                product + if a == b { p.sigma[row + a] } else { 0.0 }
            };
            self.own.push(if rows == 1 {
                Block3 { n: w(0, 0), u: [0.0; 2], t: [0.0; 3] }
            } else {
                Block3 { n: w(0, 0), u: [w(0, 1), w(0, 2)], t: [w(1, 1), w(1, 2), w(2, 2)] }
            });
            row += rows;
        }
    }

    /// Canonical scales; rows without effect become zero.
    fn scale(&mut self, p: &SparseProblem<'_>, c: &mut Canon) {
        self.sigma.clear();
        for (law, w) in p.blocks.iter().zip(&self.own) {
            self.sigma.extend_from_slice(&[w.n, w.t[0], w.t[2]][..law.rows()]);
        }
        c.scales_by(p.blocks, p.unit, |i| self.sigma[i]);
        self.sigma.clear();
        self.wanted.clear();
        for r in 0..c.n {
            let s = if c.inverse[r] > 0.0 { c.scale[r] } else { 0.0 };
            self.jac[12 * r..12 * r + 12].iter_mut().for_each(|v| *v *= s);
            self.response[12 * r..12 * r + 12].iter_mut().for_each(|v| *v *= s);
            self.sigma.push(s * s * p.sigma[r]);
            self.wanted.push(s * p.c[r]);
        }
        let mut row = 0;
        for (law, w) in p.blocks.iter().zip(&mut self.own) {
            let s = |r: usize| if c.inverse[row + r] > 0.0 { c.scale[row + r] } else { 0.0 };
            w.n *= s(0) * s(0);
            if law.rows() == 3 {
                w.u = [w.u[0] * s(0) * s(1), w.u[1] * s(0) * s(2)];
                w.t = [w.t[0] * s(1) * s(1), w.t[1] * s(1) * s(2), w.t[2] * s(2) * s(2)];
            }
            row += law.rows();
        }
        // A contact without effect is three cells.
        self.law_of_cell.clear();
        let (mut law, mut end) = (0, p.blocks.first().map_or(0, |b| b.rows()));
        for cell in &c.cells {
            let (row, _) = span(cell);
            while row >= end {
                law += 1;
                end += p.blocks[law].rows();
            }
            self.law_of_cell.push(law);
        }
    }

    /// b in the base order, with the impulses of rows that are held.
    fn right_hand_side(&mut self, p: &SparseProblem<'_>, c: &Canon) {
        self.b.clear();
        self.b.resize(p.b.len(), 0.0);
        self.x.get_mut().resize(p.b.len(), 0.0);
        let mut at = 0;
        for (block, &d) in p.matrix.dims.iter().enumerate() {
            let to = self.base.x(block);
            self.b[to..to + d].copy_from_slice(&p.b[at..at + d]);
            at += d;
        }
        for (cell, &law) in c.cells.iter().zip(&self.law_of_cell) {
            if let Law::Box { row, lo, .. } = *cell
                && c.inverse[row] == 0.0
                && lo != 0.0
            {
                let s = &self.sides[law];
                for side in 0..2 {
                    for q in 0..s.dim[side] {
                        self.b[s.base[side] + q] += p.jac[12 * row + 6 * side + q] * lo;
                    }
                }
            }
        }
    }

    /// x += J^T y in the base order.
    pub(super) fn push(&self, c: &Canon, y: &[f64], x: &mut [f64]) {
        for (cell, &law) in c.cells.iter().zip(&self.law_of_cell) {
            let (row, rows) = span(cell);
            let s = &self.sides[law];
            for r in row..row + rows {
                if y[r] != 0.0 {
                    spread(&self.jac[12 * r..12 * r + 12], s.base, s.dim, y[r], x);
                }
            }
        }
    }

    /// u = J x + Sigma y - share c, with x in the base order.
    pub(super) fn pull(&self, c: &Canon, y: &[f64], x: &[f64], share: f64, u: &mut [f64]) {
        for (cell, &law) in c.cells.iter().zip(&self.law_of_cell) {
            let (row, rows) = span(cell);
            let s = &self.sides[law];
            for r in row..row + rows {
                let moved = gather(&self.jac[12 * r..12 * r + 12], s.base, s.dim, x);
                u[r] = moved + self.sigma[r] * y[r] - share * self.wanted[r];
            }
        }
    }

    /// Sigma y - c of one row.
    #[inline(always)]
    pub(super) fn offset(&self, row: usize, y: &[f64]) -> f64 {
        self.sigma[row] * y[row] - self.wanted[row]
    }

    /// u(y); x is kept.
    pub(in super::super) fn velocity(&self, c: &Canon, y: &[f64], u: &mut Vec<f64>) {
        self.respond(c, y, 1.0, u);
    }

    /// u = W y.
    pub(in super::super) fn product(&self, c: &Canon, y: &[f64], u: &mut Vec<f64>) {
        self.respond(c, y, 0.0, u);
    }

    fn respond(&self, c: &Canon, y: &[f64], share: f64, u: &mut Vec<f64>) {
        self.products.set(self.products.get() + 1);
        let mut x = self.x.take();
        self.unknowns(c, y, share, &mut x);
        u.resize(c.n, 0.0);
        self.pull(c, y, &x, share, u);
        self.x.replace(x);
    }

    /// x = K^-1 (share b + J^T y) in the base order.
    pub(super) fn unknowns(&self, c: &Canon, y: &[f64], share: f64, x: &mut [f64]) {
        if share == 0.0 {
            x.fill(0.0);
        } else {
            x.copy_from_slice(&self.b);
        }
        self.push(c, y, x);
        self.ldlt.solve(&self.base.pattern, 0..self.base.pattern.blocks(), x);
    }

    /// What rounding leaves of the residual: 4 eps max(|J| |K^-1| (|b| + |J^T| |y|) + |c|), with the diagonal blocks of K^-1.
    pub(in super::super) fn floor(&self, c: &Canon, y: &[f64]) -> f64 {
        let mut load = self.load.take();
        load.clear();
        load.extend(self.b.iter().map(|v| v.abs()));
        for (cell, &law) in c.cells.iter().zip(&self.law_of_cell) {
            let (row, rows) = span(cell);
            let s = &self.sides[law];
            for r in row..row + rows {
                for side in 0..2 {
                    for q in 0..s.dim[side] {
                        load[s.base[side] + q] += (self.jac[12 * r + 6 * side + q] * y[r]).abs();
                    }
                }
            }
        }
        let mut worst = 0.0_f64;
        for (cell, &law) in c.cells.iter().zip(&self.law_of_cell) {
            let (row, rows) = span(cell);
            let s = &self.sides[law];
            for r in row..row + rows {
                let mut size = self.wanted[r].abs() + self.sigma[r] * y[r].abs();
                for side in 0..2 {
                    for q in 0..s.dim[side] {
                        size += self.response[12 * r + 6 * side + q].abs() * load[s.base[side] + q];
                    }
                }
                worst = worst.max(c.measure[r] * size);
            }
        }
        self.load.replace(load);
        4.0 * f64::EPSILON * worst
    }

    /// x of the last `velocity`, block after block as given.
    pub(super) fn write(&self, p: &SparseProblem<'_>, x: &mut [f64]) {
        let all = self.x.take();
        let mut at = 0;
        for (block, &d) in p.matrix.dims.iter().enumerate() {
            let from = self.base.x(block);
            x[at..at + d].copy_from_slice(&all[from..from + d]);
            at += d;
        }
        self.x.replace(all);
    }
}

/// First row and number of rows of a cell.
pub(super) fn span(cell: &Law) -> (usize, usize) {
    match *cell {
        Law::Box { row, .. } => (row, 1),
        Law::Cone { row, .. } => (row, 3),
        Law::Chain { row, rows } => (row, rows),
    }
}

/// x += J^T z of one row.
#[inline(always)]
pub(super) fn spread(j: &[f64], at: [usize; 2], dim: [usize; 2], z: f64, x: &mut [f64]) {
    for side in 0..2 {
        let d = dim[side];
        for (x, j) in x[at[side]..at[side] + d].iter_mut().zip(&j[6 * side..6 * side + d]) {
            *x += j * z;
        }
    }
}

/// J x of one row.
#[inline(always)]
pub(super) fn gather(j: &[f64], at: [usize; 2], dim: [usize; 2], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for side in 0..2 {
        let d = dim[side];
        for (x, j) in x[at[side]..at[side] + d].iter().zip(&j[6 * side..6 * side + d]) {
            sum += j * x;
        }
    }
    sum
}

/// out += Z v for a block whose entry (r, c) is at r * step.0 + c * step.1.
fn times(z: &[f64], step: (usize, usize), rows: usize, v: &[f64], columns: usize, out: &mut [f64]) {
    for r in 0..rows {
        for c in 0..columns {
            out[r] += z[r * step.0 + c * step.1] * v[c];
        }
    }
}

/// Components of the couplings, named by their first member.
fn find_islands(n: usize, couplings: impl Iterator<Item = (usize, usize)>, name: &mut Vec<usize>) {
    name.clear();
    name.extend(0..n);
    fn root(name: &mut [usize], mut x: usize) -> usize {
        while name[x] != x {
            name[x] = name[name[x]];
            x = name[x];
        }
        x
    }
    for (a, b) in couplings {
        let (a, b) = (root(name, a), root(name, b));
        name[a.max(b)] = a.min(b);
    }
    for x in 0..n {
        name[x] = root(name, x);
    }
}

/// Whether lengths and entries make sense.
fn usable(p: &SparseProblem<'_>) -> bool {
    let m = &p.matrix;
    let n = m.dims.len();
    let rows: usize = p.blocks.iter().map(|b| b.rows()).sum();
    let finite = |v: &[f64]| v.iter().all(|x| x.is_finite());
    let node = |b: usize| b < n && !m.is_row[b] && m.dims[b] <= 6;
    m.is_row.len() == n
        && m.dims.iter().all(|&d| (1..=crate::block_ldlt::MAX_DIM).contains(&d))
        && m.diag.len() == m.dims.iter().map(|d| d * d).sum::<usize>()
        && m.couplings.iter().all(|c| c.a < n && c.b < n && c.a != c.b)
        && m.couplings.iter().all(|c| c.at + m.dims[c.a] * m.dims[c.b] <= m.off.len())
        && p.b.len() == m.dims.iter().sum::<usize>()
        && p.sides.len() == p.blocks.len()
        && p.sides.iter().all(|s| s.iter().all(|&b| b == GROUND || node(b)) && (s[0] != s[1] || s[0] == GROUND))
        && (p.jac.len(), p.sigma.len(), p.c.len()) == (12 * rows, rows, rows)
        && [m.diag, m.off, p.b, p.jac, p.sigma, p.c].into_iter().all(finite)
        && p.sigma.iter().all(|&s| s >= 0.0)
        && (p.unit.is_empty() || (p.unit.len() == rows && p.unit.iter().all(|&u| u > 0.0)))
}
