//! Stable Neo-Hookean (Smith, de Goes and Kim 2018).
//!
//! ```text
//! Eq. 14:  psi = mu'/2 (I - 3) - mu'/2 ln((I + 1)/4) + la'/2 ((J - a)^2 - (1 - a)^2),   I = s.s
//!          mu' = 4/3 mu,  la' = la + 5/6 mu,  a = 1 + 3/4 mu'/la'
//! Eq. 13:  psi = mu/2 (I - 3) - mu (J - 1) + L/2 (J - 1)^2,   L = la + mu
//! ```
//! The constants of Eq. 14 follow from no stress at rest, g = 3/4 mu' + la' (1 - a) = 0, and from
//! Hooke's law about it: H_ii - H_ij = 3/2 mu' = 2 mu and H_ij = la' - 5/8 mu' = la. Without the
//! logarithm, F = 0 is a strict minimum of every direction but the volume's and a crushed cell
//! stays crushed; with it the stiffness at F = 0 is zero and the pull of J - a opens the cell.
//! Constants are added so that psi is 0 at rest.

use super::stretches::{Response, cofactors, square, symmetric};
use glam::DVec3;

pub(crate) fn response(s: DVec3, mu: f64, la: f64) -> Response {
    let (mu, la) = (4.0 / 3.0 * mu, la + 5.0 / 6.0 * mu);
    let a = 1.0 + 0.75 * mu / la;
    let (i, j, c) = (s.length_squared(), s.x * s.y * s.z, cofactors(s));
    let shear = mu * (1.0 - 1.0 / (i + 1.0));
    let q = la * (j - a);
    Response {
        psi: 0.5 * mu * (i - 3.0 - libm::log(0.25 * (i + 1.0))) + 0.5 * la * (j - 1.0) * (j + 1.0 - 2.0 * a),
        g: s * shear + c * q,
        h: symmetric(DVec3::splat(shear), s * q) + square(s) * (2.0 * mu / ((i + 1.0) * (i + 1.0))) + square(c) * la,
        flip: DVec3::splat(shear) - s * q,
        twist: DVec3::splat(shear) + s * q,
    }
}

pub(crate) fn response_no_log(s: DVec3, mu: f64, la: f64) -> Response {
    let la = la + mu;
    let (j, c) = (s.x * s.y * s.z, cofactors(s));
    let q = la * (j - 1.0) - mu;
    Response {
        psi: 0.5 * mu * (s.length_squared() - 3.0) - mu * (j - 1.0) + 0.5 * la * (j - 1.0) * (j - 1.0),
        g: s * mu + c * q,
        h: symmetric(DVec3::splat(mu), s * q) + square(c) * la,
        flip: DVec3::splat(mu) - s * q,
        twist: DVec3::splat(mu) + s * q,
    }
}
