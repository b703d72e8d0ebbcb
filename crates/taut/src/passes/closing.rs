//! The second order of joints, limits and couplings, with the velocities just found, on the same factors and W: joints that the solution would open
//! too far are aimed at phi = 0 where the bodies will be, as long as it helps.

use super::factors::{read_lambda, take_back};
use super::second_order::{add_kicks, has_rods};
use super::{Counts, System, Task};
use crate::bounded::accuracy::{self, limit_at};
use crate::bounded::coupled::coupling_at;
use crate::bounded::reeved::slipping;
use crate::close::velocities::aimed_rhs;
use crate::delassus::velocity;
use crate::desk::bounded::{Bounded, Origin, Set};
use crate::desk::{Desk, Next};
use crate::profile::Stage;
use crate::stabilise::curvature;
use crate::system::linear::Failure;
use crate::tuning::T;

impl System<'_> {
    /// Closes joints, limits and couplings.
    pub(super) fn close(&self, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        let rods = self.islands().any(|island| has_rods(t, island));
        let mut worst = self.widest(desk);
        for _ in 0..T.looks.most {
            let quiet = rods && worst.0 < T.looks.quiet && worst.0 > T.looks.exact;
            if !(worst.0 > T.looks.wide || worst.1 > T.push.passed || quiet) {
                break;
            }
            self.remember(&mut desk.bounded);
            let found = desk.bounded.last;
            self.aim(&desk.sol.x, &desk.next, &mut desk.bounded.set);
            for island in self.islands() {
                let known = ((&desk.law, &desk.next.phi[..]), (&desk.right, &desk.memory));
                aimed_rhs(t, island, h, |_| 1.0, known.0, known.1, &mut desk.sol);
                add_kicks(t, island, &desk.second, &mut desk.sol);
                if self.cluster.is_some() {
                    accuracy::want(t, island, &desk.sol.residual, &mut desk.bounded.aims.wanted);
                }
                self.task.resolve(island.k, desk, counts)?;
            }
            self.bounded(false, desk, counts)?;
            let after = self.widest(desk);
            let throws =
                worst.0 < T.looks.gaping && self.islands().any(|island| curvature::throws(t, island, &desk.sol));
            let sum = |w: (f64, f64)| w.0.max(w.1);
            if throws || !(sum(after) < T.looks.better * sum(worst)) {
                self.go_back(desk);
                desk.bounded.last = found;
                break;
            }
            worst = after;
        }
        for island in self.islands() {
            read_lambda(t, island, &desk.sol.x, &mut desk.force);
        }
        desk.profile.mark(Stage::Corrections);
        Ok(())
    }

    /// Largest opening of a joint in units of its reach, and largest excess of a rigid limit or coupling.
    pub(super) fn widest(&self, desk: &mut Desk) -> (f64, f64) {
        let Task { t, h, .. } = *self.task;
        let mut joints = 0.0_f64;
        for island in self.islands() {
            // In reduced coordinates the poses wait for the joints to be closed.
            let poses = !(self.arrives() && curvature::only_arms_turn(t, island));
            joints = joints.max(curvature::widest(t, island, h, (&desk.sol.x, poses), &desk.law, &mut desk.next));
            (desk.next.posed[island.k], desk.next.seen[island.k]) = (poses, true);
        }
        let mut limits = 0.0_f64;
        for c in self.candidates(&desk.bounded.set) {
            if let Some(at) = coupling_at(t, c.origin, &desk.next.kin, h) {
                limits = limits.max((at.error - at.inherited).abs() / at.scale);
            }
            if let Some((q, scale, sign)) = limit_at(t, c.origin, &desk.next.kin) {
                let q = q - h * slipping(t, &desk.bounded.set, c, &desk.sol.x);
                // What was beyond before is not of this step.
                let over = (sign * q - (sign * desk.bounded.set.rows[c.row].phi).max(0.0)) / scale;
                let weight = if matches!(c.origin, Origin::Rope(_)) { T.ropes.look } else { 1.0 };
                limits = limits.max(weight * over);
            }
        }
        (joints, limits)
    }

    /// Impulses and aims as they are now, for `go_back`.
    fn remember(&self, b: &mut Bounded) {
        let Some(cluster) = self.cluster else { return };
        let own = b.set.candidates[cluster.candidates.clone()].iter().flat_map(|c| &b.set.rows[c.rows()]);
        b.aims.before.clear();
        b.aims.before.extend(own.map(|r| (r.z, r.aim)));
        b.aims.wanted_before.resize(b.aims.wanted.len(), 0.0);
        for range in self.islands().map(|island| island.x.clone()) {
            b.aims.wanted_before[range.clone()].copy_from_slice(&b.aims.wanted[range]);
        }
    }

    /// Goes back to the solution before the last look.
    fn go_back(&self, desk: &mut Desk) {
        let t = self.task.t;
        for island in self.islands() {
            take_back(t, island, &mut desk.sol, &mut desk.factor);
            (desk.next.posed[island.k], desk.next.seen[island.k]) = (false, false);
        }
        let Some(cluster) = self.cluster else { return };
        let Bounded { set, aims, .. } = &mut desk.bounded;
        std::mem::swap(&mut aims.wanted, &mut aims.wanted_before);
        let rows = set.candidates[cluster.candidates.clone()].iter().flat_map(|c| c.rows());
        for (r, &(z, aim)) in rows.zip(&aims.before) {
            (set.rows[r].z, set.rows[r].aim) = (z, aim);
        }
        self.read_bounded(set, &mut desk.force);
    }

    /// Adds the curvature of limits and couplings along the velocities `x` to what their rows aim at.
    pub(super) fn aim(&self, x: &[f64], next: &Next, set: &mut Set) {
        let Task { t, h, .. } = *self.task;
        let Some(cluster) = self.cluster else { return };
        for c in &set.candidates[cluster.candidates.clone()] {
            let limit = limit_at(t, c.origin, &next.kin).map(|(q, _, _)| q);
            if let Some(q) = limit.or_else(|| coupling_at(t, c.origin, &next.kin, h).map(|at| at.error)) {
                let rate = velocity(t, set.rows.sides(c.row), x);
                let row = &mut set.rows[c.row];
                let linear = row.phi + h * (rate + row.drive);
                row.aim = -(q - linear) / h;
            }
        }
    }
}
