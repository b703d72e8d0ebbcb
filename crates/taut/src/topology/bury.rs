//! Cutting a joint out of a layout that stands: its group becomes a dead pivot. The layout is then the one that would be made of a
//! model in which the joint is buried (`model::buried`).

use super::{NONE, Topology};

impl Topology {
    /// Makes the group of a joint dead; its place among the groups, where it has one.
    pub fn bury(&mut self, slot: usize) -> Option<usize> {
        let k = *self.group_of.get(slot).filter(|&&k| k != NONE)?;
        let (i, j) = (self.groups[k].i(), self.groups[k].j());
        if self.is_node(i) && self.is_node(j) && self.nodes[i].dim == 6 && self.nodes[j].dim == 6 {
            self.nodes[i].neighbours -= 1;
            self.nodes[j].neighbours -= 1;
        }
        let closed = self.groups[k].closes_loop;
        self.groups[k].die();
        if closed {
            let has_loops = self.groups.iter().any(|g| g.closes_loop);
            self.signs.has_loops = has_loops && !self.acyclic;
            self.is_tree = self.pattern.fill_blocks == 0 && !has_loops;
        }
        Some(k)
    }
}
