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

use super::along;
use crate::desk::inputs::Given;
use crate::desk::{Multipliers, Stabilised, Stiffness};
use crate::math::so3::outer;
pub(crate) use crate::rows::linear_row;
use crate::rows::side;
use crate::topology::{Island, Load, NONE, Source, Topology};
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
            // The arms of a ball have the lengths they were made with.
            let [li, lj] = if matches!(g.load, Load::Point(_)) { g.arms } else { [si.length(), sj.length()] };
            add_arm(t, added, g.i(), (si, li), f);
            add_arm(t, added, g.j(), (sj, lj), f);
            // Where something is left to slide, the force turns with i.
            if matches!(g.load, Load::Slide(_, n) if n < 3) && t.is_node(g.i()) {
                added[g.i()] += across_moment(force, h2 * si.length());
            }
        }
        if g.kappa > 0.0 {
            let (mut moment, side) = (DVec3::ZERO, side(t, g));
            for (q, &value) in l.iter().enumerate() {
                if g.moment >> q & 1 == 1 {
                    moment += value * side.part_of_row(jac, q, 3);
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
        add_arm(t, added, l.i, (term.si, term.si.length()), f);
        add_arm(t, added, l.j, (term.sj, term.sj.length()), f);
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
fn add_arm(t: &Topology, added: &mut [DMat3], body: usize, arm: (DVec3, f64), f: f64) {
    if !t.is_node(body) || t.nodes[body].dim == 3 {
        return;
    }
    added[body] += across(arm, f);
}

/// f |s| (I - s s^T/|s|^2): a force f at an arm.
#[inline]
pub fn across_arm(s: DVec3, f: f64) -> DMat3 {
    across((s, s.length()), f)
}

/// The same of an arm whose length is known.
#[inline(always)]
fn across((s, length): (DVec3, f64), f: f64) -> DMat3 {
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
    if along::grew_along(t, island, (stiff, share, share_next), tolerance) {
        return true;
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
