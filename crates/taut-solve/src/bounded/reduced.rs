//! Box rows between their bounds are equations. Where there are many, as of ropes that are taut, they are eliminated before the solve
//! (those with two bounds, as of motors, are not: they are too often at one of them):
//!
//! ```text
//! W = [A B^T; B C], q = (a, c), rows of A between their bounds          A = L L^T,  Y = B L^-T,  g = L^-1 a
//! w = S z + r,  S = C - Y Y^T,  r = c - Y g      then  z_A = -L^-T (g + Y^T z)
//! ```
//!
//! Rows that leave their bounds in this way are kept, and the rest is solved again. A row that the others of A nearly determine is kept too.
//! Problems without friction are solved whole, by methods of their own.

use super::{Block, Info, Problem};
use crate::dense::dot;
use crate::tuning::T;

/// Memory of an elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct Reduced {
    /// Rows of A and the others.
    out: Vec<usize>,
    kept: Vec<usize>,
    /// Rows that must not be eliminated.
    held: Vec<bool>,
    l: Vec<f64>,
    y: Vec<f64>,
    g: Vec<f64>,
    w: Vec<f64>,
    q: Vec<f64>,
    unit: Vec<f64>,
    blocks: Vec<Block>,
    z: Vec<f64>,
}

impl Reduced {
    /// No row is held yet. False where the lengths do not fit, or there is not enough to eliminate.
    pub fn begin(&mut self, p: &Problem<'_>, z: &[f64]) -> bool {
        let n = p.q.len();
        let square = n.checked_mul(n) == Some(p.w.len());
        let fits = z.len() == n && square && p.blocks.iter().map(Block::rows).sum::<usize>() == n;
        self.held.clear();
        self.held.resize(n, false);
        let rubs = p.blocks.iter().any(|b| matches!(b, Block::Contact { mu } if mu[0] > 0.0 || mu[1] > 0.0));
        fits && rubs && boxes(p.blocks).filter(|&(i, lo, hi)| is_equation(z[i], lo, hi)).count() >= T.dense.eliminated
    }

    /// Solves the reduced problem by `solve`, from the warm start `z` of all rows.
    pub fn solve(&mut self, p: &Problem<'_>, z: &[f64], solve: impl FnOnce(&Problem<'_>, &mut [f64]) -> Info) -> Info {
        self.load(p, z);
        let Self { w, q, unit, blocks, z, .. } = self;
        solve(&Problem { w, q, blocks, unit }, z)
    }

    /// Makes the reduced problem and its warm start.
    fn load(&mut self, p: &Problem<'_>, z: &[f64]) {
        self.choose(p, z);
        let (n, m, k) = (p.q.len(), self.out.len(), self.kept.len());
        self.g.clear();
        self.y.clear();
        for i in 0..m {
            let v = p.q[self.out[i]] - dot(&self.l[i * m..i * m + i], &self.g);
            self.g.push(v / self.l[i * m + i]);
        }
        for &row in &self.kept {
            let from = self.y.len();
            for i in 0..m {
                let v = p.w[row * n + self.out[i]] - dot(&self.l[i * m..i * m + i], &self.y[from..]);
                self.y.push(v / self.l[i * m + i]);
            }
        }
        self.w.resize(k * k, 0.0);
        for (a, &i) in self.kept.iter().enumerate() {
            for (b, &j) in self.kept[..=a].iter().enumerate() {
                let s = p.w[i * n + j] - dot(&self.y[a * m..(a + 1) * m], &self.y[b * m..(b + 1) * m]);
                (self.w[a * k + b], self.w[b * k + a]) = (s, s);
            }
        }
        self.q.clear();
        self.q.extend(self.kept.iter().enumerate().map(|(a, &i)| p.q[i] - dot(&self.y[a * m..(a + 1) * m], &self.g)));
        self.unit.clear();
        if !p.unit.is_empty() {
            self.unit.extend(self.kept.iter().map(|&i| p.unit[i]));
        }
        self.z.clear();
        self.z.extend(self.kept.iter().map(|&i| z[i]));
    }

    /// Which rows go, with their Cholesky factor.
    fn choose(&mut self, p: &Problem<'_>, z: &[f64]) {
        let n = p.q.len();
        let (mut row, mut factor) = (0, std::mem::take(&mut self.y));
        self.out.clear();
        self.kept.clear();
        self.blocks.clear();
        factor.clear();
        for block in p.blocks {
            let goes = match *block {
                Block::Box { lo, hi } if is_equation(z[row], lo, hi) && !self.held[row] => {
                    self.takes(p, row, n, &mut factor)
                }
                _ => false,
            };
            if goes {
                self.out.push(row);
            } else {
                self.kept.extend(row..row + block.rows());
                self.blocks.push(*block);
            }
            row += block.rows();
        }
        // From rows of growing length to a square.
        let m = self.out.len();
        self.l.clear();
        self.l.resize(m * m, 0.0);
        let mut at = 0;
        for i in 0..m {
            self.l[i * m..=i * m + i].copy_from_slice(&factor[at..=at + i]);
            at += i + 1;
        }
        self.y = factor;
    }

    /// Appends the row of the factor; false when the rows before leave too little of it.
    fn takes(&self, p: &Problem<'_>, row: usize, n: usize, factor: &mut Vec<f64>) -> bool {
        let from = factor.len();
        let mut at = 0;
        for (i, &other) in self.out.iter().enumerate() {
            let v = p.w[row * n + other] - dot(&factor[at..at + i], &factor[from..]);
            factor.push(v / factor[at + i]);
            at += i + 1;
        }
        let whole = p.w[row * n + row];
        let pivot = whole - dot(&factor[from..], &factor[from..]);
        if !(pivot > T.dense.determined * whole) {
            factor.truncate(from);
            return false;
        }
        factor.push(pivot.sqrt());
        true
    }

    /// Writes all impulses to `z`. False when eliminated rows are outside their bounds, which are then held.
    pub fn unload(&mut self, p: &Problem<'_>, z: &mut [f64]) -> bool {
        let m = self.out.len();
        for (a, &i) in self.kept.iter().enumerate() {
            z[i] = self.z[a];
            for (g, y) in self.g.iter_mut().zip(&self.y[a * m..(a + 1) * m]) {
                *g += y * self.z[a];
            }
        }
        for i in (0..m).rev() {
            let (above, rest) = self.g.split_at_mut(i);
            rest[0] /= self.l[i * m + i];
            for (g, l) in above.iter_mut().zip(&self.l[i * m..i * m + i]) {
                *g -= l * rest[0];
            }
        }
        for (&i, g) in self.out.iter().zip(&self.g) {
            z[i] = -g;
        }
        let mut within = true;
        for (i, lo, hi) in boxes(p.blocks) {
            if !(z[i] >= lo && z[i] <= hi) {
                self.held[i] = true;
                within = false;
                z[i] = z[i].max(lo).min(hi);
            }
        }
        within
    }
}

/// Whether a box row with this impulse is taken for an equation.
fn is_equation(z: f64, lo: f64, hi: f64) -> bool {
    (lo.is_infinite() || hi.is_infinite()) && z > lo && z < hi
}

/// Rows with bounds and these.
fn boxes(blocks: &[Block]) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
    let mut row = 0;
    blocks.iter().filter_map(move |b| {
        let first = row;
        row += b.rows();
        if let Block::Box { lo, hi } = *b { Some((first, lo, hi)) } else { None }
    })
}
