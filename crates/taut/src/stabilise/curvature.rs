//! The curvature of the rows along the motion, so that one linear solve follows arcs and not their tangents.
//!
//! The linearised row J v+ = -phi/h leaves an opening of second order, s (h w)^2/2 for a link turning at w: at 0.1 s a swinging
//! chain under a heavy load would open by 4 % of its length and lose half its energy. The opening is known beforehand from the
//! velocities the bodies would have without the row's help,
//! ```text
//! c = phi(x + h vp) - phi(x) - h J vp,     wp_b = (I + A)^-1 (I w_b + c_b A_b wm_b)
//! J v+ + Sigma (h lambda+) = -Gamma (phi + theta c)/h           (theta = 1 for rigid rows)
//! ```
//! wp is what the stabilised body would do by itself. Not w: light links that quiver under a heavy load do not go on
//! turning, and a row that trusted them would lift the load and put energy in (0.2 of the scale in heavy trees).
//! Islands with redundant joints go without: vp meets their rows only to first order, and rows that must agree would not.
//!
//! `passes::close` is for the joints that still open by more than `T.looks.wide` of their reach, in whips: the same factor, the curvature at the
//! velocities just found, taken back when it does not help.

use super::resolved::opening;
use crate::integrate;
use crate::math::so3::arc;
use crate::math::vec3;
use crate::rows::{evaluate_phi, row_velocity};
use crate::topology::{Island, Source, Topology};
use crate::tuning::T;
use crate::workspace::Workspace;
use crate::workspace::inputs::Given;

/// Writes `rows.curve` of one island from the predicted velocities.
pub(crate) fn predict(t: &Given<'_>, island: &Island, k: usize, h: f64, ws: &mut Workspace) {
    if island.balls_only && !ws.rows.any_soft && !ws.redundant[k] {
        return predict_balls(t, island, h, ws);
    }
    for g in &t.groups[island.groups.clone()] {
        ws.rows.curve[g.row()..g.row() + g.rows()].fill(0.0);
    }
    if ws.redundant[k] {
        return;
    }
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        ws.x[node.x..node.x + 3].copy_from_slice(&t.inputs.kin[n].vel.to_array());
        if node.dim == 6 {
            ws.x[node.x + 3..node.x + 6].copy_from_slice(&ws.predicted[n].to_array());
        }
    }
    integrate::poses(t, island.nodes.clone(), &t.inputs.kin, &ws.x, h, &mut ws.kin_next);
    evaluate_phi(t, island.groups.clone(), &ws.kin_next, &mut ws.phi_next);
    for g in &t.groups[island.groups.clone()] {
        for r in 0..g.rows() {
            let row = g.row() + r;
            let theta = ws.rows.theta(row, h);
            if theta > 0.0 {
                let jv = row_velocity(t, g, r, &ws.rows.jac, &ws.x) + ws.rows.drive[row];
                ws.rows.curve[row] = theta * (ws.phi_next[row] - ws.rows.phi[row] - h * jv);
            }
        }
    }
    // The turning of a rod is predicted per element: what is left of it after the memory's share.
    for q in island.links.clone() {
        if let Source::Row(row) = t.links[q].source {
            ws.rows.curve[row] *= ws.element_kept[q] * ws.element_kept[q];
        }
    }
}

/// The same for islands of rigid ball joints: only the arms turn, c = exp(h w) s - s - h w x s of i less that of j.
fn predict_balls(t: &Given<'_>, island: &Island, h: f64, ws: &mut Workspace) {
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let (si, sj) = ws.rows.arms[k];
        let turn = |body: usize| h * if t.is_node(body) { ws.predicted[body] } else { t.inputs.kin[body].omega };
        let c = arc(turn(g.i()), si) - arc(turn(g.j()), sj);
        ws.rows.curve[g.row()..g.row() + 3].copy_from_slice(&c.to_array());
    }
}

/// Largest opening of a joint after the velocities in `x`, in units of its reach.
pub(crate) fn widest(t: &Given<'_>, island: &Island, h: f64, ws: &mut Workspace) -> f64 {
    integrate::poses(t, island.nodes.clone(), &t.inputs.kin, &ws.x, h, &mut ws.kin_next);
    evaluate_phi(t, island.groups.clone(), &ws.kin_next, &mut ws.phi_next);
    if island.balls_only && !ws.rows.any_soft {
        // The same, without looking at every row's kind.
        let mut worst = 0.0;
        for g in &t.groups[island.groups.clone()] {
            let reach = if g.reach.is_finite() { g.reach } else { 1.0 };
            let share = vec3(&ws.phi_next, g.row()).length_squared() / (reach * reach);
            if share > worst {
                worst = share;
            }
        }
        return worst.sqrt();
    }
    island.groups.clone().map(|k| opening(t, &t.groups[k], ws, h, false)).fold(0.0, f64::max)
}

/// Right-hand side with the rigid rows aimed at phi = 0 from the velocities in `x`, into `residual`; soft rows as they were.
/// `weight` of a group blends from the base rows (0) to the aimed ones (1).
pub(crate) fn aimed_rhs(
    t: &Topology,
    island: &Island,
    h: f64,
    weight: impl Fn(&Workspace, usize) -> f64,
    ws: &mut Workspace,
) {
    for node in &t.nodes[island.nodes.clone()] {
        for q in node.x..node.x + node.dim {
            ws.residual[q] = ws.rhs[q] + ws.memory[q];
        }
    }
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let w = weight(ws, k);
        for r in 0..g.rows() {
            let row = g.row() + r;
            let base = ws.rhs[g.x() + r];
            ws.residual[g.x() + r] = if w > 0.0 && ws.rows.is_rigid(row) && !ws.rows.stall[row] {
                let drive = ws.rows.drive[row];
                let jv = row_velocity(t, g, r, &ws.rows.jac, &ws.x) + drive;
                let aimed = ws.rows.gamma[row] * (jv - ws.phi_next[row] / h) - drive;
                w * aimed + (1.0 - w) * base
            } else {
                base
            };
        }
    }
}

/// Whether going from the velocities of `saved` to those of `x` throws a load.
pub(crate) fn throws(t: &Given<'_>, island: &Island, ws: &Workspace) -> bool {
    let (mut before, mut after, mut kick) = (0.0, 0.0, 0.0);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let energy = |x: &[f64]| {
            let spin =
                if node.dim == 6 { vec3(x, node.x + 3).dot(t.inputs.inertia[n] * vec3(x, node.x + 3)) } else { 0.0 };
            node.mass * vec3(x, node.x).length_squared() + spin
        };
        before += energy(&ws.saved);
        after += energy(&ws.x);
        kick += node.mass * (vec3(&ws.rhs, node.x) / node.mass - t.inputs.kin[n].vel).length_squared();
    }
    after > (1.0 + T.looks.gain) * before + T.looks.kick * kick
}
