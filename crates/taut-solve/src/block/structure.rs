//! Which blocks a matrix couples, before it is decided how to factorise it: what the fill would be, and the pattern with or without it.

use super::matrix::{Pattern, merge};
use std::ops::Range;

/// Later blocks that each block is coupled to.
#[derive(Clone, Debug)]
pub struct Structure {
    dims: Vec<usize>,
    later: Vec<Vec<usize>>,
    /// Fill of the blocks that are laid out without it.
    left_out: usize,
}

/// What eliminating some blocks takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fill {
    /// Off-diagonal blocks, those that are filled in among them.
    pub blocks: usize,
    /// Values of the factor.
    pub values: f64,
    /// Multiplications and additions of the factorisation.
    pub flops: f64,
}

impl Structure {
    /// `couplings` are pairs of block positions (any order, repeats allowed).
    pub fn new(dims: Vec<usize>, couplings: &[(usize, usize)]) -> Self {
        let mut later: Vec<Vec<usize>> = vec![Vec::new(); dims.len()];
        for &(a, b) in couplings {
            if a != b {
                later[a.min(b)].push(a.max(b));
            }
        }
        for l in &mut later {
            l.sort_unstable();
            l.dedup();
        }
        Structure { dims, later, left_out: 0 }
    }

    /// Blocks that these blocks are coupled to.
    pub fn entries(&self, blocks: Range<usize>) -> usize {
        self.later[blocks].iter().map(Vec::len).sum()
    }

    /// What eliminating these blocks would fill in; they are coupled to none outside. A block is in row i of the factor when it is on
    /// the way from an entry of the row up to i in the elimination tree (Liu 1986), so the rows are walked and not stored.
    pub fn fill(&self, blocks: Range<usize>) -> Fill {
        let (first, n) = (blocks.start, blocks.len());
        let mut earlier: Vec<Vec<u32>> = vec![Vec::new(); n];
        for k in blocks {
            self.later[k].iter().for_each(|&a| earlier[a - first].push((k - first) as u32));
        }
        let (mut parent, mut mark) = (vec![u32::MAX; n], vec![u32::MAX; n]);
        let (mut below, mut fill) = (vec![0_u32; n], Fill::default());
        for (i, row) in earlier.iter().enumerate() {
            mark[i] = i as u32;
            for &j in row {
                let mut k = j as usize;
                while mark[k] != i as u32 {
                    mark[k] = i as u32;
                    below[k] += self.dims[first + i] as u32;
                    fill.blocks += 1;
                    if parent[k] == u32::MAX {
                        parent[k] = i as u32;
                    }
                    k = parent[k] as usize;
                }
            }
        }
        for (k, &below) in below.iter().enumerate() {
            let (d, below) = (self.dims[first + k] as f64, f64::from(below));
            fill.values += d * (d + below);
            fill.flops += d * (d + below) * (d + below);
        }
        fill
    }

    /// The pattern. Blocks in the ranges of `bare`, which are coupled to none outside, have no room for fill; the number says how many
    /// blocks that leaves out.
    pub fn pattern(mut self, bare: &[(Range<usize>, usize)]) -> Pattern {
        let mut at = 0;
        let entries = self.entries(0..self.dims.len());
        for (range, left_out) in bare.iter().cloned().chain([(self.dims.len()..self.dims.len(), 0)]) {
            self.fill_in(at..range.start);
            self.left_out += left_out;
            at = range.end;
        }
        let (n, neighbours) = (self.dims.len(), self.later.iter().map(Vec::len).sum());
        let mut p = Pattern {
            dims: self.dims,
            row: Vec::with_capacity(n + 1),
            diag: Vec::with_capacity(n),
            start: Vec::with_capacity(n + 1),
            neighbours: Vec::with_capacity(neighbours),
            ..Default::default()
        };
        p.row.push(0);
        p.start.push(0);
        for (k, list) in self.later.iter().enumerate() {
            let d = p.dims[k];
            p.row.push(p.row[k] + d);
            p.diag.push(p.diag_len);
            p.diag_len += d * d;
            for &a in list {
                p.neighbours.push((a, p.off_len));
                p.off_len += d * p.dims[a];
            }
            p.start.push(p.neighbours.len());
        }
        p.fill_blocks = p.neighbours.len() - entries + self.left_out;
        p
    }

    fn fill_in(&mut self, blocks: Range<usize>) {
        for k in blocks {
            pass_on(&mut self.later, 0, k);
        }
    }
}

/// A block's structure passes to the first block after it (its parent in the elimination tree); `lists` start with block `first`.
pub(crate) fn pass_on(lists: &mut [Vec<usize>], first: usize, k: usize) {
    let list = std::mem::take(&mut lists[k - first]);
    if let Some((&parent, rest)) = list.split_first().filter(|(_, rest)| !rest.is_empty()) {
        let merged = merge(&lists[parent - first], rest);
        lists[parent - first] = merged;
    }
    lists[k - first] = list;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_what_is_filled_in() {
        let mut random = 1_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as usize % below
        };
        for n in [5, 30, 80] {
            let pairs: Vec<(usize, usize)> = (0..2 * n).map(|_| (next(n), next(n))).collect();
            let dims: Vec<usize> = (0..n).map(|k| [3, 6, 1][k % 3]).collect();
            let structure = Structure::new(dims.clone(), &pairs);
            let (fill, entries) = (structure.fill(0..n), structure.entries(0..n));
            let bare = structure.clone().pattern(&[(0..n, fill.blocks - entries)]);
            let p = structure.pattern(&[]);
            assert_eq!(fill.blocks, p.neighbours.len());
            assert_eq!(fill.values as usize, p.diag_len + p.off_len);
            assert_eq!((bare.neighbours.len(), bare.fill_blocks), (entries, p.fill_blocks));
        }
    }
}
