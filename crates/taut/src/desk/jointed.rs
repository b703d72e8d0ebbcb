//! Islands that are trees of rigid joints, in joint coordinates. Written by `system::jointed`.
//!
//! Which islands these are is read off the layout: rigid bodies, each with at most one joint to a body that is eliminated later or to one
//! without unknowns, and joints of a ball and angular rows (ball, universal, hinge, weld) that close no loop.

use crate::solve::joint_tree::{JointTree, Place};
use crate::topology::{Group, Island, Load, NONE, Topology, renewed};
use std::ops::Range;

/// The trees and their places in the layout.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jointed {
    pub tree: JointTree,
    /// Members of each island, in the order of its nodes; none where it is no such tree.
    pub members: Vec<Range<usize>>,
    /// Group that joins each member to its parent, or NONE.
    pub groups: Vec<usize>,
    /// Whether solutions are all that is asked of the next factors: bounded rows ask for blocks.
    pub wanted: bool,
    /// Whether the last factor of each island is here.
    pub used: Vec<bool>,
}

impl Jointed {
    /// The trees of a layout, in memory that served another one.
    pub fn renewed(mut self, t: &Topology) -> Self {
        self.tree.clear();
        self.groups.clear();
        self.members.clear();
        self.wanted = false;
        self.used = renewed(self.used, t.islands.len(), false);
        self.reserve(t);
        for island in &t.islands {
            let first = self.groups.len();
            if fits(t, island) && !self.join(t, island) {
                self.groups.truncate(first);
            }
            for n in first..self.groups.len() {
                let place = self.place(t, island, n - first, first);
                self.tree.push(place);
            }
            self.members.push(first..self.groups.len());
        }
        self
    }

    /// Makes room for the members of all islands that may be such trees.
    fn reserve(&mut self, t: &Topology) {
        let trees = || t.islands.iter().filter(|island| fits(t, island));
        let members = trees().map(|island| island.nodes.len()).sum();
        let held = |g: &&Group| g.rows() > 3;
        self.groups.reserve_exact(members);
        self.tree
            .reserve(members, trees().map(|island| t.groups[island.groups.clone()].iter().filter(held).count()).sum());
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + size_of::<usize>() * (self.groups.capacity() + 2 * self.members.capacity())
    }

    /// Finds the joint of each node to its parent; false where one has two.
    fn join(&mut self, t: &Topology, island: &Island) -> bool {
        let first = self.groups.len();
        self.groups.resize(first + island.nodes.len(), NONE);
        t.groups[island.groups.clone()].iter().zip(island.groups.clone()).all(|(g, k)| {
            let own = &mut self.groups[first + g.i().min(g.j()) - island.nodes.start];
            *own == NONE && {
                *own = k;
                true
            }
        })
    }

    /// Where a node of an island and its joint are.
    fn place(&self, t: &Topology, island: &Island, node: usize, first: usize) -> Place {
        let (n, k) = (island.nodes.start + node, self.groups[first + node]);
        let x = t.nodes[n].x;
        if k == NONE {
            return Place { parent: None, x, row: 0, rows: 0, sign: 1.0 };
        }
        let g = &t.groups[k];
        let parent = g.i().max(g.j());
        Place {
            parent: t.is_node(parent).then(|| first + parent - island.nodes.start),
            x,
            row: g.x(),
            rows: g.rows(),
            sign: if g.i() == n { 1.0 } else { -1.0 },
        }
    }
}

/// Whether an island has rigid bodies and such joints alone.
fn fits(t: &Topology, island: &Island) -> bool {
    let direct = !t.acyclic && !island.wide && island.links.is_empty() && !t.soft.is_in(island.k);
    direct
        && t.nodes[island.nodes.clone()].iter().all(|n| n.dim == 6)
        && t.groups[island.groups.clone()].iter().all(|g| is_held_by_a_ball(g) && !g.closes_loop && !g.idle)
}

/// Whether a joint is a ball with angular rows after it, three at most.
fn is_held_by_a_ball(g: &Group) -> bool {
    // Bits of the rows from the fourth on.
    let turns = |rows: usize| ((1_u16 << rows) - 1) & !0b111;
    (3..=6).contains(&g.rows()) && g.load == Load::Point(0) && g.angular == turns(g.rows())
}
