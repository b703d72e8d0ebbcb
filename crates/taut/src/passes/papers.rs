//! The stabilisers of the papers: one solve per step, and the load found first at the start.

use super::{Counts, Task, row_rhs, scales, solve_once, take_lambda};
use crate::plan::{Added, Matrix};
use crate::profile::Stage;
use crate::stabilise::{constraint_space, geometric, inertial};
use crate::system::linear::Failure;
use crate::topology::Group;
use crate::tuning::T;
use crate::workspace::Scales;
use crate::workspace::Workspace;

/// Solves one island.
pub(super) fn solve(task: &Task<'_>, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
    let passes = if is_fresh(task, ws) { T.passes.most } else { 1 };
    for pass in 0..passes {
        let s = prepare(task, ws);
        solve_once(task, s, ws, counts)?;
        if pass + 1 < passes {
            take_lambda(task.t, &task.t.islands[task.k], ws);
        }
    }
    Ok(())
}

/// Whether the load must be found first: at the start, and for joints that have no force yet.
pub(super) fn is_fresh(task: &Task<'_>, ws: &Workspace) -> bool {
    let Task { t, plan, k, .. } = *task;
    let idle = |g: &Group| ws.rows.lambda[g.row()..g.row() + g.rows()].iter().all(|&l| l == 0.0);
    plan.is_stabilised() && (ws.regime[k].h_prev == 0.0 || t.groups[t.islands[k].groups.clone()].iter().any(idle))
}

/// Stiffness or damping from the multipliers, and the right-hand side of the rows.
pub(super) fn prepare(task: &Task<'_>, ws: &mut Workspace) -> Scales {
    let Task { t, plan, k, h, .. } = *task;
    let island = &t.islands[k];
    ws.share[k] = 0.0;
    ws.added[island.nodes.clone()].fill(glam::DMat3::ZERO);
    ws.element[island.links.clone()].fill(0.0);
    ws.memory[island.x.clone()].fill(0.0);
    for g in &t.groups[island.groups.clone()] {
        ws.rows.curve[g.row()..g.row() + g.rows()].fill(0.0);
    }
    match plan.matrix {
        Matrix::Definite(Added::Nothing | Added::Aligned { .. }, _) => {}
        Matrix::Definite(Added::Inertial(d), _) => inertial::evaluate(t, island, d, h, ws),
        Matrix::Definite(Added::ConstraintSpace(alpha), _) => constraint_space::evaluate(t, island, alpha, h, ws),
        Matrix::Geometric(_) => geometric::evaluate(t, island, ws),
    }
    row_rhs(t, k, h, ws);
    ws.profile.mark(Stage::Stiffness);
    scales(task, k, ws)
}
