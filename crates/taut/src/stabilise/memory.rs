//! What the stiffness of the stabiliser gives back: c_b A_b wm_b (`stabilise::aligned`), for bodies four at a time (`math::lanes`), and for
//! rods.

pub(crate) mod bodies;

use crate::desk::inputs::Given;
use crate::desk::{Memory, Stiffness};
use crate::topology::{Island, Load, Source};
use crate::tuning::T;
use bodies::Bodies;
use glam::DVec3;

/// What the memory may not exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cap {
    /// Nothing: the first solve of the first step.
    None,
    /// The energy A had at the velocities of the solve before, in the first step. Velocities that contradict the joints are gone by
    /// then; given back by an A made from the forces that took them away, they would multiply.
    Solved,
    /// The energy of the last step's A.
    Last,
}

/// Writes the memory impulses c A wm of one island, and the angular velocity each body would have by itself. The solution of the pass
/// before, `x`, is read in the first step alone (`Cap::Solved`).
pub(crate) fn memory(
    t: &Given<'_>,
    island: &Island,
    share: f64,
    cap: Cap,
    stiff: &Stiffness,
    x: &[f64],
    out: &mut Memory,
) {
    out.impulse[island.x.clone()].fill(0.0);
    if share >= 1.0 {
        out.predicted[island.nodes.clone()].copy_from_slice(&t.inputs.omega_g[island.nodes.clone()]);
        out.element_kept[island.links.clone()].fill(1.0);
        return;
    }
    let keep = 1.0 - share;
    fade(t, island, &mut out.fade);
    out.predicted[island.nodes.clone()].fill(DVec3::ZERO);
    taut_lanes::run_wide(Bodies { t, island, keep, cap, added: &stiff.added, x, out: &mut *out });
    for k in island.links.clone() {
        let (l, term) = (&t.links[k], t.inputs.links[k]);
        if matches!(l.source, Source::Row(_)) {
            let w = anchor_velocity(t, l.i, term.si) - anchor_velocity(t, l.j, term.sj);
            out.turning[k] = if term.length > 0.0 { term.u.cross(w) / term.length } else { DVec3::ZERO };
        }
    }
    for k in island.links.clone() {
        if let Source::Row(row) = t.links[k].source {
            rod_memory(t, (k, row), keep, cap, &stiff.element, x, out);
        }
    }
}

/// The gap fallback: what open joints leave of the memory of their bodies.
fn fade(t: &Given<'_>, island: &Island, fade: &mut [f64]) {
    let rows = &t.inputs.rows;
    fade[island.nodes.clone()].fill(1.0);
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let gap2 = match g.load {
            Load::Point(r) if rows.is_rigid(g.row()) => {
                crate::math::vec3(&rows.phi, g.row() + usize::from(r)).length_squared()
            }
            Load::Slide(r, n) if rows.is_rigid(g.row() + usize::from(r)) => {
                let from = g.row() + usize::from(r);
                rows.phi[from..from + usize::from(n)].iter().map(|p| p * p).sum::<f64>()
            }
            _ => continue,
        };
        let (si, sj) = rows.arms[k];
        for (b, s) in [(g.i(), si), (g.j(), sj)] {
            let arm2 = s.length_squared();
            // A gap well below G0 |s| takes nothing: no roots for it.
            if t.is_node(b) && arm2 > 0.0 && !(gap2 < 0.5 * T.aligned.g0 * T.aligned.g0 * arm2) {
                fade[b] = fade[b].min((2.0 - gap2.sqrt() / (T.aligned.g0 * arm2.sqrt())).clamp(0.0, 1.0));
            }
        }
    }
}

/// The memory of one rod, a link with the row that holds its length.
fn rod_memory(
    t: &Given<'_>,
    (k, row): (usize, usize),
    keep: f64,
    cap: Cap,
    element: &[f64],
    x: &[f64],
    out: &mut Memory,
) {
    let (l, term) = (&t.links[k], t.inputs.links[k]);
    let light = t.link_mobility(l);
    let w = filtered_turning(t, element, &out.turning, k, light).cross(term.u) * term.length;
    let e_now = element[k] * w.length_squared();
    let allowed = match cap {
        Cap::None => e_now,
        Cap::Solved => {
            let end = |b: usize, arm: DVec3| {
                if t.is_node(b) { crate::system::kkt::anchor(t, x, b, arm) } else { anchor_velocity(t, b, arm) }
            };
            element[k] * term.across_part(end(l.i, term.si) - end(l.j, term.sj)).length_squared()
        }
        Cap::Last => t.inputs.element_prev[k],
    };
    let c = if e_now <= 0.0 { 1.0 } else { (allowed / e_now).min(1.0).sqrt() };
    let open = if t.inputs.rows.is_rigid(row) { t.inputs.rows.phi[row].abs() } else { 0.0 };
    let fade = if open > 0.0 { (2.0 - open / (T.aligned.g0 * term.length)).clamp(0.0, 1.0) } else { 1.0 };
    let stiff = keep * element[k];
    out.element_kept[k] = (1.0 + light * stiff * fade * c) / (1.0 + light * stiff);
    // The matrix holds the free ends only: what a driven end adds to the turning goes to the right-hand side.
    let driven = |b: usize, arm: DVec3| if t.is_node(b) { DVec3::ZERO } else { anchor_velocity(t, b, arm) };
    let drag = driven(l.i, term.si) - driven(l.j, term.sj);
    let impulse = stiff * (fade * c * w - term.across_part(drag));
    crate::force::add_at_anchor(t, l.i, term.si, impulse, &mut out.impulse);
    crate::force::add_at_anchor(t, l.j, term.sj, -impulse, &mut out.impulse);
}

/// Angular velocity of a rod less the filtered part of its turning against the rods at its ends: the filter of the bodies, on what
/// both rods can turn about. Without it rods at the edge of being resolved quiver more and more.
fn filtered_turning(t: &Given<'_>, element: &[f64], turning: &[DVec3], k: usize, light: f64) -> DVec3 {
    let list = &t.rod_neighbours[t.rod_start[k]..t.rod_start[k + 1]];
    let (own, me) = (turning[k], &t.inputs.links[k]);
    if list.is_empty() || element[k] <= 0.0 {
        return own;
    }
    let strength = |q: usize| element[q] * t.inputs.links[q].length * t.inputs.links[q].length;
    let chi = element[k] * light / (element[k] * light + T.aligned.x0);
    let mut acc = DVec3::ZERO;
    for &x in list {
        let apart = me.across_part(t.inputs.links[x].across_part(own - turning[x]));
        acc += (strength(x) / strength(k)).min(1.0) * apart;
    }
    own - acc * (0.5 * chi / list.len() as f64)
}

/// Velocity of an anchor before the solve (gyroscopic term included).
fn anchor_velocity(t: &Given<'_>, body: usize, arm: DVec3) -> DVec3 {
    let omega =
        if t.is_node(body) && t.nodes[body].dim == 6 { t.inputs.omega_g[body] } else { t.inputs.kin[body].omega };
    t.inputs.kin[body].vel + omega.cross(arm)
}
