//! The one loop of passes.
//!
//! The stabiliser reads the multipliers of the last step. When a load snaps taut those are far too small, so after the solve the
//! stiffness is rebuilt from the new multipliers at the same pose and the system solved again, at most `T.passes.most` times. The same loop
//! finds the load of new joints before their first step counts. Bounded rows are inside it: one pass is not enough when a load lands,
//! lifts off or a rope snaps taut, and a pre-solve without them would see a hanging load that is in fact supported.
//! ```text
//! repeat
//!     A <- stiffness(lambda)                              stabilise::aligned, or what a paper adds
//!     for each island: r, c A wm, curvature, b;  factor K, solve K x = b            prepare, factors
//!     bounded rows: 0 <= z _|_ W z + q >= 0,  x += K^-1 Ju^T z                      bounded_rows
//! until lambda asks for no more stiffness than there is                             again
//! resolved: momentum and phi(x + h v) = 0 on the same factor; if that fails, once more with r = 0     second_order
//! close what v opens in second order                                                closing
//! ```

use super::{Counts, System, Task, papers, stall};
use crate::bounded;
use crate::desk::bounded::{Origin, Set};
use crate::desk::{Desk, Law, Multipliers, RightSide, Scales, Stabilised};
use crate::profile::Stage;
use crate::stabilise::aligned;
use crate::stabilise::memory::{self, Cap};
use crate::stabilise::{curvature, resolved};
use crate::system::linear::Failure;
use crate::topology::Island;
use crate::tuning::T;

/// Where the loop is.
pub(super) struct Round {
    /// Passes made, and most of them.
    pass: usize,
    most: usize,
    /// Whether islands may be integrated with second order; never with bounded rows.
    pub resolves: bool,
    /// Largest h^2 omega^2 of a body, before the estimate.
    pub largest: f64,
    /// The same of the stiffness that the forces found last ask for, where that is in `Stabilised::next`.
    ahead: Option<f64>,
}

impl Round {
    /// The first pass of a system without second order in its passes.
    pub fn first() -> Self {
        Round { pass: 0, most: 1, resolves: false, largest: 0.0, ahead: None }
    }

    /// Counts a pass.
    pub fn next(&mut self) {
        self.pass += 1;
    }
}

impl System<'_> {
    /// Solves; the result is in `sol.x`, `force.found` and the impulses of the bounded rows.
    pub(super) fn rounds(&self, desk: &mut Desk) -> Result<Counts, Failure> {
        let mut counts = Counts::default();
        let resolves = self.task.plan.resolves() && self.cluster.is_none();
        let mut round = Round { pass: 0, most: self.most_passes(desk), resolves, largest: 0.0, ahead: None };
        loop {
            counts.pass();
            self.stiffen(round.ahead.is_some(), desk);
            for &k in self.islands {
                let s = self.prepare(k, &mut round, desk);
                round.ahead = None;
                self.task.solve_rows(k, s, desk, &mut counts)?;
            }
            let yields = self.bounded(true, desk, &mut counts)?;
            round.pass += 1;
            if yields && round.pass < round.most {
                continue;
            }
            if self.again(&mut round, desk) {
                self.take_load(round.pass, &[], &desk.bounded.set, &mut desk.force);
                continue;
            }
            if self.second_order(&round, desk, &mut counts)? {
                return Ok(counts);
            }
            // The corrections failed: once more, with the base step.
            round.resolves = false;
            round.most = round.most.max(round.pass + 1);
        }
    }

    /// One for the stabilisers of the papers, but where the load must be found first.
    fn most_passes(&self, desk: &Desk) -> usize {
        let fresh = |&k: &usize| papers::is_fresh(self.task, k, &desk.force.load);
        let reeved = self.candidates(&desk.bounded.set).iter().any(|c| matches!(c.origin, Origin::Rope(_)));
        match (self.task.plan.is_aligned(), reeved) {
            (true, true) => T.ropes.passes,
            (true, false) => T.passes.most,
            (false, _) if self.islands.iter().any(fresh) => T.passes.most,
            _ => 1,
        }
    }

    /// A from the multipliers, for the longest step of late. `ahead` says that it has been found for them.
    pub(super) fn stiffen(&self, ahead: bool, desk: &mut Desk) {
        let t = self.task.t;
        desk.factor.keep_base = self.may_be_large(&desk.bounded.set);
        desk.factor.choice.columns = self.candidates(&desk.bounded.set).iter().map(|c| c.rows().len()).sum();
        if !self.task.plan.is_aligned() {
            return;
        }
        if ahead {
            let Stabilised { now, next, .. } = &mut desk.stiff;
            for island in self.islands() {
                let (nodes, links) = (island.nodes.clone(), island.links.clone());
                now.added[nodes.clone()].copy_from_slice(&next.added[nodes]);
                now.element[links.clone()].copy_from_slice(&next.element[links]);
            }
            return;
        }
        for island in self.islands() {
            aligned::stiffness(t, island, &desk.force.load, desk.regime[island.k].h_long, &mut desk.stiff.now);
        }
        if let Some(cluster) = self.cluster {
            let set = (&desk.bounded.set.candidates[cluster.candidates.clone()], &desk.bounded.set.rows);
            bounded::stiffen(t, self.task.h, set, &desk.force.load, &mut desk.stiff.now.added);
        }
    }

    /// What else the matrix and the right-hand side of an island are made of.
    pub(super) fn prepare(&self, k: usize, round: &mut Round, desk: &mut Desk) -> Scales {
        let (t, h) = (self.task.t, self.task.h);
        if !self.task.plan.is_aligned() {
            return papers::prepare(self.task, k, desk);
        }
        let (island, regime) = (&t.islands[k], &desk.regime[k]);
        let mut r = 0.0;
        if round.resolves {
            let ahead = round.ahead.take();
            round.largest = ahead.unwrap_or_else(|| resolved::largest(t, island, &desk.stiff.now));
            r = resolved::share(regime, round.largest);
        }
        desk.stiff.share[k] = r;
        desk.profile.mark(Stage::Stiffness);
        let cap = match (regime.h_prev == 0.0, round.pass) {
            (true, 0) => Cap::None,
            (true, _) => Cap::Solved,
            _ => Cap::Last,
        };
        memory::memory(t, island, r, cap, &desk.stiff.now, &desk.sol.x, &mut desk.memory);
        desk.profile.mark(Stage::Memory);
        let scratch = (&mut desk.sol.x[..], &mut desk.next);
        curvature::predict(t, island, h, &desk.law, &desk.memory, scratch, &mut desk.right.curve);
        self.task.row_rhs(island, &desk.law, desk.factor.loops.closing, &mut desk.right);
        desk.profile.mark(Stage::Curvature);
        self.task.scales(k, r)
    }

    /// Whether the new forces would have asked for clearly more stiffness anywhere, or for clearly less after a shock.
    fn again(&self, round: &mut Round, desk: &mut Desk) -> bool {
        let t = self.task.t;
        let rubs = self.rub(&desk.force.found, &mut desk.bounded.set);
        if round.pass >= round.most || (round.pass >= T.cluster.passes_cut && self.is_cut(&desk.bounded)) {
            return false;
        }
        if rubs || !self.task.plan.is_aligned() {
            return true;
        }
        // Forces of bounded rows are taken over elsewhere.
        let bare = self.cluster.is_none() && t.bounds.is_empty() && t.segments.is_empty();
        let mut largest = 0.0;
        let again = self.islands().any(|island| {
            let (k, r) = (island.k, desk.stiff.share[island.k]);
            let shocked = desk.regime[k].shocked;
            if r == 0.0 && !shocked && aligned::calm(t, island, &desk.force, T.passes.jump) {
                return false;
            }
            aligned::stiffness(t, island, &desk.force.found, desk.regime[k].h_long, &mut desk.stiff.next);
            let x = if round.resolves { resolved::largest(t, island, &desk.stiff.next) } else { 0.0 };
            let r_next = if round.resolves { resolved::share(&desk.regime[k], x) } else { 0.0 };
            largest = x;
            (shocked && round.pass == 1 && aligned::fell(t, island, &desk.stiff, T.passes.fall))
                || aligned::jumped(t, island, &desk.stiff, r, r_next, T.passes.jump)
        });
        round.ahead = Some(largest).filter(|_| again && bare && self.islands.len() == 1);
        again
    }

    /// The stiffness of the next pass reads the forces of this one: of the islands that are `stale`, or of all where the list is empty.
    ///
    /// A light block that hangs askew in a rope that snaps taut turns until its row holds, and is held by more in each pass: the tension
    /// grows by a factor until the load behind it is stopped. It is taken further by that factor, for with too much stiffness the passes
    /// end, and with too little the load falls through.
    pub(super) fn take_load(&self, pass: usize, stale: &[bool], set: &Set, force: &mut Multipliers) {
        let Multipliers { load, found } = force;
        let takes = |k: usize| stale.get(k) != Some(&false);
        for island in self.islands().filter(|island| takes(island.k)) {
            load[island.rows.clone()].copy_from_slice(&found[island.rows.clone()]);
        }
        for c in self.candidates(set) {
            let Some(row) = c.origin.row(self.task.t) else { continue };
            if !set.rows.sides(c.row).any(|(n, _)| takes(self.task.t.nodes[n].island)) {
                continue;
            }
            let grown = found[row] / load[row];
            let grows = matches!(c.origin, Origin::Rope(_)) && pass > 1 && grown > T.ropes.grows && grown.is_finite();
            load[row] = if grows { libm::pow(grown, pass as f64) * found[row] } else { found[row] };
        }
    }
}

impl Task<'_> {
    /// -Gamma (phi + curvature) / h - (velocity of driven bodies), into the right-hand side of the rows of an island. Rigid rows of loops
    /// close the part `in_loops` of their gap.
    pub(super) fn row_rhs(&self, island: &Island, law: &Law, in_loops: f64, right: &mut RightSide) {
        let Task { t, h, .. } = *self;
        let rows = &t.inputs.rows;
        // A gap that a long step has left would close with a bang in a short one: it gets as long as the long step was.
        let patience = h / h.max(t.inputs.regime[island.k].h_long);
        for g in &t.groups[island.groups.clone()] {
            // A joint that a driven body has torn open closes at its leisure, the wider the slower.
            let driven = t.is_driven(g.i()) || t.is_driven(g.j());
            let reach = g.arm();
            let closes = if g.closes_loop { patience * in_loops } else { patience };
            let all_rigid = g.arced && !g.dead && !rows.any_soft;
            for r in 0..g.rows() {
                let row = g.row() + r;
                let is_rigid = all_rigid || rows.is_rigid(row);
                let mut gap = if is_rigid { closes * rows.phi[row] } else { rows.phi[row] };
                // What gives is a spring, and has the force of its stretch.
                if driven && is_rigid && rows.compliance(row) == 0.0 {
                    let wide = T.looks.wide * reach;
                    let most = (wide * wide / gap.abs().max(wide)).max(reach * h / T.passes.closes_in);
                    gap = gap.clamp(-most, most);
                }
                let opening = gap + right.curve[row];
                right.b[g.x() + r] = -law.gamma[row] * opening / h - rows.drive[row];
            }
        }
        for m in &t.motors[island.motors.clone()] {
            right.b[m.x] += rows.wanted[m.row];
        }
        for rotor in rows.rotors_of(island.groups.clone()) {
            // Gamma is zero: the curvature is not in it yet.
            right.b[rotor.x] += rotor.past - right.curve[rotor.row] / h;
        }
        stall::row_rhs(t, island, law, &mut right.b);
    }
}
