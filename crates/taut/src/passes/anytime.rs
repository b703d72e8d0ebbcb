//! The error control of the structured solver (Faure's animation loop): what is left of the budget goes to the largest error.
//!
//! ```text
//! velocities   e_v = |residual of the loop rows| / (tolerance |bhat|)        more iterations on the same operator
//! positions    e_q = largest opening of a rigid joint / gap                  a pass of Newton on the poses (`system::structured::project`)
//! ```
//! The unknown of the step is the velocity, so the residual of the equation and the violation of the velocities are one monitor, and the
//! velocity projection is more iterations of the same solve. Departs from the slides, where accelerations are solved for: projecting
//! velocities onto the rows of the new pose would take (h w)^2/2 of the energy of every turning body in every step.

use super::Task;
use super::factors::read_lambda;
use crate::close::newton::{Effort, Metric, Newton};
use crate::desk::{Desk, Next, Projector};
use crate::ids::JointId;
use crate::integrate;
use crate::model::Model;
use crate::report::AnytimeReport;
use crate::rows::evaluate_phi;
use crate::solve::structured::{Budget, Errors, Loops};
use crate::system::kkt::Equations;
use crate::system::linear::Failure;
use crate::system::structured::{self, Missed, improve, missed};
use crate::topology::{NONE, Topology};
use crate::tuning::T;

/// The two kinds of errors.
const VELOCITIES: usize = 0;
const POSES: usize = 1;

/// What was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    report: AnytimeReport,
    velocity_group: usize,
    gap_group: usize,
}

/// Starts the budget of the step; nothing with other solvers.
pub(crate) fn begin(task: &Task<'_>, loops: &mut Loops, next: &mut Next) {
    if let Some(budget) = task.plan.budget() {
        structured::begin(task.t, budget, loops);
        next.saved.reserve(task.t.nodes.len());
    }
}

/// Spends what is left of the budget, and says what was reached; none with other solvers.
pub(crate) fn finish(task: &Task<'_>, desk: &mut Desk) -> Result<Option<Reached>, Failure> {
    let Some(budget) = task.plan.budget() else { return Ok(None) };
    let mut errors = std::mem::take(&mut desk.factor.loops.errors);
    errors.clear();
    for k in 0..task.t.islands.len() {
        errors.push(look(task, k, desk));
    }
    let mut passes = 0;
    for _ in 0..T.anytime.rounds {
        let Some((k, kind)) = largest(budget, &errors) else { break };
        let changed = if kind == VELOCITIES {
            velocities(task, k, budget, errors[k].relative, desk)
        } else {
            let moved = poses(task, k, budget, errors[k].gap.0, desk)?;
            passes += usize::from(moved);
            moved
        };
        let open = errors[k].open;
        let before = share(budget, &errors[k], kind);
        if changed {
            errors[k] = Errors { open, ..look(task, k, desk) };
        }
        errors[k].open[kind] &= changed && share(budget, &errors[k], kind) <= T.anytime.better * before;
    }
    let reached = Reached::of(budget, &errors, passes, desk);
    desk.factor.loops.errors = errors;
    Ok(Some(reached))
}

/// Errors of an island with the velocities and poses at hand.
fn look(task: &Task<'_>, k: usize, desk: &mut Desk) -> Errors {
    let Task { t, h, .. } = *task;
    let found = missing(task, k, desk);
    let contradicts = h * found.redundant > T.anytime.contradicts;
    let newton = Newton { t, island: &t.islands[k], load: &desk.force.found };
    let gap = newton.openings(&desk.next.phi, &t.inputs.rows);
    // Bounded rows were solved with the velocities as they are.
    let alone = t.inputs.candidates.cluster_of.get(k).is_none_or(|&c| c == NONE);
    Errors {
        velocity: found.most,
        relative: found.relative,
        contradicts,
        gap: (gap.metres, gap.group),
        open: [alone, true],
    }
}

/// What the velocities of an island leave of its loop rows.
fn missing(task: &Task<'_>, k: usize, desk: &mut Desk) -> Missed {
    let Desk { law, stiff, force, factor, sol, .. } = desk;
    missed(&Equations::of(task.t, k, law, stiff, force, &sol.saved), &sol.x, factor)
}

/// An error over its tolerance.
fn share(budget: &Budget, e: &Errors, kind: usize) -> f64 {
    if kind == VELOCITIES { e.relative / (2.0 * budget.tolerance) } else { budget.gap.map_or(0.0, |g| e.gap.0 / g) }
}

/// The largest error that is above its tolerance and can be made smaller: its island and kind.
fn largest(budget: &Budget, errors: &[Errors]) -> Option<(usize, usize)> {
    let mut worst = (1.0, None);
    for (k, e) in errors.iter().enumerate() {
        for kind in [VELOCITIES, POSES] {
            let share = share(budget, e, kind);
            if e.open[kind] && share > worst.0 {
                worst = (share, Some((k, kind)));
            }
        }
    }
    worst.1
}

/// More iterations on the velocities of an island; whether there were any.
fn velocities(task: &Task<'_>, k: usize, budget: &Budget, relative: f64, desk: &mut Desk) -> bool {
    let Task { t, h, .. } = *task;
    let island = &t.islands[k];
    missing(task, k, desk);
    // Half of what is left, unless positions have no use for the rest.
    let left = desk.factor.loops.meter.left();
    let most = if budget.gap.is_some() { left.div_ceil(2) } else { left };
    let target = (budget.tolerance / relative).clamp(f64::EPSILON, 0.5);
    let Desk { law, stiff, force, factor, sol, .. } = desk;
    let e = Equations::of(t, k, law, stiff, force, &sol.saved);
    if improve(&e, target, most, (&mut sol.x, &mut sol.residual), factor) == 0 {
        return false;
    }
    // The change is in `residual`; poses may have been moved already, so they are moved by the change.
    desk.next.saved.clear();
    desk.next.saved.extend_from_slice(&desk.next.kin[island.nodes.clone()]);
    integrate::poses_from(t, island.nodes.clone(), &desk.next.saved, &desk.sol.residual, h, &mut desk.next.kin);
    settle(t, k, &desk.sol.x, &mut desk.next);
    read_lambda(t, island, &desk.sol.x, &mut desk.force);
    true
}

/// One pass on the poses of an island; whether they have moved.
fn poses(task: &Task<'_>, k: usize, budget: &Budget, gap: f64, desk: &mut Desk) -> Result<bool, Failure> {
    let t = task.t;
    let has_loops = !t.islands[k].loops.is_empty();
    if has_loops && desk.factor.loops.meter.left() == 0 {
        return Ok(false);
    }
    let Desk { force, factor, sol, next, projector, .. } = desk;
    let p = projector.get_or_insert_with(|| Projector::new(t));
    let newton = Newton { t, island: &t.islands[k], load: &force.found };
    let now = newton.place(&next.kin, p);
    let all = &mut factor.loops.meter;
    let mut meter = all.share(all.left().div_ceil(2));
    let wanted = 0.1 * budget.gap.unwrap_or(0.0) / gap;
    let tolerance = wanted.clamp(budget.tolerance, T.anytime.inner);
    let moved = newton.pass(Metric::Mass, Effort { tolerance, meter: &mut meter }, now, p);
    meter.pause();
    all.settle(&meter);
    if matches!(moved, Ok(Some(_))) {
        let nodes = t.islands[k].nodes.clone();
        next.kin[nodes.clone()].copy_from_slice(&p.inputs.kin[nodes]);
        settle(t, k, &sol.x, next);
    }
    moved.map(|m| m.is_some())
}

/// Velocities and violations that go with the new poses.
fn settle(t: &Topology, k: usize, x: &[f64], next: &mut Next) {
    let island = &t.islands[k];
    integrate::velocities(t, island.nodes.clone(), x, &mut next.kin);
    evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
}

impl Reached {
    fn of(budget: &Budget, errors: &[Errors], passes: usize, desk: &Desk) -> Self {
        let mut out = Reached { report: AnytimeReport::default(), velocity_group: NONE, gap_group: NONE };
        let r = &mut out.report;
        r.reached = true;
        for e in errors {
            if !(e.velocity.0 <= r.velocity_error) {
                (r.velocity_error, out.velocity_group) = e.velocity;
            }
            if !(e.gap.0 <= r.gap) {
                (r.gap, out.gap_group) = e.gap;
            }
            r.reached &= !e.contradicts && [VELOCITIES, POSES].iter().all(|&kind| share(budget, e, kind) <= 1.0);
        }
        (r.iterations, r.responses, r.passes) = (desk.factor.loops.meter.spent, desk.factor.loops.responses, passes);
        // Rows that miss because the iterations were cut short contradict nothing.
        let settled = |e: &Errors| e.contradicts && share(budget, e, VELOCITIES) <= 1.0;
        r.contradiction = !r.reached && (desk.factor.loops.stalled || errors.iter().any(settled));
        out
    }

    /// The report, with the joints by name.
    pub fn report(&self, model: &Model, t: &Topology) -> AnytimeReport {
        let joint = |k: usize| t.groups.get(k).and_then(|g| model.joints.key_at(g.slot())).map(JointId);
        AnytimeReport { velocity_joint: joint(self.velocity_group), gap_joint: joint(self.gap_group), ..self.report }
    }
}
