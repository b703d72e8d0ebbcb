//! Exact block sweeps in velocity space: every law in turn is solved with the others fixed, x follows at once.
//!
//! ```text
//! u_c = J_c x + Sigma_c y_c - c_c,    y_c <- exact solution of its own block,    x += K^-1 J_c^T dy_c
//! ```
//! A free body moves by its own response. In a joint island every touched body moves: the island's mobility K^-1 over its touched
//! bodies is kept, 6 x 6 blocks. Where an island has more than `T.sparse.most_touched` touched bodies there are no sweeps.

use super::super::canon::{Canon, Cell, clip};
use super::super::driver::Count;
use super::GROUND;
use super::system::{Sides, System, gather, span};
use crate::tuning::T;

/// Mobility of the joint islands over their touched bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Mobility {
    /// Found for the present problem.
    pub made: bool,
    /// No island is too large.
    pub small: bool,
    /// Range of `members` of each given node's island; empty for free bodies.
    group: Vec<(usize, usize)>,
    /// Touched nodes island after island: first scalar in the base order, width.
    members: Vec<(usize, usize)>,
    /// Place of each given node among its members.
    member: Vec<usize>,
    /// First value of each island's mobility: 36 per (source, target).
    first: Vec<usize>,
    values: Vec<f64>,
    touched: Vec<(usize, usize)>,
    /// Positions of each island's blocks in the base order.
    ranges: Vec<(usize, usize)>,
}

impl Mobility {
    pub(super) fn find(&mut self, s: &System, dims: &[usize]) {
        (self.made, self.small) = (true, true);
        self.touched.clear();
        let nodes = s.sides.iter().flat_map(|s| s.node).filter(|&n| n != GROUND);
        self.touched.extend(nodes.map(|n| (s.island[n], n)));
        self.touched.sort_unstable();
        self.touched.dedup();
        self.group.clear();
        self.group.resize(dims.len(), (0, 0));
        self.member.clear();
        self.member.resize(dims.len(), 0);
        self.members.clear();
        self.first.clear();
        self.values.clear();
        let touched = std::mem::take(&mut self.touched);
        self.ranges.clear();
        self.ranges.resize(dims.len(), (usize::MAX, 0));
        for (block, &island) in s.island.iter().enumerate() {
            let (range, at) = (&mut self.ranges[island], s.base.position[block]);
            *range = (range.0.min(at), range.1.max(at + 1));
        }
        for island in touched.chunk_by(|a, b| a.0 == b.0) {
            if island.len() == 1 {
                continue;
            }
            if island.len() > T.sparse.most_touched {
                self.small = false;
                break;
            }
            let start = self.members.len();
            for &(_, n) in island {
                self.group[n] = (start, start + island.len());
                self.member[n] = self.members.len() - start;
                self.members.push((s.base.x(n), dims[n]));
                self.first.push(self.values.len());
            }
            self.fill(s, island[0].0, start);
        }
        self.touched = touched;
    }

    /// Solves for every scalar of the members from `start` on.
    fn fill(&mut self, s: &System, island: usize, start: usize) {
        let p = &s.base.pattern;
        let (low, high) = self.ranges[island];
        let scalars = p.row[low]..p.row[high];
        let members = &self.members[start..];
        let first = self.values.len();
        self.values.resize(first + 36 * members.len() * members.len(), 0.0);
        let mut x = s.x.take();
        for (i, &(at, d)) in members.iter().enumerate() {
            for q in 0..d {
                x[scalars.clone()].fill(0.0);
                x[at + q] = 1.0;
                s.ldlt.solve(p, low..high, &mut x);
                for (k, &(to, dk)) in members.iter().enumerate() {
                    for r in 0..dk {
                        self.values[first + 36 * (i * members.len() + k) + 6 * q + r] = x[to + r];
                    }
                }
            }
        }
        s.x.replace(x);
    }

    /// x += K^-1 f on the island of `node`, which f acts on.
    fn apply(&self, node: usize, f: &[f64; 6], x: &mut [f64]) {
        let (start, end) = self.group[node];
        let members = &self.members[start..end];
        let values = &self.values[self.first[start] + 36 * self.member[node] * members.len()..];
        for (&(to, d), m) in members.iter().zip(values.chunks_exact(36)) {
            for q in 0..6 {
                for r in 0..d {
                    x[to + r] += f[q] * m[6 * q + r];
                }
            }
        }
    }
}

impl System {
    /// `sweeps` sweeps from y; u is brought to its end.
    pub(in super::super) fn sweeps(&self, c: &Canon, y: &mut [f64], u: &mut [f64], sweeps: usize, count: &mut Count) {
        if !self.mobility.made || !self.mobility.small {
            return;
        }
        let mut x = self.x.take();
        self.unknowns(c, y, 1.0, &mut x);
        for _ in 0..sweeps {
            count.sweeps += 1;
            for (cell, &law) in c.cells.iter().zip(&self.law_of_cell) {
                self.visit(cell, law, y, &mut x);
            }
        }
        self.pull(c, y, &x, 1.0, u);
        self.x.replace(x);
    }

    fn visit(&self, cell: &Cell, law: usize, y: &mut [f64], x: &mut [f64]) {
        let (row, rows) = span(cell);
        let (s, own) = (&self.sides[law], &self.own[law]);
        let at = |r: usize| gather(&self.jac[12 * r..12 * r + 12], s.base, s.dim, x) + self.offset(r, y);
        let mut step = [0.0; 3];
        match *cell {
            Cell::Box { lo, hi, .. } if own.n > 0.0 => {
                let next = clip(y[row] - at(row) / own.n, lo, hi);
                step[0] = next - y[row];
                y[row] = next;
            }
            // Ropes with friction do not come here.
            Cell::Box { .. } | Cell::Chain { .. } => return,
            Cell::Cone { .. } => {
                let old = [y[row], y[row + 1], y[row + 2]];
                let held = own.times(old);
                let next = own.solve([at(row) - held[0], at(row + 1) - held[1], at(row + 2) - held[2]]);
                if !next.iter().all(|v| v.is_finite()) {
                    return;
                }
                step = [next[0] - old[0], next[1] - old[1], next[2] - old[2]];
                y[row..row + 3].copy_from_slice(&next);
            }
        }
        if step != [0.0; 3] {
            self.shift(row, rows, s, &step, x);
        }
    }

    /// x += K^-1 J^T step of one law.
    fn shift(&self, row: usize, rows: usize, s: &Sides, step: &[f64; 3], x: &mut [f64]) {
        for side in 0..2 {
            let d = s.dim[side];
            if d == 0 {
                continue;
            }
            let (values, joined) =
                if self.mobility.group[s.node[side]] == (0, 0) { (&self.response, false) } else { (&self.jac, true) };
            let mut f = [0.0; 6];
            for r in 0..rows {
                let from = &values[12 * (row + r) + 6 * side..12 * (row + r) + 6 * side + 6];
                for q in 0..6 {
                    f[q] += from[q] * step[r];
                }
            }
            if joined {
                self.mobility.apply(s.node[side], &f, x);
            } else {
                x[s.base[side]..s.base[side] + d].iter_mut().zip(&f).for_each(|(x, f)| *x += f);
            }
        }
    }
}
