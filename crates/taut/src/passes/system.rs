//! What a system goes through from its inputs to its new poses: the list of its stages.

use super::bounded_rows::Responses;
use super::{Counts, System, Task, coordinates};
use crate::bounded::accuracy::angle_at;
use crate::bounded::bounce;
use crate::bounded::push::{self, Pushed};
use crate::desk::Desk;
use crate::desk::bounded::{Bounded, Candidate, Cluster};
use crate::profile::Stage;
use crate::stabilise::curvature;
use crate::system::linear::Failure;
use crate::tuning::T;

impl System<'_> {
    /// Solves the system and finds its new poses.
    pub(super) fn run(&self, desk: &mut Desk) -> Result<Counts, Failure> {
        self.open(desk);
        if let Some(cluster) = self.cluster.filter(|_| self.is_heap(&desk.bounded.set)) {
            let counts = self.heap(cluster, desk)?;
            self.poses(desk);
            self.close_coordinates(desk)?;
            return Ok(counts);
        }
        let mut counts = self.rounds(desk)?;
        self.guard_elements(desk, &mut counts)?;
        self.keep_volume(desk, &mut counts)?;
        if let Some(cluster) = self.cluster {
            self.book(false, desk);
            self.bounce(cluster, desk)?;
            self.guard(cluster, desk);
            self.push(cluster, desk)?;
        }
        if self.arrives() {
            self.islands.iter().try_for_each(|&k| coordinates::arrive(self.task, k, desk))?;
            desk.profile.mark(Stage::Poses);
            return Ok(counts);
        }
        self.poses(desk);
        self.close_coordinates(desk)?;
        Ok(counts)
    }

    /// Whether its joints are closed while its poses are found: reduced coordinates, without bounded rows.
    pub(super) fn arrives(&self) -> bool {
        self.task.plan.reduced && self.cluster.is_none()
    }

    /// What the stages before have written about its islands.
    fn open(&self, desk: &mut Desk) {
        desk.factor.jointed.wanted = self.cluster.is_none();
        for island in self.islands() {
            desk.open(self.task.t, island);
        }
    }

    /// What restitution adds to the velocities.
    fn bounce(&self, cluster: &Cluster, desk: &mut Desk) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        let Desk { law, stiff, force, factor, sol, bounded, profile, .. } = desk;
        let mut responses = Responses { system: self, law, stiff, force, before: &sol.saved, factor, profile };
        bounce::bounce((t, h), &self.params(), cluster, &sol.x, bounded, &mut responses)
    }

    /// Where positions are about to be pushed, limits that this could carry over their bounds must be in W.
    fn guard(&self, cluster: &Cluster, desk: &mut Desk) {
        let Task { t, h, .. } = *self.task;
        let open = |c: &Candidate| !c.active && angle_at(t, c.origin, &t.inputs.kin).is_some();
        if desk.bounded.active.is_large || !self.candidates(&desk.bounded.set).iter().any(open) {
            return;
        }
        self.widest(desk);
        let Desk { law, sol, next, bounded, .. } = desk;
        let pushed = Pushed { t, h, cluster, x: &sol.x, redundant: &law.redundant, contacts: push::exact() };
        if pushed.gather(false, bounded, &next.kin).is_some() {
            self.take_in(cluster, &next.kin, bounded);
        }
    }

    /// What removes penetration from the positions.
    fn push(&self, cluster: &Cluster, desk: &mut Desk) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        let Desk { law, stiff, force, factor, sol, next, bounded, profile, .. } = desk;
        let pushed = Pushed { t, h, cluster, x: &sol.x, redundant: &law.redundant, contacts: push::exact() };
        let mut responses = Responses { system: self, law, stiff, force, before: &sol.saved, factor, profile };
        let done = pushed.find(bounded, next, &mut responses, |bounded, next, responses| {
            self.take_in(cluster, &next.kin, bounded);
            push::turn(t, cluster, &next.kin, bounded);
            self.build(bounded, responses)
        });
        desk.profile.mark(Stage::Bounce);
        done
    }

    /// Takes in the limits that are near or passed at the new poses.
    fn take_in(&self, cluster: &Cluster, next: &[crate::kin::Kin], b: &mut Bounded) {
        let t = self.task.t;
        let mut new = false;
        for c in b.set.candidates[cluster.candidates.clone()].iter_mut().filter(|c| !c.active) {
            if angle_at(t, c.origin, next).is_some_and(|(q, scale, sign)| sign * q > -T.cluster.near * scale) {
                c.active = true;
                new = true;
            }
        }
        if new {
            self.list(cluster, b);
            b.active.is_large = false;
        }
    }

    /// New poses and violations of the islands that do not have them yet.
    fn poses(&self, desk: &mut Desk) {
        let Task { t, h, .. } = *self.task;
        for island in self.islands() {
            let (next, push) = (&mut desk.next, &desk.bounded.push);
            if push.pushed[island.k] {
                push.poses(t, island, h, &desk.sol.x, &mut next.kin);
                crate::rows::evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
            } else if !next.posed[island.k] {
                curvature::pose(t, island, &desk.sol.x, h, next);
            }
            next.posed[island.k] = true;
        }
        desk.profile.mark(Stage::Poses);
    }

    /// In reduced coordinates joints are closed, and couplings with them.
    fn close_coordinates(&self, desk: &mut Desk) -> Result<(), Failure> {
        if self.task.plan.reduced {
            self.settle(desk)?;
            for _ in 0..T.close.passes {
                if !self.recouple(desk)? {
                    break;
                }
                self.settle(desk)?;
            }
            desk.profile.mark(Stage::Poses);
        }
        Ok(())
    }

    fn settle(&self, desk: &mut Desk) -> Result<(), Failure> {
        self.islands.iter().try_for_each(|&k| coordinates::settle(self.task, k, desk))
    }

    /// Joints that were closed may have opened couplings; true when those were closed again.
    fn recouple(&self, desk: &mut Desk) -> Result<bool, Failure> {
        let Task { t, h, .. } = *self.task;
        let Some(cluster) = self.cluster.filter(|_| !t.couplings.is_empty()) else { return Ok(false) };
        let Desk { law, stiff, force, factor, sol, next, bounded, profile, .. } = desk;
        let pushed = Pushed { t, h, cluster, x: &sol.x, redundant: &law.redundant, contacts: push::exact() };
        let mut responses = Responses { system: self, law, stiff, force, before: &sol.saved, factor, profile };
        pushed.recouple(bounded, next, &mut responses)
    }
}
