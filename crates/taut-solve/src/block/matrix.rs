//! A symmetric block-sparse matrix in elimination order, with room for the fill of its factor.
//!
//! Block k has `dims[k]` rows. For every later block that block k touches (by entry or by fill) there is one dense
//! block of values, stored pivot-major: entry (p, q) of the coupling of k (row p) with neighbour a (row q) is at
//! `off[a] + p * dims[a] + q`. Diagonal blocks are dense, row-major and symmetric. All offsets are fixed by the
//! pattern, so the numeric phase never allocates.

use super::structure::Structure;

/// Where everything is; made once per topology.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    /// Rows of each block, in elimination order.
    pub dims: Vec<usize>,
    /// First row of each block in a vector; one more entry at the end.
    pub row: Vec<usize>,
    /// First value of each diagonal block.
    pub diag: Vec<usize>,
    /// Neighbours of block k are `neighbours[start[k]..start[k + 1]]`.
    pub start: Vec<usize>,
    /// Later blocks coupled to each block, ascending, with the offset of the coupling's values.
    pub neighbours: Vec<(usize, usize)>,
    /// For block k, pairs (a, b) of its neighbours with a < b in lexical order: offset of the block (a, b).
    pub pair_start: Vec<usize>,
    /// See `pair_start`.
    pub pairs: Vec<usize>,
    /// Number of values in all diagonal blocks.
    pub diag_len: usize,
    /// Number of values in all off-diagonal blocks, fill included.
    pub off_len: usize,
    /// Number of off-diagonal blocks that are fill.
    pub fill_blocks: usize,
}

impl Pattern {
    /// Symbolic elimination. `couplings` are pairs of block positions (any order, repeats allowed).
    pub fn new(dims: Vec<usize>, couplings: &[(usize, usize)]) -> Self {
        let mut p = Pattern::layout(dims, couplings);
        p.pair_up(|_| true);
        p
    }

    /// The same without the pairs, which `pair_up` finds.
    pub fn layout(dims: Vec<usize>, couplings: &[(usize, usize)]) -> Self {
        Structure::new(dims, couplings).pattern(&[])
    }

    /// Finds the pairs of the blocks that `wanted` names; only the block factorisation needs them.
    pub fn pair_up(&mut self, wanted: impl Fn(usize) -> bool) {
        self.pair_start.reserve_exact(self.blocks() + 1);
        self.pair_start.push(0);
        for k in 0..self.blocks() {
            let list = if wanted(k) { self.start[k]..self.start[k + 1] } else { 0..0 };
            for i in list.clone() {
                for j in i + 1..list.end {
                    let at = self.coupling(self.neighbours[i].0, self.neighbours[j].0);
                    self.pairs.push(at.unwrap_or(usize::MAX));
                }
            }
            self.pair_start.push(self.pairs.len());
        }
        debug_assert!(self.pairs.iter().all(|&o| o != usize::MAX));
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.dims.len()
    }

    /// Number of scalar unknowns.
    pub fn size(&self) -> usize {
        self.row[self.blocks()]
    }

    /// Neighbours of block k with the offsets of their values.
    #[inline]
    pub fn of(&self, k: usize) -> &[(usize, usize)] {
        &self.neighbours[self.start[k]..self.start[k + 1]]
    }

    /// Offset of the values that couple blocks a < b.
    pub fn coupling(&self, a: usize, b: usize) -> Option<usize> {
        let list = self.of(a);
        list.binary_search_by_key(&b, |&(x, _)| x).ok().map(|i| list[i].1)
    }
}

/// Union of two ascending lists; the second may hold entries of the first.
pub fn merge(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let take_a = j == b.len() || (i < a.len() && a[i] <= b[j]);
        let x = if take_a { a[i] } else { b[j] };
        i += usize::from(i < a.len() && a[i] == x);
        j += usize::from(j < b.len() && b[j] == x);
        out.push(x);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_in_leaf_to_root_order_has_no_fill() {
        // body 0, joint 1, body 2, joint 3, body 4
        let p = Pattern::new(vec![6, 3, 6, 3, 6], &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        assert_eq!(p.fill_blocks, 0);
        assert_eq!(p.off_len, 4 * 18);
    }

    #[test]
    fn a_star_eliminated_from_its_centre_fills_completely() {
        let p = Pattern::new(vec![1; 4], &[(0, 1), (0, 2), (0, 3)]);
        assert_eq!(p.fill_blocks, 3);
        assert_eq!(p.of(1).len(), 2);
    }
}
