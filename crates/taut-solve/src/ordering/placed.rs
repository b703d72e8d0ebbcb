//! Nested dissection by coordinates, for nodes that fill space and have no forest to follow: elements of deformables, and large nets of
//! particles, where nearly all rows close loops.
//!
//! A region is cut across its longest side where half of its nodes are on either side. The nodes of one side that touch the other are
//! the separator: they come last, when nothing else of the region is left. Small regions are ordered by minimum degree, with what they
//! touch outside counted. A solid of n nodes has separators of n^(2/3) nodes at most, a sheet of n^(1/2).
//!
//! Nodes of a net have no places of their own: where they are now must not decide about the order, or a run that is taken up again would
//! round differently. Their coordinates are made of distances, in couplings, from three ends of the net: `p = d_a - d_b` between the two
//! ends that are farthest from each other, and `q = 2 d_c` from the node that is farthest from both; `p + q` and `p - q` are the
//! sides of a square net.

use super::{Coupling, Vertex};
use crate::tuning::T;

/// Where nodes are, for couplings that come from elements.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// Where each node rests; none where that is not known.
    pub at: &'a [Option<[f64; 3]>],
    /// Couplings from this one on are of elements.
    pub elements: usize,
    /// Which nodes are points.
    pub points: &'a [bool],
    /// Which couplings have rows along a line, so that the matrix couples their nodes directly.
    pub lines: &'a [bool],
}

/// How a component is ordered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    /// Along a forest.
    Forest,
    /// By the places of its nodes.
    Elements,
    /// By distances in its graph.
    Net,
    /// By cuts through its joints, by distances in its graph.
    Joints,
}

impl Places<'_> {
    /// The way of each component, by name: those of which most couplings are elements, and large nets of points.
    pub(super) fn ways(&self, couplings: &[Coupling], component: &[usize]) -> Vec<Way> {
        let n = component.len();
        let (mut more, mut rows, mut nodes) = (vec![0_i64; n], vec![0; n], vec![0; n]);
        let (mut net, mut joints) = (vec![true; n], vec![true; n]);
        for (k, c) in couplings.iter().enumerate() {
            if let Some(x) = c.a.or(c.b).map(|x| component[x]) {
                more[x] += if k < self.elements { -1 } else { 1 };
                rows[x] += usize::from(c.rows);
                net[x] &= k < self.elements;
                joints[x] &= c.rows && !self.lines.get(k).copied().unwrap_or(false);
            }
        }
        for (x, &name) in component.iter().enumerate() {
            nodes[name] += 1;
            net[name] &= self.points[x];
        }
        let has_loops = |x: usize, part: f64| rows[x] as f64 >= (1.0 + part) * nodes[x] as f64;
        let way = |x: usize| match more[x] > 0 {
            true => Way::Elements,
            false if joints[x] && nodes[x] >= T.ordering.joints && has_loops(x, T.ordering.woven) => Way::Joints,
            false if net[x] && nodes[x] >= T.ordering.net && has_loops(x, T.ordering.loops) => Way::Net,
            false => Way::Forest,
        };
        (0..n).map(way).collect()
    }
}

/// The graph of the nodes, and where they are.
pub(super) struct Placed {
    start: Vec<usize>,
    to: Vec<u32>,
    at: Vec<[f64; 3]>,
    /// Region of each node.
    part: Vec<u32>,
    parts: u32,
}

impl Placed {
    pub(super) fn new(nodes: usize, couplings: &[Coupling], places: &Places<'_>) -> Self {
        let mut start = vec![0; nodes + 1];
        let pairs = || couplings.iter().filter_map(|c| c.a.zip(c.b)).filter(|(a, b)| a != b);
        for (a, b) in pairs() {
            start[a + 1] += 1;
            start[b + 1] += 1;
        }
        for k in 0..nodes {
            start[k + 1] += start[k];
        }
        let (mut to, mut next) = (vec![0; start[nodes]], start.clone());
        for (a, b) in pairs() {
            (to[next[a]], to[next[b]]) = (b as u32, a as u32);
            (next[a], next[b]) = (next[a] + 1, next[b] + 1);
        }
        let mut placed = Placed { start, to, at: Vec::new(), part: vec![0; nodes], parts: 0 };
        placed.place(places.at);
        placed
    }

    fn touched(&self, x: u32) -> &[u32] {
        &self.to[self.start[x as usize]..self.start[x as usize + 1]]
    }

    /// A node without a place takes that of the nearest one that has one.
    fn place(&mut self, at: &[Option<[f64; 3]>]) {
        let mut known: Vec<Option<[f64; 3]>> = at.to_vec();
        let mut queue: Vec<u32> = (0..known.len() as u32).filter(|&x| known[x as usize].is_some()).collect();
        let mut head = 0;
        while head < queue.len() {
            let from = queue[head];
            for &y in self.touched(from) {
                if known[y as usize].is_none() {
                    known[y as usize] = known[from as usize];
                    queue.push(y);
                }
            }
            head += 1;
        }
        self.at = known.into_iter().map(Option::unwrap_or_default).collect();
    }

    /// Gives the nodes of a net coordinates by distances in it.
    pub(super) fn unfold(&mut self, nodes: &[u32]) {
        let Some(&any) = nodes.first() else { return };
        let far = |d: &[f64]| nodes.iter().copied().fold(any, |a, x| if d[x as usize] > d[a as usize] { x } else { a });
        let mut of = [(); 4].map(|()| vec![0.0; self.part.len()]);
        let [middle, a, b, both] = &mut of;
        self.distances(any, middle);
        let end = far(middle);
        self.distances(end, a);
        self.distances(far(a), b);
        nodes.iter().for_each(|&x| both[x as usize] = a[x as usize].min(b[x as usize]));
        self.distances(far(both), middle);
        for x in nodes.iter().map(|&x| x as usize) {
            let (p, q) = (a[x] - b[x], 2.0 * middle[x]);
            self.at[x] = [p + q, p - q, 0.0];
        }
    }

    /// Couplings from a node to each of those that it is connected to.
    fn distances(&self, from: u32, out: &mut [f64]) {
        out.fill(-1.0);
        out[from as usize] = 0.0;
        let (mut queue, mut head) = (vec![from], 0);
        while let Some(&x) = queue.get(head) {
            for &y in self.touched(x) {
                if out[y as usize] < 0.0 {
                    out[y as usize] = out[x as usize] + 1.0;
                    queue.push(y);
                }
            }
            head += 1;
        }
    }

    /// The nodes of a component in the order of elimination.
    pub(super) fn order(&mut self, nodes: Vec<u32>) -> Vec<u32> {
        // From the end: separators first.
        let mut order = Vec::with_capacity(nodes.len());
        let mut stack = vec![nodes];
        while let Some(region) = stack.pop() {
            if region.len() <= T.ordering.leaf {
                let leaf = self.leaf(&region);
                order.extend(leaf.into_iter().rev());
                continue;
            }
            match self.cut(&region) {
                Some([first, second, separator]) => {
                    order.extend(separator.into_iter().rev());
                    stack.extend([first, second].into_iter().filter(|part| !part.is_empty()));
                }
                // All nodes at one place.
                None => order.extend(region.into_iter().rev()),
            }
        }
        order.reverse();
        order
    }

    /// Two sides that do not touch, and what is between them.
    fn cut(&mut self, region: &[u32]) -> Option<[Vec<u32>; 3]> {
        let (sorted, at) = self.sorted(region, self.longest(region));
        if at == 0 {
            return None;
        }
        self.parts += 2;
        let (first, second) = sorted.split_at(at);
        first.iter().for_each(|&x| self.part[x as usize] = self.parts - 1);
        second.iter().for_each(|&x| self.part[x as usize] = self.parts);
        let touches = |x: u32, part: u32| self.touched(x).iter().any(|&y| self.part[y as usize] == part);
        let split =
            |side: &[u32], other: u32| -> (Vec<u32>, Vec<u32>) { side.iter().partition(|&&x| touches(x, other)) };
        let (of_first, left) = split(first, self.parts);
        let (of_second, right) = split(second, self.parts - 1);
        let even = |a: &[u32], b: &[u32]| a.len().abs_diff(b.len());
        let take_first = (of_first.len(), even(&left, second)) < (of_second.len(), even(first, &right));
        let mut parts = if take_first { [left, second.to_vec(), of_first] } else { [first.to_vec(), right, of_second] };
        parts[2].sort_unstable();
        Some(parts)
    }

    /// The nodes of a region along an axis, and how many of them are on the first side of its middle; none where all are at one place.
    fn sorted(&self, region: &[u32], axis: usize) -> (Vec<u32>, usize) {
        let mut sorted = region.to_vec();
        let along = |x: u32| self.at[x as usize][axis];
        sorted.sort_unstable_by(|&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        // Nodes of the same coordinate stay together.
        let middle = along(sorted[sorted.len() / 2]);
        let low = sorted.partition_point(|&x| along(x) < middle);
        let high = sorted.partition_point(|&x| along(x) <= middle);
        let half = sorted.len() / 2;
        let at = if low > 0 && half - low <= high - half { low } else { high };
        let at = if at == sorted.len() { low } else { at };
        (sorted, at)
    }

    /// The same, in halves where all are at one place.
    pub(super) fn halves(&self, region: &[u32], axis: usize) -> (Vec<u32>, usize) {
        let (sorted, at) = self.sorted(region, axis);
        let half = sorted.len() / 2;
        (sorted, if at == 0 { half } else { at })
    }

    /// Where a node is along an axis.
    pub(super) fn at(&self, x: u32, axis: usize) -> f64 {
        self.at[x as usize][axis]
    }

    /// The axis along which a region is longest.
    pub(super) fn longest(&self, region: &[u32]) -> usize {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &x in region {
            for c in 0..3 {
                low[c] = low[c].min(self.at[x as usize][c]);
                high[c] = high[c].max(self.at[x as usize][c]);
            }
        }
        let side = |c: usize| high[c] - low[c];
        (1..3).fold(0, |best, c| if side(c) > side(best) { c } else { best })
    }

    /// A small region by minimum degree; ties go to the smallest node.
    fn leaf(&mut self, region: &[u32]) -> Vec<u32> {
        self.parts += 1;
        let mut nodes = region.to_vec();
        nodes.sort_unstable();
        let count = nodes.len();
        nodes.iter().for_each(|&x| self.part[x as usize] = self.parts);
        let mut outside: Vec<u32> = nodes.iter().flat_map(|&x| self.touched(x)).copied().collect();
        outside.retain(|&y| self.part[y as usize] != self.parts);
        outside.sort_unstable();
        outside.dedup();
        let local = |y: u32| match nodes.binary_search(&y) {
            Ok(k) => k,
            Err(_) => count + outside.partition_point(|&z| z < y),
        };
        let words = (count + outside.len()).div_ceil(64);
        let mut touch: Vec<Vec<u64>> = vec![vec![0; words]; count];
        for (set, &x) in touch.iter_mut().zip(&nodes) {
            self.touched(x).iter().map(|&y| local(y)).for_each(|k| set[k / 64] |= 1 << (k % 64));
        }
        least_degree(touch).into_iter().map(|k| nodes[k]).collect()
    }
}

/// Eliminates the vertices that have a set, always one that touches fewest; the others only count.
fn least_degree(mut touch: Vec<Vec<u64>>) -> Vec<usize> {
    let mut left: Vec<usize> = (0..touch.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    let degree = |set: &[u64]| set.iter().map(|w| w.count_ones()).sum::<u32>();
    while let Some(at) = (0..left.len()).min_by_key(|&at| (degree(&touch[left[at]]), left[at])) {
        let p = left.swap_remove(at);
        let set = std::mem::take(&mut touch[p]);
        for &k in left.iter().filter(|&&k| set[k / 64] >> (k % 64) & 1 == 1) {
            touch[k].iter_mut().zip(&set).for_each(|(a, b)| *a |= b);
            touch[k][k / 64] &= !(1 << (k % 64));
            touch[k][p / 64] &= !(1 << (p % 64));
        }
        order.push(p);
    }
    order
}

/// Nodes in this order, with each of the rows right after the last of its nodes: nothing can be missing from its pivot then.
pub(super) fn with_rows(order: &[u32], rows: &[usize], couplings: &[Coupling], place: &mut [usize]) -> Vec<Vertex> {
    order.iter().enumerate().for_each(|(at, &x)| place[x as usize] = at);
    let last = |k: usize| [couplings[k].a, couplings[k].b].into_iter().flatten().map(|x| place[x]).max().unwrap_or(0);
    let mut rows: Vec<(usize, usize)> = rows.iter().map(|&k| (last(k), k)).collect();
    rows.sort_unstable();
    let (mut out, mut next) = (Vec::with_capacity(order.len() + rows.len()), 0);
    for (at, &x) in order.iter().enumerate() {
        out.push(Vertex::Node(x as usize));
        while let Some(&(_, k)) = rows.get(next).filter(|r| r.0 == at) {
            out.push(Vertex::Rows(k));
            next += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ordering::order_placed;

    /// A grid of nodes with the couplings of bricks, along x fastest.
    fn grid(n: [usize; 3]) -> (Vec<Option<[f64; 3]>>, Vec<Coupling>) {
        let at = |k: usize| [k % n[0], k / n[0] % n[1], k / (n[0] * n[1])];
        let all = n[0] * n[1] * n[2];
        let near = |a: usize, b: usize| (0..3).all(|c| at(a)[c].abs_diff(at(b)[c]) <= 1);
        let mut couplings = Vec::new();
        for a in 0..all {
            couplings.extend((a + 1..all).filter(|&b| near(a, b)).map(|b| Coupling {
                a: Some(a),
                b: Some(b),
                rows: false,
            }));
        }
        ((0..all).map(|k| Some(at(k).map(|c| c as f64))).collect(), couplings)
    }

    #[test]
    fn every_node_comes_once_and_the_middle_of_a_bar_last() {
        let (at, couplings) = grid([33, 3, 3]);
        let order = order_placed(
            at.len(),
            &couplings,
            Some(Places { at: &at, elements: 0, points: &vec![true; at.len()], lines: &[] }),
        );
        let mut seen: Vec<usize> =
            order.sequence.iter().map(|v| if let Vertex::Node(n) = v { *n } else { 0 }).collect();
        assert!(seen[seen.len() - 9..].iter().all(|n| n % 33 == 16), "{seen:?}");
        seen.sort_unstable();
        assert_eq!(seen, (0..at.len()).collect::<Vec<_>>());
    }

    #[test]
    fn rows_follow_the_last_of_their_nodes() {
        let (at, mut couplings) = grid([9, 9, 1]);
        let rows = [(3, 40), (0, 80), (40, 41)].map(|(a, b)| Coupling { a: Some(a), b: Some(b), rows: true });
        couplings.splice(0..0, rows);
        let order = order_placed(
            at.len(),
            &couplings,
            Some(Places { at: &at, elements: 3, points: &vec![true; at.len()], lines: &[] }),
        );
        let place = |v: Vertex| order.sequence.iter().position(|&x| x == v).unwrap();
        for (k, c) in couplings[..3].iter().enumerate() {
            let nodes = [c.a, c.b].into_iter().flatten().map(|n| place(Vertex::Node(n)));
            assert!(nodes.max().unwrap() < place(Vertex::Rows(k)));
        }
        assert_eq!(order.sequence.len(), at.len() + 3);
    }

    #[test]
    fn a_net_of_points_is_cut_across_and_all_its_rows_may_close_loops() {
        let n = 40;
        let link = |a: usize, b: usize| Coupling { a: Some(a), b: Some(b), rows: true };
        let across = (0..n * n).filter(|k| k % n > 0).map(|k| link(k - 1, k));
        let couplings: Vec<Coupling> = across.chain((n..n * n).map(|k| link(k - n, k))).collect();
        let points = vec![true; n * n];
        let places = Places {
            at: &vec![None; n * n],
            elements: couplings.len(),
            points: &points,
            lines: &vec![true; couplings.len()],
        };
        let order = order_placed(n * n, &couplings, Some(places));
        assert_eq!((order.is_placed, order.closes_loop), (vec![true], vec![true; couplings.len()]));
        // The last separator is a line through the middle, with the rows along it.
        let last: Vec<usize> =
            order.sequence.iter().rev().filter_map(|v| if let Vertex::Node(k) = v { Some(*k) } else { None }).collect();
        let (rows, columns) = (last[0] / n, last[0] % n);
        let line = |k: &usize| k / n == rows || k % n == columns;
        assert!(
            last[..n].iter().all(line) && (rows.abs_diff(n / 2) < 2 || columns.abs_diff(n / 2) < 2),
            "{:?}",
            &last[..n]
        );
        // A smaller one, or one of bodies, follows its forest.
        let places = Places { points: &vec![false; n * n], ..places };
        assert_eq!(order_placed(n * n, &couplings, Some(places)).is_placed, vec![false]);
    }
}
