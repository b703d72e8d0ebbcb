//! The integrator of deformables, S3: backward Euler gives back what it takes from motion that the step resolves.
//!
//! With K the matrix of the step without its rows' right-hand sides and M' = M + A its part without elements, B y = K^-1 (M' y; 0) is near y
//! on slow motion and near 0 on stiff modes. On the factor of the pass, with F all forces and t = 11/12:
//! ```text
//! b1 = B v,  bf = K^-1 (F; 0),  d = v - b1,  b3 = B (d + t bf)
//! v+ = K^-1 (M v + F + M' (2 d + t bf - b3) - h D b1;  rows)
//! ```
//! For one mode of z = h omega and B = 1/(1 + z^2) the velocity keeps 1 - (1 - B)^3 of itself: second order where z is small, nothing
//! left where z is large, and stable for any z as long as the true stiffness is at most twice the one in the matrix. M' and not M: the
//! inertia that the joints' stabiliser adds is no stiffness and must not be smoothed. Backward Euler, `T.soft.gives_back` = 0, is what the
//! published stabilisers get.
//!
//! Where the step turns stiff elements far, the quadratic model of their energy is wrong. Two remedies, both a posteriori:
//! the guard, which goes back to backward Euler on the same factor when the elements would give more than they had, and the error,
//! by which the world divides the step (`world::step`).

use super::second_order::add_kicks;
use super::{Counts, System, Task};
use crate::close::velocities::known;
use crate::desk::Desk;
use crate::desk::inputs::Given;
use crate::elastic;
use crate::integrate;
use crate::kin::Kin;
use crate::math::vec3;
use crate::profile::Stage;
use crate::system::kkt::{self, Equations};
use crate::system::linear::{self, Failure};
use crate::topology::{Island, unit_speed};
use crate::tuning::T;

impl Task<'_> {
    /// The right-hand side of the nodes of an island with elements: what the forces say, and what is given back.
    pub(super) fn give_back(&self, k: usize, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, plan, h, .. } = *self;
        if !t.soft.is_in(k) || !plan.is_aligned() {
            return Ok(());
        }
        let (island, s) = (&t.islands[k], desk.factor.scales[k]);
        let Desk { law, stiff, force, factor, sol, smooth, right, profile, .. } = desk;
        let e = &Equations::of(t, k, law, stiff, force, &sol.saved);
        let x = island.x.clone();
        let nodes = || t.nodes[island.nodes.clone()].iter().flat_map(|n| n.x..n.x + n.dim);
        let share = T.soft.gives_back;
        let (known, dragged) = (&t.inputs.elastic.driven, &t.inputs.elastic.dragged);
        for part in [&mut smooth.slow, &mut smooth.forced, &mut smooth.work, &mut smooth.impulse] {
            part[x.clone()].fill(0.0);
        }
        // v, and b1 = B v.
        velocities(t, island, &mut smooth.work);
        kkt::multiply_bodies(e, s, &smooth.work, &mut smooth.slow);
        // Nodes that are moved from outside keep their velocity.
        nodes().for_each(|q| smooth.slow[q] += known[q] + dragged[q]);
        factor.choice.start_from(t, k, &smooth.work);
        forces(t, island, h, &mut smooth.forced);
        counts.iterations += linear::solve_two(e, plan, [&mut smooth.slow, &mut smooth.forced], factor)?;
        // d + t bf, and b3.
        for q in nodes() {
            smooth.work[q] += share * smooth.forced[q] - smooth.slow[q];
        }
        kkt::multiply_bodies(e, s, &smooth.work, &mut smooth.impulse);
        factor.choice.start_from(t, k, &smooth.work);
        counts.iterations += linear::solve(e, plan, &mut smooth.impulse, factor)?;
        // With B d + t B bf = b3 the end is b1 + bf + b3 + B (d - b3), the last of which is small: iterations for it start from the others.
        if factor.choice.iterates[k] {
            nodes().for_each(|q| factor.choice.start[q] = smooth.slow[q] + smooth.forced[q] + smooth.impulse[q]);
            factor.choice.started = true;
        }
        // 2 d + t bf - b3.
        for q in nodes() {
            smooth.work[q] = 2.0 * smooth.work[q] - share * smooth.forced[q] - smooth.impulse[q];
        }
        smooth.impulse[x.clone()].fill(0.0);
        kkt::multiply_bodies(e, s, &smooth.work, &mut smooth.impulse);
        if t.soft.is_damped {
            smooth.work[x].fill(0.0);
            elastic::product(t, k, &t.inputs.elastic.drag, &smooth.slow, &mut smooth.work);
            nodes().for_each(|q| smooth.impulse[q] -= smooth.work[q] - dragged[q]);
        }
        nodes().for_each(|q| right.b[q] = t.inputs.rhs[q] + smooth.impulse[q]);
        counts.right_hand_sides += 3;
        profile.mark(Stage::Solve);
        Ok(())
    }
}

/// Velocities of the nodes of an island before the kick.
fn velocities(t: &Given<'_>, island: &Island, out: &mut [f64]) {
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        out[node.x..node.x + 3].copy_from_slice(&t.inputs.kin[n].vel.to_array());
        if node.dim == 6 {
            out[node.x + 3..node.x + 6].copy_from_slice(&t.inputs.omega_g[n].to_array());
        }
    }
}

/// Impulses of all forces on the nodes of an island: the right-hand side without the momentum.
fn forces(t: &Given<'_>, island: &Island, h: f64, out: &mut [f64]) {
    for n in island.nodes.clone() {
        let (node, kin) = (&t.nodes[n], &t.inputs.kin[n]);
        let elastic = &t.inputs.elastic;
        let known = |at: usize| vec3(&t.inputs.rhs, at) - vec3(&elastic.driven, at) - vec3(&elastic.dragged, at);
        let linear = known(node.x) - node.mass * kin.vel;
        out[node.x..node.x + 3].copy_from_slice(&linear.to_array());
        if node.dim == 6 {
            let angular = known(node.x + 3) - t.inputs.inertia[n] * t.inputs.omega_g[n];
            out[node.x + 3..node.x + 6].copy_from_slice(&angular.to_array());
        }
    }
    let [.., masses] = t.soft.of(island.k);
    for m in &t.soft.masses[masses] {
        let kin = &t.inputs.kin[m.body];
        let arm = kin.rot * m.arm;
        let momentum = m.mass * elastic::carried(kin, arm, (t.inputs.h_prev[m.body], h));
        crate::force::add_at_anchor(t, m.body, arm, -momentum, out);
    }
}

impl System<'_> {
    /// Where the elements of an island would give more energy than they had, its step is backward Euler's.
    pub(super) fn guard_elements(&self, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, plan, .. } = *self.task;
        if t.soft.is_empty() {
            return Ok(());
        }
        if !plan.is_aligned() {
            self.islands().filter(|i| t.soft.is_in(i.k)).for_each(|i| self.task.look_ahead(i, desk));
            return Ok(());
        }
        let mut any = false;
        for island in self.islands().filter(|i| t.soft.is_in(i.k)) {
            any |= self.task.guards(island, desk);
        }
        if !any {
            return Ok(());
        }
        for island in self.islands() {
            known(island, &desk.right, &desk.memory, &mut desk.sol.residual);
            add_kicks(t, island, &desk.second, &mut desk.sol);
            (desk.next.posed[island.k], desk.next.seen[island.k]) = (false, false);
            self.task.resolve(island.k, desk, counts)?;
            super::factors::read_lambda(t, island, &desk.sol.x, &mut desk.force);
        }
        self.bounded(false, desk, counts)?;
        self.close(desk, counts)?;
        self.islands().filter(|i| t.soft.is_in(i.k)).for_each(|i| self.task.look_ahead(i, desk));
        Ok(())
    }
}

impl Task<'_> {
    /// Gives an island the right-hand side of backward Euler where its elements would gain; whether they would.
    pub(super) fn guards(&self, island: &Island, desk: &mut Desk) -> bool {
        let t = self.t;
        let gains = self.gained(island, desk);
        desk.smooth.guarded[island.k] = gains;
        if gains {
            desk.smooth.impulse[island.x.clone()].fill(0.0);
            let nodes = t.nodes[island.nodes.clone()].iter().flat_map(|n| n.x..n.x + n.dim);
            nodes.for_each(|q| desk.right.b[q] = t.inputs.rhs[q]);
        }
        gains
    }

    /// Whether the elements of an island give more energy than they lose, from the middle of the last drift to the middle of the next, and
    /// that because they are not what the quadratic model of the step takes them for: motion for which the model is right is stable,
    /// though a mode of few steps a period gains and loses in turn.
    fn gained(&self, island: &Island, desk: &mut Desk) -> bool {
        let Task { t, h, model, state, .. } = *self;
        self.look_ahead(island, desk);
        let Desk { smooth, sol, .. } = desk;
        // The last drift was as long as the last step.
        let back = -0.5 * t.inputs.regime[island.k].h_prev;
        let [before, after] = [&t.inputs.kin, &smooth.kin]
            .map(|kin| island.nodes.clone().map(|n| integrate::kinetic(t, n, &kin[n])).sum::<f64>());
        let was = elastic::energy(model, t, island.k, state, &t.inputs.kin, back);
        let done = elastic::work::done(t, island, &sol.x, smooth);
        let gain = smooth.middle[island.k] - was + done.inside + done.driven;
        if !(gain > T.soft.rise * before.max(after)) {
            return false;
        }
        velocities(t, island, &mut smooth.forced);
        let now = t.inputs.elastic.energy[island.k];
        let model_was = elastic::work::taken_for(t, island, back, &smooth.forced, h, &mut smooth.work);
        let model_will = elastic::work::taken_for(t, island, 0.5 * h, &sol.x, h, &mut smooth.work);
        let off = (smooth.middle[island.k] - now - model_will) - (was - now - model_was);
        off > 0.5 * gain
    }

    /// Energy of the elements of an island in the middle of the next drift, with the velocities found.
    pub(super) fn look_ahead(&self, island: &Island, desk: &mut Desk) {
        let Task { t, h, model, state, .. } = *self;
        let Desk { smooth, sol, .. } = desk;
        for n in island.nodes.clone() {
            let (vel, omega) = integrate::velocity(t, n, &sol.x);
            smooth.kin[n] = Kin { vel, omega, ..t.inputs.kin[n] };
        }
        let others = t.nodes.len()..t.slot_of.len();
        smooth.kin[others.clone()].copy_from_slice(&t.inputs.kin[others]);
        smooth.middle[island.k] = elastic::energy(model, t, island.k, state, &smooth.kin, 0.5 * h);
    }
}

/// Energies of the elements of all islands after the step, and how far they are from what the step took them for: the error is
/// ```text
/// |V(x+) - (V(x) - f.dx + dx.K dx/2)| / (T+ + |V(x+) - V(x)| + T_slow)
/// ```
/// with dx the way the nodes have gone, and T_slow the kinetic energy at the speed below which a body may sleep: the errors of what rests
/// are rounding.
pub(crate) fn arrive(task: &Task<'_>, desk: &mut Desk) -> f64 {
    let Task { t, h, model, state, plan, .. } = *task;
    let mut worst = 0.0_f64;
    for island in t.islands.iter().filter(|i| t.soft.is_in(i.k)) {
        let Desk { smooth, next, .. } = desk;
        let after = elastic::energy(model, t, island.k, state, &next.kin, 0.0);
        let mut kinetic = 0.0;
        for n in island.nodes.clone() {
            let (node, now, then) = (&t.nodes[n], &t.inputs.kin[n], &next.kin[n]);
            let turn = if node.dim == 6 { then.omega } else { glam::DVec3::ZERO };
            let went = ((then.pos - now.pos) / h).to_array().into_iter().chain(turn.to_array());
            for (q, w) in (node.x..node.x + node.dim).zip(went) {
                smooth.forced[q] = w;
            }
            let slow = T.sleep.slow * unit_speed(plan.gravity, node.size);
            kinetic += integrate::kinetic(t, n, then) + 0.5 * node.mass * slow * slow;
        }
        let taken = elastic::work::taken_for(t, island, h, &smooth.forced, h, &mut smooth.work);
        let before = t.inputs.elastic.energy[island.k];
        let off = (after - before - taken).abs();
        let scale = kinetic + (after - before).abs();
        smooth.energy[island.k] = after;
        smooth.error[island.k] = if off > 0.0 { off / scale } else { 0.0 };
        worst = worst.max(smooth.error[island.k]);
    }
    worst
}
