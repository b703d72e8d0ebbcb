//! Rows whose force is bounded: limits, motors with a force limit, joint friction, ropes, contacts with friction. Couplings between joints
//! are among them, for they tie islands together as contacts do.
//!
//! They do not enter the factorised matrix. With K = [A J^T; J -Sigma] factorised island by island, Ju the bounded rows and z their
//! impulses,
//! ```text
//! x = x_free + K^-1 Ju^T z,     w = Ju v+ + Sigma z - b = W z + q,     W = Ju K^-1 Ju^T + Sigma,     q = Ju v_free - b
//! box row     lo <= z <= hi, w = 0 between, w >= 0 at lo, w <= 0 at hi
//! contact     0 <= zn _|_ wn >= 0,  zt minimises zt.wt over the ellipse (zt1/mu1)^2 + (zt2/mu2)^2 <= zn^2
//! ```
//! so joints stay exact however the bounded rows converge (Andrews 2017 Eq. 3; spec of the laws: Tournier 2015 section 3.3).
//! Islands that share a bounded row are a cluster; the rest run as if there were none.
//!
//! A row is a candidate when it could act within the step, and active when it does: candidates that the solution without them would
//! break are taken in and the solve repeated, so that W stays small.

pub(crate) mod accuracy;
pub(crate) mod all_rows;
pub(crate) mod bounce;
pub(crate) mod coupled;
pub(crate) mod gather;
pub(crate) mod heap;
pub(crate) mod impacts;
pub(crate) mod large;
pub(crate) mod push;
pub(crate) mod reeved;
mod speed;
mod spread;
pub(crate) mod turned;
pub(crate) mod twisted;

use crate::constraint::{Primitive, Side};
use crate::delassus::RowList;
use crate::desk::bounded::{Candidate, Origin};
use crate::joints::{Bound, BoundSpec, Freedom};
use crate::math::so3::outer;
use crate::tuning::T;

use crate::kin::Kin;
use crate::topology::{NONE, Topology};
use glam::DMat3;

/// Where a bounded row of a joint is: its position (m, rad) and the Jacobian of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub q: f64,
    pub ji: [f64; 6],
    pub jj: [f64; 6],
}

/// Position and Jacobian of a bounded row of a joint.
pub(crate) fn measure(spec: &BoundSpec, i: &Side, j: &Side) -> Measured {
    measured(spec.freedom, &spec.primitive, i, j)
}

/// Position of a freedom that a primitive measures, and the Jacobian of that.
pub(crate) fn measured(freedom: Freedom, primitive: &Primitive, i: &Side, j: &Side) -> Measured {
    let e = primitive.eval(i, j);
    // The ends of a rope that meet have no direction between them.
    if !e.ji[0].iter().chain(&e.jj[0]).all(|x| x.is_finite()) {
        return Measured { q: freedom.position(e.phi[0]), ji: [0.0; 6], jj: [0.0; 6] };
    }
    let slope = freedom.slope(e.phi[0]);
    let per = if slope.abs() < T.candidates.steep { 0.0 } else { 1.0 / slope };
    Measured { q: freedom.position(e.phi[0]), ji: e.ji[0].map(|x| per * x), jj: e.jj[0].map(|x| per * x) }
}

/// How far a position is beyond a limit: negative below the lower one, positive above the upper one. Angles whose turns are not counted
/// are taken nearest to the middle of their range.
pub(crate) fn beyond(spec: &BoundSpec, q: f64) -> f64 {
    let Bound::Limit { lower, upper, .. } = spec.bound else { return 0.0 };
    let q = unwind(spec, q);
    (q - upper).max(0.0) + (q - lower).min(0.0)
}

/// A turn nearest to the middle of its limits; one that is counted is what it is.
pub(crate) fn unwind(spec: &BoundSpec, q: f64) -> f64 {
    match spec.bound {
        Bound::Limit { lower, upper, .. } if !spec.counted => spec.freedom.wound(q, 0.5 * (lower + upper)),
        _ => q,
    }
}

/// Energy stored in the compliance of a limit, J.
pub(crate) fn stored(spec: &BoundSpec, q: f64, stretch: f64) -> f64 {
    match spec.bound {
        Bound::Limit { soft, .. } if soft.compliance > 0.0 && soft.compliance.is_finite() => {
            crate::rows::stored(soft.compliance, beyond(spec, q), stretch)
        }
        _ => 0.0,
    }
}

/// Adds the stiffness of swing and lean limits, like that of the moments of joints.
pub(crate) fn stiffen(
    t: &Topology,
    h: f64,
    (candidates, rows): (&[Candidate], &RowList),
    load: &[f64],
    added: &mut [DMat3],
) {
    for c in candidates {
        let Origin::Joint { bound, .. } = c.origin else { continue };
        let b = &t.bounds[bound];
        let leans = matches!(b.spec.primitive, Primitive::Dot1 { .. });
        let row = &rows[c.row];
        let moment = load[t.row_count + bound];
        if !leans || moment == 0.0 {
            continue;
        }
        let axis = crate::math::vec3(if row.i != NONE { &row.ji } else { &row.jj }, 3);
        let n = axis.normalize_or_zero();
        let s = (DMat3::IDENTITY - outer(n, n)) * (h * h * T.aligned.kappa * moment.abs());
        for (node, _) in row.near() {
            if t.nodes[node].dim == 6 {
                added[node] += s;
            }
        }
    }
}

/// Positions of all bounded rows of joints at some poses, with the turns that were counted there, into the places after the rows of
/// blocks.
pub(crate) fn evaluate(t: &Topology, kin: &[Kin], wind: &[f64], phi: &mut [f64]) {
    for (k, b) in t.bounds.iter().enumerate() {
        let e = b.spec.primitive.phi(&kin[b.i].side(), &kin[b.j].side());
        let turns = if b.turn == NONE { 0.0 } else { wind[b.turn] };
        phi[t.row_count + k] = b.spec.freedom.position(e[0]) + turns;
    }
}
