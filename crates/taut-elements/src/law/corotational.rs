//! Corotational: linear in the stretches.
//!
//! ```text
//! psi = mu sum (s_i - 1)^2 + la/2 t^2,   t = sum (s_i - 1)
//! g_i = 2 mu (s_i - 1) + la t            H = 2 mu I + la 1 1^T
//! flip = 2 mu                            twist = 2 mu + 2 (la t - 2 mu)/(s_i + s_j)
//! ```
//! (McAdams et al. 2011, Eq. 2.) In sheets la is that of plane stress, E nu/(1 - nu^2); in bars mu
//! = E/2, la = 0.

use super::stretches::{Response, Stretches};
use glam::{DMat3, DVec3};

/// The least denominator of the twist against the largest stretch: at s_i + s_j = 0 the quotient
/// has a pole.
const POLE: f64 = 1e-6;

pub(crate) fn response(stretches: &Stretches, mu: f64, la: f64) -> Response {
    let (s, m) = (stretches.svd.s, stretches.m);
    let present = DVec3::new(1.0, f64::from(u8::from(m > 1)), f64::from(u8::from(m > 2)));
    let e = (s - DVec3::ONE) * present;
    let t = e.x + e.y + e.z;
    let g = e * (2.0 * mu) + present * (la * t);
    let least = POLE * s.x.max(POLE);
    let twist = |sum: f64| 2.0 * mu + 2.0 * (la * t - 2.0 * mu) / sum.max(least);
    // Out of the plane: g_j/s_j, and the same as flip.
    let out = |j: usize| g[j] / s[j].max(least);
    let (flip, twist) = match m {
        3 => (DVec3::splat(2.0 * mu), DVec3::new(twist(s.y + s.z), twist(s.x + s.z), twist(s.x + s.y))),
        2 => (DVec3::new(out(1), out(0), 2.0 * mu), DVec3::new(out(1), out(0), twist(s.x + s.y))),
        _ => (DVec3::new(0.0, out(0), out(0)), DVec3::new(0.0, out(0), out(0))),
    };
    let mut h = DMat3::ZERO;
    for i in 0..m {
        *h.col_mut(i) = present * la;
        h.col_mut(i)[i] += 2.0 * mu;
    }
    Response { psi: mu * e.length_squared() + 0.5 * la * t * t, g, h, flip, twist }
}
