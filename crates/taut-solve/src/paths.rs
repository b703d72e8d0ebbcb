//! Several right-hand sides at once through a block LDL^T, only where they are not zero and only where the answer is asked for.
//!
//! A right-hand side that is zero but on some blocks fills, in L^-1, exactly the paths from these blocks to the root of the elimination
//! tree. The answer on some blocks needs the answer on their paths alone. With the union of the paths of all blocks of interest,
//! ```text
//! Z = L^-1 B                  on the paths of the columns at hand, leaf to root
//! X = L^-T d^-1 (Z - W X_later)    on the union, root to the first block that is asked for
//! ```
//! so contacts on one hand of a mechanism cost the way from there to the root and not the mechanism. Columns lie side by side, so that
//! every value of the factor is read once for all of them. Dropped rows have 1/d = 0 in the factor and stay without a multiplier.

use super::block_ldlt::BlockLdlt;
use crate::block::matrix::Pattern;
use std::ops::Range;

/// Most columns in one batch: the unknowns of a body.
pub const WIDTH: usize = 6;

/// The union of some paths, and the memory of one batch of columns.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Blocks of the union, ascending.
    blocks: Vec<usize>,
    /// By block of the island: whether it is in the union; whether a column at hand is not zero there.
    on: Vec<bool>,
    live: Vec<bool>,
    /// First block and first unknown of the island.
    first: usize,
    x0: usize,
    /// Columns side by side, by unknown of the island.
    x: Vec<f64>,
}

impl Paths {
    /// Finds the union of the paths from some blocks of an island.
    pub fn find(&mut self, p: &Pattern, island: Range<usize>, from: impl Iterator<Item = usize>) {
        (self.first, self.x0) = (island.start, p.row[island.start]);
        self.blocks.clear();
        self.on.clear();
        self.on.resize(island.len(), false);
        self.live.resize(island.len().max(self.live.len()), false);
        let size = WIDTH * (p.row[island.end] - self.x0);
        self.x.resize(size.max(self.x.len()), 0.0);
        for mut k in from {
            while !self.on[k - self.first] {
                self.on[k - self.first] = true;
                self.blocks.push(k);
                let Some(&(parent, _)) = p.of(k).first() else { break };
                k = parent;
            }
        }
        self.blocks.sort_unstable();
    }

    /// Starts a batch of `C` columns that are zero before block `from`.
    pub fn clear<const C: usize>(&mut self, p: &Pattern, from: usize) {
        let x = self.x.as_chunks_mut::<C>().0;
        for &k in &self.blocks[self.blocks.partition_point(|&k| k < from)..] {
            self.live[k - self.first] = false;
            x[p.row[k] - self.x0..p.row[k + 1] - self.x0].fill([0.0; C]);
        }
    }

    /// The rows of one block, to write a right-hand side; the block counts as not zero from then on.
    pub fn seed<const C: usize>(&mut self, p: &Pattern, k: usize) -> &mut [[f64; C]] {
        self.live[k - self.first] = true;
        &mut self.x.as_chunks_mut::<C>().0[p.row[k] - self.x0..p.row[k + 1] - self.x0]
    }

    /// The solution on one block of the union.
    pub fn at<const C: usize>(&self, p: &Pattern, k: usize) -> &[[f64; C]] {
        &self.x.as_chunks::<C>().0[p.row[k] - self.x0..p.row[k + 1] - self.x0]
    }

    /// Solves in place. The answer holds on the blocks of the union from `from` on, before which the columns are zero.
    pub fn solve<const C: usize>(&mut self, p: &Pattern, f: &BlockLdlt, from: usize) {
        let blocks = &self.blocks[self.blocks.partition_point(|&k| k < from)..];
        let (x, live) = (self.x.as_chunks_mut::<C>().0, &mut self.live);
        for &k in blocks {
            if !live[k - self.first] {
                continue;
            }
            let d = p.dims[k];
            let pivot = &f.diag[p.diag[k]..p.diag[k] + d * d];
            let (head, tail) = x.split_at_mut(p.row[k + 1] - self.x0);
            let r = &mut head[p.row[k] - self.x0..];
            match d {
                6 => lower(pivot, 6, r),
                3 => lower(pivot, 3, r),
                _ => lower(pivot, d, r),
            }
            for &(a, at) in p.of(k) {
                live[a - self.first] = true;
                let da = p.dims[a];
                let w = &f.off[at..at + d * da];
                let target = &mut tail[p.row[a] - p.row[k + 1]..p.row[a + 1] - p.row[k + 1]];
                match (d, da) {
                    (6, 3) => forward(pivot, 6, w, 3, r, target),
                    (3, 6) => forward(pivot, 3, w, 6, r, target),
                    (6, 5) => forward(pivot, 6, w, 5, r, target),
                    (5, 6) => forward(pivot, 5, w, 6, r, target),
                    _ => forward(pivot, d, w, da, r, target),
                }
            }
        }
        for &k in blocks.iter().rev() {
            let d = p.dims[k];
            let pivot = &f.diag[p.diag[k]..p.diag[k] + d * d];
            let (head, tail) = x.split_at_mut(p.row[k + 1] - self.x0);
            let r = &mut head[p.row[k] - self.x0..];
            for &(a, at) in p.of(k) {
                let da = p.dims[a];
                let w = &f.off[at..at + d * da];
                let later = &tail[p.row[a] - p.row[k + 1]..p.row[a + 1] - p.row[k + 1]];
                match (d, da) {
                    (6, 3) => backward(6, w, 3, r, later),
                    (3, 6) => backward(3, w, 6, r, later),
                    (6, 5) => backward(6, w, 5, r, later),
                    (5, 6) => backward(5, w, 6, r, later),
                    _ => backward(d, w, da, r, later),
                }
            }
            match d {
                6 => upper(pivot, 6, r),
                3 => upper(pivot, 3, r),
                _ => upper(pivot, d, r),
            }
        }
    }
}

/// y -= a x.
#[inline(always)]
fn take<const C: usize>(a: f64, x: &[f64; C], y: &mut [f64; C]) {
    for c in 0..C {
        y[c] -= a * x[c];
    }
}

/// r = L^-1 r.
#[inline(always)]
fn lower<const C: usize>(pivot: &[f64], d: usize, r: &mut [[f64; C]]) {
    let (pivot, r) = (&pivot[..d * d], &mut r[..d]);
    for i in 1..d {
        let mut y = r[i];
        for j in 0..i {
            take(pivot[i * d + j], &r[j], &mut y);
        }
        r[i] = y;
    }
}

/// r = L^-T d^-1 r.
#[inline(always)]
fn upper<const C: usize>(pivot: &[f64], d: usize, r: &mut [[f64; C]]) {
    let (pivot, r) = (&pivot[..d * d], &mut r[..d]);
    for i in (0..d).rev() {
        let mut y = r[i].map(|v| v * pivot[i * d + i]);
        for j in i + 1..d {
            take(pivot[j * d + i], &r[j], &mut y);
        }
        r[i] = y;
    }
}

/// target -= W^T d^-1 r.
#[inline(always)]
fn forward<const C: usize>(pivot: &[f64], d: usize, w: &[f64], da: usize, r: &[[f64; C]], target: &mut [[f64; C]]) {
    let (target, pivot, w, r) = (&mut target[..da], &pivot[..d * d], &w[..d * da], &r[..d]);
    for k in 0..d {
        let s = r[k].map(|v| v * pivot[k * d + k]);
        for q in 0..da {
            take(w[k * da + q], &s, &mut target[q]);
        }
    }
}

/// r -= W later.
#[inline(always)]
fn backward<const C: usize>(d: usize, w: &[f64], da: usize, r: &mut [[f64; C]], later: &[[f64; C]]) {
    let (w, r, later) = (&w[..d * da], &mut r[..d], &later[..da]);
    for k in 0..d {
        let mut y = r[k];
        for q in 0..da {
            take(w[k * da + q], &later[q], &mut y);
        }
        r[k] = y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_ldlt::Signs;

    /// Numbers in (-1/2, 1/2), the same on every machine.
    fn number(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }

    /// A random quasi-definite matrix: bodies, joints between them and, with `loops`, joints that close loops; the last one twice, so
    /// that it is redundant.
    fn matrix(seed: &mut u64, loops: bool) -> (Pattern, BlockLdlt, Vec<bool>) {
        let bodies = 7;
        let mut dims = Vec::new();
        let mut pairs = Vec::new();
        let mut node = Vec::new();
        let parent = |k: usize, seed: &mut u64| k + 1 + ((number(seed) + 0.5) * (bodies - k - 1) as f64) as usize;
        let mut joints = Vec::new();
        for k in 0..bodies {
            node.push(dims.len());
            dims.push(if k == 2 { 3 } else { 6 });
            if k + 1 < bodies {
                joints.push((dims.len(), node[k], parent(k, seed)));
                dims.push([3, 5, 2][k % 3]);
            }
        }
        if loops {
            for _ in 0..2 {
                joints.push((dims.len(), node[0], bodies - 1));
                dims.push(1);
            }
        }
        for &(row, a, b) in &joints {
            pairs.push((a, row));
            pairs.push((row.min(node[b]), row.max(node[b])));
        }
        let p = Pattern::new(dims, &pairs);
        let mut f = BlockLdlt::new(&p);
        let mut is_row = vec![true; p.blocks()];
        for &k in &node {
            is_row[k] = false;
            for r in 0..p.dims[k] {
                f.diag[p.diag[k] + r * p.dims[k] + r] = 1.0 + number(seed).abs();
            }
        }
        let mut last = [0.0; 12];
        for (n, &(row, a, b)) in joints.iter().enumerate() {
            let twin = loops && n + 1 == joints.len();
            let mut from = 0;
            for side in [a, node[b]] {
                let at = p.coupling(row.min(side), row.max(side)).unwrap();
                for q in 0..p.dims[row] * p.dims[side] {
                    if !twin && q + from < 12 {
                        last[q + from] = number(seed);
                    }
                    f.off[at + q] = if p.dims[row] == 1 { last[q + from] } else { number(seed) };
                }
                from += 6;
            }
            if p.dims[row] == 1 {
                f.reference[p.row[row]] = 1.0;
            }
        }
        (p, f, is_row)
    }

    #[test]
    fn columns_along_paths_are_those_of_the_full_solve() {
        let mut seed = 7;
        let mut dropped = 0;
        for round in 0..60 {
            let (p, mut f, is_row) = matrix(&mut seed, round % 2 == 1);
            let signs = Signs { is_row, has_loops: round % 2 == 1 };
            dropped += f.factor(&p, &signs, 0..p.blocks()).unwrap().dropped;
            let ends: Vec<usize> = (0..p.blocks()).filter(|k| (k + round) % 3 == 0).collect();
            let mut paths = Paths::default();
            paths.find(&p, 0..p.blocks(), ends.iter().copied());
            for (n, &from) in ends.iter().enumerate() {
                let mut full = vec![vec![0.0; p.size()]; 6];
                paths.clear::<6>(&p, from);
                for &k in [from, ends[n + (ends.len() - n) / 2]].iter() {
                    let values: Vec<[f64; 6]> =
                        (0..p.dims[k]).map(|_| std::array::from_fn(|_| number(&mut seed))).collect();
                    paths.seed::<6>(&p, k).copy_from_slice(&values);
                    for (c, full) in full.iter_mut().enumerate() {
                        for (q, v) in values.iter().enumerate() {
                            full[p.row[k] + q] = v[c];
                        }
                    }
                }
                paths.solve::<6>(&p, &f, from);
                full.iter_mut().for_each(|x| f.solve(&p, 0..p.blocks(), x));
                for &k in &ends[n..] {
                    for (q, row) in paths.at::<6>(&p, k).iter().enumerate() {
                        for (c, &v) in row.iter().enumerate() {
                            let expected = full[c][p.row[k] + q];
                            assert!((v - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{v} {expected}");
                        }
                    }
                }
            }
        }
        assert_eq!(dropped, 30, "the doubled row of every second matrix");
    }
}
