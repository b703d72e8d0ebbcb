//! What a cluster does after its passes, on the same factors and W: the momentum of free bodies, the second order of joints and limits,
//! and the limits that a push of the positions could carry over their bounds.

use super::{Cluster, read_bounded};
use crate::bounded::accuracy::{self, angle_at, limit_at};
use crate::bounded::push;
use crate::delassus::velocity;
use crate::passes::{Counts, Task, has_rods, read_lambda, resolve, take_back};
use crate::profile::Stage;
use crate::stabilise::{curvature, resolved};
use crate::system::linear::Failure;
use crate::tuning::T;
use crate::workspace::Workspace;
use crate::workspace::bounded::Candidate;

impl Cluster<'_> {
    /// Free bodies keep the angular momentum of their drift, the inertia turning with them (`force::gyroscopic`): what the velocities
    /// just found miss of it goes to the right-hand side. Bodies with joints run in the base regime, without.
    pub(super) fn turn(&self, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        let free = |k: usize| t.islands[k].groups.is_empty() && t.islands[k].links.is_empty();
        let mut before = f64::INFINITY;
        for round in 0..T.resolved.corrections {
            let mut worst = 0.0_f64;
            for &k in self.islands.iter().filter(|&&k| free(k)) {
                let island = &t.islands[k];
                ws.body_weight[island.nodes.clone()].fill(1.0);
                worst = worst.max(resolved::momentum_defect(t, island, h, round, ws));
            }
            if !(worst > T.resolved.momentum_close && worst < before) {
                break;
            }
            before = worst;
            for &k in self.islands {
                let island = &t.islands[k];
                if free(k) {
                    ws.kick[island.nodes.clone()].copy_from_slice(&ws.correction[island.nodes.clone()]);
                    ws.kicked[k] = true;
                }
                for q in island.x.clone() {
                    ws.residual[q] = ws.rhs[q] + ws.memory[q];
                }
                self.add_kicks(k, ws);
                resolve(&self.on(k), ws, counts)?;
            }
            self.solve_bounded(false, ws, counts)?;
        }
        Ok(())
    }

    /// Adds the momentum corrections of an island to the right-hand side in `residual`.
    fn add_kicks(&self, k: usize, ws: &mut Workspace) {
        let t = self.task.t;
        if !ws.kicked[k] {
            return;
        }
        for n in t.islands[k].nodes.clone().filter(|&n| t.nodes[n].dim == 6) {
            let at = t.nodes[n].x + 3;
            for (c, kick) in ws.kick[n].to_array().into_iter().enumerate() {
                ws.residual[at + c] += kick;
            }
        }
    }

    /// Looks at the second order of joints and limits with the velocities just found, on the same factor and W.
    pub(super) fn close(&self, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        let rods = self.islands.iter().any(|&k| has_rods(t, &t.islands[k]));
        let mut worst = self.widest(ws);
        for _ in 0..T.looks.most {
            let quiet = rods && worst.0 < T.looks.quiet && worst.0 > T.looks.exact;
            if !(worst.0 > T.looks.wide || worst.1 > T.push.passed || quiet) {
                break;
            }
            let mut before = std::mem::take(&mut ws.bounded.before);
            before.clear();
            before.extend(self.own_rows(ws).map(|r| (r.z, r.aim)));
            ws.bounded.before = before;
            let found = ws.bounded.last;
            self.aim(ws);
            let b = &mut ws.bounded;
            b.wanted_before.resize(b.wanted.len(), 0.0);
            for range in self.islands.iter().map(|&k| t.islands[k].x.clone()) {
                b.wanted_before[range.clone()].copy_from_slice(&b.wanted[range]);
            }
            for &k in self.islands {
                curvature::aimed_rhs(t, &t.islands[k], h, |_, _| 1.0, ws);
                self.add_kicks(k, ws);
                accuracy::want(t, &t.islands[k], &ws.residual, &mut ws.bounded.wanted);
                resolve(&self.on(k), ws, counts)?;
            }
            self.solve_bounded(false, ws, counts)?;
            let after = self.widest(ws);
            let throws =
                worst.0 < T.looks.gaping && self.islands.iter().any(|&k| curvature::throws(t, &t.islands[k], ws));
            let sum = |w: (f64, f64)| w.0.max(w.1);
            if throws || !(sum(after) < T.looks.better * sum(worst)) {
                self.take_back(ws);
                ws.bounded.last = found;
                break;
            }
            worst = after;
        }
        ws.profile.mark(Stage::Corrections);
        Ok(())
    }

    /// Where positions are about to be pushed, limits that this could carry over their bounds must be in W.
    pub(super) fn guard(&self, ws: &mut Workspace) {
        let Task { t, h, .. } = *self.task;
        let own = ws.bounded.clusters[self.c].candidates.clone();
        let open = |c: &Candidate| !c.active && angle_at(t, c.origin, &t.inputs.kin).is_some();
        if ws.bounded.is_large || !ws.bounded.candidates[own].iter().any(open) {
            return;
        }
        self.widest(ws);
        if push::gather(t, h, self.c, false, ws).is_some() {
            self.take_in(ws);
        }
    }

    /// Takes in the limits that are near or passed at the new poses.
    pub(super) fn take_in(&self, ws: &mut Workspace) {
        let t = self.task.t;
        let mut new = false;
        let b = &mut ws.bounded;
        for c in b.candidates[b.clusters[self.c].candidates.clone()].iter_mut().filter(|c| !c.active) {
            if angle_at(t, c.origin, &ws.kin_next).is_some_and(|(q, scale, sign)| sign * q > -T.cluster.near * scale) {
                c.active = true;
                new = true;
            }
        }
        if new {
            self.list(ws);
            ws.bounded.is_large = false;
        }
    }

    /// Goes back to the solution before the last look.
    fn take_back(&self, ws: &mut Workspace) {
        let t = self.task.t;
        for &k in self.islands {
            take_back(t, &t.islands[k], ws);
            ws.posed[k] = false;
            read_lambda(t, k, ws);
        }
        let b = &mut ws.bounded;
        std::mem::swap(&mut b.wanted, &mut b.wanted_before);
        let range = b.clusters[self.c].candidates.clone();
        let rows = b.candidates[range.clone()].iter().flat_map(|c| c.rows());
        for (r, &(z, aim)) in rows.zip(&b.before) {
            (b.rows[r].z, b.rows[r].aim) = (z, aim);
        }
        read_bounded(t, &range, ws);
    }

    /// Largest opening of a joint in units of its reach, and largest excess of a rigid limit.
    fn widest(&self, ws: &mut Workspace) -> (f64, f64) {
        let Task { t, h, .. } = *self.task;
        let mut joints = 0.0_f64;
        for &k in self.islands {
            joints = joints.max(curvature::widest(t, &t.islands[k], h, ws));
            ws.posed[k] = true;
        }
        let mut limits = 0.0_f64;
        let b = &ws.bounded;
        for c in &b.candidates[b.clusters[self.c].candidates.clone()] {
            if let Some((q, scale, sign)) = limit_at(t, c.origin, &ws.kin_next) {
                // What was beyond before is not of this step.
                limits = limits.max((sign * q - (sign * b.rows[c.row].phi).max(0.0)) / scale);
            }
        }
        (joints, limits)
    }

    /// Adds the curvature of the limits along the velocities in `x` to what their rows aim at.
    fn aim(&self, ws: &mut Workspace) {
        let Task { t, h, .. } = *self.task;
        let b = &mut ws.bounded;
        for c in &b.candidates[b.clusters[self.c].candidates.clone()] {
            if let Some((q, _, _)) = limit_at(t, c.origin, &ws.kin_next) {
                let row = &mut b.rows[c.row];
                let linear = row.phi + h * (velocity(t, row, &ws.x) + row.drive);
                row.aim = -(q - linear) / h;
            }
        }
    }
}
