//! Spanning trees of the graph of joints, grown from the ground.

use super::dissect::Dissection;
use super::{Coupling, Vertex};

/// Who is coupled to whom.
pub(super) struct Graph {
    /// Neighbours of each node, with the coupling.
    pub adjacent: Vec<Vec<(usize, usize)>>,
    /// Nodes joined to the ground, with the joint.
    pub grounded: Vec<(usize, usize)>,
    /// Whether a coupling is a joint.
    pub joints: Vec<bool>,
}

impl Graph {
    fn new(nodes: usize, couplings: &[Coupling]) -> Self {
        let mut adjacent: Vec<Vec<(usize, usize)>> = vec![Vec::new(); nodes];
        let mut grounded: Vec<(usize, usize)> = Vec::new();
        for (k, c) in couplings.iter().enumerate() {
            match (c.a, c.b) {
                (Some(a), Some(b)) => {
                    adjacent[a].push((b, k));
                    adjacent[b].push((a, k));
                }
                (Some(a), None) | (None, Some(a)) if c.rows => grounded.push((a, k)),
                _ => {}
            }
        }
        Graph { adjacent, grounded, joints: couplings.iter().map(|c| c.rows).collect() }
    }
}

#[derive(Clone)]
pub(super) struct Tree {
    parent: Vec<Option<usize>>,
    parent_coupling: Vec<Option<usize>>,
    depth: Vec<usize>,
    children: Vec<Vec<usize>>,
    /// Root of each node's tree.
    pub root: Vec<usize>,
    pub roots: Vec<usize>,
    /// Couplings that are branches.
    pub is_tree: Vec<bool>,
}

impl Tree {
    fn empty(nodes: usize, couplings: usize) -> Self {
        Tree {
            parent: vec![None; nodes],
            parent_coupling: vec![None; nodes],
            depth: vec![0; nodes],
            children: vec![Vec::new(); nodes],
            root: vec![usize::MAX; nodes],
            roots: Vec::new(),
            is_tree: vec![false; couplings],
        }
    }

    /// The tree that leaves fewer loops open, component by component.
    /// Components that are dissected by the places of their nodes keep the first.
    pub(super) fn best(nodes: usize, couplings: &[Coupling], component: &[usize], dissected: &[bool]) -> Self {
        let graph = Graph::new(nodes, couplings);
        let wide = Tree::breadth_first(&graph, couplings.len());
        let mut loops = vec![0; nodes];
        for (_, c) in couplings.iter().enumerate().filter(|&(k, c)| c.rows && !wide.is_tree[k]) {
            if let Some(x) = c.a.or(c.b) {
                loops[component[x]] += 1;
            }
        }
        if loops.iter().zip(dissected).all(|(&c, &dissected)| c < 2 || dissected) {
            return wide;
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); nodes];
        for x in (0..nodes).filter(|&x| !dissected[component[x]]) {
            members[component[x]].push(x);
        }
        let mut compact = Tree::empty(nodes, couplings.len());
        let mut search = Dissection::new(&graph);
        for m in members.iter().filter(|m| !m.is_empty()) {
            search.span(m.clone(), &mut compact);
        }
        compact.measure();
        let (a, b) = (wide.cost(couplings, component), compact.cost(couplings, component));
        let mut best = Tree::empty(nodes, couplings.len());
        for (from, chosen) in [(&wide, false), (&compact, true)] {
            let mine = |x: usize| (b[component[x]] < a[component[x]] && !dissected[component[x]]) == chosen;
            for x in (0..nodes).filter(|&x| mine(x)) {
                if let (Some(p), Some(k)) = (from.parent[x], from.parent_coupling[x]) {
                    best.attach(x, p, k);
                }
            }
            for &r in from.roots.iter().filter(|&&r| mine(r)) {
                best.plant(r, from.parent_coupling[r]);
            }
        }
        best.measure();
        best
    }

    /// A root, with its joint to the ground.
    pub(super) fn plant(&mut self, x: usize, coupling: Option<usize>) {
        self.parent_coupling[x] = coupling;
        self.roots.push(x);
        if let Some(k) = coupling {
            self.is_tree[k] = true;
        }
    }

    /// A branch.
    pub(super) fn attach(&mut self, x: usize, parent: usize, coupling: usize) {
        self.parent[x] = Some(parent);
        self.parent_coupling[x] = Some(coupling);
        self.children[parent].push(x);
        self.is_tree[coupling] = true;
    }

    /// Depths and roots, once all branches are there.
    fn measure(&mut self) {
        for &r in &self.roots {
            let mut stack = vec![r];
            self.depth[r] = 0;
            while let Some(x) = stack.pop() {
                self.root[x] = r;
                for c in 0..self.children[x].len() {
                    let y = self.children[x][c];
                    self.depth[y] = self.depth[x] + 1;
                    stack.push(y);
                }
            }
        }
    }

    /// What eliminating each component costs, roughly: the square of the loops open at each node, summed.
    fn cost(&self, couplings: &[Coupling], component: &[usize]) -> Vec<f64> {
        let n = self.parent.len();
        let mut open = vec![0_i64; n];
        for (_, c) in couplings.iter().enumerate().filter(|&(k, c)| c.rows && !self.is_tree[k]) {
            for x in [c.a, c.b].into_iter().flatten() {
                open[x] += 1;
            }
            if let (Some(a), Some(b)) = (c.a, c.b)
                && let Some(x) = self.common_ancestor(a, b)
            {
                open[x] -= 2;
            }
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&x| std::cmp::Reverse(self.depth[x]));
        let mut cost = vec![0.0; n];
        for x in order {
            let here = open[x] as f64;
            cost[component[x]] += (1.0 + here) * (1.0 + here);
            if let Some(p) = self.parent[x] {
                open[p] += open[x];
            }
        }
        cost
    }

    /// Breadth first from the ground.
    fn breadth_first(graph: &Graph, couplings: usize) -> Self {
        let mut t = Tree::empty(graph.adjacent.len(), couplings);
        let mut queue = Vec::with_capacity(graph.adjacent.len());
        for &(a, k) in &graph.grounded {
            if t.root[a] == usize::MAX {
                t.plant(a, Some(k));
                t.root[a] = a;
                queue.push(a);
            }
        }
        t.spread(graph, &mut queue, 0);
        for a in 0..graph.adjacent.len() {
            if t.root[a] == usize::MAX {
                t.plant(a, None);
                t.root[a] = a;
                let from = queue.len();
                queue.push(a);
                t.spread(graph, &mut queue, from);
            }
        }
        t
    }

    /// Grows the tree from the nodes of `queue` on, breadth first over joints; a spring only where no joint leads on.
    fn spread(&mut self, graph: &Graph, queue: &mut Vec<usize>, from: usize) {
        let (mut head, mut spring_head) = (from, from);
        while spring_head < queue.len() {
            while head < queue.len() {
                self.visit(queue[head], graph, queue, true);
                head += 1;
            }
            self.visit(queue[spring_head], graph, queue, false);
            spring_head += 1;
        }
    }

    /// Takes the new neighbours of x over joints or over springs.
    fn visit(&mut self, x: usize, graph: &Graph, queue: &mut Vec<usize>, joints: bool) {
        for &(y, k) in &graph.adjacent[x] {
            if graph.joints[k] == joints && self.root[y] == usize::MAX {
                self.attach(y, x, k);
                self.root[y] = self.root[x];
                self.depth[y] = self.depth[x] + 1;
                queue.push(y);
            }
        }
    }

    pub(super) fn common_ancestor(&self, a: usize, b: usize) -> Option<usize> {
        let (mut a, mut b) = (a, b);
        while a != b {
            if self.depth[a] >= self.depth[b] {
                a = self.parent[a]?;
            } else {
                b = self.parent[b]?;
            }
        }
        Some(a)
    }

    pub(super) fn post_order(
        &self,
        root: usize,
        waiting: &[Vec<usize>],
        couplings: &[Coupling],
        out: &mut Vec<Vertex>,
    ) {
        let mut stack = vec![(root, 0)];
        while let Some((x, next)) = stack.pop() {
            if next < self.children[x].len() {
                stack.push((x, next + 1));
                stack.push((self.children[x][next], 0));
                continue;
            }
            out.extend(waiting[x].iter().map(|&k| Vertex::Rows(k)));
            out.push(Vertex::Node(x));
            if let Some(k) = self.parent_coupling[x].filter(|&k| couplings[k].rows) {
                out.push(Vertex::Rows(k));
            }
        }
    }
}
