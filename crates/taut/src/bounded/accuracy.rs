//! How well a step keeps what it must: rows of joints in clusters, rigid limits at the new pose.
//! ```text
//! joint rows      |J v+ - Sigma x - wanted|, m/s (rad/s): what the last solve left of its own right-hand side
//! rigid limits    max(0, q - upper, lower - q), m or rad
//! ```

use super::reeved::{apart_at, rope_at};
use crate::constraint::Side;
use crate::desk::bounded::Origin;
use crate::desk::factor::Factor;
use crate::desk::inputs::Given;
use crate::joints::Bound;
use crate::kin::Kin;
use crate::rows::row_velocity;
use crate::system::kkt::Equations;
use crate::topology::{Island, Topology};

/// Remembers the right-hand sides of the rows of joints that the solution at hand was made for: those in `from`.
pub(crate) fn want(t: &Topology, island: &Island, from: &[f64], wanted: &mut Vec<f64>) {
    wanted.resize(t.pattern.size(), 0.0);
    for g in &t.groups[island.groups.clone()] {
        wanted[g.x()..g.x() + g.rows()].copy_from_slice(&from[g.x()..g.x() + g.rows()]);
    }
}

/// Largest velocity by which rows of joints miss what was wanted of them, m/s (rad/s). Dropped rows do not count.
pub(crate) fn missed(e: &Equations<'_>, x: &[f64], wanted: &[f64], f: &Factor) -> f64 {
    let Equations { t, island, .. } = *e;
    let s = f.scales[island.k];
    let mut most = 0.0_f64;
    for g in &t.groups[island.groups.clone()] {
        for r in 0..g.rows() {
            let at = g.x() + r;
            if f.ldlt.dropped.get(at).is_some_and(|d| *d) {
                continue;
            }
            let give = s.sigma * e.sigma[g.row() + r] * x[at];
            let miss = row_velocity(t, g, r, e.jac, x) - give - wanted[at];
            most = if miss.is_nan() { f64::NAN } else { most.max(miss.abs()) };
        }
    }
    most
}

/// Where a rigid limit will be: position beyond it, the length to measure that by, and the sign of a violation.
pub(crate) fn limit_at(t: &Given<'_>, origin: Origin, kin: &[Kin]) -> Option<(f64, f64, f64)> {
    if let Some((excess, length)) = rope_at(t, origin, kin) {
        return Some((excess, length, 1.0));
    }
    if let Some((open, length)) = apart_at(t, origin, kin) {
        return Some((open, length, -1.0));
    }
    let Origin::Joint { bound, upper } = origin else { return None };
    let b = &t.bounds[bound];
    let Bound::Limit { lower, upper: most, soft, .. } = b.spec.bound else { return None };
    if soft.compliance > 0.0 {
        return None;
    }
    let (i, j): (Side, Side) = (kin[b.i].side(), kin[b.j].side());
    let q = super::turned::position(t, b, super::measure(&b.spec, &i, &j).q, kin);
    let scale = if b.spec.freedom.is_angle() { 1.0 } else { most.min(lower.abs().max(q.abs())).max(f64::MIN_POSITIVE) };
    Some(if upper { (q - most, scale, 1.0) } else { (q - lower, scale, -1.0) })
}

/// The same of limits on angles alone.
pub(crate) fn angle_at(t: &Given<'_>, origin: Origin, kin: &[Kin]) -> Option<(f64, f64, f64)> {
    let angle = matches!(origin, Origin::Joint { bound, .. } if t.bounds[bound].spec.freedom.is_angle());
    limit_at(t, origin, kin).filter(|_| angle)
}

/// What rigid limits and ropes are passed by.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Overrun {
    /// Largest of lengths, m, and of angles, rad.
    pub most: [f64; 2],
    /// Sum of those of lengths, m.
    pub sum: f64,
}

/// The excess of rigid limits and ropes at the positions after the rows of blocks in `phi`.
pub(crate) fn overrun(t: &Topology, phi: &[f64]) -> Overrun {
    let mut out = Overrun::default();
    for (k, b) in t.bounds.iter().enumerate() {
        if matches!(b.spec.bound, Bound::Limit { soft, .. } if soft.compliance == 0.0) {
            let (by, angle) = (super::beyond(&b.spec, phi[t.row_count + k]).abs(), b.spec.freedom.is_angle());
            let most = &mut out.most[usize::from(angle)];
            *most = most.max(by);
            out.sum += if angle { 0.0 } else { by };
        }
    }
    for (k, _) in t.segments.iter().enumerate().filter(|(_, s)| s.give == 0.0) {
        let by = phi[t.segment_row(k)].max(0.0);
        out.most[0] = out.most[0].max(by);
        out.sum += by;
    }
    out
}
