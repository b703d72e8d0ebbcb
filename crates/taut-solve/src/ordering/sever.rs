//! Nested dissection of nets of joints by cuts through joints.
//!
//! Where the matrix couples bodies only through the rows of their joints, the cheapest separator of a region is made of joints: those
//! across a short cut, three scalars each for ball joints, where the bodies along it would have six and the rows of all their joints
//! besides. Both sides come first, each ordered in the same way, then the joints across. So a row comes after its nodes, and what is
//! open when a region is done are the joints on its rim.
//!
//! A joint closes a loop when the joints before it connect its ends, the ground being an end like others. It is then the last of its
//! cycle, as in the order along a forest, and its pivot is the cycle's own freedom. The others are a spanning forest.

use super::placed::Placed;
use super::{Coupling, Vertex, find};

/// Joints of each node.
pub(super) struct Joints {
    start: Vec<usize>,
    /// The other end, itself for the ground, and the joint.
    to: Vec<(u32, u32)>,
    /// Side of each node of the region at hand.
    side: Vec<u32>,
    sides: u32,
}

impl Joints {
    pub(super) fn new(nodes: usize, couplings: &[Coupling]) -> Self {
        let ends = |c: &Coupling| {
            let (a, b) = (c.a.or(c.b), c.b.or(c.a));
            a.zip(b)
        };
        let mut start = vec![0; nodes + 1];
        for (a, b) in couplings.iter().filter(|c| c.rows).filter_map(ends) {
            start[a + 1] += 1;
            start[b + 1] += usize::from(a != b);
        }
        for k in 0..nodes {
            start[k + 1] += start[k];
        }
        let (mut to, mut next) = (vec![(0, 0); start[nodes]], start.clone());
        for (k, c) in couplings.iter().enumerate().filter(|(_, c)| c.rows) {
            let Some((a, b)) = ends(c) else { continue };
            to[next[a]] = (b as u32, k as u32);
            next[a] += 1;
            if a != b {
                to[next[b]] = (a as u32, k as u32);
                next[b] += 1;
            }
        }
        Joints { start, to, side: vec![0; nodes], sides: 0 }
    }

    fn of(&self, x: u32) -> &[(u32, u32)] {
        &self.to[self.start[x as usize]..self.start[x as usize + 1]]
    }

    /// Nodes and joints of a component in the order of elimination.
    pub(super) fn order(&mut self, nodes: Vec<u32>, placed: &Placed) -> Vec<Vertex> {
        // From the end: what is across a cut before its sides.
        let mut order = Vec::new();
        let mut stack = vec![nodes];
        while let Some(region) = stack.pop() {
            if let [x] = region[..] {
                let held = self.of(x).iter().rev().filter(|j| j.0 == x);
                order.extend(held.map(|j| Vertex::Rows(j.1 as usize)));
                order.push(Vertex::Node(x as usize));
                continue;
            }
            let (at, sorted, across) = self.cut(&region, placed);
            order.extend(across.into_iter().rev().map(|k| Vertex::Rows(k as usize)));
            let (first, second) = sorted.split_at(at);
            stack.extend([first.to_vec(), second.to_vec()]);
        }
        order.reverse();
        order
    }

    /// The nodes sorted, the number of those on the first side, and the joints across: the shorter of two straight cuts.
    fn cut(&mut self, region: &[u32], placed: &Placed) -> (usize, Vec<u32>, Vec<u32>) {
        let longest = placed.longest(region);
        let axes = [longest, 1 - longest.min(1)];
        let [one, other] = axes.map(|axis| self.cut_along(region, axis, placed));
        if other.2.len() < one.2.len() { other } else { one }
    }

    /// A cut in halves across an axis.
    fn cut_along(&mut self, region: &[u32], axis: usize, placed: &Placed) -> (usize, Vec<u32>, Vec<u32>) {
        let (sorted, at) = placed.halves(region, axis);
        self.sides += 1;
        sorted[..at].iter().for_each(|&x| self.side[x as usize] = self.sides);
        self.sides += 1;
        sorted[at..].iter().for_each(|&x| self.side[x as usize] = self.sides);
        let beyond = |&&(y, _): &&(u32, u32)| self.side[y as usize] == self.sides;
        // Along the cut, so that what regions beside it touch are stretches of it.
        let along = |x: u32| placed.at(x, 1 - axis.min(1));
        let mut across: Vec<(f64, u32)> =
            sorted[..at].iter().flat_map(|&x| self.of(x).iter().filter(beyond).map(move |j| (along(x), j.1))).collect();
        across.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        (at, sorted, across.into_iter().map(|a| a.1).collect())
    }
}

/// Marks which joints of an order are branches of a spanning forest and which close loops.
pub(super) fn mark(
    order: &[Vertex],
    couplings: &[Coupling],
    name: &mut [usize],
    branch: &mut [bool],
    closes: &mut [bool],
) {
    // The last name is that of the ground.
    let ground = name.len() - 1;
    for v in order {
        let Vertex::Rows(k) = *v else { continue };
        let [a, b] = [couplings[k].a, couplings[k].b].map(|x| find(name, x.unwrap_or(ground)));
        (branch[k], closes[k]) = (a != b, a == b);
        name[a] = b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ordering::{Places, order_placed};

    /// Ball joints between the bodies of a grid, whose first row hangs on the ground.
    fn net(columns: usize, rows: usize) -> Vec<Coupling> {
        let joint = |a: usize, b: Option<usize>| Coupling { a: Some(a), b, rows: true };
        let down = (0..columns * rows).map(|k| joint(k, k.checked_sub(columns)));
        let across = (0..columns * rows).filter(|k| k % columns > 0).map(|k| joint(k, Some(k - 1)));
        down.chain(across).collect()
    }

    fn ordered(nodes: usize, couplings: &[Coupling]) -> crate::ordering::Order {
        let (at, points, lines) = (vec![None; nodes], vec![false; nodes], vec![false; couplings.len()]);
        order_placed(
            nodes,
            couplings,
            Some(Places { at: &at, elements: couplings.len(), points: &points, lines: &lines }),
        )
    }

    #[test]
    fn rows_follow_their_nodes_and_the_last_cut_comes_last() {
        let (columns, rows) = (24, 12);
        let couplings = net(columns, rows);
        let order = ordered(columns * rows, &couplings);
        assert_eq!(order.sequence.len(), columns * rows + couplings.len());
        let mut place = [vec![usize::MAX; columns * rows], vec![usize::MAX; couplings.len()]];
        for (at, v) in order.sequence.iter().enumerate() {
            let seen = match *v {
                Vertex::Node(n) => &mut place[0][n],
                Vertex::Rows(k) => &mut place[1][k],
            };
            assert_eq!(*seen, usize::MAX);
            *seen = at;
        }
        for (k, c) in couplings.iter().enumerate() {
            assert!([c.a, c.b].into_iter().flatten().all(|n| place[0][n] < place[1][k]));
        }
        // Straight across the middle, one joint of each row of bodies, in their order.
        let last: Vec<[usize; 2]> = order.sequence[order.sequence.len() - rows..]
            .iter()
            .map(|v| match *v {
                Vertex::Rows(k) => [couplings[k].a.unwrap(), couplings[k].b.unwrap()],
                Vertex::Node(n) => panic!("node {n}"),
            })
            .collect();
        assert!(last.iter().all(|[a, b]| (a % columns, b % columns) == (columns / 2, columns / 2 - 1)), "{last:?}");
        assert!(last.is_sorted() || last.iter().rev().is_sorted(), "{last:?}");
    }

    #[test]
    fn what_closes_no_loop_is_a_forest_on_the_ground() {
        let (columns, rows) = (15, 9);
        let couplings = net(columns, rows);
        let order = ordered(columns * rows, &couplings);
        let loops = order.closes_loop.iter().filter(|&&c| c).count();
        assert_eq!(couplings.len() - loops, columns * rows);
        assert!(order.closes_loop.iter().zip(&order.is_branch).all(|(a, b)| a != b));
        let mut reached = vec![false; columns * rows];
        for _ in 0..columns * rows {
            for (k, c) in couplings.iter().enumerate().filter(|(k, _)| order.is_branch[*k]) {
                let ends = [c.a, c.b];
                if ends.iter().any(|x| x.is_none_or(|x| reached[x])) {
                    ends.into_iter().flatten().for_each(|x| reached[x] = true);
                }
                assert!(!order.closes_loop[k]);
            }
        }
        assert!(reached.iter().all(|&r| r));
    }

    #[test]
    fn springs_and_rods_keep_a_net_on_its_forest() {
        let mut couplings = net(12, 12);
        couplings.push(Coupling { a: Some(0), b: Some(13), rows: false });
        let order = ordered(144, &couplings);
        assert_eq!((order.is_placed, order.is_woven), (vec![false], vec![false]));
        couplings.pop();
        let order = ordered(144, &couplings);
        assert_eq!((order.is_placed, order.is_woven), (vec![true], vec![true]));
    }
}
