//! Dot-2: the offset d between two points has no part along a direction u of i (Andrews 2017 Eq. 26, 27).
//! ```text
//! d = p_i + s_i - p_j - s_j     phi = d . u_i     J = (u^T, u^T (hat(d) - hat(s_i)), -u^T, u^T hat(s_j))
//!
//!               | 0        -hat(u)                   0        0               |
//! K~ = lambda   | hat(u)   (hat(d)-hat(s_i)) hat(u)  -hat(u)  hat(u) hat(s_j) |
//!               | 0        hat(u)                    0        0               |
//!               | 0        hat(s_j) hat(u)           0        -hat(u) hat(s_j)|
//!
//! six dyads, u = v x n, X = (-I; hat(d)-hat(s_i); I; hat(s_j)), Y = (I, -I, hat(s_j)) over (p_i, p_j, th_j):
//! K~/lambda = (X n) v2^T - (X v) n2^T + n2 (v^T Y) - v2 (n^T Y) - n4 (v^T hat(s_j))_4 + v4 (n^T hat(s_j))_4
//! ```
//! Subscripts 2 and 4 put a vector into the th_i and th_j slots. Departs from the paper: Appendix B needs twelve
//! dyads and leaves two of its vectors undefined.

use super::{Dyad, Eval, Geo, PI, PJ, Side, TI, TJ, add_block, place, row};
use crate::math::so3::{complete, skew};
use glam::DVec3;

pub(super) fn phi(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3) -> f64 {
    (i.pos + i.rot * si - j.pos - j.rot * sj).dot(i.rot * u)
}

pub(super) fn eval(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3) -> Eval {
    let (si, sj, u) = (i.rot * si, j.rot * sj, i.rot * u);
    let d = i.pos + si - j.pos - sj;
    let mut out = Eval { phi: [d.dot(u), 0.0, 0.0], ..Default::default() };
    out.ji[0] = row(u, (si - d).cross(u));
    out.jj[0] = row(-u, -sj.cross(u));
    out
}

pub(super) fn stiff_geo(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3, lambda: f64, out: &mut Geo) {
    let (si, sj, u) = (i.rot * si, j.rot * sj, i.rot * u);
    let d = i.pos + si - j.pos - sj;
    let (hu, hj) = (skew(u), skew(sj));
    let l = lambda;
    add_block(out, PI, TI, -hu * l);
    add_block(out, TI, PI, hu * l);
    add_block(out, TI, TI, (skew(d) - skew(si)) * hu * l);
    add_block(out, TI, PJ, -hu * l);
    add_block(out, TI, TJ, hu * hj * l);
    add_block(out, PJ, TI, hu * l);
    add_block(out, TJ, TI, hj * hu * l);
    add_block(out, TJ, TJ, -(hu * hj) * l);
}

pub(super) fn low_rank(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3, lambda: f64, out: &mut Vec<Dyad>) {
    let (si, sj, u) = (i.rot * si, j.rot * sj, i.rot * u);
    let d = i.pos + si - j.pos - sj;
    let (v, n) = complete(u);
    let x = |w: DVec3| {
        place(&[(PI, -lambda * w), (TI, lambda * (d - si).cross(w)), (PJ, lambda * w), (TJ, lambda * sj.cross(w))])
    };
    // w^T hat(s) as a column is -(s x w) = w x s.
    let y = |w: DVec3| place(&[(PI, w), (PJ, -w), (TJ, w.cross(sj))]);
    out.push(Dyad { a: x(n), b: place(&[(TI, v)]) });
    out.push(Dyad { a: x(-v), b: place(&[(TI, n)]) });
    out.push(Dyad { a: place(&[(TI, lambda * n)]), b: y(v) });
    out.push(Dyad { a: place(&[(TI, -lambda * v)]), b: y(n) });
    out.push(Dyad { a: place(&[(TJ, -lambda * n)]), b: place(&[(TJ, v.cross(sj))]) });
    out.push(Dyad { a: place(&[(TJ, lambda * v)]), b: place(&[(TJ, n.cross(sj))]) });
}
