//! Reduced coordinates in the default step: the poses go back to where the joints are closed.
//!
//! The velocities are those of the one equation (they meet the joints at the pose of the step and follow their second order); x + h v
//! leaves gaps of higher order. In reduced coordinates there are none. The nearest closed pose in the metric of the step,
//! ```text
//! dx = K^-1 (0; -phi(x)/h),     x <- x (+) h dx        until phi is closed (Faure: position projection)
//! ```
//! moves light links and leaves heavy loads where they are; velocities are not touched, so it gives and takes no kinetic energy. What is
//! left of tree joints is then rounding, and goes with the coordinates read off the poses (`reduced`). Loops are closed by the
//! same passes; those that snap taut, where there is no closed pose near, by `snap`.

use super::{Task, scales, snap};
use crate::bounded::push;
use crate::math::vec3;
use crate::rows;
use crate::system::linear::{self, Failure};
use crate::topology::{Group, Island, NONE, Topology};
use crate::tuning::T;
use crate::workspace::Workspace;
use crate::workspace::inputs::Given;
use std::ops::Range;

/// Closes the joints of an island at the poses in `kin_next`.
pub(super) fn settle(task: &Task<'_>, ws: &mut Workspace) -> Result<(), Failure> {
    let Task { t, plan, k, .. } = *task;
    let island = &t.islands[k];
    let mut worst = opening(t, island, ws);
    if worst < T.close.closed {
        return Ok(());
    }
    begin(t, k, ws);
    if !plan.is_direct() {
        linear::factor(t, island, scales(task, task.k, ws), plan, ws)?;
    }
    for _ in 0..T.close.passes {
        let after = pass(task, worst, T.close.better, ws)?;
        let helped = after < worst;
        worst = after;
        if !helped || worst < T.close.closed {
            break;
        }
    }
    if worst < T.close.open {
        return Ok(());
    }
    // The links have turned so far that J of the step does not tell where they close.
    let mut kept = std::mem::take(&mut ws.bounded.jac);
    let own = jacobians(t, island);
    kept.clear();
    kept.extend_from_slice(&ws.rows.jac[own.clone()]);
    let mut done = Ok(());
    for _ in 0..T.close.fresh {
        rows::evaluate_jac(t, island.groups.clone(), &ws.kin_next, &mut ws.rows.jac);
        let after =
            linear::factor(t, island, scales(task, task.k, ws), plan, ws).and_then(|_| pass(task, worst, 1.0, ws));
        match after {
            Ok(after) if after < worst => worst = after,
            Ok(_) => break,
            Err(e) => {
                done = Err(e);
                break;
            }
        }
        if worst < T.close.closed {
            break;
        }
    }
    ws.rows.jac[own].copy_from_slice(&kept);
    ws.bounded.jac = kept;
    done?;
    if worst > T.close.open {
        snap::close(task, ws);
    }
    Ok(())
}

/// Where J of an island is.
fn jacobians(t: &Topology, island: &Island) -> Range<usize> {
    let (mut start, mut end) = (usize::MAX, 0);
    for g in &t.groups[island.groups.clone()] {
        for (body, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())] {
            if at != NONE {
                (start, end) = (start.min(at), end.max(at + g.rows() * t.nodes[body].dim));
            }
        }
    }
    start.min(end)..end
}

/// One pass; taken back when the opening does not fall below the part `better` of `worst`. Returns the opening.
fn pass(task: &Task<'_>, worst: f64, better: f64, ws: &mut Workspace) -> Result<f64, Failure> {
    let Task { t, plan, k, h, .. } = *task;
    let island = &t.islands[k];
    let mut d = std::mem::take(&mut ws.bounded.shift);
    d.resize(t.pattern.size(), 0.0);
    aim(t, island, h, ws, &mut d);
    let solved = linear::solve(t, island, plan, &mut d, ws);
    let mut after = worst;
    if solved.is_ok() {
        let most = admitted(t, island, h, &d);
        // A clamped pass has not closed anything yet.
        let enough = if most < 1.0 { worst } else { better * worst };
        for share in T.close.shares.map(|s| s * most) {
            shift(t, island, share, &d, ws);
            pose(t, island, h, ws);
            after = opening(t, island, ws);
            if after < if share < most { worst } else { enough } {
                break;
            }
            shift(t, island, -share, &d, ws);
            after = worst;
            if better < 1.0 {
                break;
            }
        }
        if after == worst {
            pose(t, island, h, ws);
        }
    }
    ws.bounded.shift = d;
    solved.map(|_| after)
}

/// Starts from the push of the contacts, or from none.
fn begin(t: &Topology, k: usize, ws: &mut Workspace) {
    let b = &mut ws.bounded;
    b.push.resize(t.pattern.size(), 0.0);
    if b.pushed.len() <= k {
        b.pushed.resize(t.islands.len(), false);
    }
    if !b.pushed[k] {
        b.push[t.islands[k].x.clone()].fill(0.0);
        b.pushed[k] = true;
    }
}

/// Rows of an island that hold a joint together.
fn rigid<'a>(t: &'a Topology, island: &Island, ws: &'a Workspace) -> impl Iterator<Item = (&'a Group, usize)> + 'a {
    let groups = t.groups[island.groups.clone()].iter();
    groups.flat_map(move |g| (0..g.rows()).filter(move |r| ws.rows.is_rigid(g.row() + r)).map(move |r| (g, r)))
}

/// Largest opening, in parts of the reach of its joint or rad.
pub(super) fn opening(t: &Topology, island: &Island, ws: &Workspace) -> f64 {
    rigid(t, island, ws).fold(0.0, |most: f64, (g, r)| {
        let angular = g.angular >> r & 1 == 1;
        let scale = if angular || !g.reach.is_finite() { 1.0 } else { g.reach };
        most.max(ws.phi_next[g.row() + r].abs() / scale)
    })
}

/// (0; -phi/h).
fn aim(t: &Topology, island: &Island, h: f64, ws: &Workspace, d: &mut [f64]) {
    d[island.x.clone()].fill(0.0);
    for (g, r) in rigid(t, island, ws) {
        d[g.x() + r] = -ws.phi_next[g.row() + r] / h;
    }
}

/// Share of the correction that turns no body too far.
fn admitted(t: &Topology, island: &Island, h: f64, d: &[f64]) -> f64 {
    let turns = t.nodes[island.nodes.clone()].iter().filter(|n| n.dim == 6).map(|n| h * vec3(d, n.x + 3).length());
    (T.close.turn / turns.fold(0.0, f64::max)).min(1.0)
}

fn shift(t: &Topology, island: &Island, share: f64, d: &[f64], ws: &mut Workspace) {
    for n in &t.nodes[island.nodes.clone()] {
        for q in n.x..n.x + n.dim {
            ws.bounded.push[q] += share * d[q];
        }
    }
}

fn pose(t: &Given<'_>, island: &Island, h: f64, ws: &mut Workspace) {
    push::poses(t, island, h, ws);
    rows::evaluate_phi(t, island.groups.clone(), &ws.kin_next, &mut ws.phi_next);
}
