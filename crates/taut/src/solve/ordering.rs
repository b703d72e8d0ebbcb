//! The order of elimination: leaves to root on trees, loop rows at the lowest common ancestor of their cycle.
//!
//! Vertices are nodes (bodies, particles) and couplings (joints with rows, or springs without). A spanning tree is
//! grown breadth-first from the ground. Then, depth first: a node, then the joint to its parent. A joint that closes
//! a loop comes right before the lowest common ancestor of its two ends, when every other node of its cycle is gone:
//! its pivot is then the cycle's own freedom, so that a redundant row shows as a zero pivot and a genuine one does not.
//! A row never comes before a node that carries it on the side away from the root. On a tree this order has no fill.

/// A coupling of at most two nodes; `None` is the ground (anything that does not move freely).
#[derive(Clone, Copy, Debug)]
pub struct Coupling {
    /// First node.
    pub a: Option<usize>,
    /// Second node.
    pub b: Option<usize>,
    /// Whether it has rows of its own (a joint) or only couples the nodes (a spring).
    pub rows: bool,
}

/// A vertex of the elimination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Vertex {
    /// Node by index.
    Node(usize),
    /// Coupling by index.
    Rows(usize),
}

/// The order, in islands.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// All vertices, island after island.
    pub sequence: Vec<Vertex>,
    /// First vertex of each island in `sequence`; one more entry at the end.
    pub islands: Vec<usize>,
    /// Couplings that close a loop.
    pub closes_loop: Vec<bool>,
}

/// Finds the order for `nodes` nodes.
pub fn order(nodes: usize, couplings: &[Coupling]) -> Order {
    let tree = Tree::grow(nodes, couplings);
    let mut out = Order { closes_loop: vec![false; couplings.len()], ..Default::default() };

    // Loop joints wait at the lowest common ancestor of their ends; NONE (the ground) comes last of all.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut at_ground: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (k, c) in couplings.iter().enumerate() {
        if tree.is_tree[k] || !c.rows {
            continue;
        }
        out.closes_loop[k] = true;
        match (c.a, c.b) {
            (Some(a), Some(b)) => match tree.common_ancestor(a, b) {
                Some(x) => waiting[x].push(k),
                None => at_ground[tree.root[a]].push(k),
            },
            (Some(a), None) | (None, Some(a)) => at_ground[tree.root[a]].push(k),
            (None, None) => {}
        }
    }
    let component = components(nodes, couplings);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &r in &tree.roots {
        members[component[r]].push(r);
    }
    for roots in members.iter().filter(|m| !m.is_empty()) {
        out.islands.push(out.sequence.len());
        for &r in roots {
            tree.post_order(r, &waiting, couplings, &mut out.sequence);
        }
        // Loops that pass through the ground close after all trees of the island.
        for &r in roots {
            out.sequence.extend(at_ground[r].iter().map(|&k| Vertex::Rows(k)));
        }
    }
    out.islands.push(out.sequence.len());
    out
}

struct Tree {
    parent: Vec<Option<usize>>,
    parent_coupling: Vec<Option<usize>>,
    depth: Vec<usize>,
    children: Vec<Vec<usize>>,
    root: Vec<usize>,
    roots: Vec<usize>,
    is_tree: Vec<bool>,
}

impl Tree {
    fn grow(nodes: usize, couplings: &[Coupling]) -> Self {
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
        let joints: Vec<bool> = couplings.iter().map(|c| c.rows).collect();
        let mut t = Tree {
            parent: vec![None; nodes],
            parent_coupling: vec![None; nodes],
            depth: vec![0; nodes],
            children: vec![Vec::new(); nodes],
            root: vec![usize::MAX; nodes],
            roots: Vec::new(),
            is_tree: vec![false; couplings.len()],
        };
        let mut queue = Vec::with_capacity(nodes);
        for (a, k) in grounded {
            if t.root[a] == usize::MAX {
                t.is_tree[k] = true;
                t.parent_coupling[a] = Some(k);
                t.root[a] = a;
                t.roots.push(a);
                queue.push(a);
            }
        }
        t.breadth_first(&adjacent, &joints, &mut queue, 0);
        for a in 0..nodes {
            if t.root[a] == usize::MAX {
                t.root[a] = a;
                t.roots.push(a);
                let from = queue.len();
                queue.push(a);
                t.breadth_first(&adjacent, &joints, &mut queue, from);
            }
        }
        t
    }

    /// Grows the tree from the nodes of `queue` on, breadth first over joints; a spring only where no joint leads on.
    fn breadth_first(
        &mut self,
        adjacent: &[Vec<(usize, usize)>],
        joints: &[bool],
        queue: &mut Vec<usize>,
        from: usize,
    ) {
        let (mut head, mut spring_head) = (from, from);
        while spring_head < queue.len() {
            while head < queue.len() {
                let x = queue[head];
                self.visit(x, adjacent, queue, |k| joints[k]);
                head += 1;
            }
            let x = queue[spring_head];
            self.visit(x, adjacent, queue, |k| !joints[k]);
            spring_head += 1;
        }
    }

    /// Takes the new neighbours of x over the couplings that `over` admits.
    fn visit(
        &mut self,
        x: usize,
        adjacent: &[Vec<(usize, usize)>],
        queue: &mut Vec<usize>,
        over: impl Fn(usize) -> bool,
    ) {
        for &(y, k) in &adjacent[x] {
            if over(k) && self.root[y] == usize::MAX {
                self.root[y] = self.root[x];
                self.parent[y] = Some(x);
                self.parent_coupling[y] = Some(k);
                self.depth[y] = self.depth[x] + 1;
                self.children[x].push(y);
                self.is_tree[k] = true;
                queue.push(y);
            }
        }
    }

    fn common_ancestor(&self, a: usize, b: usize) -> Option<usize> {
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

    fn post_order(&self, root: usize, waiting: &[Vec<usize>], couplings: &[Coupling], out: &mut Vec<Vertex>) {
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

/// Connected components of the nodes, each named by its smallest member. The ground does not connect.
fn components(nodes: usize, couplings: &[Coupling]) -> Vec<usize> {
    let mut name: Vec<usize> = (0..nodes).collect();
    fn find(name: &mut [usize], mut x: usize) -> usize {
        while name[x] != x {
            name[x] = name[name[x]];
            x = name[x];
        }
        x
    }
    for c in couplings {
        if let (Some(a), Some(b)) = (c.a, c.b) {
            let (a, b) = (find(&mut name, a), find(&mut name, b));
            name[a.max(b)] = a.min(b);
        }
    }
    (0..nodes).map(|x| find(&mut name, x)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(a: Option<usize>, b: Option<usize>) -> Coupling {
        Coupling { a, b, rows: true }
    }

    #[test]
    fn a_chain_is_eliminated_from_its_free_end() {
        let o = order(3, &[joint(None, Some(0)), joint(Some(0), Some(1)), joint(Some(1), Some(2))]);
        use Vertex::*;
        assert_eq!(o.sequence, vec![Node(2), Rows(2), Node(1), Rows(1), Node(0), Rows(0)]);
        assert_eq!(o.islands, vec![0, 6]);
    }

    #[test]
    fn a_loop_joint_waits_for_the_common_ancestor_of_its_cycle() {
        // 0 is hung from the ground and carries 1 and 2, which are tied together.
        let c = [joint(None, Some(0)), joint(Some(0), Some(1)), joint(Some(0), Some(2)), joint(Some(1), Some(2))];
        let o = order(3, &c);
        use Vertex::*;
        assert_eq!(o.sequence, vec![Node(1), Rows(1), Node(2), Rows(2), Rows(3), Node(0), Rows(0)]);
        assert_eq!(o.closes_loop, vec![false, false, false, true]);
    }

    #[test]
    fn a_spring_is_no_branch_where_joints_lead_the_longer_way_round() {
        // Joints 0-1-2 and a spring straight from 0 to 2.
        let spring = Coupling { a: Some(0), b: Some(2), rows: false };
        let c = [joint(None, Some(0)), joint(Some(0), Some(1)), joint(Some(1), Some(2)), spring];
        let o = order(3, &c);
        assert_eq!(o.closes_loop, vec![false; 4]);
    }

    #[test]
    fn the_ground_does_not_join_islands() {
        let o = order(2, &[joint(None, Some(0)), joint(None, Some(1))]);
        assert_eq!(o.islands.len(), 3);
    }
}
