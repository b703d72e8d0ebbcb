//! Distance between two points (Tournier 2015 section 2.2, Eq. 14), for particles and for arms on bodies.
//! ```text
//! d = p_i + s_i - p_j - s_j,  u = d/|d|     phi = |d| - l     J = (u^T, (s_i x u)^T, -u^T, -(s_j x u)^T)
//! K~ = lambda/|d| Jb^T (I - u u^T) Jb + K~_point(lambda u),   Jb the Jacobian of d
//! ```
//! Six dyads: two of the turning direction, four of the arms.

use super::{Dyad, Eval, Geo, PI, PJ, Side, TI, TJ, place, point, row};
use crate::math::so3::complete;
use glam::DVec3;

/// The offset between the anchors in the world, m.
fn offset(i: &Side, j: &Side, si: DVec3, sj: DVec3) -> DVec3 {
    i.pos + i.rot * si - j.pos - j.rot * sj
}

pub(super) fn phi(i: &Side, j: &Side, si: DVec3, sj: DVec3, length: f64) -> f64 {
    offset(i, j, si, sj).length() - length
}

pub(super) fn eval(i: &Side, j: &Side, si: DVec3, sj: DVec3, length: f64) -> Eval {
    let d = offset(i, j, si, sj);
    let now = d.length();
    // Ends that meet have no direction; any will do for a spring without length.
    let u = if now > 0.0 { d / now } else { DVec3::X };
    let mut out = Eval { phi: [now - length, 0.0, 0.0], ..Default::default() };
    out.ji[0] = row(u, (i.rot * si).cross(u));
    out.jj[0] = row(-u, -(j.rot * sj).cross(u));
    out
}

pub(super) fn stiff_geo(i: &Side, j: &Side, si: DVec3, sj: DVec3, lambda: f64, out: &mut Geo) {
    let d = offset(i, j, si, sj);
    let now = d.length();
    if now == 0.0 {
        return;
    }
    let u = d / now;
    point::stiff_geo(i, j, si, sj, lambda * u, out);
    for q in turning(i, j, si, sj, u) {
        for (r, row) in out.iter_mut().enumerate() {
            for (c, value) in row.iter_mut().enumerate() {
                *value += lambda / now * q[r] * q[c];
            }
        }
    }
}

pub(super) fn low_rank(i: &Side, j: &Side, si: DVec3, sj: DVec3, lambda: f64, out: &mut Vec<Dyad>) {
    let d = offset(i, j, si, sj);
    let now = d.length();
    if now == 0.0 {
        return;
    }
    let u = d / now;
    point::low_rank(i, j, si, sj, lambda * u, out);
    for q in turning(i, j, si, sj, u) {
        out.push(Dyad { a: q.map(|x| x * lambda / now), b: q });
    }
}

/// Jb^T r for two directions r across u.
fn turning(i: &Side, j: &Side, si: DVec3, sj: DVec3, u: DVec3) -> [[f64; 12]; 2] {
    let (r, t) = complete(u);
    [r, t].map(|q| place(&[(PI, q), (TI, (i.rot * si).cross(q)), (PJ, -q), (TJ, -(j.rot * sj).cross(q))]))
}
