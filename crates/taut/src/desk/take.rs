//! Results of a system that was solved in another desk.

use super::Desk;
use super::bounded::Cluster;
use crate::topology::Topology;
use std::ops::Range;

/// Copies a part of an array.
fn part<T: Copy>(from: &[T], to: &mut [T], range: &Range<usize>) {
    to[range.clone()].copy_from_slice(&from[range.clone()]);
}

impl Desk {
    /// Takes what the stages after the solve read about an island.
    pub fn take(&mut self, t: &Topology, k: usize, from: &Desk) {
        let island = &t.islands[k];
        let (x, rows, nodes) = (&island.x, &island.rows, &island.nodes);
        self.regime[k] = from.regime[k];
        part(&from.law.sigma, &mut self.law.sigma, rows);
        part(&from.law.yielded, &mut self.law.yielded, rows);
        self.law.stalled[k] = from.law.stalled[k];
        part(&from.force.found, &mut self.force.found, rows);
        // Rates of armatures are read with it.
        part(&from.right.curve, &mut self.right.curve, rows);
        part(&from.stiff.now.added, &mut self.stiff.now.added, nodes);
        part(&from.stiff.now.element, &mut self.stiff.now.element, &island.links);
        self.stiff.share[k] = from.stiff.share[k];
        part(&from.memory.impulse, &mut self.memory.impulse, x);
        part(&from.sol.x, &mut self.sol.x, x);
        part(&from.next.kin, &mut self.next.kin, nodes);
        part(&from.next.phi, &mut self.next.phi, rows);
        self.next.posed[k] = true;
        (self.second.probed[k], self.second.kicked[k]) = (from.second.probed[k], from.second.kicked[k]);
        if from.second.probed[k] {
            part(&from.second.probe, &mut self.second.probe, x);
        }
        if from.second.kicked[k] {
            part(&from.second.kick, &mut self.second.kick, nodes);
        }
        if t.soft.is_in(k) {
            part(&from.smooth.impulse, &mut self.smooth.impulse, x);
            part(&from.smooth.slow, &mut self.smooth.slow, x);
            let [elements, ..] = t.soft.of(k);
            part(&from.smooth.more, &mut self.smooth.more, &elements);
            (self.smooth.guarded[k], self.smooth.middle[k]) = (from.smooth.guarded[k], from.smooth.middle[k]);
        }
        self.snap.snapped[k] = from.snap.snapped[k];
        if from.snap.snapped[k] {
            self.snap.velocity.resize(t.pattern.size(), 0.0);
            part(&from.snap.velocity, &mut self.snap.velocity, x);
        }
        if t.signs.has_loops {
            part(&from.factor.ldlt.dropped, &mut self.factor.ldlt.dropped, x);
            self.factor.ldlt.tree.resize(t.pattern.size(), 0.0);
            part(&from.factor.ldlt.tree, &mut self.factor.ldlt.tree, x);
        }
        let (to, from) = (&mut self.bounded, &from.bounded);
        to.acting[k] = from.acting[k];
        to.bounce.bounced[k] = from.bounce.bounced[k];
        if from.bounce.bounced[k] {
            part(&from.bounce.velocity, &mut to.bounce.velocity, x);
            part(&from.bounce.free, &mut to.bounce.free, x);
        }
    }

    /// Takes the bounded rows of a cluster.
    pub fn take_cluster(&mut self, t: &Topology, cluster: &Cluster, from: &Desk) {
        let (to, set) = (&mut self.bounded.set, &from.bounded.set);
        part(&set.candidates, &mut to.candidates, &cluster.candidates);
        for one in &set.candidates[cluster.candidates.clone()] {
            part(&set.rows, &mut to.rows, &one.rows());
            if let Some(row) = one.origin.row(t) {
                self.force.found[row] = from.force.found[row];
            }
        }
    }
}
