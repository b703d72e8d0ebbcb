//! Rotations: the cross-product matrix, the exponential map and its inverse.
//!
//! Orientation changes are left perturbations in the world frame: R <- exp(hat(w)) R.
//! Sines and cosines come from a polynomial (small angles) or from `libm`, never from the platform, so that
//! the same inputs give the same bits on every target.

use glam::{DMat3, DQuat, DVec3};

/// The matrix with `skew(a) * b == a x b`.
#[inline]
pub fn skew(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

/// The dyad a b^T.
#[inline]
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The projector I - s s^T / |s|^2 onto the plane normal to `s`; zero when `s` is zero.
#[inline]
pub fn normal_projector(s: DVec3) -> DMat3 {
    let s2 = s.length_squared();
    if s2 > 0.0 { DMat3::IDENTITY - outer(s, s * (1.0 / s2)) } else { DMat3::ZERO }
}

/// (sin x / x, cos x) as functions of x^2, for x^2 >= 0.
#[inline]
fn sinc_cos(x2: f64) -> (f64, f64) {
    if x2 < 0.25 {
        // Taylor series; the first neglected term is below 1e-17 at x = 1/2.
        let sinc = 1.0
            - x2 / 6.0
                * (1.0 - x2 / 20.0 * (1.0 - x2 / 42.0 * (1.0 - x2 / 72.0 * (1.0 - x2 / 110.0 * (1.0 - x2 / 156.0)))));
        let cos = 1.0
            - x2 / 2.0
                * (1.0
                    - x2 / 12.0
                        * (1.0
                            - x2 / 30.0
                                * (1.0 - x2 / 56.0 * (1.0 - x2 / 90.0 * (1.0 - x2 / 132.0 * (1.0 - x2 / 182.0))))));
        (sinc, cos)
    } else {
        let x = x2.sqrt();
        (libm::sin(x) / x, libm::cos(x))
    }
}

/// The rotation by |w| radians about w.
#[inline]
pub fn exp(w: DVec3) -> DQuat {
    let (sinc, cos) = sinc_cos(0.25 * w.length_squared());
    let v = w * (0.5 * sinc);
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

/// `exp(w)` applied to a vector, without forming a matrix.
#[inline]
pub fn rotate(w: DVec3, a: DVec3) -> DVec3 {
    let (sinc, cos) = sinc_cos(0.25 * w.length_squared());
    let v = w * (0.5 * sinc);
    let t = 2.0 * v.cross(a);
    a + cos * t + v.cross(t)
}

/// The rotation vector of a unit quaternion, shortest way round.
pub fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let s = v.length();
    if s < 1e-9 { 2.0 * v } else { v * (2.0 * libm::atan2(s, q.w) / s) }
}

/// Two unit vectors that complete the unit vector `n` to a right-handed frame (u, v, n).
pub fn complete(n: DVec3) -> (DVec3, DVec3) {
    let a = n.abs();
    let e = if a.x <= a.y && a.x <= a.z {
        DVec3::X
    } else if a.y <= a.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let u = n.cross(e).normalize();
    (u, n.cross(u))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_is_continuous_where_the_series_ends_and_inverts_the_logarithm() {
        for &angle in &[1e-12, 1e-3, 0.5, 0.99999, 1.00001, 2.0, 3.1] {
            let w = DVec3::new(1.0, -2.0, 0.5).normalize() * angle;
            let q = exp(w);
            assert!((q.length() - 1.0).abs() < 1e-15, "angle {angle}");
            assert!((log(q) - w).length() < 1e-13, "angle {angle}");
            let a = DVec3::new(0.3, 0.7, -1.1);
            assert!((q * a - rotate(w, a)).length() < 1e-14, "angle {angle}");
        }
    }

    #[test]
    fn completed_frame_is_right_handed_and_orthonormal() {
        for n in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(1.0, 2.0, 3.0).normalize()] {
            let (u, v) = complete(n);
            assert!((u.cross(v) - n).length() < 1e-15 && u.dot(v).abs() < 1e-15);
        }
    }
}
