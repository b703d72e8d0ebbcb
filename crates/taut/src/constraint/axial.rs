//! Axial lock: no relative rotation about an axis of body i (Andrews 2017 Eq. 23).
//! ```text
//! phi = twist of j's reference against i's about n_i     J = (0, n^T, 0, -n^T)
//! K~(th_i, th_i) = -lambda hat(n)                        K~(th_j, th_i) = lambda hat(n)
//! K~ = lambda ((u_i - u'_i) v_i^T - (v_i - v'_i) u_i^T),  u x v = n; a prime puts the same vector into the th_j slot
//! ```
//! Departs from the paper: the dyads of Appendix B have the opposite sign. J is not the gradient of any phi away
//! from phi = 0; the twist angle closes the drift, and only while the axes of the two bodies are nearly aligned:
//! elsewhere the twist is not what J integrates to, and closing it would put energy in.

use super::{Dyad, Eval, Geo, Side, TI, TJ, add_block, place, row};
use crate::math::so3::skew;
use crate::tuning::T;
use glam::DVec3;

/// Rotation of i against j about n, rad, in (-pi, pi]; faded out where the axes have parted.
pub(super) fn phi(i: &Side, j: &Side, n: DVec3, ui: DVec3, uj: DVec3, nj: DVec3) -> f64 {
    let (n, ui, uj, nj) = (i.rot * n, i.rot * ui, j.rot * uj, j.rot * nj);
    let trust = ((n.dot(nj) - T.rows.astray) / (T.rows.aligned - T.rows.astray)).clamp(0.0, 1.0);
    trust * libm::atan2(n.dot(uj.cross(ui)), ui.dot(uj) - n.dot(ui) * n.dot(uj))
}

pub(super) fn eval(i: &Side, j: &Side, n: DVec3, ui: DVec3, uj: DVec3, nj: DVec3) -> Eval {
    let axis = i.rot * n;
    let mut out = Eval { phi: [phi(i, j, n, ui, uj, nj), 0.0, 0.0], ..Default::default() };
    out.ji[0] = row(DVec3::ZERO, axis);
    out.jj[0] = row(DVec3::ZERO, -axis);
    out
}

pub(super) fn stiff_geo(i: &Side, n: DVec3, lambda: f64, out: &mut Geo) {
    let k = skew(i.rot * n) * lambda;
    add_block(out, TI, TI, -k);
    add_block(out, TJ, TI, k);
}

pub(super) fn low_rank(i: &Side, n: DVec3, u: DVec3, lambda: f64, out: &mut Vec<Dyad>) {
    let (n, u) = (i.rot * n, i.rot * u);
    let v = n.cross(u);
    out.push(Dyad { a: place(&[(TI, lambda * u), (TJ, -lambda * u)]), b: place(&[(TI, v)]) });
    out.push(Dyad { a: place(&[(TI, -lambda * v), (TJ, lambda * v)]), b: place(&[(TI, u)]) });
}
