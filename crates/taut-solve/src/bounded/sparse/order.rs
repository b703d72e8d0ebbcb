//! The order of elimination of nodes and row blocks, with the bounded rows' pairs as edges.
//!
//! Nodes go by minimum degree (rows and pairs are edges between their nodes). A row block needs freedom to act on: with the nodes
//! that are still there held fast, the rows eliminated so far must be a forest in which every tree hangs on at most one of them
//! (or on the ground). So a row comes as soon as it joins two trees of which at most one hangs, or hangs a tree that hung nowhere.
//! A row whose two sides are one tree, or hang on the same thing, closes a loop and may be redundant.
//!
//! A row on more than two nodes fits into no forest. It comes after all others, where its pivot is what they leave it of its mobility,
//! and may be redundant too.

use super::degree::MinimumDegree;

/// What a tree of eliminated rows hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hook {
    Ground,
    Node(usize),
}

/// One end of a row: a tree of eliminated nodes, or something that holds.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Tree(usize),
    Held(Hook),
}

/// The order and its working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// Blocks in elimination order.
    pub sequence: Vec<usize>,
    /// Rows that close a loop, by block.
    pub closes_loop: Vec<bool>,
    search: MinimumDegree,
    nodes: Vec<usize>,
    edges: Vec<(usize, usize)>,
    /// Nodes of each row block; `usize::MAX` is the ground.
    ends: Vec<[usize; 2]>,
    name: Vec<usize>,
    hook: Vec<Option<Hook>>,
    /// Trees that hang on each node, by any of their nodes.
    hanging: Vec<Vec<usize>>,
    gone: Vec<bool>,
    pending: Vec<usize>,
    rows_of: Vec<Vec<usize>>,
    /// Nodes that each row block acts on.
    count: Vec<usize>,
}

const GROUND: usize = usize::MAX;

impl Order {
    /// Orders the blocks. `couplings` are the pairs of the base matrix, `pairs` the pairs of nodes that bounded rows couple.
    pub(super) fn find(&mut self, is_row: &[bool], couplings: &[(usize, usize)], pairs: &[(usize, usize)]) {
        let n = is_row.len();
        self.start(is_row, couplings);
        self.edges.clear();
        self.edges.extend(couplings.iter().filter(|&&(a, b)| !is_row[a] && !is_row[b]));
        self.edges.extend(pairs);
        self.edges.extend(self.ends.iter().filter(|e| e[1] != GROUND).map(|e| (e[0], e[1])));
        let mut nodes = std::mem::take(&mut self.nodes);
        self.search.order(n, &self.edges, &mut nodes);
        for &x in nodes.iter().filter(|&&x| !is_row[x]) {
            self.take_node(x);
        }
        self.nodes = nodes;
        // A row that touches no node at all, or more than two, comes last; its pivot shows what it is.
        let left = std::mem::take(&mut self.pending);
        self.sequence.extend(left);
        self.sequence.extend((0..n).filter(|&r| is_row[r] && self.ends[r][0] == GROUND));
    }

    fn start(&mut self, is_row: &[bool], couplings: &[(usize, usize)]) {
        let n = is_row.len();
        self.sequence.clear();
        self.pending.clear();
        self.closes_loop.clear();
        self.closes_loop.resize(n, false);
        self.ends.clear();
        self.ends.resize(n, [GROUND; 2]);
        for lists in [&mut self.hanging, &mut self.rows_of] {
            lists.iter_mut().for_each(Vec::clear);
            lists.resize(n, Vec::new());
        }
        let sides = |&(a, b): &(usize, usize)| {
            let (row, node) = if is_row[a] { (a, b) } else { (b, a) };
            (is_row[row] && !is_row[node]).then_some((row, node))
        };
        self.count.clear();
        self.count.resize(n, 0);
        couplings.iter().filter_map(sides).for_each(|(row, _)| self.count[row] += 1);
        for (row, node) in couplings.iter().filter_map(sides) {
            if self.count[row] > 2 {
                self.closes_loop[row] = true;
            } else {
                let ends = &mut self.ends[row];
                let at = usize::from(ends[0] != GROUND);
                ends[at] = node;
                self.rows_of[node].push(row);
            }
        }
        self.name.clear();
        self.name.extend(0..n);
        self.hook.clear();
        self.hook.resize(n, None);
        self.gone.clear();
        self.gone.resize(n, false);
    }

    fn root(&mut self, mut x: usize) -> usize {
        while self.name[x] != x {
            self.name[x] = self.name[self.name[x]];
            x = self.name[x];
        }
        x
    }

    fn unite(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.root(a), self.root(b));
        let hook = self.hook[a].or(self.hook[b]);
        self.name[a.max(b)] = a.min(b);
        self.hook[a.min(b)] = hook;
        a.min(b)
    }

    /// Eliminates node x and every row that may follow.
    fn take_node(&mut self, x: usize) {
        self.sequence.push(x);
        self.gone[x] = true;
        for tree in std::mem::take(&mut self.hanging[x]) {
            let r = self.root(tree);
            if self.hook[r] == Some(Hook::Node(x)) {
                self.hook[r] = None;
            }
            self.unite(r, x);
        }
        for k in 0..self.rows_of[x].len() {
            let row = self.rows_of[x][k];
            let first = self.ends[row].iter().filter(|&&e| e != GROUND && self.gone[e]).count() == 1;
            if first {
                self.pending.push(row);
            }
        }
        // One row may make way for another.
        let mut again = true;
        while again {
            again = false;
            let mut kept = 0;
            for k in 0..self.pending.len() {
                let row = self.pending[k];
                if self.take_row(row) {
                    again = true;
                } else {
                    self.pending[kept] = row;
                    kept += 1;
                }
            }
            self.pending.truncate(kept);
        }
    }

    fn end(&mut self, x: usize) -> End {
        if x == GROUND {
            End::Held(Hook::Ground)
        } else if self.gone[x] {
            End::Tree(self.root(x))
        } else {
            End::Held(Hook::Node(x))
        }
    }

    /// Eliminates a row if it may come now.
    fn take_row(&mut self, row: usize) -> bool {
        let [a, b] = self.ends[row];
        let ends = (self.end(a), self.end(b));
        let closes = match ends {
            (End::Tree(a), End::Tree(b)) if a == b => true,
            (End::Tree(a), End::Tree(b)) => match (self.hook[a], self.hook[b]) {
                (Some(p), Some(q)) if p != q => return false,
                (Some(_), Some(_)) => true,
                _ => {
                    self.unite(a, b);
                    false
                }
            },
            (End::Tree(t), End::Held(h)) | (End::Held(h), End::Tree(t)) => match self.hook[t] {
                None => {
                    self.hook[t] = Some(h);
                    if let Hook::Node(x) = h {
                        self.hanging[x].push(t);
                    }
                    false
                }
                Some(p) if p == h => true,
                Some(_) => return false,
            },
            _ => return false,
        };
        self.closes_loop[row] = closes;
        self.sequence.push(row);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_goes_from_its_ends_and_rows_follow_their_node() {
        // nodes 0 1 2, rows 3 (0-1), 4 (1-2), 5 (2-ground)
        let is_row = [false, false, false, true, true, true];
        let mut o = Order::default();
        o.find(&is_row, &[(0, 3), (1, 3), (1, 4), (2, 4), (2, 5)], &[]);
        assert_eq!(o.sequence.len(), 6);
        assert_eq!(o.sequence, vec![0, 3, 1, 4, 2, 5]);
        assert!(o.closes_loop.iter().all(|&c| !c));
    }

    #[test]
    fn a_second_weld_waits_for_its_other_side() {
        // The middle node has the lowest degree because its neighbours are coupled to many others.
        let is_row = [false, false, false, true, true];
        let mut o = Order::default();
        o.find(&is_row, &[(0, 3), (1, 3), (1, 4), (2, 4)], &[(0, 2)]);
        let at = |b: usize| o.sequence.iter().position(|&x| x == b).unwrap();
        assert!(at(3).min(at(4)) > 0);
        assert!(!o.closes_loop[3] && !o.closes_loop[4]);
    }

    #[test]
    fn a_row_on_three_nodes_comes_last() {
        // nodes 0 1 2, row 3 on all of them, rows 4 (0-1) and 5 (2-ground)
        let is_row = [false, false, false, true, true, true];
        let mut o = Order::default();
        o.find(&is_row, &[(3, 0), (3, 1), (3, 2), (0, 4), (1, 4), (2, 5)], &[]);
        assert_eq!(o.sequence.len(), 6);
        assert_eq!(o.sequence.last(), Some(&3));
        assert_eq!(o.closes_loop, [false, false, false, true, false, false]);
    }

    #[test]
    fn a_triangle_of_joints_closes_one_loop() {
        let is_row = [false, false, false, true, true, true];
        let mut o = Order::default();
        o.find(&is_row, &[(0, 3), (1, 3), (1, 4), (2, 4), (2, 5), (0, 5)], &[]);
        assert_eq!(o.sequence.len(), 6);
        assert_eq!(o.closes_loop.iter().filter(|&&c| c).count(), 1);
    }
}
