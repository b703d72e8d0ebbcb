//! Ropes over guides: one row for each segment, phi = material on its way - material that it has, which can only pull.
//!
//! Tangent points move with the guides; their angles count whole turns, so that drums wind:
//! ```text
//! angle+ = raw(x+) + 2 pi round((angle - h (w . axis) - raw(x+))/(2 pi))
//! ```

use super::gather::{Now, hk_of, list, soft_theta, unit};
use super::spread::act;
use crate::delassus::{Row, velocity};
use crate::desk::Next;
use crate::desk::bounded::{Candidate, Candidates, Origin, Set};
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
pub(crate) fn arrive(t: &Given<'_>, h: f64, solved: (&Set, &[f64]), next: &mut Next) {
    for (k, seg) in t.segments.iter().enumerate() {
        let wound = &mut next.wound;
        let excess = ahead(t, seg, &next.kin, |s, angles| wound[s] = angles);
        next.phi[t.segment_row(k)] = excess;
    }
    slip(t, h, solved, next);
}

/// Angle of wrap at the guide before a span, rad. At a point it is that between the spans.
fn wrap(t: &Topology, s: usize, reeved: &[Reeved]) -> f64 {
    let (before, after) = (&reeved[s - 1], &reeved[s]);
    let groove = &t.guides[t.spans[s].guide].groove;
    if groove.radius > 0.0 {
        return groove.side * (after.angles[0] - before.angles[1]);
    }
    let [Some(a), Some(b)] = [before.span, after.span] else { return 0.0 };
    libm::atan2(a.along.cross(b.along).length(), a.along.dot(b.along))
}

/// What the material of a segment is short of, or has over, after the solve: the velocity by which the rope slips into it, m/s.
pub(crate) fn slipping(t: &Given<'_>, set: &Set, c: &Candidate, x: &[f64]) -> f64 {
    if !matches!(c.law, Block::Span { .. }) {
        return 0.0;
    }
    let row = &set.rows[c.row];
    velocity(t, set.rows.sides(c.row), x) + row.drive - row.b - row.aim + row.sigma * row.z
}

/// Slip of ropes over their guides in a step. Material goes from one segment to the next, none is made and none is lost.
/// ```text
/// slip before segment k = w_k + ... + w_n          where friction holds no more
/// ```
/// What the poses have curved beyond that is shared by the segments that it slips between; a slack rope lies as its spans need it.
fn slip(t: &Given<'_>, h: f64, (set, x): (&Set, &[f64]), next: &mut Next) {
    next.slip.fill(0.0);
    let mut at = 0;
    let rope = |c: &Candidate| if let Origin::Rope(k) = c.origin { Some(k) } else { None };
    while at < set.candidates.len() {
        let Some(first) = rope(&set.candidates[at]).filter(|&k| t.segments[k].anchor != NONE) else {
            at += 1;
            continue;
        };
        let chain = t.chain(first);
        let rows = &set.candidates[at..at + chain.len()];
        at += chain.len();
        let taut = set.rows[rows[0].row].z < 0.0;
        let total: f64 = chain.clone().map(|k| next.phi[t.segment_row(k)]).sum();
        let held = |g: usize| {
            // Whether the guide before the segment holds.
            let Block::Span { over: Some([on, back]) } = rows[g].law else { return true };
            let (before, after) = (set.rows[rows[g - 1].row].z, set.rows[rows[g].row].z);
            let near = |a: f64, b: f64| (a - b).abs() <= SATURATED * a.abs().max(b.abs());
            !(near(after, on * before) || near(before, back * after))
        };
        if !taut {
            // It is slack as a whole, or its pieces would be: what one lacks it takes from the others.
            let lacks = chain.clone().any(|k| next.phi[t.segment_row(k)] > 0.0);
            if lacks && total <= 0.0 {
                let length: f64 = chain.clone().map(|k| straight(&t.segments[k], &t.inputs.reeved)).sum();
                for k in chain {
                    let (row, part) = (t.segment_row(k), straight(&t.segments[k], &t.inputs.reeved) / length);
                    let wanted = total * part;
                    next.slip[k] = (next.phi[row] - wanted) / h;
                    next.phi[row] = wanted;
                }
            }
            continue;
        }
        // Runs of segments that it slips between.
        let mut run = 0;
        while run < rows.len() {
            let mut end = run + 1;
            while end < rows.len() && !held(end) {
                end += 1;
            }
            if end > run + 1 {
                let own = |g: usize| {
                    let (c, row) = (&rows[g], &set.rows[rows[g].row]);
                    let w = slipping(t, set, c, x);
                    let linear = row.phi + h * (velocity(t, set.rows.sides(c.row), x) + row.drive - w);
                    // Slip of the row, and what the poses have curved.
                    (w, (next.phi[t.segment_row(first + g)] - h * w) - linear)
                };
                let count = (end - run) as f64;
                let (sum_w, sum_e) = (run..end).map(own).fold((0.0, 0.0), |s, o| (s.0 + o.0, s.1 + o.1));
                for g in run..end {
                    let (w, e) = own(g);
                    next.slip[first + g] = (w - sum_w / count) + (e - sum_e / count) / h;
                }
                for g in run..end {
                    next.phi[t.segment_row(first + g)] -= h * next.slip[first + g];
                }
            }
            run = end;
        }
    }
}

/// Tensions on the two sides of a guide that are so near to its ratio count as slipping; parts.
const SATURATED: f64 = 1e-9;

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
    if seg.anchor != NONE && out.acted.iter().all(|a| a.0 != seg.anchor) {
        out.acted.push((seg.anchor, [0.0; 6]));
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
    let law = if seg.anchor == NONE {
        Block::Box { lo: f64::NEG_INFINITY, hi: 0.0 }
    } else {
        Block::Span { over: seg.over.map(|hold| hold.ratios(wrap(t, seg.spans.start, reeved))) }
    };
    list(out, Origin::Rope(k), law, 0.0, place);
}
