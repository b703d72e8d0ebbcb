//! A spanning tree for graphs with many loops: nested dissection.
//!
//! A loop joint waits until its two ends have grown together, so what is open when a node is eliminated is the edge boundary of
//! its subtree. A breadth-first tree of a net has subtrees that are long and thin: nearly all loops stay open to the end. Here a
//! region is cut into two by a breadth-first search from its rim, each part gets a tree of its own, one joint across the cut makes
//! them one, and so on inside the parts: subtrees are compact, and a net of n nodes has O(sqrt n) open loops.

use super::tree::{Graph, Tree};
use crate::tuning::T;

/// Labels of nodes outside the region at hand, and in its first half.
const NOWHERE: usize = usize::MAX;
const NEAR: usize = usize::MAX - 1;

/// Where the tree of a part starts.
#[derive(Clone, Copy)]
enum Root {
    /// At all its nodes that are joined to the ground.
    Ground,
    /// At one node.
    Node(usize),
}

/// A part of the graph and its root, to be spanned.
struct Region {
    nodes: Vec<usize>,
    root: Root,
}

/// Working memory of the search.
pub(super) struct Dissection<'a> {
    graph: &'a Graph,
    /// Joint to the ground of each node that has one.
    grounded: Vec<Option<usize>>,
    /// Part of each node of the region at hand.
    part: Vec<usize>,
    /// Number of the search that saw each node last.
    seen: Vec<usize>,
    searches: usize,
    /// Distances from three ends of the region at hand.
    distance: [Vec<i64>; 3],
}

impl<'a> Dissection<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        let n = graph.adjacent.len();
        let mut grounded = vec![None; n];
        for &(a, k) in &graph.grounded {
            grounded[a].get_or_insert(k);
        }
        Dissection {
            graph,
            grounded,
            part: vec![NOWHERE; n],
            seen: vec![0; n],
            searches: 0,
            distance: [(); 3].map(|()| vec![0; n]),
        }
    }

    /// Spans the component of the graph with these nodes.
    pub(super) fn span(&mut self, nodes: Vec<usize>, t: &mut Tree) {
        let grounded = nodes.iter().any(|&x| self.grounded[x].is_some());
        let root = if grounded { Root::Ground } else { Root::Node(nodes[0]) };
        if let Root::Node(r) = root {
            t.plant(r, None);
        }
        let mut stack = vec![Region { nodes, root }];
        while let Some(region) = stack.pop() {
            if region.nodes.len() <= T.ordering.small {
                self.breadth_first(&region, t);
            } else {
                stack.extend(self.cut(region, t));
            }
        }
    }

    /// Spans a small region from its roots.
    fn breadth_first(&mut self, region: &Region, t: &mut Tree) {
        for &x in &region.nodes {
            self.part[x] = 0;
        }
        let mut queue = match region.root {
            Root::Node(r) => vec![r],
            Root::Ground => region.nodes.iter().copied().filter(|&x| self.grounded[x].is_some()).collect(),
        };
        for &x in &queue {
            if let (Root::Ground, Some(k)) = (region.root, self.grounded[x]) {
                t.plant(x, Some(k));
            }
            self.part[x] = NOWHERE;
        }
        // Over joints; over a spring only where no joint leads on, and from there over joints again.
        let (mut head, mut spring_head) = (0, 0);
        while spring_head < queue.len() {
            while head < queue.len() {
                self.visit(queue[head], true, &mut queue, t);
                head += 1;
            }
            self.visit(queue[spring_head], false, &mut queue, t);
            spring_head += 1;
        }
    }

    /// Takes the new neighbours of x over joints or over springs.
    fn visit(&mut self, x: usize, joints: bool, queue: &mut Vec<usize>, t: &mut Tree) {
        for &(y, k) in &self.graph.adjacent[x] {
            if self.graph.joints[k] == joints && self.part[y] == 0 {
                self.part[y] = NOWHERE;
                t.attach(y, x, k);
                queue.push(y);
            }
        }
    }

    /// Cuts a region in two halves and joins their pieces to a tree, by one edge each.
    fn cut(&mut self, region: Region, t: &mut Tree) -> Vec<Region> {
        for &x in &region.nodes {
            self.part[x] = 0;
        }
        let order = self.halves(&region.nodes);
        let half = order.len() / 2;
        order[..half].iter().for_each(|&x| self.part[x] = NEAR);
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for &x in &order {
            if self.part[x] == 0 || self.part[x] == NEAR {
                let piece = self.search(x);
                piece.iter().for_each(|&y| self.part[y] = parts.len() + 1);
                parts.push(piece);
            }
        }
        let mut roots: Vec<Option<Root>> = parts.iter().map(|p| self.root_in(p, region.root)).collect();
        // Pieces that have no root yet hang on one that has, as near to the root as may be.
        let mut rooted: Vec<usize> = (0..parts.len()).filter(|&p| roots[p].is_some()).collect();
        let mut head = 0;
        while head < rooted.len() && rooted.len() < parts.len() {
            for p in 0..parts.len() {
                if roots[p].is_none()
                    && let Some(root) = self.bridge(&parts[p], rooted[head] + 1, t)
                {
                    roots[p] = Some(root);
                    rooted.push(p);
                }
            }
            head += 1;
        }
        region.nodes.iter().for_each(|&x| self.part[x] = NOWHERE);
        parts.into_iter().zip(roots).filter_map(|(nodes, root)| Some(Region { nodes, root: root? })).collect()
    }

    /// The nodes of a region in an order whose middle is a short cut. Between two far ends nodes are ordered by the difference
    /// of their distances to them; a third end, far from both, gives two more such orders (a square is better cut straight
    /// than along its diagonal). The one with the fewest edges across its middle is taken.
    fn halves(&mut self, nodes: &[usize]) -> Vec<usize> {
        let p = self.measure(nodes[0], 0);
        let q = self.measure(p, 0);
        self.measure(q, 1);
        let (to_p, to_q) = (&self.distance[0], &self.distance[1]);
        let s = nodes.iter().copied().max_by_key(|&x| (to_p[x].min(to_q[x]), std::cmp::Reverse(x))).unwrap_or(p);
        self.measure(s, 2);
        let mut best = (usize::MAX, Vec::new());
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (&self.distance[a], &self.distance[b]);
            let mut order = nodes.to_vec();
            order.sort_by_key(|&x| (a[x] - b[x], a[x] + b[x], x));
            let half = order.len() / 2;
            order[..half].iter().for_each(|&x| self.part[x] = NEAR);
            let across = |x: &usize| self.graph.adjacent[*x].iter().filter(|&&(y, _)| self.part[y] == 0).count();
            let edges: usize = order[..half].iter().map(across).sum();
            order[..half].iter().for_each(|&x| self.part[x] = 0);
            if edges < best.0 {
                best = (edges, order);
            }
        }
        best.1
    }
    /// The root of a part, if the root of its region is in it.
    fn root_in(&self, part: &[usize], root: Root) -> Option<Root> {
        let inside = match root {
            Root::Ground => part.iter().any(|&x| self.grounded[x].is_some()),
            Root::Node(r) => part.contains(&r),
        };
        inside.then_some(root)
    }

    /// Hangs a part on the part with label `on`, by a joint if there is one; the middle one, so that the loops beside it are short.
    fn bridge(&self, part: &[usize], on: usize, t: &mut Tree) -> Option<Root> {
        for joints in [true, false] {
            let mut across = Vec::new();
            for &x in part {
                let edges = self.graph.adjacent[x].iter();
                across.extend(
                    edges.filter(|&&(y, k)| self.graph.joints[k] == joints && self.part[y] == on).map(|e| (x, *e)),
                );
            }
            if let Some(&(x, (y, k))) = across.get(across.len() / 2) {
                t.attach(x, y, k);
                return Some(Root::Node(x));
            }
        }
        None
    }

    /// Distances from a node inside its part; returns the last one reached.
    fn measure(&mut self, from: usize, which: usize) -> usize {
        let order = self.search(from);
        let mut distance = std::mem::take(&mut self.distance[which]);
        order.iter().for_each(|&x| distance[x] = i64::MAX);
        distance[from] = 0;
        for &x in &order {
            for &(y, _) in &self.graph.adjacent[x] {
                if self.part[y] == self.part[from] && distance[y] == i64::MAX {
                    distance[y] = distance[x] + 1;
                }
            }
        }
        self.distance[which] = distance;
        order.last().copied().unwrap_or(from)
    }

    /// Nodes of the part that `from` is in, breadth first.
    fn search(&mut self, from: usize) -> Vec<usize> {
        self.searches += 1;
        let label = self.part[from];
        let mut queue = vec![from];
        self.seen[from] = self.searches;
        let mut head = 0;
        while head < queue.len() {
            for &(y, _) in &self.graph.adjacent[queue[head]] {
                if self.part[y] == label && self.seen[y] != self.searches {
                    self.seen[y] = self.searches;
                    queue.push(y);
                }
            }
            head += 1;
        }
        queue
    }
}
