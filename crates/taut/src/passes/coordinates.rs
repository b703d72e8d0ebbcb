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

use super::{Task, snap};
use crate::math::vec3;
use crate::rows;
use crate::system::kkt::Equations;
use crate::system::linear::{self, Failure};
use crate::topology::{Group, Island};
use crate::tuning::T;
use crate::workspace::bounded::Push;
use crate::workspace::factor::Factor;
use crate::workspace::inputs::Given;
use crate::workspace::{Next, Workspace};

/// Closes the joints of an island at its new poses.
pub(super) fn settle(task: &Task<'_>, k: usize, ws: &mut Workspace) -> Result<(), Failure> {
    let Task { t, plan, h, .. } = *task;
    let island = &t.islands[k];
    let mut worst = opening(t, island, &ws.next.phi);
    if worst < T.close.closed {
        return Ok(());
    }
    let Workspace { law, stiff, force, factor, sol, next, bounded, profile, .. } = ws;
    let push = &mut bounded.push;
    begin(t, island, push);
    let e = Equations::of(t, k, law, stiff, force, &sol.saved);
    let scales = task.scales(k, stiff.share[k]);
    if !plan.is_direct() {
        linear::factor(&e, scales, plan, factor, profile)?;
    }
    let mover = Mover { task, x: &sol.x, h };
    for _ in 0..T.close.passes {
        let after = mover.pass(&e, (worst, T.close.better), factor, push, next)?;
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
    let mut jac = std::mem::take(&mut push.jac);
    jac.resize(t.jac_len, 0.0);
    let mut done = Ok(());
    for _ in 0..T.close.fresh {
        rows::evaluate_jac(t, island.groups.clone(), &next.kin, &mut jac);
        let e = Equations { jac: &jac, ..e };
        let made = linear::factor(&e, scales, plan, factor, profile);
        match made.and_then(|_| mover.pass(&e, (worst, 1.0), factor, push, next)) {
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
    push.jac = jac;
    done?;
    if worst > T.close.open {
        snap::close(task, k, ws);
    }
    Ok(())
}

/// The step whose end is moved.
struct Mover<'a> {
    task: &'a Task<'a>,
    x: &'a [f64],
    h: f64,
}

impl Mover<'_> {
    /// One pass; taken back when the opening does not fall below the part `better` of `worst`. Returns the opening.
    fn pass(
        &self,
        e: &Equations<'_>,
        (worst, better): (f64, f64),
        factor: &mut Factor,
        push: &mut Push,
        next: &mut Next,
    ) -> Result<f64, Failure> {
        let Equations { t, island, .. } = *e;
        aim(t, island, self.h, &next.phi, &mut push.shift);
        linear::solve(e, self.task.plan, &mut push.shift, factor)?;
        let most = admitted(t, island, self.h, &push.shift);
        // A clamped pass has not closed anything yet.
        let enough = if most < 1.0 { worst } else { better * worst };
        let mut after = worst;
        for share in T.close.shares.map(|s| s * most) {
            shift(t, island, share, push);
            self.pose(t, island, push, next);
            after = opening(t, island, &next.phi);
            if after < if share < most { worst } else { enough } {
                break;
            }
            shift(t, island, -share, push);
            after = worst;
            if better < 1.0 {
                break;
            }
        }
        if after == worst {
            self.pose(t, island, push, next);
        }
        Ok(after)
    }

    fn pose(&self, t: &Given<'_>, island: &Island, push: &Push, next: &mut Next) {
        push.poses(t, island, self.h, self.x, &mut next.kin);
        rows::evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
    }
}

/// Starts from the push of the contacts, or from none.
fn begin(t: &Given<'_>, island: &Island, push: &mut Push) {
    push.velocity.resize(t.pattern.size(), 0.0);
    push.shift.resize(t.pattern.size(), 0.0);
    if !push.pushed[island.k] {
        push.velocity[island.x.clone()].fill(0.0);
        push.pushed[island.k] = true;
    }
}

/// Rows of an island that hold a joint together.
fn rigid<'a>(t: &'a Given<'a>, island: &Island) -> impl Iterator<Item = (&'a Group, usize)> + 'a {
    let (groups, rows) = (t.groups[island.groups.clone()].iter(), &t.inputs.rows);
    groups.flat_map(move |g| (0..g.rows()).filter(move |r| rows.is_rigid(g.row() + r)).map(move |r| (g, r)))
}

/// Largest opening, in parts of the reach of its joint or rad.
pub(super) fn opening(t: &Given<'_>, island: &Island, phi: &[f64]) -> f64 {
    rigid(t, island).fold(0.0, |most: f64, (g, r)| {
        let angular = g.angular >> r & 1 == 1;
        let scale = if angular || !g.reach.is_finite() { 1.0 } else { g.reach };
        most.max(phi[g.row() + r].abs() / scale)
    })
}

/// (0; -phi/h).
fn aim(t: &Given<'_>, island: &Island, h: f64, phi: &[f64], d: &mut [f64]) {
    d[island.x.clone()].fill(0.0);
    for (g, r) in rigid(t, island) {
        d[g.x() + r] = -phi[g.row() + r] / h;
    }
}

/// Share of the correction that turns no body too far.
fn admitted(t: &Given<'_>, island: &Island, h: f64, d: &[f64]) -> f64 {
    let turns = t.nodes[island.nodes.clone()].iter().filter(|n| n.dim == 6).map(|n| h * vec3(d, n.x + 3).length());
    (T.close.turn / turns.fold(0.0, f64::max)).min(1.0)
}

/// Adds a share of the correction to the push.
fn shift(t: &Given<'_>, island: &Island, share: f64, push: &mut Push) {
    for n in &t.nodes[island.nodes.clone()] {
        for q in n.x..n.x + n.dim {
            push.velocity[q] += share * push.shift[q];
        }
    }
}
