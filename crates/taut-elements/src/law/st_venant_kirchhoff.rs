//! St. Venant-Kirchhoff in stretches, for solids.
//!
//! ```text
//! psi = mu sum e_i^2 + la/2 t^2,   e_i = (s_i^2 - 1)/2,   t = sum e_i
//! g_i = s_i (2 mu e_i + la t)                     H = diag(2 mu e_i + la t + 2 mu s_i^2) + la s s^T
//! flip = la t + mu (s_i^2 + s_i s_j + s_j^2 - 1)  twist = la t + mu (s_i^2 - s_i s_j + s_j^2 - 1)
//! ```

use super::stretches::{Response, cofactors, square};
use glam::{DMat3, DVec3};

pub(crate) fn response(s: DVec3, mu: f64, la: f64) -> Response {
    let squares = s * s;
    let e = (squares - DVec3::ONE) * 0.5;
    let t = e.x + e.y + e.z;
    let stress = e * (2.0 * mu) + DVec3::splat(la * t);
    // s_i^2 + s_j^2 - 1 for the pair of the other two axes.
    let pairs = DVec3::splat(la * t) + (DVec3::splat(squares.x + squares.y + squares.z - 1.0) - squares) * mu;
    Response {
        psi: mu * e.length_squared() + 0.5 * la * t * t,
        g: s * stress,
        h: DMat3::from_diagonal(stress + squares * (2.0 * mu)) + square(s) * la,
        flip: pairs + cofactors(s) * mu,
        twist: pairs - cofactors(s) * mu,
    }
}
