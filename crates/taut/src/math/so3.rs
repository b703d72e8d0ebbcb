//! Rotations: the cross-product matrix, the exponential map and its inverse.
//!
//! Orientation changes are left perturbations in the world frame: R <- exp(hat(w)) R.
//! Sines and cosines come from a polynomial (small angles) or from `libm`, never from the platform, so that
//! the same inputs give the same bits on every target.

use glam::{DMat3, DQuat, DVec3};

/// The shortest turn that brings the y axis to a unit vector; half a turn about x where that is opposite.
pub(crate) fn from_y(d: DVec3) -> DQuat {
    let q = DQuat::from_xyzw(d.z, 0.0, -d.x, 1.0 + d.y);
    let length = q.length();
    if length > 1e-12 { q / length } else { DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) }
}

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

/// Coefficients of sin x / x and (1 - cos x)/x^2 in powers of x^2.
pub(super) const SINC: [f64; 8] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
];
pub(super) const COSC: [f64; 8] = [
    1.0 / 2.0,
    -1.0 / 24.0,
    1.0 / 720.0,
    -1.0 / 40_320.0,
    1.0 / 3_628_800.0,
    -1.0 / 479_001_600.0,
    1.0 / 87_178_291_200.0,
    -1.0 / 20_922_789_888_000.0,
];

/// Below this x^2 three terms are enough for every digit.
pub(super) const TINY: f64 = 1e-5;
/// From this x^2 on the series is not enough.
pub(super) const NEAR: f64 = 0.25;

/// The polynomial with the given coefficients, lowest first. Terms are summed in pairs: half the latency of Horner's rule.
#[inline(always)]
pub(super) fn series(x: f64, c: &[f64; 8]) -> f64 {
    let x2 = x * x;
    let low = (c[0] + c[1] * x) + (c[2] + c[3] * x) * x2;
    let high = (c[4] + c[5] * x) + (c[6] + c[7] * x) * x2;
    low + high * (x2 * x2)
}

/// The same without its constant term, divided by x.
#[inline(always)]
fn tail(x: f64, c: &[f64; 8]) -> f64 {
    let x2 = x * x;
    let low = (c[1] + c[2] * x) + (c[3] + c[4] * x) * x2;
    low + ((c[5] + c[6] * x) + c[7] * x2) * (x2 * x2)
}

/// The same beyond the reach of the series.
#[cold]
#[inline(never)]
fn sinc_cos_far(x2: f64) -> (f64, f64) {
    let x = x2.sqrt();
    (libm::sin(x) / x, libm::cos(x))
}

/// (sin x / x, cos x) as functions of x^2, for x^2 >= 0.
#[inline(always)]
fn sinc_cos(x2: f64) -> (f64, f64) {
    if x2 < TINY {
        (1.0 + x2 * (SINC[1] + x2 * SINC[2]), 1.0 - x2 * (COSC[0] + x2 * COSC[1]))
    } else if x2 < NEAR {
        // Taylor series; the first neglected term is below 1e-17 at x = 1/2.
        let sinc = series(x2, &SINC);
        let cos = 1.0 - x2 * series(x2, &COSC);
        (sinc, cos)
    } else {
        sinc_cos_far(x2)
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
#[inline(always)]
pub fn rotate(w: DVec3, a: DVec3) -> DVec3 {
    let (sinc, cos) = sinc_cos(0.25 * w.length_squared());
    let v = w * (0.5 * sinc);
    let t = 2.0 * v.cross(a);
    a + cos * t + v.cross(t)
}

/// What turning by w adds to arms beyond their tangents:
/// ```text
/// exp(w) a - a - w x a = (sin x / x - 1) w x a + (1 - cos x)/x^2 w x (w x a),      x = |w|
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Arc {
    w: DVec3,
    tangent: f64,
    inward: f64,
}

impl Arc {
    /// Of a turn.
    #[inline(always)]
    pub fn of(w: DVec3) -> Self {
        let x2 = w.length_squared();
        let (tangent, inward) = if x2 < TINY {
            (x2 * (SINC[1] + x2 * SINC[2]), COSC[0] + x2 * (COSC[1] + x2 * COSC[2]))
        } else if x2 < NEAR {
            // By their series: no cancellation for small angles.
            (x2 * tail(x2, &SINC), series(x2, &COSC))
        } else {
            let (sinc, cos) = sinc_cos_far(x2);
            (sinc - 1.0, (1.0 - cos) / x2)
        };
        Arc { w, tangent, inward }
    }

    /// sin x / x - 1 and (1 - cos x)/x^2.
    pub fn coefficients(&self) -> [f64; 2] {
        [self.tangent, self.inward]
    }

    /// What it adds to an arm.
    #[inline(always)]
    pub fn at(&self, a: DVec3) -> DVec3 {
        let t = self.w.cross(a);
        self.tangent * t + self.inward * self.w.cross(t)
    }

    /// The tangent: w x a.
    #[inline(always)]
    pub fn along(&self, a: DVec3) -> DVec3 {
        self.w.cross(a)
    }

    /// Where it turns an arm to.
    #[inline(always)]
    pub fn turned(&self, a: DVec3) -> DVec3 {
        let t = self.w.cross(a);
        a + (t + (self.tangent * t + self.inward * self.w.cross(t)))
    }
}

/// The rotation vector of a unit quaternion, shortest way round.
pub fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let s = v.length();
    if s < 1e-9 { 2.0 * v } else { v * (2.0 * libm::atan2(s, q.w) / s) }
}

/// The matrix L with w = L r' for R = exp(hat(r)), R' = hat(w) R: I + a hat(r) + b hat(r)^2, a = (1 - cos t)/t^2,
/// b = (t - sin t)/t^3, t = |r|.
pub fn left_jacobian(r: DVec3) -> DMat3 {
    let (k, c) = (skew(r), coefficients(r.length_squared()));
    DMat3::IDENTITY + k * c.a + k * k * c.b
}

/// The derivative of `left_jacobian` when r moves at the rate `rate`.
pub fn left_jacobian_rate(r: DVec3, rate: DVec3) -> DMat3 {
    let (k, d, c) = (skew(r), skew(rate), coefficients(r.length_squared()));
    let x = 2.0 * r.dot(rate);
    k * (c.a_x * x) + d * c.a + k * k * (c.b_x * x) + (d * k + k * d) * c.b
}

/// a and b of `left_jacobian`, and their derivatives with respect to x = t^2.
struct Coefficients {
    a: f64,
    b: f64,
    a_x: f64,
    b_x: f64,
}

fn coefficients(x: f64) -> Coefficients {
    if x < 0.25 {
        let slope = |c: &[f64], from: f64| {
            c.iter().rev().fold((0.0, from + c.len() as f64 - 1.0), |(s, k), c| (s * x + k * c, k - 1.0)).0
        };
        // b is the tail of the series of sin t/t with the opposite sign.
        Coefficients {
            a: series(x, &COSC),
            b: -tail(x, &SINC),
            a_x: slope(&COSC[1..], 1.0),
            b_x: -slope(&SINC[2..], 1.0),
        }
    } else {
        let t = x.sqrt();
        let (sin, versine) = (libm::sin(t), 1.0 - libm::cos(t));
        Coefficients {
            a: versine / x,
            b: (t - sin) / (t * x),
            a_x: (t * sin - 2.0 * versine) / (2.0 * x * x),
            b_x: (versine * t - 3.0 * (t - sin)) / (2.0 * t * x * x),
        }
    }
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
        for &angle in &[1e-12, 1e-3, 3.16e-3, 3.17e-3, 6.32e-3, 6.33e-3, 0.5, 0.99999, 1.00001, 2.0, 3.1] {
            let w = DVec3::new(1.0, -2.0, 0.5).normalize() * angle;
            let q = exp(w);
            assert!((q.length() - 1.0).abs() < 1e-15, "angle {angle}");
            assert!((log(q) - w).length() < 1e-13, "angle {angle}");
            let a = DVec3::new(0.3, 0.7, -1.1);
            assert!((q * a - rotate(w, a)).length() < 1e-14, "angle {angle}");
            assert!((q * a - a - w.cross(a) - Arc::of(w).at(a)).length() < 1e-14, "angle {angle}");
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
