//! Neo-Hookean with logarithms (Bonet and Wood 2008, Eq. 6.28).
//!
//! ```text
//! psi = mu/2 (I - 3) - mu ln J + la/2 (ln J)^2
//! g_i = mu s_i + q/s_i,   q = la ln J - mu
//! H = diag(mu - q/s_i^2) + la (1/s)(1/s)^T,   flip = mu - q/(s_i s_j),   twist = mu + q/(s_i s_j)
//! ```
//! Where J <= 0 there is no such material: psi is infinite and there is no force.

use super::stretches::{Response, square};
use glam::{DMat3, DVec3};

pub(crate) fn response(s: DVec3, mu: f64, la: f64) -> Response {
    let j = s.x * s.y * s.z;
    if !(j > 0.0) {
        let zero = DVec3::ZERO;
        let psi = if j.is_nan() { f64::NAN } else { f64::INFINITY };
        return Response { psi, g: zero, h: DMat3::ZERO, flip: zero, twist: zero };
    }
    let log = libm::log(j);
    let (q, r) = (la * log - mu, s.recip());
    let pairs = DVec3::new(r.y * r.z, r.x * r.z, r.x * r.y) * q;
    Response {
        psi: 0.5 * mu * (s.length_squared() - 3.0) - mu * log + 0.5 * la * log * log,
        g: s * mu + r * q,
        h: DMat3::from_diagonal(DVec3::splat(mu) - r * r * q) + square(r) * la,
        flip: DVec3::splat(mu) - pairs,
        twist: DVec3::splat(mu) + pairs,
    }
}
