//! The default stabiliser: aligned stiffness with memory, energy cap, neighbour filter and gap fallback.
//!
//! Per body b, from the joint forces F at arms s and joint moments T:
//! ```text
//! S_b = sum |F| |s| (I - s s^T/|s|^2) + kappa |T| (I - T T^T/|T|^2),     A_b = h^2 S_b
//! (M + A) v+ = M v + h f + c_b A_b wm_b + J^T (h lambda)
//! wm_b  = w_b - 1/(2 n_b) sum_x chi min(1, d_x/d_b) u,   u = w_b - w_x,  d = u.A u,  chi = d_b/(d_b + X0 u.I_b u)
//! c_b   = g_b min(1, sqrt(w.Aprev w / wm.A wm)),          g_b = min over joints of clamp(2 - gap/(G0 |s|), 0, 1)
//! ```
//! The absolute value (|F||s|, not F.s) also slows the falling modes of light branches under compression to less than
//! 1/h. With gamma = 1 (all of A v given back) nothing is dissipated; the cap makes v^T (M + A) v non-increasing for any
//! jump of the forces, because A is block-diagonal and positive semi-definite.
//!
//! A distance row between two anchors is an element: A_e = h^2 |lambda|/l B^T (I - u u^T) B, coupled between its two ends so
//! that it resists the turning of the rod and not its translation, with its own memory and its own cap (the same proof holds
//! for a sum of positive semi-definite elements), and the filter of the bodies between rods that share an end. Its arms on rigid
//! bodies add |F||s| terms like a point's.
//!
//! Andrews 2017 and Tournier 2015 use the full K~ instead; why not: it is indefinite under compression, it spins thin
//! links about their own axis, and backward Euler on it loses 40 % of a pendulum's energy in 40 s.

use crate::desk::inputs::Given;
use crate::desk::{Memory, Multipliers, Stabilised, Stiffness};
use crate::math::so3::outer;
use crate::rows::angular_row;
pub(crate) use crate::rows::linear_row;
use crate::topology::{Island, Load, NONE, Source, Topology};
use crate::tuning::T;
use glam::{DMat3, DVec3};

/// Stiffness of an island from the multipliers `lambda`, for a step of h.
pub(crate) fn stiffness(t: &Given<'_>, island: &Island, lambda: &[f64], h: f64, out: &mut Stiffness) {
    let (rows, links) = (&t.inputs.rows, &t.inputs.links);
    let (jac, added, element) = (&rows.jac, &mut out.added, &mut out.element);
    added[island.nodes.clone()].fill(DMat3::ZERO);
    let h2 = h * h;
    for k in island.groups.clone() {
        let g = &t.groups[k];
        let l = &lambda[g.row()..g.row() + g.rows()];
        let force = match g.load {
            Load::Point(r) => crate::math::vec3(l, usize::from(r)),
            Load::Slide(r, n) => (usize::from(r)..usize::from(r + n)).map(|q| l[q] * linear_row(t, g, jac, q)).sum(),
            Load::None => DVec3::ZERO,
        };
        if g.load != Load::None {
            let f = h2 * force.length();
            let (si, sj) = rows.arms[k];
            add_arm(t, added, g.i(), si, f);
            add_arm(t, added, g.j(), sj, f);
            // Where something is left to slide, the force turns with i.
            if matches!(g.load, Load::Slide(_, n) if n < 3) && t.is_node(g.i()) {
                added[g.i()] += across_moment(force, h2 * si.length());
            }
        }
        if g.kappa > 0.0 {
            let mut moment = DVec3::ZERO;
            for (q, &value) in l.iter().enumerate() {
                if g.moment >> q & 1 == 1 {
                    moment += value * angular_row(t, g, jac, q);
                }
            }
            let s = across_moment(moment, h2 * g.kappa);
            for b in [g.i(), g.j()] {
                if t.is_node(b) {
                    added[b] += s;
                }
            }
        }
    }
    for k in island.links.clone() {
        let l = &t.links[k];
        let Source::Row(row) = l.source else { continue };
        let term = &links[k];
        let f = h2 * lambda[row].abs();
        // A span between two guides of one body cannot turn against it.
        element[k] = if term.length > 0.0 && l.i != l.j { f / term.length } else { 0.0 };
        if l.span != NONE {
            add_guides(t, l.span, f, added);
            continue;
        }
        add_arm(t, added, l.i, term.si, f);
        add_arm(t, added, l.j, term.sj, f);
    }
}

/// The stiffness of a rope of tension `f` (with h^2) at the guide that a span begins at, and at the last guide of its segment:
/// ```text
/// |F| |s| (I - s s^T/|s|^2) + f r/2 (I - a a^T) for each of its spans,     F = T (u_in - u_out), s to the centre of the guide
/// ```
/// Nothing about the axis a: the rope turns a sheave with the same force whatever its angle.
fn add_guides(t: &Given<'_>, s: usize, f: f64, added: &mut [DMat3]) {
    let span = &t.spans[s];
    let of = |s: usize| t.inputs.reeved[s].span.map_or(DVec3::ZERO, |x| x.along);
    let range = &t.segments[span.segment].spans;
    let before = if s > range.start { of(s - 1) } else { DVec3::ZERO };
    let at = t.inputs.reeved[s].centres;
    add_guide(t, (span.guide, at[0]), before - of(s), if s > range.start { 2.0 } else { 1.0 }, f, added);
    if s + 1 == range.end {
        add_guide(t, (span.guide + 1, at[1]), of(s), 1.0, f, added);
    }
}

fn add_guide(t: &Given<'_>, (guide, at): (usize, DVec3), pull: DVec3, spans: f64, f: f64, added: &mut [DMat3]) {
    let g = &t.guides[guide];
    if !t.is_node(g.body) || t.nodes[g.body].dim == 3 {
        return;
    }
    let rot = t.inputs.kin[g.body].rot;
    // An edge is touched where the rope passes over it.
    let arm = if g.groove.is_edge() { at - t.inputs.kin[g.body].pos } else { rot * g.groove.centre };
    added[g.body] += across_arm(arm, f * pull.length());
    if g.groove.radius > 0.0 {
        let a = rot * g.groove.axis;
        added[g.body] += (DMat3::IDENTITY - outer(a, a)) * (0.5 * spans * f * g.groove.radius);
    }
}

/// A += f |s| (I - s s^T/|s|^2) on a body that rotates.
#[inline]
fn add_arm(t: &Topology, added: &mut [DMat3], body: usize, s: DVec3, f: f64) {
    if !t.is_node(body) || t.nodes[body].dim == 3 {
        return;
    }
    added[body] += across_arm(s, f);
}

/// f |s| (I - s s^T/|s|^2): a force f at an arm.
#[inline]
pub fn across_arm(s: DVec3, f: f64) -> DMat3 {
    let length = s.length();
    if length > 0.0 { DMat3::from_diagonal(DVec3::splat(f * length)) - outer(s, s * (f / length)) } else { DMat3::ZERO }
}

/// k |T| (I - T T^T/|T|^2) of a moment.
#[inline]
pub fn across_moment(moment: DVec3, k: f64) -> DMat3 {
    let m = moment.length();
    if m > 0.0 {
        let n = moment / m;
        (DMat3::IDENTITY - outer(n, n)) * (k * m)
    } else {
        DMat3::ZERO
    }
}

/// True when no joint force has grown by more than `tolerance`: then A has not either, and `jumped` need not look. Only for islands
/// of ball joints, where A is a sum of terms proportional to the forces.
pub(crate) fn calm(t: &Topology, island: &Island, force: &Multipliers, tolerance: f64) -> bool {
    let limit = (1.0 + tolerance) * (1.0 + tolerance);
    let size = |l: &[f64]| l[0] * l[0] + l[1] * l[1] + l[2] * l[2];
    island.balls_only
        && t.groups[island.groups.clone()].iter().all(|g| {
            let rows = g.row()..g.row() + 3;
            size(&force.found[rows.clone()]) <= limit * size(&force.load[rows])
        })
}

/// Whether an entry of A has grown by more than `tolerance` of that of M + A.
#[inline]
pub fn grew(was: f64, now: f64, mass: f64, tolerance: f64) -> bool {
    now - was > tolerance * (mass + was)
}

/// Would the new multipliers have asked for clearly more? True when some diagonal entry of A grows by more than
/// `tolerance` of M + A.
pub(crate) fn jumped(
    t: &Given<'_>,
    island: &Island,
    stiff: &Stabilised,
    share: f64,
    share_next: f64,
    tolerance: f64,
) -> bool {
    for n in island.nodes.clone() {
        if t.nodes[n].dim == 3 {
            continue;
        }
        let (old, new) = (stiff.now.added[n], stiff.next.added[n]);
        let (axes, inertia) = (t.inputs.kin[n].rot, t.local_inertia[n]);
        // Along the body's own axes, so that the test does not depend on how the scene stands in the world.
        for k in 0..3 {
            let r = axes.col(k);
            let a = (1.0 - share) * r.dot(old * r);
            if grew(a, (1.0 - share_next) * r.dot(new * r), inertia.col(k)[k], tolerance) {
                return true;
            }
        }
    }
    for k in island.links.clone() {
        let l = &t.links[k];
        if !matches!(l.source, Source::Row(_)) {
            continue;
        }
        let a = (1.0 - share) * stiff.now.element[k];
        if grew(a, (1.0 - share_next) * stiff.next.element[k], t.lighter_end(l), tolerance) {
            return true;
        }
    }
    false
}

/// Would the new multipliers have asked for clearly less? True when some diagonal entry of A falls by more than `tolerance` of M + A.
pub(crate) fn fell(t: &Given<'_>, island: &Island, stiff: &Stabilised, tolerance: f64) -> bool {
    let body = |n: usize| {
        let (axes, inertia) = (t.inputs.kin[n].rot, t.local_inertia[n]);
        let fall = stiff.now.added[n] - stiff.next.added[n];
        (0..3).any(|k| {
            let r = axes.col(k);
            r.dot(fall * r) > tolerance * (inertia.col(k)[k] + r.dot(stiff.next.added[n] * r))
        })
    };
    let rod = |k: usize| {
        let l = &t.links[k];
        let m = t.lighter_end(l);
        matches!(l.source, Source::Row(_))
            && stiff.now.element[k] - stiff.next.element[k] > tolerance * (m + stiff.next.element[k])
    };
    island.nodes.clone().any(|n| t.nodes[n].dim == 6 && body(n)) || island.links.clone().any(rod)
}

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
    filter(t, island, keep, &stiff.added, &mut out.predicted);
    for n in island.nodes.clone().filter(|&n| t.nodes[n].dim == 6) {
        body_memory(t, n, keep, cap, stiff.added[n], x, out);
    }
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

/// The memory of one body; `predicted` holds what the filter takes off, and then the body's own motion.
fn body_memory(t: &Given<'_>, n: usize, keep: f64, cap: Cap, a: DMat3, x: &[f64], out: &mut Memory) {
    let node = &t.nodes[n];
    let omega = t.inputs.omega_g[n];
    let wm = if node.neighbours == 0 { omega } else { omega - out.predicted[n] * (0.5 / node.neighbours as f64) };
    let aw = a * wm;
    let e_now = wm.dot(aw);
    let allowed = match cap {
        Cap::None => e_now,
        Cap::Solved => {
            let w = crate::math::vec3(x, node.x + 3);
            w.dot(a * w)
        }
        Cap::Last => {
            let w = t.inputs.kin[n].omega;
            w.dot(crate::math::unpacked(&t.inputs.added_prev[n]) * w)
        }
    };
    let c = if e_now <= 0.0 { 1.0 } else { (allowed.max(0.0) / e_now).min(1.0).sqrt() };
    let impulse = keep * out.fade[n] * c * aw;
    let inertia = t.inputs.inertia[n];
    out.predicted[n] = (inertia + a * keep).inverse() * (inertia * omega + impulse);
    out.impulse[node.x + 3..node.x + 6].copy_from_slice(&impulse.to_array());
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

/// Sum over the neighbours of what the filter takes off each body's angular velocity.
fn filter(t: &Given<'_>, island: &Island, keep: f64, added: &[DMat3], off: &mut [DVec3]) {
    off[island.nodes.clone()].fill(DVec3::ZERO);
    for g in &t.groups[island.groups.clone()] {
        if g.dead || !t.is_node(g.i()) || !t.is_node(g.j()) || t.nodes[g.i()].dim == 3 || t.nodes[g.j()].dim == 3 {
            continue;
        }
        let u = t.inputs.omega_g[g.i()] - t.inputs.omega_g[g.j()];
        let d_i = keep * u.dot(added[g.i()] * u);
        let d_j = keep * u.dot(added[g.j()] * u);
        if d_i > 0.0 {
            let chi = d_i / (d_i + T.aligned.x0 * u.dot(t.inputs.inertia[g.i()] * u));
            off[g.i()] += chi * (d_j / d_i).min(1.0) * u;
        }
        if d_j > 0.0 {
            let chi = d_j / (d_j + T.aligned.x0 * u.dot(t.inputs.inertia[g.j()] * u));
            off[g.j()] -= chi * (d_i / d_j).min(1.0) * u;
        }
    }
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
