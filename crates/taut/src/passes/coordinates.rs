//! Reduced coordinates in the default step: the poses go back to where the joints are closed.
//!
//! The velocities are those of the one equation (they meet the joints at the pose of the step and follow their second order); x + h v
//! leaves gaps of higher order. In reduced coordinates there are none. The nearest closed pose in the metric of the step (`close::newton`)
//! moves light links and leaves heavy loads where they are; velocities are not touched, so it gives and takes no kinetic energy. What is
//! left of tree joints is then rounding, and goes with the coordinates read off the poses (`forest`). Loops are closed by the same passes;
//! those that snap taut, where there is no closed pose near, by `snap`.

use super::{Task, snap};
use crate::close::newton::{Metric, Newton};
use crate::desk::{Desk, Projector};
use crate::integrate;
use crate::rows::evaluate_phi;
use crate::system::kkt::Equations;
use crate::system::linear::{self, Failure};
use crate::tuning::T;

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
        now = newton.run(Metric::Step(e, s, plan), T.close.fresh, now, p);
    }
    next.kin[island.nodes.clone()].copy_from_slice(&p.inputs.kin[island.nodes.clone()]);
    integrate::velocities(t, island.nodes.clone(), &sol.x, &mut next.kin);
    evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
    if now.worst > T.close.open {
        snap::close(task, k, desk);
    }
    Ok(())
}
