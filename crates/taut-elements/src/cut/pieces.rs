//! Which cells hang together.

use crate::mesh::Seam;

/// The piece of each of some cells, which are in ascending order, and the number of pieces. Links
/// between other cells do not count. What did not hang together before the cut is in the first piece
/// with its first cell.
pub(super) fn pieces(cells: &[u32], links: impl Iterator<Item = (Seam, bool)>) -> (Vec<usize>, usize) {
    let (mut before, mut after) = joined(cells, links);
    let (mut piece, mut count) = (vec![0; cells.len()], 1);
    for k in 0..cells.len() {
        let root = after.root(k);
        piece[k] = if root == after.root(before.root(k)) {
            0
        } else if root == k {
            count += 1;
            count - 1
        } else {
            piece[root]
        };
    }
    (piece, count)
}

/// The same of a group of cells: what did not hang together before the cut stays together where cells have a node in common.
pub(super) fn of_group(
    cells: &[u32],
    links: impl Iterator<Item = (Seam, bool)>,
    share: impl Fn(u32, u32) -> bool,
) -> (Vec<usize>, usize) {
    let (mut before, mut after) = joined(cells, links);
    for b in 1..cells.len() {
        for a in 0..b {
            if before.root(a) != before.root(b) && share(cells[a], cells[b]) {
                after.join(a, b);
            }
        }
    }
    let (mut piece, mut count) = (vec![0; cells.len()], 0);
    for k in 0..cells.len() {
        let root = after.root(k);
        if root == k {
            count += 1;
        }
        piece[k] = if root == k { count - 1 } else { piece[root] };
    }
    (piece, count)
}

/// What hangs together through links before and after the cut.
fn joined(cells: &[u32], links: impl Iterator<Item = (Seam, bool)>) -> (Sets, Sets) {
    let (mut before, mut after) = (Sets::new(cells.len()), Sets::new(cells.len()));
    for (seam, cut) in links {
        let [a, b] = seam.cells.map(|c| cells.binary_search(&c));
        let (Ok(a), Ok(b)) = (a, b) else { continue };
        before.join(a, b);
        if !cut {
            after.join(a, b);
        }
    }
    (before, after)
}

/// Disjoint sets; the root of a set is its first item.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Sets((0..count).collect())
    }

    fn root(&mut self, mut k: usize) -> usize {
        while self.0[k] != k {
            self.0[k] = self.0[self.0[k]];
            k = self.0[k];
        }
        k
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
