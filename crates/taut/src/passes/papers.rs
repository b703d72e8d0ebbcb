//! The stabilisers of the papers: one solve per step, and the load found first at the start.

use super::Task;
use crate::desk::{Desk, Scales};
use crate::plan::{Added, Matrix};
use crate::profile::Stage;
use crate::stabilise::{constraint_space, geometric, inertial};
use crate::topology::Group;

/// Whether the load must be found first: at the start, and for joints that have no force yet.
pub(super) fn is_fresh(task: &Task<'_>, k: usize, load: &[f64]) -> bool {
    let Task { t, plan, .. } = *task;
    let idle = |g: &Group| load[g.row()..g.row() + g.rows()].iter().all(|&l| l == 0.0);
    plan.is_stabilised() && (t.inputs.regime[k].h_prev == 0.0 || t.groups[t.islands[k].groups.clone()].iter().any(idle))
}

/// Stiffness or damping from the multipliers, and the right-hand side of the rows.
pub(super) fn prepare(task: &Task<'_>, k: usize, desk: &mut Desk) -> Scales {
    let Task { t, plan, h, .. } = *task;
    let island = &t.islands[k];
    let (load, stiff) = (&desk.force.load, &mut desk.stiff);
    stiff.share[k] = 0.0;
    stiff.now.added[island.nodes.clone()].fill(glam::DMat3::ZERO);
    stiff.now.element[island.links.clone()].fill(0.0);
    desk.memory.impulse[island.x.clone()].fill(0.0);
    desk.right.curve[island.rows.clone()].fill(0.0);
    match plan.matrix {
        Matrix::Definite(Added::Nothing | Added::Aligned { .. }, _) => {}
        Matrix::Definite(Added::Inertial(d), _) => inertial::evaluate(t, island, d, h, load, stiff),
        Matrix::Definite(Added::ConstraintSpace(alpha), _) => {
            constraint_space::evaluate(t, island, alpha, h, (load, &mut stiff.geo), &mut desk.law);
        }
        Matrix::Geometric(_) => geometric::evaluate(t, island, load, &mut stiff.geo),
    }
    task.row_rhs(island, &desk.law, desk.factor.loops.closing, &mut desk.right);
    desk.profile.mark(Stage::Stiffness);
    task.scales(k, 0.0)
}
