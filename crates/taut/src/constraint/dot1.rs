//! Dot-1: a direction of i stays at right angles to a direction of j (Andrews 2017 Eq. 24, 25).
//! ```text
//! phi = a_i . b_j            J = (0, (a x b)^T, 0, -(a x b)^T)
//! eta = lambda hat(b) hat(a) = lambda (a b^T - (a.b) I)
//! K~ over (th_i, th_j):  ( eta  -eta^T ; -eta  eta^T )
//! K~ = lambda (a;-a)(b;0)^T - lambda (b;-b)(0;a)^T at phi = 0,  sum_k (e_k;-e_k) (row k of (eta  -eta^T)) anywhere
//! ```
//! Departs from the paper: Appendix B has only the two dyads, which miss -lambda (a.b) (I;-I)(I -I) away from phi = 0.

use super::{Dyad, Eval, Geo, Side, TI, TJ, add_block, place, row};
use crate::math::so3::skew;
use crate::tuning::T;
use glam::DVec3;

pub(super) fn phi(i: &Side, j: &Side, a: DVec3, b: DVec3) -> f64 {
    (i.rot * a).dot(j.rot * b)
}

pub(super) fn eval(i: &Side, j: &Side, a: DVec3, b: DVec3) -> Eval {
    let (a, b) = (i.rot * a, j.rot * b);
    let c = a.cross(b);
    let mut out = Eval { phi: [a.dot(b), 0.0, 0.0], ..Default::default() };
    out.ji[0] = row(DVec3::ZERO, c);
    out.jj[0] = row(DVec3::ZERO, -c);
    out
}

pub(super) fn stiff_geo(i: &Side, j: &Side, a: DVec3, b: DVec3, lambda: f64, out: &mut Geo) {
    let eta = skew(j.rot * b) * skew(i.rot * a) * lambda;
    let eta_t = eta.transpose();
    add_block(out, TI, TI, eta);
    add_block(out, TI, TJ, -eta_t);
    add_block(out, TJ, TI, -eta);
    add_block(out, TJ, TJ, eta_t);
}

pub(super) fn low_rank(i: &Side, j: &Side, a: DVec3, b: DVec3, lambda: f64, out: &mut Vec<Dyad>) {
    let (a, b) = (i.rot * a, j.rot * b);
    if a.dot(b).abs() < T.rows.right {
        out.push(Dyad { a: place(&[(TI, lambda * a), (TJ, -lambda * a)]), b: place(&[(TI, b)]) });
        out.push(Dyad { a: place(&[(TI, -lambda * b), (TJ, lambda * b)]), b: place(&[(TJ, a)]) });
        return;
    }
    // (I, -I)^T times (eta, -eta^T), row by row.
    let eta = skew(b) * skew(a) * lambda;
    for (e, row, column) in
        [(DVec3::X, eta.row(0), eta.x_axis), (DVec3::Y, eta.row(1), eta.y_axis), (DVec3::Z, eta.row(2), eta.z_axis)]
    {
        out.push(Dyad { a: place(&[(TI, e), (TJ, -e)]), b: place(&[(TI, row), (TJ, -column)]) });
    }
}
