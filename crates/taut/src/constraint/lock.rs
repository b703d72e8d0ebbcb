//! Axial lock: no twist of i against j, whatever the swing. With q = (w, v) the quaternion of i's frame against j's, in the world, and
//! n the axis of j,
//! ```text
//! phi = 2 v.n = 2 sin(twist/2) cos(swing/2)      J = (0, m^T, 0, -m^T),   m = w n + v x n,   |m|^2 = 1 - (phi/2)^2
//! K~  = lambda ( -hat(m)/2 - phi/4   -hat(m)/2 + phi/4 ;  hat(m)/2 + phi/4   hat(m)/2 - phi/4 )  over (th_i, th_j)
//! ```
//! J is the gradient of phi at any swing, half a turn included; m is the axis halfway between those of the two bodies. q and -q give
//! the same row with the other sign. Departs from the paper: Andrews 2017 Eq. 23 has m = n_i, which is the gradient of nothing.

use super::{Dyad, Eval, Geo, Side, TI, TJ, add_block, place, row};
use crate::math::so3::skew;
use glam::{DMat3, DQuat, DVec3};

/// phi and m.
pub(super) fn of(i: &Side, j: &Side, n: DVec3, ui: DVec3, uj: DVec3, nj: DVec3) -> (f64, DVec3) {
    let frame = |rot: DMat3, u: DVec3, n: DVec3| DMat3::from_cols(rot * u, rot * n.cross(u), rot * n);
    let (a, b) = (frame(i.rot, ui, n), frame(j.rot, uj, nj));
    let q = DQuat::from_mat3(&(a * b.transpose()));
    let v = DVec3::new(q.x, q.y, q.z);
    (2.0 * v.dot(b.z_axis), q.w * b.z_axis + v.cross(b.z_axis))
}

pub(super) fn phi(i: &Side, j: &Side, n: DVec3, ui: DVec3, uj: DVec3, nj: DVec3) -> f64 {
    of(i, j, n, ui, uj, nj).0
}

pub(super) fn eval(i: &Side, j: &Side, n: DVec3, ui: DVec3, uj: DVec3, nj: DVec3) -> Eval {
    let (phi, m) = of(i, j, n, ui, uj, nj);
    let mut out = Eval { phi: [phi, 0.0, 0.0], ..Default::default() };
    out.ji[0] = row(DVec3::ZERO, m);
    out.jj[0] = row(DVec3::ZERO, -m);
    out
}

/// lambda dm/dth_i and lambda dm/dth_j.
fn derivatives((phi, m): (f64, DVec3), lambda: f64) -> (DMat3, DMat3) {
    let (turn, give) = (skew(m) * (-0.5 * lambda), DMat3::IDENTITY * (0.25 * lambda * phi));
    (turn - give, turn + give)
}

pub(super) fn stiff_geo(at: (f64, DVec3), lambda: f64, out: &mut Geo) {
    let (a, b) = derivatives(at, lambda);
    add_block(out, TI, TI, a);
    add_block(out, TI, TJ, b);
    add_block(out, TJ, TI, -a);
    add_block(out, TJ, TJ, -b);
}

pub(super) fn low_rank(at: (f64, DVec3), lambda: f64, out: &mut Vec<Dyad>) {
    let (a, b) = derivatives(at, lambda);
    for (k, e) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        out.push(Dyad { a: place(&[(TI, e), (TJ, -e)]), b: place(&[(TI, a.row(k)), (TJ, b.row(k))]) });
    }
}
