//! Where the blocks of the matrix go: order, pattern with fill, places of the given values. Kept while the pairs stay the same.

use super::order::Order;
use crate::block::matrix::Pattern;
use crate::block_ldlt::Signs;

/// Where one given coupling is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// First value.
    pub at: usize,
    /// The first-named block is the pivot of the stored block.
    pub first_is_pivot: bool,
}

/// One elimination order with its pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub pattern: Pattern,
    pub signs: Signs,
    /// Position of each given block in the order.
    pub position: Vec<usize>,
    /// Places of the couplings of the base matrix.
    pub couplings: Vec<Place>,
    /// Places of the pairs.
    pub pairs: Vec<Place>,
    /// Rows that close a loop, by given block.
    pub loops: Vec<usize>,
    /// Times the layout was made anew.
    pub made: usize,
    order: Order,
    seen_rows: Vec<(usize, bool)>,
    seen_couplings: Vec<(usize, usize)>,
    seen_pairs: Vec<(usize, usize)>,
    moved: Vec<(usize, usize)>,
}

impl Layout {
    /// Makes the layout anew if its graph has changed. Blocks of one group stay together, in the order of the groups;
    /// no coupling and no pair may join two groups unless all are in one.
    pub(super) fn find(
        &mut self,
        (dims, is_row): (&[usize], &[bool]),
        couplings: impl Iterator<Item = (usize, usize)> + Clone,
        pairs: &[(usize, usize)],
        group: impl Fn(usize) -> usize,
    ) {
        let blocks = dims.iter().copied().zip(is_row.iter().copied());
        let same = self.made > 0
            && self.seen_pairs == pairs
            && self.seen_rows.iter().copied().eq(blocks.clone())
            && self.seen_couplings.iter().copied().eq(couplings.clone());
        if same {
            return;
        }
        self.made += 1;
        self.seen_rows.clear();
        self.seen_rows.extend(blocks);
        self.seen_couplings.clear();
        self.seen_couplings.extend(couplings);
        self.seen_pairs.clear();
        self.seen_pairs.extend_from_slice(pairs);
        self.order.find(is_row, &self.seen_couplings, pairs);
        self.order.sequence.sort_by_key(|&b| group(b));
        self.build(dims, is_row);
    }

    fn build(&mut self, dims: &[usize], is_row: &[bool]) {
        self.position.clear();
        self.position.resize(dims.len(), 0);
        for (k, &b) in self.order.sequence.iter().enumerate() {
            self.position[b] = k;
        }
        let position = &self.position;
        let all = self.seen_couplings.iter().chain(&self.seen_pairs);
        self.moved.clear();
        self.moved.extend(all.map(|&(a, b)| (position[a], position[b])));
        let ordered = self.order.sequence.iter().map(|&b| dims[b]).collect();
        self.pattern = Pattern::new(ordered, &self.moved);
        let (first, second) = (self.seen_couplings.len(), self.moved.len());
        self.couplings.clear();
        self.pairs.clear();
        for k in 0..second {
            let (a, b) = self.moved[k];
            let at = self.pattern.coupling(a.min(b), a.max(b)).unwrap_or(0);
            let list = if k < first { &mut self.couplings } else { &mut self.pairs };
            list.push(Place { at, first_is_pivot: a < b });
        }
        self.loops.clear();
        self.loops.extend((0..dims.len()).filter(|&b| self.order.closes_loop[b]));
        self.signs.is_row.clear();
        self.signs.is_row.extend(self.order.sequence.iter().map(|&b| is_row[b]));
        self.signs.has_loops = !self.loops.is_empty();
    }

    /// First scalar of a given block in the order.
    pub(super) fn x(&self, block: usize) -> usize {
        self.pattern.row[self.position[block]]
    }

    /// Block products of one factorisation: a third of its multiplications of 6 x 6 blocks.
    pub(super) fn products(&self) -> usize {
        (0..self.pattern.blocks()).map(|k| self.pattern.of(k).len()).map(|n| 1 + n + n * (n + 1) / 2).sum()
    }
}
