//! The stabilisers of the papers: one solve per step, and the load found first at the start.

use super::Task;
use super::rounds::row_rhs;
use crate::plan::{Added, Matrix};
use crate::profile::Stage;
use crate::stabilise::{constraint_space, geometric, inertial};
use crate::topology::Group;
use crate::workspace::{Scales, Workspace};

/// Whether the load must be found first: at the start, and for joints that have no force yet.
pub(super) fn is_fresh(task: &Task<'_>, k: usize, load: &[f64]) -> bool {
    let Task { t, plan, .. } = *task;
    let idle = |g: &Group| load[g.row()..g.row() + g.rows()].iter().all(|&l| l == 0.0);
    plan.is_stabilised() && (t.inputs.regime[k].h_prev == 0.0 || t.groups[t.islands[k].groups.clone()].iter().any(idle))
}

/// Stiffness or damping from the multipliers, and the right-hand side of the rows.
pub(super) fn prepare(task: &Task<'_>, k: usize, ws: &mut Workspace) -> Scales {
    let Task { t, plan, h, .. } = *task;
    let island = &t.islands[k];
    let (load, stiff) = (&ws.force.load, &mut ws.stiff);
    stiff.share[k] = 0.0;
    stiff.now.added[island.nodes.clone()].fill(glam::DMat3::ZERO);
    stiff.now.element[island.links.clone()].fill(0.0);
    ws.memory.impulse[island.x.clone()].fill(0.0);
    ws.right.curve[island.rows.clone()].fill(0.0);
    match plan.matrix {
        Matrix::Definite(Added::Nothing | Added::Aligned { .. }, _) => {}
        Matrix::Definite(Added::Inertial(d), _) => inertial::evaluate(t, island, d, h, load, stiff),
        Matrix::Definite(Added::ConstraintSpace(alpha), _) => {
            constraint_space::evaluate(t, island, alpha, h, (load, &mut stiff.geo), &mut ws.law);
        }
        Matrix::Geometric(_) => geometric::evaluate(t, island, load, &mut stiff.geo),
    }
    row_rhs(t, island, h, ws);
    ws.profile.mark(Stage::Stiffness);
    task.scales(k, 0.0)
}
