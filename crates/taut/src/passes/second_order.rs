//! The second order of a system, on the factors of its last pass: the estimate and the corrections of resolved islands, the momentum of
//! free bodies in clusters.

use super::factors::{read_lambda, take_back};
use super::rounds::Round;
use super::{Counts, System, Task};
use crate::profile::Stage;
use crate::stabilise::resolved::{self, Look, Verdict};
use crate::state::State;
use crate::system::kkt::Equations;
use crate::system::linear::{self, Failure};
use crate::topology::{Island, Source, Topology};
use crate::tuning::T;
use crate::workspace::inputs::Given;
use crate::workspace::{Second, Solution, Workspace};
use glam::DVec3;

impl System<'_> {
    /// Ends the passes; false when they must be repeated without the second order.
    pub(super) fn second_order(&self, round: &Round, ws: &mut Workspace, counts: &mut Counts) -> Result<bool, Failure> {
        ws.profile.mark(Stage::Stiffness);
        if !self.task.plan.is_aligned() {
            return Ok(true);
        }
        if self.cluster.is_some() {
            if self.task.plan.resolves() {
                self.turn(ws, counts)?;
            }
        } else if round.resolves {
            let k = self.islands[0];
            self.task.estimate(k, round.largest, ws, counts)?;
            if ws.stiff.share[k] > 0.0 {
                if !self.task.correct(k, ws, counts)? {
                    ws.second.kicked[k] = false;
                    return Ok(false);
                }
                // Rods are closed to rounding in every regime.
                if !has_rods(self.task.t, &self.task.t.islands[k]) {
                    return Ok(true);
                }
            }
        }
        self.close(ws, counts)?;
        Ok(true)
    }

    /// Free bodies keep the angular momentum of their drift, the inertia turning with them (`force::gyroscopic`): what the velocities
    /// just found miss of it goes to the right-hand side. Bodies with joints run in the base regime, without.
    fn turn(&self, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, h, .. } = *self.task;
        let free = |island: &Island| island.groups.is_empty() && island.links.is_empty();
        let mut before = f64::INFINITY;
        for round in 0..T.resolved.corrections {
            let mut worst = 0.0_f64;
            for island in self.islands().filter(|i| free(i)) {
                ws.second.body_weight[island.nodes.clone()].fill(1.0);
                worst = worst.max(resolved::momentum_defect(t, island, h, round, &ws.sol.x, &mut ws.second));
            }
            if !(worst > T.resolved.momentum_close && worst < before) {
                break;
            }
            before = worst;
            for island in self.islands() {
                if free(island) {
                    let Second { kick, correction, kicked, .. } = &mut ws.second;
                    kick[island.nodes.clone()].copy_from_slice(&correction[island.nodes.clone()]);
                    kicked[island.k] = true;
                }
                for q in island.x.clone() {
                    ws.sol.residual[q] = ws.right.b[q] + ws.memory.impulse[q];
                }
                add_kicks(t, island, &ws.second, &mut ws.sol);
                self.task.resolve(island.k, ws, counts)?;
            }
            self.bounded(false, ws, counts)?;
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
    fn estimate(&self, k: usize, largest: f64, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, plan, .. } = *self;
        let island = &t.islands[k];
        let rounds = resolved::probes(&ws.regime[k], largest);
        if rounds > 0 {
            gather_probe(t, island, self.state, &mut ws.second.probe);
            ws.second.probed[k] = true;
        }
        let mut quotient = (rounds > 0).then_some(0.0);
        let Workspace { law, stiff, force, sol, factor, second, profile, .. } = ws;
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
        resolved::update(&mut ws.regime[k], largest, quotient);
        Ok(())
    }

    /// Corrections of the resolved regime; false when they failed.
    fn correct(&self, k: usize, ws: &mut Workspace, counts: &mut Counts) -> Result<bool, Failure> {
        let Task { t, h, .. } = *self;
        let island = &t.islands[k];
        let nodes = island.nodes.clone();
        let mut look = Look { r: ws.stiff.share[k], round: 0, before: f64::INFINITY };
        ws.second.kick[nodes.clone()].fill(DVec3::ZERO);
        ws.second.kicked[k] = true;
        loop {
            let Workspace { law, right, memory, second, next, sol, .. } = ws;
            match resolved::correct(t, island, h, &mut look, (law, right, memory), (second, next), sol) {
                Verdict::Settled => {
                    ws.next.posed[k] = true;
                    break;
                }
                Verdict::Failed => return Ok(false),
                Verdict::Worse => {
                    take_back(t, island, &mut ws.sol, &mut ws.factor);
                    let Second { kick, kick_before, .. } = &mut ws.second;
                    kick[nodes.clone()].copy_from_slice(&kick_before[nodes]);
                    break;
                }
                Verdict::Again => {
                    let s = &mut ws.second;
                    for n in nodes.clone() {
                        s.kick_before[n] = s.kick[n];
                        s.kick[n] = s.body_weight[n] * s.correction[n];
                    }
                    self.resolve(k, ws, counts)?;
                }
            }
            look.round += 1;
        }
        read_lambda(t, island, &ws.sol.x, &mut ws.force);
        ws.profile.mark(Stage::Corrections);
        Ok(true)
    }
}

/// The direction of the power iteration, or a start where there is none.
fn gather_probe(t: &Given<'_>, island: &Island, state: &State, out: &mut [f64]) {
    for n in island.nodes.clone() {
        let (node, probe) = (&t.nodes[n], &state.bodies[t.slot_of[n]].probe);
        // The start is fixed to the body: the same wherever the scene stands and in whatever order it was built.
        let seed =
            |at| t.inputs.kin[n].rot * DVec3::new(resolved::seed(at), resolved::seed(at + 1), resolved::seed(at + 2));
        let (lin, ang) = (seed(0), seed(3));
        let start = [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z];
        for c in 0..node.dim {
            out[node.x + c] = if *probe == [0.0; 6] { start[c] } else { probe[c] };
        }
    }
}
