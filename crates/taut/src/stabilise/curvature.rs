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
use crate::desk::inputs::Given;
use crate::desk::{Law, Memory, Next, Solution};
use crate::integrate;
use crate::math::so3::Arc;
use crate::math::vec3;
use crate::rows::{ball_velocity, evaluate_phi, joint_velocity, row_velocity, side, width};
use crate::solve::block_ldlt::MAX_DIM;
use crate::topology::{Island, Source};
use crate::tuning::T;
use glam::DVec3;

/// Poses of an island after the velocities `x`, and its violations there.
pub(crate) fn pose(t: &Given<'_>, island: &Island, x: &[f64], h: f64, next: &mut Next) {
    integrate::poses(t, island.nodes.clone(), &t.inputs.kin, x, h, &mut next.kin);
    evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
}

/// Writes the curvature of the rows of one island along the predicted velocities, which are written to `x`; the poses they lead to are
/// in `next`.
pub(crate) fn predict(
    t: &Given<'_>,
    island: &Island,
    h: f64,
    law: &Law,
    memory: &Memory,
    (x, next): (&mut [f64], &mut Next),
    curve: &mut [f64],
) {
    if only_arms_turn(t, island) && !law.redundant[island.k] {
        return predict_arcs(t, island, h, &memory.predicted, &mut next.arcs, curve);
    }
    curve[island.rows.clone()].fill(0.0);
    if law.redundant[island.k] {
        return;
    }
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        x[node.x..node.x + 3].copy_from_slice(&t.inputs.kin[n].vel.to_array());
        if node.dim == 6 {
            x[node.x + 3..node.x + 6].copy_from_slice(&memory.predicted[n].to_array());
        }
    }
    pose(t, island, x, h, next);
    let mut velocity = [0.0; MAX_DIM];
    for k in island.groups.clone() {
        let g = &t.groups[k];
        joint_velocity(t, k, &t.inputs.rows, x, &mut velocity);
        for r in 0..g.rows() {
            let row = g.row() + r;
            let theta = t.inputs.rows.theta(row, law.sigma[row], law.added(row), h);
            if theta > 0.0 {
                let jv = velocity[r] + t.inputs.rows.drive[row];
                curve[row] = theta * (next.phi[row] - t.inputs.rows.phi[row] - h * jv);
            }
        }
    }
    let (rows, kin) = (&t.inputs.rows, &t.inputs.kin);
    for rotor in rows.rotors_of(island.groups.clone()) {
        let g = &t.groups[rotor.group];
        curve[rotor.row] = if rotor.turns {
            // The axis turns with body i: its rate in the middle of the drift.
            let omega = |b: usize| if width(t, b) == 6 { vec3(x, t.nodes[b].x + 3) } else { kin[b].omega };
            let axis = side(t, g).part_of_row(&rows.jac, rotor.r, 3);
            0.5 * h * h * axis.dot(omega(g.i()).cross(omega(g.j())))
        } else {
            let jv = row_velocity(t, g, rotor.r, &rows.jac, x) + rows.drive[rotor.row];
            next.phi[rotor.row] - rows.phi[rotor.row] - h * jv
        };
    }
    // The turning of a rod is predicted per element: what is left of it after the memory's share.
    for q in island.links.clone() {
        if let Source::Row(row) = t.links[q].source {
            curve[row] *= memory.element_kept[q] * memory.element_kept[q];
        }
    }
}

/// Whether the second order of an island is that of arms and directions that turn: rigid joints of a ball and directions at right
/// angles (ball, universal, hinge, weld).
#[inline]
pub(crate) fn only_arms_turn(t: &Given<'_>, island: &Island) -> bool {
    island.arced && !t.inputs.rows.any_soft
}

/// The same for such islands, without poses: c = exp(h w) s - s - h w x s of i less that of j for a ball, and for directions a of i and
/// b of j, with a+ = a + h w_i x a + c_a and b+ likewise, c = a+.b+ - a.b - h J v = c_a.b + a.c_b + (a+ - a).(b+ - b).
fn predict_arcs(t: &Given<'_>, island: &Island, h: f64, predicted: &[DVec3], arcs: &mut [Arc], curve: &mut [f64]) {
    for n in island.nodes.clone() {
        arcs[n] = Arc::of(h * predicted[n]);
    }
    for k in island.groups.clone() {
        let g = &t.groups[k];
        curve[g.row()..g.row() + 3].copy_from_slice(&curved(t, k, arcs).to_array());
        for_directions(t, k, arcs, |row, [a, b], [i, j]| {
            let (ca, cb) = (i.at(a), j.at(b));
            curve[row] = ca.dot(b) + a.dot(cb) + (i.along(a) + ca).dot(j.along(b) + cb);
        });
    }
}

/// c of a ball joint whose bodies turn by these arcs.
#[inline(always)]
fn curved(t: &Given<'_>, k: usize, arcs: &[Arc]) -> DVec3 {
    let (g, (si, sj)) = (&t.groups[k], t.inputs.rows.arms[k]);
    arcs[g.i()].at(si) - arcs[g.j()].at(sj)
}

/// The rows of a joint that keep two directions at right angles: row, the directions as they stand, and how their bodies turn. None of a
/// joint that was cut.
#[inline(always)]
fn for_directions(t: &Given<'_>, k: usize, arcs: &[Arc], mut f: impl FnMut(usize, [DVec3; 2], [&Arc; 2])) {
    let g = &t.groups[k];
    if g.rows() == 3 || g.dead {
        return;
    }
    for row in g.row() + 3..g.row() + g.rows() {
        let (a, b) = t.inputs.rows.directions[row];
        f(row, [a, b], [&arcs[g.i()], &arcs[g.j()]]);
    }
}

/// Violations of an island after the velocities `x`. Arms and directions need no poses for them: phi+ = phi + h J v + c.
pub(crate) fn look(t: &Given<'_>, island: &Island, x: &[f64], h: f64, next: &mut Next) {
    if !only_arms_turn(t, island) {
        return pose(t, island, x, h, next);
    }
    for n in island.nodes.clone() {
        next.arcs[n] = Arc::of(h * vec3(x, t.nodes[n].x + 3));
    }
    let rows = &t.inputs.rows;
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let row = g.row();
        if g.dead {
            next.phi[row..row + g.rows()].fill(0.0);
            continue;
        }
        let rate = ball_velocity(t, k, rows, x) + vec3(&rows.drive, row);
        let phi = vec3(&rows.phi, row) + h * rate + curved(t, k, &next.arcs);
        next.phi[row..row + 3].copy_from_slice(&phi.to_array());
        let Next { arcs, phi, .. } = next;
        for_directions(t, k, arcs, |row, [a, b], [i, j]| phi[row] = i.turned(a).dot(j.turned(b)));
    }
}

/// Largest opening of a joint after the velocities in `x`, in units of its reach. `poses` asks for the poses too.
pub(crate) fn widest(
    t: &Given<'_>,
    island: &Island,
    h: f64,
    (x, poses): (&[f64], bool),
    law: &Law,
    next: &mut Next,
) -> f64 {
    if poses {
        pose(t, island, x, h, next);
    } else {
        look(t, island, x, h, next);
    }
    if only_arms_turn(t, island) && !law.stalled[island.k] {
        // The same, without looking at every row's kind, and with one root.
        let mut worst = 0.0;
        for g in &t.groups[island.groups.clone()] {
            let gap = vec3(&next.phi, g.row()).length_squared() / (g.arm() * g.arm());
            let turned = |worst: f64, p: &f64| if p * p > worst { p * p } else { worst };
            worst =
                next.phi[g.row() + 3..g.row() + g.rows()].iter().fold(if gap > worst { gap } else { worst }, turned);
        }
        return worst.sqrt();
    }
    island.groups.clone().map(|k| opening(t, &t.groups[k], h, x, law, &next.phi, None)).fold(0.0, f64::max)
}

/// Whether going from the velocities of `saved` to those of `x` throws a load.
pub(crate) fn throws(t: &Given<'_>, island: &Island, sol: &Solution) -> bool {
    let (mut before, mut after, mut kick) = (0.0_f64, 0.0_f64, 0.0_f64);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let energy = |x: &[f64]| {
            let spin =
                if node.dim == 6 { vec3(x, node.x + 3).dot(t.inputs.inertia[n] * vec3(x, node.x + 3)) } else { 0.0 };
            node.mass * vec3(x, node.x).length_squared() + spin
        };
        before += energy(&sol.saved);
        after += energy(&sol.x);
        kick += node.mass * (vec3(&t.inputs.rhs, node.x) / node.mass - t.inputs.kin[n].vel).length_squared();
    }
    for rotor in t.inputs.rows.rotors_of(island.groups.clone()) {
        let square = |x: &[f64]| {
            let rows = &t.inputs.rows;
            let rate = row_velocity(t, &t.groups[rotor.group], rotor.r, &rows.jac, x) + rows.drive[rotor.row];
            rotor.armature * rate * rate
        };
        before += square(&sol.saved);
        after += square(&sol.x);
    }
    after > (1.0 + T.looks.gain) * before + T.looks.kick * kick
}
