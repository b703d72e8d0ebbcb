//! Ball-and-socket rows (Andrews 2017 Eq. 4, 5, 21, 22).
//! ```text
//! phi = p_i + s_i - p_j - s_j                     J = (I, -hat(s_i), -I, hat(s_j))
//! K~(th_i, th_i) = hat(lambda) hat(s_i)           K~(th_j, th_j) = -hat(lambda) hat(s_j)
//! hat(lambda) hat(s) = |s| (lambda_r s^ - lambda_s r) r^T + |s| (lambda_t s^ - lambda_s t) t^T,  (r, s^, t) orthonormal
//! ```
//! Departs from the paper: Eq. 22 prints s_i in the jj block; four dyads of Eq. 5 are gathered into two.

use super::{Dyad, Eval, Geo, Side, TI, TJ, add_block, place, row};
use crate::math::so3::{complete, skew};
use glam::DVec3;

#[inline(always)]
pub(crate) fn phi(i: &Side, j: &Side, si: DVec3, sj: DVec3) -> DVec3 {
    i.pos + i.rot * si - j.pos - j.rot * sj
}

#[inline]
pub(super) fn eval(i: &Side, j: &Side, si: DVec3, sj: DVec3) -> Eval {
    let (si, sj) = (i.rot * si, j.rot * sj);
    let phi = i.pos + si - j.pos - sj;
    let e = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut out = Eval { phi: phi.to_array(), ..Default::default() };
    // Row k of -hat(s) is (s x e_k).
    for k in 0..3 {
        out.ji[k] = row(e[k], si.cross(e[k]));
        out.jj[k] = row(-e[k], -sj.cross(e[k]));
    }
    out
}

pub(super) fn stiff_geo(i: &Side, j: &Side, si: DVec3, sj: DVec3, lambda: DVec3, out: &mut Geo) {
    add_block(out, TI, TI, skew(lambda) * skew(i.rot * si));
    add_block(out, TJ, TJ, -(skew(lambda) * skew(j.rot * sj)));
}

pub(super) fn low_rank(i: &Side, j: &Side, si: DVec3, sj: DVec3, lambda: DVec3, out: &mut Vec<Dyad>) {
    arm(TI, i.rot * si, lambda, out);
    arm(TJ, j.rot * sj, -lambda, out);
}

/// The two dyads of hat(lambda) hat(s) in one angular slot.
fn arm(slot: usize, s: DVec3, lambda: DVec3, out: &mut Vec<Dyad>) {
    let length = s.length();
    if length == 0.0 {
        return;
    }
    let s = s / length;
    let (r, t) = complete(s);
    for q in [r, t] {
        let a = length * (lambda.dot(q) * s - lambda.dot(s) * q);
        out.push(Dyad { a: place(&[(slot, a)]), b: place(&[(slot, q)]) });
    }
}
