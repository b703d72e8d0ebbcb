//! A fill-reducing order of a graph: minimum degree on the quotient graph, with approximate degrees.
//!
//! An eliminated vertex p leaves an element: the clique L_p of the vertices it touched. A vertex i keeps its remaining edges A_i
//! and its elements E_i; elements inside a new one are absorbed. The degree is bounded from above (Amestoy, Davis, Duff 1996):
//! ```text
//! L_p = (A_p + union of L_e, e in E_p) \ p        d_i = |A_i \ L_p| + |L_p \ i| + sum over e in E_i \ p of |L_e \ L_p|
//! ```
//! Ties go to the smallest index, so the order depends on the graph alone.

use std::collections::BTreeSet;

/// Working memory, kept between orders.
#[derive(Clone, Debug, Default)]
pub(super) struct MinimumDegree {
    edges: Vec<Vec<u32>>,
    elements: Vec<Vec<u32>>,
    /// Vertices of each element, by the vertex that made it; empty once absorbed.
    members: Vec<Vec<u32>>,
    degree: Vec<usize>,
    done: Vec<bool>,
    queue: BTreeSet<(usize, u32)>,
    /// Stamp of the last element that saw a vertex, and |L_e \ L_p| of each element with the stamp it was counted at.
    stamp: Vec<u32>,
    outside: Vec<(u32, usize)>,
}

impl MinimumDegree {
    /// The vertices in elimination order. `couplings` are pairs, repeats allowed.
    pub(super) fn order(&mut self, n: usize, couplings: &[(usize, usize)], out: &mut Vec<usize>) {
        self.start(n, couplings);
        out.clear();
        while let Some((_, p)) = self.queue.pop_first() {
            out.push(p as usize);
            self.eliminate(p, out.len() as u32);
        }
    }

    fn start(&mut self, n: usize, couplings: &[(usize, usize)]) {
        for lists in [&mut self.edges, &mut self.elements, &mut self.members] {
            lists.iter_mut().for_each(Vec::clear);
            lists.resize(n, Vec::new());
        }
        for &(a, b) in couplings.iter().filter(|&&(a, b)| a != b) {
            self.edges[a].push(b as u32);
            self.edges[b].push(a as u32);
        }
        self.degree.clear();
        for list in &mut self.edges {
            list.sort_unstable();
            list.dedup();
            self.degree.push(list.len());
        }
        self.done.clear();
        self.done.resize(n, false);
        self.stamp.clear();
        self.stamp.resize(n, 0);
        self.outside.clear();
        self.outside.resize(n, (0, 0));
        self.queue = self.degree.iter().enumerate().map(|(i, &d)| (d, i as u32)).collect();
    }

    /// Eliminates p as the `turn`-th vertex.
    fn eliminate(&mut self, p: u32, turn: u32) {
        self.done[p as usize] = true;
        self.stamp[p as usize] = turn;
        let mut clique = std::mem::take(&mut self.members[p as usize]);
        for &i in &self.edges[p as usize] {
            if !self.done[i as usize] && self.stamp[i as usize] != turn {
                self.stamp[i as usize] = turn;
                clique.push(i);
            }
        }
        for e in std::mem::take(&mut self.elements[p as usize]) {
            for i in std::mem::take(&mut self.members[e as usize]) {
                if !self.done[i as usize] && self.stamp[i as usize] != turn {
                    self.stamp[i as usize] = turn;
                    clique.push(i);
                }
            }
        }
        self.count_outside(&clique, turn);
        for &i in &clique {
            self.join(i as usize, p, clique.len(), turn);
        }
        self.members[p as usize] = clique;
    }

    /// |L_e \ L_p| of every element that shares a vertex with the new one.
    fn count_outside(&mut self, clique: &[u32], turn: u32) {
        for &i in clique {
            for &e in &self.elements[i as usize] {
                let e = e as usize;
                if self.outside[e].0 != turn {
                    self.members[e].retain(|&x| !self.done[x as usize]);
                    self.outside[e] = (turn, self.members[e].len());
                }
                self.outside[e].1 = self.outside[e].1.saturating_sub(1);
            }
        }
    }

    /// Replaces what vertex i had inside the new element of p by that element, and measures its degree again.
    fn join(&mut self, i: usize, p: u32, size: usize, turn: u32) {
        let (done, stamp, outside, members) = (&self.done, &self.stamp, &self.outside, &self.members);
        self.edges[i].retain(|&x| !done[x as usize] && stamp[x as usize] != turn);
        // An element wholly inside the new one is absorbed.
        self.elements[i].retain(|&e| !members[e as usize].is_empty() && outside[e as usize].1 > 0);
        let others: usize = self.elements[i].iter().map(|&e| outside[e as usize].1).sum();
        self.elements[i].push(p);
        let degree = self.edges[i].len() + size - 1 + others;
        self.queue.remove(&(self.degree[i], i as u32));
        self.degree[i] = degree;
        self.queue.insert((degree, i as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::matrix::Pattern;

    fn fill(n: usize, edges: &[(usize, usize)]) -> usize {
        let mut order = Vec::new();
        MinimumDegree::default().order(n, edges, &mut order);
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(k, &v)| place[v] = k);
        let mut seen = order.clone();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..n), "not a permutation");
        let moved: Vec<_> = edges.iter().map(|&(a, b)| (place[a], place[b])).collect();
        Pattern::new(vec![1; n], &moved).fill_blocks
    }

    #[test]
    fn a_tree_has_no_fill() {
        let edges: Vec<_> = (1..200).map(|k| (k, (k * 7 + 3) % k)).collect();
        assert_eq!(fill(200, &edges), 0);
    }

    #[test]
    fn a_grid_fills_much_less_than_row_by_row() {
        let n = 30;
        let mut edges = Vec::new();
        for y in 0..n {
            for x in 0..n {
                if x + 1 < n {
                    edges.push((y * n + x, y * n + x + 1));
                }
                if y + 1 < n {
                    edges.push((y * n + x, (y + 1) * n + x));
                }
            }
        }
        let rows = Pattern::new(vec![1; n * n], &edges).fill_blocks;
        let ours = fill(n * n, &edges);
        assert!(3 * ours < rows, "{ours} against {rows}");
    }
}
