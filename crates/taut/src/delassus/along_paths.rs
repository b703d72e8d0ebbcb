//! The part of an island that is factorised block by block, along the elimination paths of the touched nodes (`solve::paths`).
//!
//! Rows are taken in the order of the first block that they touch, so that every column is asked for later blocks alone: the forward and
//! the backward solve of a column both end at its own first block. An island of one body is a closed form:
//! ```text
//! Y = L^-1 Ju^T,     W += Y^T d^-1 Y
//! ```

use super::{Mobility, RowList, on};
use crate::solve::block_ldlt::BlockLdlt;
use crate::solve::paths::WIDTH;
use crate::topology::{Island, NONE, Topology};

impl Mobility {
    /// Adds the part of one island to W (n x n, row-major, both triangles), from its factor.
    pub fn add_along_paths(
        &mut self,
        t: &Topology,
        island: usize,
        rows: &RowList,
        n: usize,
        w: &mut [f64],
        factor: &BlockLdlt,
    ) {
        let unknowns = self.look(t, island, rows);
        let is = &t.islands[island];
        if is.blocks.len() == 1 {
            return self.add_single(t, is, rows, n, w, factor);
        }
        self.blocks.resize(t.nodes.len(), NONE);
        for &node in &self.nodes {
            self.blocks[node] = t.block_of(is, node);
        }
        self.paths.find(&t.pattern, is.blocks.clone(), self.nodes.iter().map(|&n| self.blocks[n]));
        if self.on.len() > unknowns {
            self.nodes_along_paths(t, unknowns, factor);
            return self.fold(t, island, rows, n, unknowns, w);
        }
        // Nodes are numbered in the order of elimination.
        let first = |r: usize| on(t, island, rows, r).fold(NONE, |least, (n, _)| least.min(n));
        self.on.sort_unstable_by_key(|&(at, r)| (first(r), at));
        let mut k = 0;
        while k < self.on.len() {
            let from = self.blocks[first(self.on[k].1)];
            let batch = Batch { t, island, rows, k, from };
            k += match self.on.len() - k {
                1 => self.rows_along_paths::<1>(&batch, n, w, factor),
                2 | 3 => self.rows_along_paths::<3>(&batch, n, w, factor),
                _ => self.rows_along_paths::<WIDTH>(&batch, n, w, factor),
            };
        }
    }

    /// Columns of `C` rows, and their products with all rows from there on; returns how many rows that were.
    fn rows_along_paths<const C: usize>(
        &mut self,
        b: &Batch<'_>,
        n: usize,
        w: &mut [f64],
        factor: &BlockLdlt,
    ) -> usize {
        let (t, p) = (b.t, &b.t.pattern);
        let count = C.min(self.on.len() - b.k);
        self.paths.clear::<C>(p, b.from);
        for (c, &(_, r)) in self.on[b.k..b.k + count].iter().enumerate() {
            on(t, b.island, b.rows, r).for_each(|(node, j)| {
                for (x, j) in self.paths.seed::<C>(p, self.blocks[node]).iter_mut().zip(j) {
                    x[c] += j;
                }
            });
        }
        self.paths.solve::<C>(p, factor, b.from);
        for (m, &(to, s)) in self.on[b.k..].iter().enumerate() {
            let mut value = [0.0; C];
            on(t, b.island, b.rows, s).for_each(|(node, j)| {
                for (x, j) in self.paths.at::<C>(p, self.blocks[node]).iter().zip(j) {
                    for c in 0..C {
                        value[c] += j * x[c];
                    }
                }
            });
            for (c, &(at, _)) in self.on[b.k..b.k + count].iter().enumerate().take(m + 1) {
                w[at * n + to] += value[c];
                if to != at {
                    w[to * n + at] += value[c];
                }
            }
        }
        count
    }

    /// G over the unknowns of the touched nodes.
    fn nodes_along_paths(&mut self, t: &Topology, unknowns: usize, factor: &BlockLdlt) {
        self.g.clear();
        self.g.resize(unknowns * unknowns, 0.0);
        for k in 0..self.nodes.len() {
            match t.nodes[self.nodes[k]].dim {
                6 => self.node_along_paths::<6>(t, k, unknowns, factor),
                _ => self.node_along_paths::<3>(t, k, unknowns, factor),
            }
        }
    }

    /// The rows of G that belong to one node, from its own place on, and their mirror image.
    fn node_along_paths<const D: usize>(&mut self, t: &Topology, k: usize, unknowns: usize, factor: &BlockLdlt) {
        let p = &t.pattern;
        let (at, from) = (self.place[self.nodes[k]], self.blocks[self.nodes[k]]);
        self.paths.clear::<D>(p, from);
        for (c, x) in self.paths.seed::<D>(p, from).iter_mut().enumerate() {
            x[c] = 1.0;
        }
        self.paths.solve::<D>(p, factor, from);
        for &m in &self.nodes[k..] {
            let to = self.place[m];
            for (q, x) in self.paths.at::<D>(p, self.blocks[m]).iter().enumerate() {
                for c in 0..D {
                    self.g[(at + c) * unknowns + to + q] = x[c];
                    self.g[(to + q) * unknowns + at + c] = x[c];
                }
            }
        }
    }

    /// An island of one body or particle.
    fn add_single(&mut self, t: &Topology, is: &Island, rows: &RowList, n: usize, w: &mut [f64], factor: &BlockLdlt) {
        let node = is.nodes.start;
        let (d, diag) = (t.nodes[node].dim, t.nodes[node].diag);
        let pivot = &factor.diag[diag..diag + d * d];
        self.single.clear();
        for (k, &(at, r)) in self.on.iter().enumerate() {
            let mut y = [0.0; 6];
            rows.sides(r).filter(|s| s.0 == node).for_each(|(_, j)| {
                for (y, j) in y.iter_mut().zip(j) {
                    *y += j;
                }
            });
            for i in 1..d {
                for j in 0..i {
                    y[i] -= pivot[i * d + j] * y[j];
                }
            }
            self.single.push(y);
            let scaled: [f64; 6] = std::array::from_fn(|i| if i < d { y[i] * pivot[i * d + i] } else { 0.0 });
            for (x, &(to, _)) in self.single.iter().zip(&self.on[..k + 1]) {
                let value: f64 = scaled.iter().zip(x).map(|(a, b)| a * b).sum();
                w[at * n + to] += value;
                if to != at {
                    w[to * n + at] += value;
                }
            }
        }
    }
}

/// A batch of columns: the rows of an island from the k-th on, which touch no block before `from`.
struct Batch<'a> {
    t: &'a Topology,
    island: usize,
    rows: &'a RowList,
    k: usize,
    from: usize,
}
