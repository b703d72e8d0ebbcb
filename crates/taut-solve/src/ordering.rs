//! The order of elimination: leaves to root on trees, loop rows at the lowest common ancestor of their cycle.
//!
//! Vertices are nodes (bodies, particles) and couplings (joints with rows, or springs without). A spanning tree is
//! grown from the ground, breadth first or by nested dissection, whichever leaves fewer loops open. Then, depth first: a node, then the joint to its parent. A joint that closes
//! a loop comes right before the lowest common ancestor of its two ends, when every other node of its cycle is gone:
//! its pivot is then the cycle's own freedom, so that a redundant row shows as a zero pivot and a genuine one does not.
//! A row never comes before a node that carries it on the side away from the root. On a tree this order has no fill.

mod dissect;
mod placed;
mod sever;
mod tree;

pub use placed::Places;
use placed::{Placed, Way, with_rows};
use sever::Joints;
use tree::Tree;

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
    /// Couplings that are branches of the spanning forest, springs among them where no joint leads.
    pub is_branch: Vec<bool>,
    /// Whether an island is ordered by the places of its nodes.
    pub is_placed: Vec<bool>,
    /// Whether that island is a net of points.
    pub is_net: Vec<bool>,
    /// Whether it is a net of joints, cut through them.
    pub is_woven: Vec<bool>,
}

/// Finds the order for `nodes` nodes.
pub fn order(nodes: usize, couplings: &[Coupling]) -> Order {
    order_placed(nodes, couplings, None)
}

/// The same where some couplings are elements between nodes whose places are known: islands that are mostly made of them are
/// dissected by coordinates, with the rows of joints right after the last of their nodes. So are large nets of points, by
/// coordinates of their own; any of their rows may then be the one that shows a redundancy, and all count as closing a loop.
pub fn order_placed(nodes: usize, couplings: &[Coupling], places: Option<Places<'_>>) -> Order {
    let component = components(nodes, couplings);
    let ways = places.map_or_else(|| vec![Way::Forest; nodes], |p| p.ways(couplings, &component));
    let dissected: Vec<bool> = ways.iter().map(|&way| way != Way::Forest).collect();
    let tree = Tree::best(nodes, couplings, &component, &dissected);
    let closes_loop = vec![false; couplings.len()];
    let mut out = Order { closes_loop, is_branch: tree.is_tree.clone(), ..Default::default() };

    // A loop joint waits at the lowest common ancestor of its ends; a loop through the ground, for the later of its two trees.
    let mut place = vec![0; nodes];
    for (at, &r) in tree.roots.iter().enumerate() {
        place[r] = at;
    }
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut at_ground: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (k, c) in couplings.iter().enumerate() {
        match c.a.or(c.b).map(|x| ways[component[x]]) {
            Some(Way::Net) if c.rows => {
                out.closes_loop[k] = true;
                continue;
            }
            Some(Way::Joints) => continue,
            _ => {}
        }
        if tree.is_tree[k] || !c.rows {
            continue;
        }
        out.closes_loop[k] = true;
        match (c.a, c.b) {
            (Some(a), Some(b)) => match tree.common_ancestor(a, b) {
                Some(x) => waiting[x].push(k),
                None => {
                    let (a, b) = (tree.root[a], tree.root[b]);
                    at_ground[if place[a] < place[b] { b } else { a }].push(k);
                }
            },
            (Some(a), None) | (None, Some(a)) => at_ground[tree.root[a]].push(k),
            (None, None) => {}
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &r in &tree.roots {
        members[component[r]].push(r);
    }
    let mut placed = places.filter(|_| dissected.contains(&true)).map(|p| Placed::new(nodes, couplings, &p));
    let by_place = if placed.is_some() { nodes } else { 0 };
    let (mut inside, mut rows) = (vec![Vec::new(); by_place], vec![Vec::new(); by_place]);
    (0..nodes).filter(|&x| dissected[component[x]]).for_each(|x| inside[component[x]].push(x as u32));
    for (k, c) in couplings.iter().enumerate().filter(|(_, c)| c.rows) {
        if let Some(x) = c.a.or(c.b).filter(|&x| dissected[component[x]]) {
            rows[component[x]].push(k);
        }
    }
    let (mut joints, mut forest) = (None, (0..nodes + 1).collect::<Vec<usize>>());
    for (name, roots) in members.iter().enumerate().filter(|(_, m)| !m.is_empty()) {
        out.islands.push(out.sequence.len());
        out.is_placed.push(dissected[name]);
        out.is_net.push(matches!(ways[name], Way::Net | Way::Joints));
        out.is_woven.push(ways[name] == Way::Joints);
        if let Some(placed) = placed.as_mut().filter(|_| dissected[name]) {
            let nodes = std::mem::take(&mut inside[name]);
            if matches!(ways[name], Way::Net | Way::Joints) {
                placed.unfold(&nodes);
            }
            if ways[name] == Way::Joints {
                let joints = joints.get_or_insert_with(|| Joints::new(forest.len() - 1, couplings));
                let order = joints.order(nodes, placed);
                sever::mark(&order, couplings, &mut forest, &mut out.is_branch, &mut out.closes_loop);
                out.sequence.extend(order);
                continue;
            }
            let order = placed.order(nodes);
            out.sequence.extend(with_rows(&order, &rows[name], couplings, &mut place));
            continue;
        }
        for &r in roots {
            tree.post_order(r, &waiting, couplings, &mut out.sequence);
            out.sequence.extend(at_ground[r].iter().map(|&k| Vertex::Rows(k)));
        }
    }
    out.islands.push(out.sequence.len());
    out
}

/// Connected components of the nodes, each named by its smallest member. The ground does not connect.
fn components(nodes: usize, couplings: &[Coupling]) -> Vec<usize> {
    let mut name: Vec<usize> = (0..nodes).collect();
    for c in couplings {
        if let (Some(a), Some(b)) = (c.a, c.b) {
            let (a, b) = (find(&mut name, a), find(&mut name, b));
            name[a.max(b)] = a.min(b);
        }
    }
    (0..nodes).map(|x| find(&mut name, x)).collect()
}

/// The name of a set of nodes.
fn find(name: &mut [usize], mut x: usize) -> usize {
    while name[x] != x {
        name[x] = name[name[x]];
        x = name[x];
    }
    x
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
