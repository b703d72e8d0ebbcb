//! Ropes over guides: one row for each segment, phi = material on its way - material that it has, which can only pull.
//!
//! Tangent points move with the guides; their angles count whole turns, so that drums wind:
//! ```text
//! angle+ = raw(x+) + 2 pi round((angle - h (w . axis) - raw(x+))/(2 pi))
//! ```

use super::gather::{Now, hk_of, list, soft_theta, unit};
use super::spread::act;
use crate::delassus::Row;
use crate::desk::Next;
use crate::desk::bounded::{Candidates, Origin};
use crate::desk::inputs::{Given, Inputs, Reeved};
use crate::kin::{Kin, LinkTerm};
use crate::reeve::span::{Guide, Span};
use crate::reeve::wound;
use crate::rows::{Rows, law};
use crate::solve::bounded::Block;
use crate::state::State;
use crate::topology::{NONE, SegmentRow, Topology};
use crate::tuning::T;

/// Guides of a span at some poses.
fn guides(t: &Topology, first: usize, kin: &[Kin]) -> [Guide; 2] {
    [0, 1].map(|k| {
        let g = &t.guides[first + k];
        g.groove.at(&kin[g.body].side())
    })
}

/// Where the ropes are at the start of a step, and what they had of the last one.
pub(crate) fn start(t: &Topology, state: &State, inputs: &mut Inputs) {
    let Inputs { kin, rows, reeved, links, .. } = inputs;
    for (k, (s, at)) in t.spans.iter().zip(reeved.iter_mut()).enumerate() {
        let last = &state.ropes[s.slot].spans[s.index];
        let [a, b] = guides(t, s.guide, kin);
        let span = Span::between(&a, &b);
        let angles = span.map_or(last.angles, |x| [0, 1].map(|k| wound(x.angles[k], last.angles[k])));
        *at = Reeved { span, angles, material: last.material, reach: last.reach, energy: last.energy };
        if s.link != NONE {
            links[s.link] = link(t, k, at, kin);
        }
    }
    for (k, seg) in t.segments.iter().enumerate() {
        let row = t.segment_row(k);
        let first = &t.spans[seg.spans.start];
        let last = &state.ropes[first.slot].spans[first.index];
        (rows.lambda[row], rows.stretch[row]) = (last.lambda, last.stretch);
        rows.phi[row] = seg.spans.clone().map(|s| excess(t, s, &reeved[s], kin)).sum();
    }
}

/// Material on the way of a span less what it has, m.
fn excess(t: &Topology, s: usize, at: &Reeved, kin: &[Kin]) -> f64 {
    let [a, b] = guides(t, t.spans[s].guide, kin);
    at.span.map_or(0.0, |span| span.measure(&a, &b, at.angles) - at.material)
}

/// The element of a span as a link.
fn link(t: &Topology, s: usize, at: &Reeved, kin: &[Kin]) -> LinkTerm {
    let Some(span) = &at.span else { return LinkTerm::default() };
    let g = t.spans[s].guide;
    let arm = |k: usize| span.ends[k] - kin[t.guides[g + k].body].pos;
    // A link points from its second end to its first.
    LinkTerm { si: arm(0), sj: arm(1), u: -span.along, length: span.length, ..LinkTerm::default() }
}

/// Excess of a segment at new poses, with the velocities that led there in `next`, and the angles of its spans to a reader.
fn ahead(t: &Given<'_>, seg: &SegmentRow, next: &[Kin], mut angles: impl FnMut(usize, [f64; 2])) -> f64 {
    let mut sum = 0.0;
    for s in seg.spans.clone() {
        let (first, now) = (t.spans[s].guide, &t.inputs.reeved[s]);
        let [a, b] = guides(t, first, next);
        let Some(span) = Span::between(&a, &b) else { continue };
        let turned = |k: usize, g: &Guide| {
            let near = now.angles[k] - t.inputs.h * next[t.guides[first + k].body].omega.dot(g.axis);
            wound(span.angles[k], near)
        };
        let at = [turned(0, &a), turned(1, &b)];
        sum += span.measure(&a, &b, at) - now.material;
        angles(s, at);
    }
    sum
}

/// Excess of a rope that does not stretch at new poses, its length to measure that by; none for other rows.
pub(crate) fn rope_at(t: &Given<'_>, origin: Origin, next: &[Kin]) -> Option<(f64, f64)> {
    let Origin::Rope(k) = origin else { return None };
    let seg = &t.segments[k];
    seg.soft.is_rigid().then(|| (ahead(t, seg, next, |_, _| ()), T.ropes.scale * straight(seg, &t.inputs.reeved)))
}

/// Straight length of a segment at the start of the step, m.
fn straight(seg: &SegmentRow, reeved: &[Reeved]) -> f64 {
    reeved[seg.spans.clone()].iter().filter_map(|r| r.span).map(|s| s.length).sum::<f64>().max(f64::MIN_POSITIVE)
}

/// Where the ropes are after a step, at the new poses and with the velocities that led there.
pub(crate) fn arrive(t: &Given<'_>, next: &mut Next) {
    for (k, seg) in t.segments.iter().enumerate() {
        let wound = &mut next.wound;
        let excess = ahead(t, seg, &next.kin, |s, angles| wound[s] = angles);
        next.phi[t.segment_row(k)] = excess;
    }
}

/// The row of a segment, with its warm impulse. Ropes are always looked at: they tie islands together, and their bodies sleep together.
pub(super) fn gather(now: &Now<'_>, k: usize, reeved: &[Reeved], rows: &Rows, out: &mut Candidates) {
    let Now { t, hk, h, .. } = *now;
    let (seg, at) = (&t.segments[k], t.segment_row(k));
    let mut drive = 0.0;
    out.acted.clear();
    for s in seg.spans.clone() {
        let Some(span) = &reeved[s].span else { continue };
        for (side, jac) in span.jacobian.into_iter().enumerate() {
            drive += act(now, t.guides[t.spans[s].guide + side].body, jac, &mut out.acted);
        }
    }
    if out.acted.is_empty() {
        return;
    }
    let phi = rows.phi[at];
    let hauled: f64 = reeved[seg.spans.clone()].iter().map(|r| r.reach - r.material).sum::<f64>().max(0.0);
    out.rows.push_on(&out.acted, Row { drive, phi, ..Row::default() });
    let place = out.rows.len() - 1;
    let hk = hk_of(t, hk, out.rows.sides(place));
    let theta = soft_theta(now, out.rows.sides(place), seg.soft, rows.keeps_energy);
    let (sigma, gamma) = law(seg.soft.compliance, seg.soft.damping, theta, h);
    // What a rope that does not stretch has been passed by is removed from the positions alone; what it was made shorter by is hauled in
    // by a velocity.
    let apart = if seg.soft.is_rigid() { phi.min(hauled) } else { phi };
    let size = unit(t, now.gravity, out.rows.sides(place).map(|s| s.0), straight(seg, reeved));
    let row = &mut out.rows[place];
    row.sigma = sigma * h / hk;
    row.b = -gamma * apart / h;
    row.z = (hk * rows.lambda[at]).min(0.0);
    row.unit = size;
    list(out, Origin::Rope(k), Block::Box { lo: f64::NEG_INFINITY, hi: 0.0 }, 0.0, place);
}
