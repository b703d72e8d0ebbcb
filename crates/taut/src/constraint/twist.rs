//! Twist of i against j after the shortest turn from n_j to n_i: one row.
//! ```text
//! phi = atan2(n_i.(u_j' x u_i), u_j'.u_i),   u_j' = u_j - (n_i.u_j)/(1 + c) (n_i + n_j),   c = n_i.n_j
//! J   = (0, m, 0, -m),                        m = (n_i + n_j)/(1 + c)
//! K~  = lambda dm on the torque rows,         dm = (-hat(n_i) dth_i - hat(n_j) dth_j)/(1 + c) - m a.(dth_i - dth_j)/(1 + c),  a = n_i x n_j
//! ```
//! Unlike the axial lock (Andrews 2017 Eq. 23), J is the exact derivative at any swing short of half a turn. Not in the papers: it is the
//! twist of the swing-twist decomposition, for the limits of ball joints.

use super::{Dyad, Eval, Geo, Side, TI, TJ, add_block, place, row};
use crate::math::so3::{outer, skew};
use crate::tuning::T;
use glam::{DMat3, DVec3};

pub(super) fn phi(i: &Side, j: &Side, n: DVec3, ui: DVec3, uj: DVec3, nj: DVec3) -> f64 {
    let (n, ui, uj, nj) = (i.rot * n, i.rot * ui, j.rot * uj, j.rot * nj);
    let turned = uj - (n + nj) * (n.dot(uj) / (1.0 + n.dot(nj)).max(T.rows.half_turn));
    libm::atan2(n.dot(turned.cross(ui)), turned.dot(ui))
}

pub(super) fn eval(i: &Side, j: &Side, n: DVec3, ui: DVec3, uj: DVec3, nj: DVec3) -> Eval {
    let m = axis(i.rot * n, j.rot * nj);
    let mut out = Eval { phi: [phi(i, j, n, ui, uj, nj), 0.0, 0.0], ..Default::default() };
    out.ji[0] = row(DVec3::ZERO, m);
    out.jj[0] = row(DVec3::ZERO, -m);
    out
}

fn axis(n: DVec3, nj: DVec3) -> DVec3 {
    let d = 1.0 + n.dot(nj);
    if d < T.rows.half_turn { DVec3::ZERO } else { (n + nj) / d }
}

/// lambda dm/dth_i and lambda dm/dth_j.
fn derivatives(i: &Side, j: &Side, n: DVec3, nj: DVec3, lambda: f64) -> (DMat3, DMat3) {
    let (n, nj) = (i.rot * n, j.rot * nj);
    let d = 1.0 + n.dot(nj);
    if d < T.rows.half_turn {
        return (DMat3::ZERO, DMat3::ZERO);
    }
    let turn = outer(axis(n, nj), n.cross(nj));
    ((-skew(n) - turn) * (lambda / d), (-skew(nj) + turn) * (lambda / d))
}

pub(super) fn stiff_geo(i: &Side, j: &Side, n: DVec3, nj: DVec3, lambda: f64, out: &mut Geo) {
    let (a, b) = derivatives(i, j, n, nj, lambda);
    add_block(out, TI, TI, a);
    add_block(out, TI, TJ, b);
    add_block(out, TJ, TI, -a);
    add_block(out, TJ, TJ, -b);
}

pub(super) fn low_rank(i: &Side, j: &Side, n: DVec3, nj: DVec3, lambda: f64, out: &mut Vec<Dyad>) {
    let (a, b) = derivatives(i, j, n, nj, lambda);
    for (k, e) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        out.push(Dyad { a: place(&[(TI, e), (TJ, -e)]), b: place(&[(TI, a.row(k)), (TJ, b.row(k))]) });
    }
}
