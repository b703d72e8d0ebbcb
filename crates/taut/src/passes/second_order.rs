//! The second order of a system, on the factors of its last pass: the estimate and the corrections of resolved islands, the momentum of
//! free bodies in clusters.

use super::factors::{read_lambda, take_back};
use super::rounds::Round;
use super::{Counts, System, Task};
use crate::close::velocities::known;
use crate::desk::inputs::Given;
use crate::desk::{Desk, Second, Solution};
use crate::profile::Stage;
use crate::stabilise::curvature;
use crate::stabilise::resolved::{self, Look, Verdict};
use crate::state::State;
use crate::system::kkt::Equations;
use crate::system::linear::{self, Failure};
use crate::topology::{Island, Source, Topology};
use crate::tuning::T;
use glam::DVec3;

impl System<'_> {
    /// Ends the passes; false when they must be repeated without the second order.
    pub(super) fn second_order(&self, round: &Round, desk: &mut Desk, counts: &mut Counts) -> Result<bool, Failure> {
        desk.profile.mark(Stage::Stiffness);
        if !self.task.plan.is_aligned() {
            return Ok(true);
        }
        if self.cluster.is_some() {
            if self.task.plan.resolves() {
                self.turn(desk, counts)?;
            }
        } else if round.resolves {
            let k = self.islands[0];
            self.task.estimate(k, round.largest, desk, counts)?;
            if desk.stiff.share[k] > 0.0 {
                if !self.task.correct(k, desk, counts)? {
                    desk.second.kicked[k] = false;
                    return Ok(false);
                }
                // Rods are closed to rounding in every regime.
                if !has_rods(self.task.t, &self.task.t.islands[k]) {
                    return Ok(true);
                }
            }
        }
        self.close(desk, counts)?;
        Ok(true)
    }

    /// Free bodies keep the angular momentum of their drift, the inertia turning with them (`force::gyroscopic`): what the velocities
    /// just found miss of it goes to the right-hand side. Bodies with joints run in the base regime, without.
    fn turn(&self, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        let free = |island: &Island| island.groups.is_empty() && island.links.is_empty();
        let mut before = f64::INFINITY;
        for round in 0..T.resolved.corrections {
            let mut worst = 0.0_f64;
            for island in self.islands().filter(|i| free(i)) {
                desk.second.body_weight[island.nodes.clone()].fill(1.0);
                worst = worst.max(resolved::momentum_defect(t, island, h, round, &desk.sol.x, &mut desk.second));
            }
            if !(worst > T.resolved.momentum_close && worst < before) {
                break;
            }
            before = worst;
            for island in self.islands() {
                if free(island) {
                    let Second { kick, correction, kicked, .. } = &mut desk.second;
                    kick[island.nodes.clone()].copy_from_slice(&correction[island.nodes.clone()]);
                    kicked[island.k] = true;
                }
                known(island, &desk.right, &desk.memory, &mut desk.sol.residual);
                add_kicks(t, island, &desk.second, &mut desk.sol);
                self.task.resolve(island.k, desk, counts)?;
            }
            self.bounded(false, desk, counts)?;
        }
        Ok(())
    }
}

/// Whether an island has rods.
pub(super) fn has_rods(t: &Topology, island: &Island) -> bool {
    t.links[island.links.clone()].iter().any(|l| matches!(l.source, Source::Row(_)))
}

/// Adds the momentum corrections of an island to the right-hand side in `residual`.
pub(super) fn add_kicks(t: &Topology, island: &Island, second: &Second, sol: &mut Solution) {
    if !second.kicked[island.k] {
        return;
    }
    for n in island.nodes.clone().filter(|&n| t.nodes[n].dim == 6) {
        let at = t.nodes[n].x + 3;
        for (c, kick) in second.kick[n].to_array().into_iter().enumerate() {
            sol.residual[at + c] += kick;
        }
    }
}

impl Task<'_> {
    /// Some rounds of power iteration on the factor just used, and the regime that the last Rayleigh quotient says.
    fn estimate(&self, k: usize, largest: f64, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, plan, .. } = *self;
        let island = &t.islands[k];
        if resolved::is_known(&desk.regime[k], largest, self.state.steps) {
            resolved::remember(&mut desk.regime[k], largest);
            return Ok(());
        }
        let rounds = resolved::probes(&desk.regime[k], largest);
        if rounds > 0 {
            gather_probe(t, island, self.state, &mut desk.second.probe);
            desk.second.probed[k] = true;
        }
        let mut quotient = (rounds > 0).then_some(0.0);
        let Desk { law, stiff, force, sol, factor, second, profile, .. } = desk;
        for _ in 0..rounds {
            let z = &mut sol.residual;
            resolved::probe_rhs(t, island, largest, &stiff.now, &second.probe, z);
            profile.mark(Stage::Estimate);
            let e = Equations::of(t, k, law, stiff, force, &sol.saved);
            let solved = linear::solve(&e, plan, z, factor);
            profile.mark(Stage::Solve);
            counts.right_hand_sides += 1;
            quotient = resolved::probe_take(t, island, &stiff.now, z, &mut second.probe).or(quotient);
            counts.iterations += solved?;
        }
        profile.mark(Stage::Estimate);
        resolved::update(&mut desk.regime[k], largest, quotient);
        Ok(())
    }

    /// Corrections of the resolved regime; false when they failed.
    fn correct(&self, k: usize, desk: &mut Desk, counts: &mut Counts) -> Result<bool, Failure> {
        let Task { t, h, .. } = *self;
        let island = &t.islands[k];
        let nodes = island.nodes.clone();
        let mut look = Look { r: desk.stiff.share[k], round: 0, before: f64::INFINITY };
        desk.second.kick[nodes.clone()].fill(DVec3::ZERO);
        desk.second.kicked[k] = true;
        loop {
            let Desk { law, right, memory, second, next, sol, .. } = desk;
            match resolved::correct(t, island, h, &mut look, (law, right, memory), (second, next), sol) {
                Verdict::Settled => {
                    // The last look may have needed no poses.
                    desk.next.posed[k] = !curvature::only_arms_turn(t, island);
                    desk.next.seen[k] = true;
                    break;
                }
                Verdict::Failed => return Ok(false),
                Verdict::Worse => {
                    take_back(t, island, &mut desk.sol, &mut desk.factor);
                    let Second { kick, kick_before, .. } = &mut desk.second;
                    kick[nodes.clone()].copy_from_slice(&kick_before[nodes]);
                    break;
                }
                Verdict::Again => {
                    let Second { kick, kick_before, correction, body_weight, .. } = &mut desk.second;
                    kick_before[nodes.clone()].copy_from_slice(&kick[nodes.clone()]);
                    let known = body_weight[nodes.clone()].iter().zip(&correction[nodes.clone()]);
                    for (kick, (weight, correction)) in kick[nodes.clone()].iter_mut().zip(known) {
                        *kick = *weight * *correction;
                    }
                    self.resolve(k, desk, counts)?;
                }
            }
            look.round += 1;
        }
        read_lambda(t, island, &desk.sol.x, &mut desk.force);
        desk.profile.mark(Stage::Corrections);
        Ok(true)
    }
}

/// The direction of the power iteration, or a start where there is none.
fn gather_probe(t: &Given<'_>, island: &Island, state: &State, out: &mut [f64]) {
    for n in island.nodes.clone() {
        let (node, probe) = (&t.nodes[n], &state.bodies[t.slot_of[n]].probe);
        let start = if *probe == [0.0; 6] {
            // Fixed to the body: the same wherever the scene stands and in whatever order it was built.
            let seed = |at| {
                t.inputs.kin[n].rot * DVec3::new(resolved::seed(at), resolved::seed(at + 1), resolved::seed(at + 2))
            };
            let (lin, ang) = (seed(0), seed(3));
            [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z]
        } else {
            *probe
        };
        out[node.x..node.x + node.dim].copy_from_slice(&start[..node.dim]);
    }
}
