//! One island through the linear solver: factor, solve, refine; what gives and what yields where it cannot be solved.

use super::{Counts, Task, stall};
use crate::close::velocities::known;
use crate::desk::factor::Factor;
use crate::desk::inputs::Given;
use crate::desk::{Desk, Law, Memory, Multipliers, RightSide, Scales, Solution};
use crate::profile::Stage;
use crate::solve::structured::Purpose;
use crate::stabilise::curvature;
use crate::system::kkt::{self, Equations};
use crate::system::linear::{self, Failure};
use crate::system::structured;
use crate::topology::Island;
use crate::tuning::T;

impl Task<'_> {
    /// Factorises, solves, refines where the residual asks for it, and reads the multipliers. Rows that cannot be solved for give, and
    /// driven rows that ask for what cannot be yield.
    pub(super) fn solve_rows(&self, k: usize, s: Scales, desk: &mut Desk, all: &mut Counts) -> Result<(), Failure> {
        let Task { t, plan, h, .. } = *self;
        let (island, direct) = (&t.islands[k], plan.is_direct());
        let mut counts = Counts::default();
        let done = self.factor_and_solve(k, s, desk, &mut counts);
        // The references refuse redundant rows: that is what they are compared for.
        if done.is_err() && direct && loosen(t, island, T.passes.give[0], &mut desk.law) {
            self.factor_and_solve(k, s, desk, &mut counts)?;
        } else {
            done?;
        }
        for give in T.passes.give {
            if !direct || counts.residual < T.passes.hopeless || !loosen(t, island, give, &mut desk.law) {
                break;
            }
            let scratch = (&mut desk.sol.x[..], &mut desk.next);
            curvature::predict(t, island, h, &desk.law, &desk.memory, scratch, &mut desk.right.curve);
            self.row_rhs(island, &desk.law, desk.factor.loops.closing, &mut desk.right);
            self.factor_and_solve(k, s, desk, &mut counts)?;
        }
        for _ in 0..T.stall.rounds {
            if !stall::find(t, island, &desk.force.load, &desk.sol.x, &mut desk.law) {
                break;
            }
            self.row_rhs(island, &desk.law, desk.factor.loops.closing, &mut desk.right);
            self.factor_and_solve(k, s, desk, &mut counts)?;
        }
        // A budget may leave much: how much is reported.
        if !plan.is_structured() && !(counts.residual < T.passes.hopeless) {
            return Err(Failure::System(format!("the solve left a relative residual of {:.1e}", counts.residual)));
        }
        read_lambda(t, island, &desk.sol.x, &mut desk.force);
        desk.profile.mark(Stage::Residual);
        all.add(&counts);
        Ok(())
    }

    fn factor_and_solve(&self, k: usize, s: Scales, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let (t, plan) = (self.t, self.plan);
        let e = &Equations::of(t, k, &desk.law, &desk.stiff, &desk.force, &desk.sol.saved);
        let info = linear::factor(e, s, plan, &mut desk.factor, &mut desk.profile)?;
        desk.profile.mark(Stage::Factor);
        counts.factorisations += 1;
        (counts.dropped, counts.smallest_pivot) = (info.dropped, info.smallest_pivot);
        self.give_back(k, desk, counts)?;
        let e = &Equations::of(t, k, &desk.law, &desk.stiff, &desk.force, &desk.sol.saved);
        known(e.island, &desk.right, &desk.memory, &mut desk.sol.x);
        desk.factor.loops.purpose = Purpose::Pass;
        let solved = linear::solve(e, plan, &mut desk.sol.x, &mut desk.factor);
        desk.profile.mark(Stage::Solve);
        counts.iterations += solved?;
        counts.right_hand_sides += 1;
        self.refine(k, desk, counts)
    }

    /// The residual of the last solve; refines the direct solution while it is too large and getting smaller.
    fn refine(&self, k: usize, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let (t, plan) = (self.t, self.plan);
        let range = t.islands[k].x.clone();
        // A tree with positive masses cannot lose accuracy step by step: now and then is enough.
        if t.is_tree && plan.is_direct() && !self.state.steps.is_multiple_of(T.passes.residual_every) {
            return Ok(());
        }
        // Sweeps over all rows leave the joints open: that is what they are there to show.
        if plan.sweeps().is_some() {
            return Ok(());
        }
        let Desk { law, stiff, force, sol, factor, right, memory, profile, .. } = desk;
        let Solution { x, residual: d, saved } = sol;
        counts.residual = residual(&Equations::of(t, k, law, stiff, force, saved), x, right, memory, factor, d);
        if !plan.is_direct() || factor.choice.iterates[k] {
            return Ok(());
        }
        for _ in 0..T.passes.refinements {
            if !(counts.residual > T.passes.refine) {
                break;
            }
            saved[range.clone()].copy_from_slice(&x[range.clone()]);
            let e = &Equations::of(t, k, law, stiff, force, saved);
            profile.mark(Stage::Residual);
            linear::solve(e, plan, d, factor)?;
            profile.mark(Stage::Solve);
            for q in range.clone() {
                x[q] += d[q];
            }
            counts.right_hand_sides += 1;
            let after = residual(e, x, right, memory, factor, d);
            if !(after < counts.residual) {
                x[range.clone()].copy_from_slice(&saved[range]);
                break;
            }
            counts.residual = after;
            counts.refinements += 1;
        }
        Ok(())
    }

    /// Solves for the right-hand side in `residual` with the factor at hand; the solution before is kept in `saved`.
    pub(super) fn resolve(&self, k: usize, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let range = self.t.islands[k].x.clone();
        let Desk { law, stiff, force, sol, factor, profile, .. } = desk;
        sol.saved[range.clone()].copy_from_slice(&sol.x[range.clone()]);
        sol.x[range.clone()].copy_from_slice(&sol.residual[range]);
        profile.mark(Stage::Corrections);
        factor.choice.start_from(self.t, k, &sol.saved);
        factor.loops.purpose = Purpose::Correction;
        let e = Equations::of(self.t, k, law, stiff, force, &sol.saved);
        let solved = linear::solve(&e, self.plan, &mut sol.x, factor);
        profile.mark(Stage::Solve);
        counts.iterations += solved?;
        counts.right_hand_sides += 1;
        Ok(())
    }
}

/// The solution before the last `resolve` again.
pub(super) fn take_back(t: &Given<'_>, island: &Island, sol: &mut Solution, factor: &mut Factor) {
    sol.x[island.x.clone()].copy_from_slice(&sol.saved[island.x.clone()]);
    structured::take_back(t, island, &mut factor.loops);
}

/// Gives the loop rows of an island at least this part of their mobility; false when there are none.
fn loosen(t: &Given<'_>, island: &Island, give: f64, law: &mut Law) -> bool {
    let mut any = false;
    for g in t.groups[island.groups.clone()].iter().filter(|g| g.closes_loop && !g.idle) {
        for r in 0..g.rows() {
            if t.inputs.rows.is_rotor(g.row() + r) {
                continue;
            }
            let sigma = &mut law.sigma[g.row() + r];
            *sigma = sigma.max(give * t.inputs.rows.mobility[g.x() + r]);
            any = true;
        }
    }
    law.redundant[island.k] |= any;
    any
}

/// The multipliers of an island, from its impulses.
pub(super) fn read_lambda(t: &Given<'_>, island: &Island, x: &[f64], force: &mut Multipliers) {
    let per_hk = 1.0 / t.inputs.hk[island.k];
    for g in &t.groups[island.groups.clone()] {
        let found = &mut force.found[g.row()..g.row() + g.rows()];
        for (found, x) in found.iter_mut().zip(&x[g.x()..g.x() + g.rows()]) {
            *found = -x * per_hk;
        }
    }
}

/// Writes b - K x into `y`. Returns the larger of: momentum left over against the largest impulse, row velocity left over against the
/// largest velocity. Dropped rows do not count: they are satisfied by others.
fn residual(e: &Equations<'_>, x: &[f64], right: &RightSide, memory: &Memory, factor: &Factor, y: &mut [f64]) -> f64 {
    let Equations { t, island, .. } = *e;
    kkt::multiply(e, factor.scales[island.k], x, y);
    let (mut node, mut row, mut impulse, mut speed) = (0.0, 0.0, 0.0, 0.0);
    for n in &t.nodes[island.nodes.clone()] {
        let range = n.x..n.x + n.dim;
        let per_mass = 1.0 / n.mass;
        let known = right.b[range.clone()].iter().zip(&memory.impulse[range.clone()]);
        for (c, ((y, (b, m)), x)) in y[range.clone()].iter_mut().zip(known).zip(&x[range]).enumerate() {
            let b = b + m;
            *y = b - *y;
            raise(&mut node, *y);
            raise(&mut impulse, b);
            raise(&mut speed, *x);
            // The velocity without the rows: a mechanism at rest is held by them.
            if c < 3 {
                raise(&mut speed, b * per_mass);
            }
        }
    }
    for g in &t.groups[island.groups.clone()] {
        let range = g.x()..g.x() + g.rows();
        let known = x[range.clone()].iter().zip(&factor.ldlt.dropped[range.clone()]);
        for ((y, b), (x, dropped)) in y[range.clone()].iter_mut().zip(&right.b[range]).zip(known) {
            *y = if *dropped { 0.0 } else { b - *y };
            raise(&mut row, *y);
            raise(&mut impulse, *x);
            raise(&mut speed, *b);
        }
    }
    let share = |a: f64, b: f64| if a > 0.0 { a / b } else { 0.0 };
    share(node, impulse).max(share(row, speed))
}

/// m = max(m, |x|).
#[inline(always)]
fn raise(m: &mut f64, x: f64) {
    let x = x.abs();
    if x > *m {
        *m = x;
    }
}
