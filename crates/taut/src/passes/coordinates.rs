//! Reduced coordinates in the default step: the poses go back to where the joints are closed.
//!
//! The velocities are those of the one equation (they meet the joints at the pose of the step and follow their second order); x + h v
//! leaves gaps of higher order. In reduced coordinates there are none. The nearest closed pose in the metric of the step (`close::newton`)
//! moves light links and leaves heavy loads where they are; velocities are not touched, so it gives and takes no kinetic energy. What is
//! left of tree joints is then small (`T.close.placed`, `T.close.left`), and goes where bodies are placed from their roots (`forest`). Loops are closed by the same passes;
//! those that snap taut, where there is no closed pose near, by `snap`.

use super::{Task, snap};
use crate::close::newton::{Metric, Newton};
use crate::close::opening::Openings;
use crate::desk::inputs::Given;
use crate::desk::{Desk, Next, Projector};
use crate::integrate;
use crate::rows::evaluate_phi;
use crate::stabilise::curvature;
use crate::system::kkt::Equations;
use crate::system::linear::{self, Failure};
use crate::topology::Island;
use crate::tuning::T;

/// New poses of an island without bounded rows, with its joints closed.
///
/// The passes move the end of the step and not its poses: with w = v + (what they add)/h the poses are x (+) h w, made once, and ball
/// joints are looked at without. Where the bodies will be placed from the root (`forest`) a small part of the openings is left to that.
pub(super) fn arrive(task: &Task<'_>, k: usize, desk: &mut Desk) -> Result<(), Failure> {
    let Task { t, h, plan, .. } = *task;
    let (island, rows) = (&t.islands[k], &t.inputs.rows);
    let (nodes, groups) = (island.nodes.clone(), island.groups.clone());
    let placed = task.forest.is_some_and(|f| f.places(k));
    if !desk.next.posed[k] && !desk.next.seen[k] {
        curvature::look(t, island, &desk.sol.x, h, &mut desk.next);
        desk.next.posed[k] = !curvature::only_arms_turn(t, island);
    }
    let mut now = Newton { t, island, load: &desk.force.found }.openings(&desk.next.phi, rows);
    let enough = if placed { T.close.placed.max(T.close.left * now.worst) } else { T.close.open };
    let opens = !(now.worst < enough);
    if opens {
        now = shift(task, k, enough, now, desk)?;
    }
    let Desk { force, sol, next, .. } = &mut *desk;
    if !next.posed[k] {
        let x = if opens { &next.moved } else { &sol.x };
        integrate::poses(t, nodes.clone(), &t.inputs.kin, x, h, &mut next.kin);
        next.posed[k] = true;
    }
    // Those that are placed are looked at then.
    if !placed || plan.is_structured() {
        evaluate_phi(t, groups.clone(), &next.kin, &mut next.phi);
        now = Newton { t, island, load: &force.found }.openings(&next.phi, rows);
    }
    let far = now.worst > enough;
    if far {
        // The links have turned so far that J of the step does not tell where they close.
        now = anew(task, k, enough, desk);
    }
    let Desk { sol, next, .. } = &mut *desk;
    if opens {
        integrate::velocities(t, nodes, &sol.x, &mut next.kin);
    }
    if far {
        evaluate_phi(t, groups, &next.kin, &mut next.phi);
    }
    if now.worst > enough {
        snap::close(task, k, desk);
    }
    Ok(())
}

/// Passes on the factor of the step, until the joints are open by less than `enough`: velocities that lead to where they close, into
/// `next.moved`. A pass that will leave less than that, if it leaves the part that the one before did, is not looked at.
fn shift(task: &Task<'_>, k: usize, enough: f64, mut now: Openings, desk: &mut Desk) -> Result<Openings, Failure> {
    let Task { t, h, plan, .. } = *task;
    let island = &t.islands[k];
    let Desk { law, stiff, force, factor, sol, next, profile, .. } = desk;
    let e = &Equations::of(t, k, law, stiff, force, &sol.saved);
    let newton = Newton { t, island, load: &force.found };
    next.moved.resize(t.pattern.size(), 0.0);
    next.correction.resize(t.pattern.size(), 0.0);
    next.moved[island.x.clone()].copy_from_slice(&sol.x[island.x.clone()]);
    if !plan.is_direct() {
        linear::factor(e, task.scales(k, stiff.share[k]), plan, factor, profile)?;
    }
    let mut leaves = T.close.better;
    for _ in 0..T.close.passes {
        newton.aim(&t.inputs.rows, &next.phi, &mut next.correction);
        linear::solve(e, plan, &mut next.correction, factor)?;
        let part = newton.clamp(now.metres, &next.correction) / h;
        add(island, part, next);
        next.posed[k] = false;
        if leaves * now.worst < enough {
            return Ok(Openings { worst: leaves * now.worst, ..now });
        }
        let after = look(t, &newton, h, next);
        if !(after.worst < T.close.better * now.worst) {
            add(island, -part, next);
            break;
        }
        leaves = after.worst / now.worst;
        now = after;
        if now.worst < enough {
            next.posed[k] = !curvature::only_arms_turn(t, island);
            break;
        }
    }
    Ok(now)
}

/// Adds a part of the correction to the velocities that lead to the closed pose.
fn add(island: &Island, part: f64, next: &mut Next) {
    let own = island.x.clone();
    for (sum, x) in next.moved[own.clone()].iter_mut().zip(&next.correction[own]) {
        *sum += part * x;
    }
}

/// The openings where these velocities lead.
fn look(t: &Given<'_>, newton: &Newton<'_>, h: f64, next: &mut Next) -> Openings {
    let moved = std::mem::take(&mut next.moved);
    curvature::look(t, newton.island, &moved, h, next);
    next.moved = moved;
    newton.openings(&next.phi, &t.inputs.rows)
}

/// Passes from the new poses, with J of their own.
fn anew(task: &Task<'_>, k: usize, enough: f64, desk: &mut Desk) -> Openings {
    let Task { t, plan, .. } = *task;
    let island = &t.islands[k];
    let Desk { law, stiff, force, factor, sol, next, projector, .. } = desk;
    let p = projector.get_or_insert_with(|| Projector::new(t));
    p.factor.jointed.wanted = factor.jointed.used[k];
    let newton = Newton { t, island, load: &force.found };
    let e = &Equations::of(t, k, law, stiff, force, &sol.saved);
    let now = newton.place(&next.kin, p);
    let metric = Metric::Step(e, task.scales(k, stiff.share[k]), plan);
    let now = newton.run(metric, (T.close.fresh, enough), now, p);
    next.kin[island.nodes.clone()].copy_from_slice(&p.inputs.kin[island.nodes.clone()]);
    now
}

/// Closes the joints of an island at its new poses.
pub(super) fn settle(task: &Task<'_>, k: usize, desk: &mut Desk) -> Result<(), Failure> {
    let Task { t, plan, .. } = *task;
    let island = &t.islands[k];
    let mut now = Newton { t, island, load: &desk.force.found }.openings(&desk.next.phi, &t.inputs.rows);
    if now.worst < T.close.closed {
        return Ok(());
    }
    let Desk { law, stiff, force, factor, sol, next, projector, profile, .. } = desk;
    let p = projector.get_or_insert_with(|| Projector::new(t));
    let e = &Equations::of(t, k, law, stiff, force, &sol.saved);
    let s = task.scales(k, stiff.share[k]);
    let newton = Newton { t, island, load: &force.found };
    p.factor.jointed.wanted = factor.jointed.used[k];
    newton.place(&next.kin, p);
    if !plan.is_direct() {
        linear::factor(e, s, plan, factor, profile)?;
    }
    for _ in 0..T.close.passes {
        let Some(after) = newton.quick(e, plan, factor, now, p)? else { break };
        now = after;
        if now.worst < T.close.closed {
            break;
        }
    }
    if now.worst > T.close.open {
        // The links have turned so far that J of the step does not tell where they close.
        now = newton.run(Metric::Step(e, s, plan), (T.close.fresh, T.close.closed), now, p);
    }
    next.kin[island.nodes.clone()].copy_from_slice(&p.inputs.kin[island.nodes.clone()]);
    integrate::velocities(t, island.nodes.clone(), &sol.x, &mut next.kin);
    evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
    if now.worst > T.close.open {
        snap::close(task, k, desk);
    }
    Ok(())
}
