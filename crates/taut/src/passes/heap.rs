//! A heap: a large cluster in motion goes through one pass, a budget of sweeps over joints that stay exact, and a few looks at the
//! second order in between (`bounded::heap`, `solve::bounded::heap`).
//!
//! ```text
//! A, factor, x_free of every island
//! x = x_free + K^-1 Ju^T z from the impulses of the last step;  within the tolerance: at rest, done
//! calm (nothing moves): sweeps, then some Newton steps of the sparse solver; what is left goes on in the next step
//! else: sweeps from below; in between joints, limits and momenta are aimed at where they will be (second order)
//! x = x_free + K^-1 Ju^T z by the factors of the joint islands: joints are exact
//! rebounds and the push of positions by more sweeps on the same rows
//! ```
//! Every change of what is aimed at is x += K^-1 db, and the sweeps go on. Nothing is solved anew.

mod after;

use super::bounded_rows::{Responses, count};
use super::factors::read_lambda;
use super::rounds::Round;
use super::{Counts, System, Task};
use crate::bounded::accuracy;
use crate::bounded::bounce::Respond;
use crate::bounded::gather::speed;
use crate::bounded::heap::Rows;
use crate::bounded::large::Aimed;
use crate::close::velocities::{aimed_rhs, known};
use crate::delassus::scatter;
use crate::desk::bounded::{Bounded, Candidate, Cluster, Set};
use crate::desk::{Desk, Second};
use crate::integrate;
use crate::profile::Stage;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{Block, Info, Method};
use crate::stabilise::{aligned, curvature, resolved};
use crate::system::kkt::{mass_block, put_mass};
use crate::system::linear::Failure;
use crate::topology::Island;
use crate::tuning::T;

impl System<'_> {
    /// Whether the cluster is so large that it is swept.
    pub(super) fn is_heap(&self, set: &Set) -> bool {
        let plan = self.task.plan;
        plan.is_aligned()
            && plan.is_direct()
            && plan.sweeps().is_none()
            && matches!(plan.bounded, Method::Auto)
            && self.is_large(set)
            && self.islands().all(|island| self.can_sweep(island, set))
    }

    /// Whether more rows push, or are about to, than are solved together. Near misses do not count: a mechanism with many limits that holds on to
    /// few of them is no heap.
    fn is_large(&self, set: &Set) -> bool {
        let kin = &self.task.t.inputs.kin;
        let acts = |c: &&Candidate| {
            let row = &set.rows[c.row];
            let w = speed(kin, set.rows.sides(c.row)) + row.drive - row.b;
            let met = match c.law {
                Block::Contact { .. } => w < 0.0 || row.phi < 0.0,
                Block::Span { .. } => true,
                Block::Box { lo, hi } => (lo == 0.0 && w < 0.0) || (hi == 0.0 && w > 0.0) || (lo < 0.0 && hi > 0.0),
            };
            met || row.z != 0.0
        };
        let most = if self.has_soft() { T.heap.soft } else { self.large() };
        self.candidates(set).iter().filter(acts).flat_map(Candidate::rows).nth(most).is_some()
    }

    fn has_soft(&self) -> bool {
        self.islands().any(|island| self.task.t.soft.is_in(island.k))
    }

    /// Whether the response of an island is worth its memory, which grows with the square of its bodies, of deformables with that of the nodes
    /// that rows touch. Long cables and nets that lie on something are better solved without.
    fn can_sweep(&self, island: &Island, set: &Set) -> bool {
        let t = self.task.t;
        if island.nodes.len() <= T.heap.widest || !t.soft.is_in(island.k) {
            return island.nodes.len() <= T.heap.widest;
        }
        let rows = || self.candidates(set).iter().flat_map(Candidate::rows);
        let sides = rows().flat_map(|r| set.rows.sides(r)).map(|(n, _)| n);
        let mut touched: Vec<usize> = sides.filter(|n| island.nodes.contains(n)).collect();
        touched.sort_unstable();
        touched.dedup();
        // Where most rows are on other bodies, the dense W that would solve them is the dearer one.
        let most = (rows().count() / T.heap.soft_part).clamp(T.heap.widest, T.heap.soft_widest);
        touched.len() <= most
    }

    /// Solves, and finds what is pushed; poses are left to the stage after.
    pub(super) fn heap(&self, cluster: &Cluster, desk: &mut Desk) -> Result<Counts, Failure> {
        let mut counts = Counts::default();
        let mut round = Round::first();
        let fastest = self.fastest(&desk.bounded.set);
        let calm = fastest < T.heap.calm;
        desk.bounded.crowd.stale.clear();
        desk.bounded.crowd.stale.resize(self.task.t.islands.len(), true);
        let mut swept = 0;
        for pass in 1..=T.heap.passes {
            self.free(&mut round, calm, desk, &mut counts)?;
            self.begin(pass, cluster, desk, &mut counts)?;
            let again = pass < T.heap.passes && self.has_joints();
            if calm {
                self.calm_down(cluster, desk, &mut counts)?;
                self.read_forces(desk);
                if !again || !self.has_jumped(desk) {
                    break;
                }
            } else {
                let enough = T.heap.part * fastest.min(1.0);
                match self.hurry((swept, enough), again, desk, &mut counts)? {
                    Some(at) => swept = at,
                    None => break,
                }
            }
            self.take_jumped(pass, desk);
        }
        self.guard_soft(desk, &mut counts)?;
        self.keep_volume(desk, &mut counts)?;
        self.book(!calm, desk);
        desk.profile.mark(Stage::Corrections);
        self.rebound(cluster, desk)?;
        self.push_heap(cluster, desk)?;
        desk.profile.mark(Stage::Bounce);
        Ok(counts)
    }

    /// The fastest row before the step, in the units of the rows.
    fn fastest(&self, set: &Set) -> f64 {
        let kin = &self.task.t.inputs.kin;
        let of = |r: usize| (speed(kin, set.rows.sides(r)) + set.rows[r].drive).abs() / set.rows[r].unit;
        self.candidates(set).iter().flat_map(|c| c.rows()).fold(0.0, |most, r| f64::max(most, of(r)))
    }

    /// The solution without rows with bounds, in `sol.x` and `bounce.free`.
    fn free(&self, round: &mut Round, keep: bool, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let t = self.task.t;
        counts.pass();
        self.stiffen(false, desk);
        desk.factor.keep_base = keep;
        for island in self.islands() {
            if !desk.bounded.crowd.stale[island.k] {
                continue;
            }
            if desk.bounded.crowd.invert(t, island) {
                self.open_alone(island, desk);
            } else {
                let s = self.prepare(island.k, round, desk);
                self.task.solve_rows(island.k, s, desk, counts)?;
            }
        }
        desk.factor.keep_base = false;
        round.next();
        for island in self.islands() {
            if !desk.bounded.crowd.stale[island.k] {
                continue;
            }
            accuracy::want(t, island, &desk.right.b, &mut desk.bounded.aims.wanted);
            desk.bounded.bounce.free[island.x.clone()].copy_from_slice(&desk.sol.x[island.x.clone()]);
        }
        Ok(())
    }

    /// The velocities of a body without joints, which has neither stiffness nor memory.
    fn open_alone(&self, island: &Island, desk: &mut Desk) {
        let (n, range) = (island.nodes.start, island.x.clone());
        desk.stiff.share[island.k] = 0.0;
        desk.memory.impulse[range.clone()].fill(0.0);
        desk.memory.predicted[n] = self.task.t.inputs.omega_g[n];
        desk.sol.x[range.clone()].copy_from_slice(&desk.right.b[range]);
        desk.bounded.crowd.answer(self.task.t, island, &mut desk.sol.x);
    }

    /// Rows, and velocities with the impulses of the last step; in later passes those that were found up to there, with the second order that
    /// they lead to.
    fn begin(&self, pass: usize, cluster: &Cluster, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        if pass > 1 && self.renew(desk)? {
            self.take_impulses(desk, counts, false)?;
            return self.look(desk, counts);
        }
        desk.bounded.set.candidates[cluster.candidates.clone()].iter_mut().for_each(|c| c.active = true);
        self.list(cluster, &mut desk.bounded);
        desk.bounded.active.is_large = true;
        self.load(cluster, desk)?;
        desk.profile.mark(Stage::Mobility);
        self.take_impulses(desk, counts, true)?;
        desk.bounded.crowd.read(self.task.t, &desk.sol.x);
        Ok(())
    }

    /// Impulses and velocities of a calm heap, to the tolerance.
    fn calm_down(&self, cluster: &Cluster, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let tolerance = self.task.plan.bounded_tolerance;
        let mut residual = desk.bounded.crowd.heap.residual();
        let mut iterations = 0;
        if !(residual <= tolerance) {
            // With deformables there are no Newton steps after them.
            let most = self.budget(&desk.bounded) * if self.has_soft() { T.heap.soft_sweeps } else { 1 };
            desk.bounded.crowd.heap.sweep(most, T.heap.settled * tolerance);
            self.take_impulses(desk, counts, false)?;
            residual = desk.bounded.crowd.heap.residual();
            let steps = self.newton_steps(&desk.bounded);
            if !(residual <= tolerance) && steps > 0 {
                (residual, iterations) = self.newton(cluster, (residual, steps), desk);
            }
        }
        self.tell(residual, iterations, desk);
        Ok(())
    }

    /// Books the sweeps, and how far they have come.
    fn tell(&self, residual: f64, iterations: usize, desk: &mut Desk) {
        let sweeps = desk.bounded.crowd.heap.sweeps;
        let converged = residual <= self.task.plan.bounded_tolerance;
        let info = Info { residual, iterations, sweeps, converged, convex: false, method: Method::Newton };
        count(info, &mut desk.bounded);
        desk.profile.mark(Stage::Bounded);
    }

    /// Forces of joints and limits from the solution at hand.
    fn read_forces(&self, desk: &mut Desk) {
        for island in self.islands() {
            read_lambda(self.task.t, island, &desk.sol.x, &mut desk.force);
            desk.next.posed[island.k] = false;
        }
        self.read_bounded(&desk.bounded.set, &mut desk.force);
    }

    /// The response of islands whose stiffness has changed; false when the rows must be read again too.
    fn renew(&self, desk: &mut Desk) -> Result<bool, Failure> {
        let Desk { law, stiff, force, factor, sol, bounded, profile, .. } = desk;
        let Bounded { crowd, push, .. } = bounded;
        let mut responses = Responses { system: self, law, stiff, force, before: &sol.saved, factor, profile };
        let done = crowd.renew(self.task.t, &mut responses, &mut push.shift);
        profile.mark(Stage::Mobility);
        done
    }

    /// Bodies and rows of the heap.
    fn load(&self, cluster: &Cluster, desk: &mut Desk) -> Result<(), Failure> {
        let t = self.task.t;
        let Desk { law, stiff, force, factor, sol, bounded, profile, .. } = desk;
        let Bounded { set, crowd, push, .. } = bounded;
        let own = Rows { t, candidates: &set.candidates[cluster.candidates.clone()], rows: &set.rows };
        let mut responses = Responses { system: self, law, stiff, force, before: &sol.saved, factor, profile };
        crowd.bodies(own, &mut responses, &mut push.shift)?;
        crowd.rows(own, &t.inputs.kin, -self.task.plan.gravity.normalize_or_zero());
        Ok(())
    }

    /// Sweeps that a step in motion can afford.
    fn budget(&self, b: &Bounded) -> usize {
        let least = if self.has_joints() { T.heap.sweeps } else { T.heap.sweeps_free };
        least.max(T.heap.visits / b.crowd.heap.points().max(1))
    }

    /// Newton steps that are due: some at the start and now and then, and where they are cheap as many in every step as a bound on the work
    /// allows.
    fn newton_steps(&self, b: &Bounded) -> usize {
        let Task { t, state, .. } = *self.task;
        let fresh = || self.islands.iter().any(|&k| t.inputs.regime[k].h_prev == 0.0);
        // Rows on many bodies are rows of the matrix there, which have no bounds.
        let free = Block::Box { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        if self.candidates(&b.set).iter().any(|c| c.law != free && c.rows().any(|r| b.set.rows[r].is_wide())) {
            return 0;
        }
        // Nor does the sparse solver know elements.
        if self.has_soft() {
            return 0;
        }
        let rows = b.active.rows.len();
        let due = if state.steps.is_multiple_of(T.heap.newton_every) || fresh() { T.heap.newton } else { 0 };
        if rows <= T.heap.cheap { due.max(T.heap.newton_work / rows.max(1)) } else { due }
    }

    /// Some Newton steps from there; the residual that is left, and how many there were.
    fn newton(&self, cluster: &Cluster, (swept, steps): (f64, usize), desk: &mut Desk) -> (f64, usize) {
        let t = self.task.t;
        let Desk { factor, sol, bounded: b, right, memory, .. } = desk;
        for island in self.islands().filter(|island| b.crowd.is_alone(island)) {
            let (n, node) = (island.nodes.start, &t.nodes[island.nodes.start]);
            let (mass, inertia) = mass_block(t, t.inputs.hk[island.k], n, &t.inputs.inertia, &[], 0.0);
            factor.base.diag.resize(t.pattern.diag_len, 0.0);
            put_mass(node.dim, mass, inertia, &mut factor.base.diag[node.diag..node.diag + node.dim * node.dim]);
        }
        factor.base.off.resize(t.pattern.off_len, 0.0);
        let wide = (&b.set.rows, &b.active.rows[..]);
        b.large.fill(t, self.islands, &factor.base, wide, |q| right.b[q] + memory.impulse[q]);
        b.large.begin();
        let Bounded { set, large, push, crowd, .. } = b;
        for c in set.candidates[cluster.candidates.clone()].iter().filter(|c| !set.rows[c.row].is_wide()) {
            large.add(t, &set.rows, c.law, c.rows().map(|r| Aimed::at(r, &set.rows[r])));
        }
        let params = SparseParams {
            tolerance: self.task.plan.bounded_tolerance,
            accept: f64::INFINITY,
            max_iterations: steps,
            ..SparseParams::default()
        };
        let info = large.solve(t, self.islands, &params, &mut push.shift);
        if !(info.residual < swept) {
            return (swept, info.iterations);
        }
        for (r, z) in large.found() {
            set.rows[r].z = z;
        }
        for island in self.islands() {
            sol.x[island.x.clone()].copy_from_slice(&push.shift[island.x.clone()]);
        }
        crowd.heap.take_impulses(|r| set.rows[r].z);
        crowd.read(t, &sol.x);
        (info.residual, info.iterations)
    }

    /// Sweeps within a budget, with looks at the second order in between; `swept` of them were made before. Where forces of joints have
    /// jumped at such a look, and the stiffness may be found `again`, it ends with the sweeps up to there.
    fn hurry(
        &self,
        (swept, enough): (usize, f64),
        again: bool,
        desk: &mut Desk,
        counts: &mut Counts,
    ) -> Result<Option<usize>, Failure> {
        let most = self.budget(&desk.bounded);
        let looks = if self.has_joints() { T.heap.looks } else { 1 };
        desk.bounded.crowd.heap.precision = T.heap.precision;
        let mut at = swept;
        let end = |look: usize| most * (look + 1) / (looks + 1);
        for look in (0..=looks).filter(|&look| end(look) > swept) {
            at += desk.bounded.crowd.heap.sweep(end(look).saturating_sub(at), enough).0;
            self.take_impulses(desk, counts, false)?;
            desk.profile.mark(Stage::Bounded);
            if look == looks {
                break;
            }
            if again {
                self.read_forces(desk);
                if self.has_jumped(desk) {
                    return Ok(Some(end(look)));
                }
            }
            self.look(desk, counts)?;
            desk.profile.mark(Stage::Corrections);
        }
        self.read_forces(desk);
        self.tell(desk.bounded.crowd.heap.residual(), 0, desk);
        Ok(None)
    }

    /// x = free + K^-1 Ju^T z of the impulses of the heap. Of free bodies the heap has the velocities, unless `all`.
    fn take_impulses(&self, desk: &mut Desk, counts: &mut Counts, all: bool) -> Result<(), Failure> {
        let t = self.task.t;
        let Desk { law, stiff, force, factor, sol, bounded: b, profile, .. } = desk;
        let Bounded { set, crowd, bounce, active, .. } = b;
        crowd.heap.impulses(|r, z| set.rows[r].z = z);
        let swept = |island: &Island| !all && crowd.is_alone(island);
        for island in self.islands() {
            sol.x[island.x.clone()].fill(0.0);
        }
        if all || self.islands().any(|island| !crowd.is_alone(island)) {
            for &r in &active.rows {
                if set.rows[r].z != 0.0 {
                    scatter(t, set.rows.sides(r), set.rows[r].z, &mut sol.x);
                }
            }
        }
        let mut done = Ok(());
        for island in self.islands() {
            let range = island.x.clone();
            if !swept(island) && !crowd.answer(t, island, &mut sol.x) {
                let mut responses = Responses { system: self, law, stiff, force, before: &sol.saved, factor, profile };
                done = done.and(responses.respond(island.k, &mut sol.x));
                counts.right_hand_sides += 1;
            }
            for (x, f) in sol.x[range.clone()].iter_mut().zip(&bounce.free[range]) {
                *x += f;
            }
        }
        if !all {
            crowd.spread(t, &mut sol.x);
        }
        done
    }

    /// Joints and limits are aimed at where they will be, free bodies keep the angular momentum of their drift: changes of the free
    /// solution, and of the velocities at hand by as much.
    fn look(&self, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, h, plan, .. } = *self.task;
        for island in self.islands() {
            let alone = island.groups.is_empty() && island.links.is_empty();
            if alone {
                if t.soft.is_in(island.k) || !plan.resolves() || !self.kick(island, desk) {
                    continue;
                }
            } else {
                let wide = curvature::widest(t, island, h, (&desk.sol.x, true), &desk.law, &mut desk.next);
                if !(wide > T.looks.wide) {
                    continue;
                }
                let known = ((&desk.law, &desk.next.phi[..]), (&desk.right, &desk.memory));
                aimed_rhs(t, island, h, |_| 1.0, known.0, known.1, &mut desk.sol);
                accuracy::want(t, island, &desk.sol.residual, &mut desk.bounded.aims.wanted);
            }
            self.refree(island, desk, counts)?;
        }
        if self.has_limits(&desk.bounded.set) {
            self.go_on(desk);
            self.aim(&desk.sol.x, &desk.next, &mut desk.bounded.set);
        }
        let Bounded { set, crowd, .. } = &mut desk.bounded;
        for c in self.candidates(set).iter().filter(|c| c.origin.row(t).is_some()) {
            crowd.heap.aim(c.row, Aimed::at(c.row, &set.rows[c.row]).c);
        }
        crowd.read(t, &desk.sol.x);
        Ok(())
    }

    /// The free solution of an island for the right-hand side in `residual`, and the velocities at hand by as much.
    fn refree(&self, island: &Island, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let Desk { law, stiff, force, factor, sol, bounded: b, profile, .. } = desk;
        let range = island.x.clone();
        let free = &mut b.bounce.free;
        sol.saved[range.clone()].copy_from_slice(&sol.residual[range.clone()]);
        if !b.crowd.answer(self.task.t, island, &mut sol.saved) {
            let mut responses = Responses { system: self, law, stiff, force, before: &[], factor, profile };
            responses.respond(island.k, &mut sol.saved)?;
            counts.right_hand_sides += 1;
        }
        for q in range {
            sol.x[q] += sol.saved[q] - free[q];
            free[q] = sol.saved[q];
        }
        Ok(())
    }

    /// Whether there are limits, ropes or couplings, whose rows turn with the bodies.
    fn has_limits(&self, set: &Set) -> bool {
        self.candidates(set).iter().any(|c| c.origin.row(self.task.t).is_some())
    }

    /// Poses after the velocities at hand.
    fn go_on(&self, desk: &mut Desk) {
        let Task { t, h, .. } = *self.task;
        for island in self.islands() {
            integrate::poses(t, island.nodes.clone(), &t.inputs.kin, &desk.sol.x, h, &mut desk.next.kin);
        }
    }

    /// The right-hand side of a free body with the momentum that its drift misses, in `residual`; false when it misses none.
    fn kick(&self, island: &Island, desk: &mut Desk) -> bool {
        let Task { t, h, .. } = *self.task;
        let n = island.nodes.start;
        if t.nodes[n].isotropic || t.nodes[n].dim == 3 {
            return false;
        }
        desk.second.body_weight[n] = 1.0;
        if !(resolved::momentum_defect(t, island, h, 0, &desk.sol.x, &mut desk.second) > T.resolved.momentum_close) {
            return false;
        }
        let Second { kick, correction, kicked, .. } = &mut desk.second;
        kick[n] = correction[n];
        kicked[island.k] = true;
        known(island, &desk.right, &desk.memory, &mut desk.sol.residual);
        super::second_order::add_kicks(t, island, &desk.second, &mut desk.sol);
        true
    }

    /// Whether forces of joints have grown so much that the stiffness must be found again: of which islands is in `stale`.
    fn has_jumped(&self, desk: &mut Desk) -> bool {
        let t = self.task.t;
        let mut any = false;
        for island in self.islands() {
            let jumped = !island.groups.is_empty() && !aligned::calm(t, island, &desk.force, T.heap.jump) && {
                aligned::stiffness(t, island, &desk.force.found, desk.regime[island.k].h_long, &mut desk.stiff.next);
                aligned::jumped(t, island, &desk.stiff, 0.0, 0.0, T.heap.jump)
            };
            desk.bounded.crowd.stale[island.k] = jumped;
            any |= jumped;
        }
        any
    }

    /// The stiffness of the next pass reads the forces of this one, where they have jumped. Rows between islands stiffen both.
    fn take_jumped(&self, pass: usize, desk: &mut Desk) {
        let t = self.task.t;
        let Bounded { set, crowd, .. } = &mut desk.bounded;
        let joins = |c: &Candidate| {
            let mut sides = set.rows.sides(c.row).map(|(n, _)| t.nodes[n].island);
            let first = sides.next();
            c.origin.row(t).is_some() && sides.any(|k| Some(k) != first)
        };
        if self.candidates(set).iter().any(joins) {
            self.islands().for_each(|island| crowd.stale[island.k] = true);
        }
        self.take_load(pass, &crowd.stale, set, &mut desk.force);
    }
}
