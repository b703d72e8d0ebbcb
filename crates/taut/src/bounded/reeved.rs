//! Ropes over guides: one row for each segment, phi = material on its way - material that it has, which can only pull.
//!
//! Tangent points move with the guides; their angles count whole turns, so that drums wind:
//! ```text
//! angle+ = raw(x+) + 2 pi round((angle - h (w . axis) - raw(x+))/(2 pi))
//! ```

use super::gather::{Now, hk_of, list, soft_theta, speed, unit};
use super::spread::act;
use crate::delassus::{Row, velocity};
use crate::desk::Next;
use crate::desk::bounded::{Candidate, Candidates, Origin, Set};
use crate::desk::inputs::{Given, Inputs, Reeved};
use crate::joints::Softness;
use crate::kin::{Kin, LinkTerm};
use crate::reeve::span::{Guide, Span, measure_touching};
use crate::reeve::{edge, wound};
use crate::rows::{Rows, law};
use crate::solve::bounded::Block;
use crate::state::{SpanState, State};
use crate::topology::{NONE, SegmentRow, Topology};
use crate::tuning::T;
use glam::DVec3;

/// Spans of a segment at some poses, in the order of the rope, with their guides, to a reader. `near` says for the end of a span about what
/// angle its tangent point has, whole turns counted, when its axis is this one. Where it passes over edges is found for all that it can slip along.
pub(super) fn walk(
    t: &Topology,
    k: usize,
    kin: &[Kin],
    near: impl Fn(usize, usize, DVec3) -> f64,
    mut each: impl FnMut(usize, [&Guide; 2], Option<Span>),
) {
    let seg = &t.segments[k];
    let guide = |s: usize, end: usize| {
        let row = &t.guides[t.spans[s].guide + end];
        let side = kin[row.body].side();
        let near = if row.groove.growth == 0.0 { 0.0 } else { near(s, end, side.rot * row.groove.axis) };
        row.groove.at(&side, near)
    };
    if !seg.has_edges {
        for s in seg.spans.clone() {
            let [a, b] = [0, 1].map(|end| guide(s, end));
            each(s, [&a, &b], Span::between(&a, &b));
        }
        return;
    }
    let chain = t.whole_chain(k);
    let spans = t.segments[chain.start].spans.start..t.segments[chain.end - 1].spans.end;
    let mut all = [guide(spans.start, 0); edge::MOST + 2];
    let count = (spans.len() + 1).min(all.len());
    (1..count).for_each(|n| all[n] = guide(spans.start + n - 1, 1));
    edge::settle(&mut all[..count]);
    for (s, pair) in spans.zip(all[..count].windows(2)).filter(|(s, _)| seg.spans.contains(s)) {
        each(s, [&pair[0], &pair[1]], Span::between(&pair[0], &pair[1]));
    }
}

/// Where the ropes are at the start of a step, and what they had of the last one.
pub(crate) fn start(t: &Topology, state: &State, inputs: &mut Inputs) {
    let Inputs { kin, rows, reeved, links, paths, .. } = inputs;
    for (k, seg) in t.segments.iter().enumerate() {
        let of = |s: usize| &state.ropes[t.spans[s].slot].spans[t.spans[s].index];
        let mut excess = 0.0;
        let mut path = Way::default();
        walk(
            t,
            k,
            kin,
            |s, end, _| of(s).angles[end],
            |s, [a, b], span| {
                let last = of(s);
                let angles = span.map_or(last.angles, |x| [0, 1].map(|k| wound(x.angles[k], last.angles[k])));
                let centres = [a.centre, b.centre];
                let SpanState { material, reach, energy, least, apart, .. } = *last;
                let at = Reeved { span, angles, material, reach, energy, centres, least, apart };
                excess += span.map_or_else(|| measure_touching(a, b, angles), |s| s.measure(a, b, angles)) - material;
                path.go(a, span, angles);
                if t.spans[s].link != NONE {
                    links[t.spans[s].link] = link(t, s, &at, kin);
                }
                reeved[s] = at;
            },
        );
        let row = t.segment_row(k);
        let last = of(seg.spans.start);
        (rows.lambda[row], rows.stretch[row]) = (last.lambda, last.stretch);
        (rows.phi[row], paths[k]) = (excess, path.length - excess.max(0.0));
    }
}

/// How long the way of a segment is, along its spans and round the guides between them.
#[derive(Default)]
struct Way {
    length: f64,
    arrives: Option<f64>,
}

impl Way {
    /// On from a guide along a span.
    fn go(&mut self, from: &Guide, span: Option<Span>, angles: [f64; 2]) {
        let round = self.arrives.map_or(0.0, |arrives| from.radius * from.side * (angles[0] - arrives));
        self.length += span.map_or(0.0, |s| s.length) + round;
        self.arrives = Some(angles[1]);
    }
}

/// How a segment gives, with the length of rope that is in it.
pub(crate) fn soft(t: &Topology, k: usize, paths: &[f64]) -> Softness {
    Softness { compliance: t.segments[k].give * paths[k].max(0.0), damping: 0.0 }
}

/// The element of a span as a link.
fn link(t: &Topology, s: usize, at: &Reeved, kin: &[Kin]) -> LinkTerm {
    let Some(span) = &at.span else { return LinkTerm::default() };
    let g = t.spans[s].guide;
    let arm = |k: usize| span.ends[k] - kin[t.guides[g + k].body].pos;
    // A link points from its second end to its first.
    LinkTerm { si: arm(0), sj: arm(1), u: -span.along, length: span.length, ..LinkTerm::default() }
}

/// About what angle the tangent point at an end of a span has at new poses, whole turns counted, when its axis is this one.
pub(super) fn nearby<'a>(t: &'a Given<'_>, next: &'a [Kin]) -> impl Fn(usize, usize, DVec3) -> f64 + Copy + 'a {
    |s: usize, end: usize, axis: DVec3| {
        let body = t.guides[t.spans[s].guide + end].body;
        t.inputs.reeved[s].angles[end] - t.inputs.h * next[body].omega.dot(axis)
    }
}

/// Excess of a segment at new poses, with the velocities that led there in `next`, its way, and the angles of its spans to a reader.
fn ahead(t: &Given<'_>, k: usize, next: &[Kin], mut angles: impl FnMut(usize, [f64; 2])) -> (f64, f64) {
    let (mut sum, mut path) = (0.0, Way::default());
    let near = nearby(t, next);
    walk(t, k, next, near, |s, [a, b], span| {
        let at = match span {
            Some(span) => [wound(span.angles[0], near(s, 0, a.axis)), wound(span.angles[1], near(s, 1, b.axis))],
            None => t.inputs.reeved[s].angles,
        };
        sum += span.map_or_else(|| measure_touching(a, b, at), |s| s.measure(a, b, at)) - t.inputs.reeved[s].material;
        path.go(a, span, at);
        angles(s, at);
    });
    (sum, path.length)
}

/// Excess of a rope that does not stretch at new poses, its length to measure that by; none for other rows.
pub(crate) fn rope_at(t: &Given<'_>, origin: Origin, next: &[Kin]) -> Option<(f64, f64)> {
    let Origin::Rope(k) = origin else { return None };
    let seg = &t.segments[k];
    (seg.give == 0.0).then(|| (ahead(t, k, next, |_, _| ()).0, T.ropes.scale * straight(seg, &t.inputs.reeved)))
}

/// Straight length of a segment at the start of the step, m.
fn straight(seg: &SegmentRow, reeved: &[Reeved]) -> f64 {
    reeved[seg.spans.clone()].iter().filter_map(|r| r.span).map(|s| s.length).sum::<f64>().max(f64::MIN_POSITIVE)
}

/// Where the ropes are after a step, at the new poses and with the velocities that led there.
pub(crate) fn arrive(t: &Given<'_>, h: f64, solved: (&Set, &[f64]), next: &mut Next) {
    for k in 0..t.segments.len() {
        let wound = &mut next.wound;
        let (excess, path) = ahead(t, k, &next.kin, |s, angles| wound[s] = angles);
        (next.phi[t.segment_row(k)], next.paths[k]) = (excess, path);
    }
    slip(t, h, solved, next);
    for k in 0..t.segments.len() {
        next.paths[k] -= next.phi[t.segment_row(k)].max(0.0);
    }
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

/// What the material of a segment is short of, or has over, after the solve: the velocity w by which the rope slips into it, m/s.
/// Slip counts wholly, however implicit the motion of the bodies is, so that the residual of the row is w/theta:
/// ```text
/// T = (phi + theta h J v - h w)/C
/// ```
pub(crate) fn slipping(t: &Given<'_>, set: &Set, c: &Candidate, x: &[f64]) -> f64 {
    let Origin::Rope(k) = c.origin else { return 0.0 };
    if !matches!(c.law, Block::Span { .. }) {
        return 0.0;
    }
    let row = &set.rows[c.row];
    let residual = velocity(t, set.rows.sides(c.row), x) + row.drive - row.b - row.aim + row.sigma * row.z;
    t.inputs.implicit[k] * residual
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

/// The rows of all segments, with their warm impulses. Ropes are always looked at: they tie islands together, and their bodies sleep together.
/// Segments that the rope can slip between are all as implicit as the most implicit of them, so that what slips out of one is what slips
/// into the next.
pub(super) fn gather(
    now: &Now<'_>,
    (reeved, paths, implicit): (&[Reeved], &[f64], &mut [f64]),
    rows: &Rows,
    out: &mut Candidates,
) {
    let t = now.t;
    let mut first = 0;
    while first < t.segments.len() {
        let chain = t.chain(first);
        first = chain.end;
        let from = out.rows.len();
        let mut most = 0.0_f64;
        for k in chain.clone() {
            if !push(now, k, reeved, rows, out) {
                continue;
            }
            let sides = out.rows.sides(out.rows.len() - 1);
            most = most.max(soft_theta(now, sides, soft(t, k, paths), rows.keeps_energy));
        }
        implicit[chain.clone()].fill(most);
        // Where one has a row all have.
        for (place, k) in (from..out.rows.len()).zip(chain) {
            weigh(now, (k, place), (reeved, paths, most), rows, out);
        }
    }
}

/// The row of a segment; false where it acts on no body that has unknowns.
fn push(now: &Now<'_>, k: usize, reeved: &[Reeved], rows: &Rows, out: &mut Candidates) -> bool {
    let t = now.t;
    let seg = &t.segments[k];
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
    if !out.acted.is_empty() {
        out.rows.push_on(&out.acted, Row { drive, phi: rows.phi[t.segment_row(k)], ..Row::default() });
    }
    !out.acted.is_empty()
}

/// The law of a segment's row.
fn weigh(
    now: &Now<'_>,
    (k, place): (usize, usize),
    (reeved, paths, theta): (&[Reeved], &[f64], f64),
    rows: &Rows,
    out: &mut Candidates,
) {
    let Now { t, hk, h, .. } = *now;
    let (seg, soft) = (&t.segments[k], soft(t, k, paths));
    let hauled: f64 = reeved[seg.spans.clone()].iter().map(|r| r.reach - r.material).sum::<f64>().max(0.0);
    let hk = hk_of(t, hk, out.rows.sides(place));
    let (sigma, gamma) = law(soft.compliance, soft.damping, theta, h);
    let size = unit(t, now.gravity, out.rows.sides(place).map(|s| s.0), straight(seg, reeved));
    let row = &mut out.rows[place];
    // What a rope that does not stretch has been passed by is removed from the positions alone; what it was made shorter by is hauled in
    // by a velocity.
    let apart = if soft.is_rigid() { row.phi.min(hauled) } else { row.phi };
    row.sigma = sigma * h / hk;
    row.b = -gamma * apart / h;
    row.z = (hk * rows.lambda[t.segment_row(k)]).min(0.0);
    row.unit = size;
    let law = if seg.anchor == NONE {
        Block::Box { lo: f64::NEG_INFINITY, hi: 0.0 }
    } else {
        Block::Span { over: seg.over.map(|hold| hold.ratios(wrap(t, seg.spans.start, reeved))) }
    };
    list(out, Origin::Rope(k), law, 0.0, place);
}

/// The rows that keep the guides of a span apart. Where it is as short as it may be the rope runs no further into its guide,
/// ```text
/// J v >= -(length - least)/h,        J that of the span without the turning of its guides
/// ```
/// so that a load that is hauled into its sheave is stuck there and hangs. A rotor that hauls it is held by the tension alone: with
/// the turning the row would be that of the span itself, and the two forces without bound. That does not hinder it from swinging up round the sheave; at half of that
/// length the guides touch:
/// ```text
/// |c2 - c1| >= sqrt((least/2)^2 + |c2 - c1|^2 - length^2)
/// ```
/// Where they overlap all the same, so that no line touches both, the span has no force until they are apart again.
pub(super) fn keep_apart(now: &Now<'_>, s: usize, at: &Reeved, out: &mut Candidates) {
    let Now { t, kin, .. } = *now;
    let first = t.spans[s].guide;
    let bodies = [0, 1].map(|k| t.guides[first + k].body);
    if bodies[0] == bodies[1] || !(at.least > 0.0) {
        return;
    }
    if let Some(span) = &at.span {
        let still = |k: usize| unturned(span.jacobian[k], at.centres[k] - kin[bodies[k]].pos);
        block(now, (s, false), (span.length - at.least, [still(0), still(1)]), at, out);
    }
    if let Some(gap) = gap(at.span.map(|s| s.length), at.centres, at.least) {
        let side = |k: usize, d: DVec3| {
            let turn = (at.centres[k] - kin[bodies[k]].pos).cross(d);
            [d.x, d.y, d.z, turn.x, turn.y, turn.z]
        };
        block(now, (s, true), (gap.open, [side(0, -gap.along), side(1, gap.along)]), at, out);
    }
}

/// What a span does to a guide, with the force at its centre: turning about its own axis does not count.
fn unturned([x, y, z, ..]: [f64; 6], arm: DVec3) -> [f64; 6] {
    let turn = arm.cross(DVec3::new(x, y, z));
    [x, y, z, turn.x, turn.y, turn.z]
}

/// One of them, where it could push within the step.
fn block(
    now: &Now<'_>,
    (s, centres): (usize, bool),
    (open, jacobian): (f64, [[f64; 6]; 2]),
    at: &Reeved,
    out: &mut Candidates,
) {
    let Now { t, kin, hk, h, .. } = *now;
    let mut drive = 0.0;
    out.acted.clear();
    for (k, jac) in jacobian.into_iter().enumerate() {
        drive += act(now, t.guides[t.spans[s].guide + k].body, jac, &mut out.acted);
    }
    if out.acted.is_empty() {
        return;
    }
    let rate = speed(kin, out.acted.iter().map(|a| (a.0, &a.1))) + drive;
    if open > T.candidates.steps * h * rate.abs() + T.candidates.length * at.least {
        return;
    }
    out.rows.push_on(&out.acted, Row { drive, phi: open, ..Row::default() });
    let place = out.rows.len() - 1;
    let hk = hk_of(t, hk, out.rows.sides(place));
    let size = unit(t, now.gravity, out.rows.sides(place).map(|s| s.0), at.least);
    let row = &mut out.rows[place];
    row.b = -open.max(0.0) / h;
    row.z = if centres { 0.0 } else { hk * at.apart };
    row.unit = size;
    list(out, Origin::Blocked { span: s, centres }, Block::Box { lo: 0.0, hi: f64::INFINITY }, 0.0, place);
}

/// The rows of drums that are full: their rope runs in no more, and what is left of it gets no shorter,
/// ```text
/// J v >= -(capacity - wound)/h,      J that of the segment without the turning of the drum
/// ```
/// so that the drum is held by the tension of its own rope.
pub(super) fn hold_full(now: &Now<'_>, k: usize, reeved: &[Reeved], out: &mut Candidates) {
    let Now { t, kin, h, .. } = *now;
    let spans = t.segments[k].spans.clone();
    for (s, end) in [(spans.start, 0), (spans.end - 1, 1)] {
        let full = t.spans[s].guide + end;
        let Some(drum) = t.guides[full].drum else { continue };
        let left = drum.length_at(drum.most) - drum.length(reeved[s].angles[end]);
        let mut drive = 0.0;
        out.acted.clear();
        for at in spans.clone() {
            let Some(span) = &reeved[at].span else { continue };
            for (side, mut jac) in span.jacobian.into_iter().enumerate() {
                let guide = t.spans[at].guide + side;
                let body = t.guides[guide].body;
                if guide == full {
                    jac = unturned(jac, reeved[at].centres[side] - kin[body].pos);
                }
                drive += act(now, body, jac, &mut out.acted);
            }
        }
        let rate = speed(kin, out.acted.iter().map(|a| (a.0, &a.1))) + drive;
        let near = T.candidates.steps * h * rate.abs() + T.candidates.length * drum.core;
        if out.acted.is_empty() || left > near {
            continue;
        }
        out.rows.push_on(&out.acted, Row { drive, phi: left, ..Row::default() });
        let place = out.rows.len() - 1;
        let size = unit(t, now.gravity, out.rows.sides(place).map(|s| s.0), drum.core);
        let row = &mut out.rows[place];
        (row.b, row.z, row.unit) = (-left.max(0.0) / h, 0.0, size);
        list(out, Origin::Full(k), Block::Box { lo: 0.0, hi: f64::INFINITY }, 0.0, place);
    }
}

/// How far the centres of two guides are from touching, m, and the unit vector from the first to the second.
struct Gap {
    open: f64,
    along: DVec3,
}

fn gap(length: Option<f64>, [a, b]: [DVec3; 2], least: f64) -> Option<Gap> {
    let way = b - a;
    let distance = way.length();
    let off = length.map_or(0.0, |l| (distance * distance - l * l).max(0.0));
    let along = way / distance;
    let touching = (0.25 * least * least + off).sqrt();
    (least > 0.0 && along.is_finite()).then_some(Gap { open: distance - touching, along })
}

/// How far guides are from touching at new poses, m, with the length to measure that by; none for other rows.
pub(crate) fn apart_at(t: &Given<'_>, origin: Origin, next: &[Kin]) -> Option<(f64, f64)> {
    let Origin::Blocked { span: s, centres: true } = origin else { return None };
    let (mut found, k) = (None, t.spans[s].segment);
    let least = t.inputs.reeved[s].least;
    walk(
        t,
        k,
        next,
        |s, end, _| t.inputs.reeved[s].angles[end],
        |at, [a, b], span| {
            if at == s {
                found = gap(span.map(|x| x.length), [a.centre, b.centre], least);
            }
        },
    );
    found.map(|g| (g.open, least))
}
