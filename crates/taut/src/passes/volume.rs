//! Keeps the volume of incompressible patches (`elastic::volume`), on the factor of the step.

use super::factors::read_lambda;
use super::{Counts, System, Task};
use crate::desk::Desk;
use crate::elastic::volume;
use crate::stabilise::curvature;
use crate::system::kkt::Equations;
use crate::system::linear::{self, Failure};
use crate::topology::Island;
use crate::tuning::T;
use std::ops::Range;

impl System<'_> {
    /// Closes the volume rows of its islands where the velocities found lead, as long as it helps. Impulses of rows with bounds stay
    /// as they are: what this does to their gaps is of second order, and the next step finds it.
    pub(super) fn keep_volume(&self, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let t = self.task.t;
        if t.inputs.elastic.volumes.is_empty() {
            return Ok(());
        }
        for island in self.islands() {
            let rows = volume::of(t, &t.inputs.elastic, island.k);
            if !rows.is_empty() {
                self.task.keep(island, rows, desk, counts)?;
            }
        }
        Ok(())
    }
}

impl Task<'_> {
    fn keep(&self, island: &Island, rows: Range<usize>, desk: &mut Desk, all: &mut Counts) -> Result<(), Failure> {
        let Task { t, h, model, plan, .. } = *self;
        let (k, x) = (island.k, island.x.clone());
        let [elements, ..] = t.soft.of(k);
        desk.smooth.more[elements.clone()].fill(0.0);
        desk.smooth.given[elements.clone()].fill(0.0);
        if !plan.is_aligned() {
            desk.smooth.impulse[x.clone()].fill(0.0);
        }
        let mut before = f64::INFINITY;
        for _ in 0..T.soft.rounds {
            curvature::pose(t, island, &desk.sol.x, h, &mut desk.next);
            let worst = volume::open(model, t, rows.clone(), &desk.next.kin, &mut desk.smooth.phi);
            if !(worst > T.soft.kept) {
                break;
            }
            if !(worst < before) {
                // The last round made it worse.
                let Desk { sol, smooth, .. } = &mut *desk;
                sol.x[x.clone()].copy_from_slice(&sol.saved[x.clone()]);
                x.clone().for_each(|q| smooth.impulse[q] -= smooth.work[q]);
                elements.clone().for_each(|e| smooth.more[e] -= smooth.given[e]);
                break;
            }
            before = worst;
            let Desk { law, stiff, force, factor, sol, smooth, .. } = &mut *desk;
            for row in &t.inputs.elastic.volumes[rows.clone()] {
                smooth.given[row.element] = row.held.modulus * smooth.phi[row.element];
                smooth.more[row.element] += smooth.given[row.element];
            }
            smooth.work[x.clone()].fill(0.0);
            volume::push(t, h, rows.clone(), &smooth.given, &mut smooth.work);
            sol.saved[x.clone()].copy_from_slice(&sol.x[x.clone()]);
            sol.residual[x.clone()].copy_from_slice(&smooth.work[x.clone()]);
            let e = &Equations::of(t, k, law, stiff, force, &sol.saved);
            all.iterations += linear::solve(e, plan, &mut sol.residual, factor)?;
            all.right_hand_sides += 1;
            for q in x.clone() {
                sol.x[q] += sol.residual[q];
                smooth.impulse[q] += smooth.work[q];
            }
        }
        (desk.next.posed[k], desk.next.seen[k]) = (false, false);
        read_lambda(t, island, &desk.sol.x, &mut desk.force);
        self.look_ahead(island, desk);
        Ok(())
    }
}
