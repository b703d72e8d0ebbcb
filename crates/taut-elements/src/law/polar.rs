//! The rotation nearest to F in closed form.
//!
//! With the signed stretches s_i, t = sum s_i is the largest root of a quartic in the invariants of F, and its derivative by F is the
//! rotation:
//! ```text
//! (t^2 - I)^2 = 8 J t + 4 II,   I = |F|^2,  II = sum s_i^2 s_j^2,  J = det F
//! R = dt/dF = ((q + I) F - F F^T F + t cof F)/(t q - J),   q = (t^2 - I)/2
//! t q - J = (s_1 + s_2)(s_2 + s_3)(s_1 + s_3)
//! ```
//! Newton's method from sqrt(3 I), which is never below the root, goes down to it. Where two stretches nearly cancel the quotient loses
//! digits: that is left to the singular values.

use crate::plastic::cofactor;
use glam::DMat3;

/// Steps of Newton's method; two to four are used.
const STEPS: usize = 8;
/// The step after which the root is exact to rounding, in parts of it: convergence is quadratic.
const CLOSE: f64 = 1e-8;
/// The least of t q - J against t I, 8/9 at rest: below it a rotation has lost a digit or more.
const LEAST: f64 = 0.1;

/// F = R S with a rotation R and S symmetric.
pub(crate) struct Polar {
    pub r: DMat3,
    /// Sum of the stretches: the trace of S.
    pub t: f64,
    /// (s_1 + s_2)(s_2 + s_3)(s_1 + s_3).
    pub gap: f64,
}

/// None where the closed form is not exact to rounding.
#[inline(always)]
pub(crate) fn polar(f: &DMat3) -> Option<Polar> {
    let (a, b, c) = (f.x_axis, f.y_axis, f.z_axis);
    let (aa, bb, cc) = (a.length_squared(), b.length_squared(), c.length_squared());
    let (ab, bc, ac) = (a.dot(b), b.dot(c), a.dot(c));
    let cof = cofactor(*f);
    let (one, two) = (aa + bb + cc, (aa * bb - ab * ab) + (bb * cc - bc * bc) + (aa * cc - ac * ac));
    let j = a.dot(cof.x_axis);
    let mut t = (3.0 * one).sqrt();
    let mut steps = 0;
    loop {
        let g = t * t - one;
        let step = (g * g - 8.0 * j * t - 4.0 * two) / (4.0 * t * g - 8.0 * j);
        t -= step;
        steps += 1;
        if step.abs() <= CLOSE * t {
            break;
        }
        if steps >= STEPS {
            return None;
        }
    }
    let q = 0.5 * (t * t - one);
    let gap = t * q - j;
    if !(gap > LEAST * t * one) {
        return None;
    }
    let (k, per) = (q + one, 1.0 / gap);
    // F F^T F by columns: F times the columns of F^T F.
    let r = DMat3::from_cols(
        (a * (k - aa) - b * ab - c * ac + cof.x_axis * t) * per,
        (b * (k - bb) - a * ab - c * bc + cof.y_axis * t) * per,
        (c * (k - cc) - a * ac - b * bc + cof.z_axis * t) * per,
    );
    Some(Polar { r, t, gap })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svd::Svd;
    use glam::DVec3;

    #[test]
    fn the_rotation_is_that_of_the_singular_values() {
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let (mut found, mut all) = (0, 0);
        for size in [0.0, 1e-9, 1e-4, 0.1, 0.5, 2.0] {
            for _ in 0..2000 {
                let turn = Svd::new(DMat3::from_cols_array(&[0; 9].map(|_| next()))).u;
                let f = turn * (DMat3::IDENTITY + DMat3::from_cols_array(&[0; 9].map(|_| next())) * size);
                let svd = Svd::new(f);
                all += 1;
                let Some(p) = polar(&f) else { continue };
                found += 1;
                let off = p.r - svd.compose(DVec3::ONE);
                assert!(off.to_cols_array().iter().all(|x| x.abs() < 1e-14), "{f} {off}");
                let sum = svd.s.x + svd.s.y + svd.s.z;
                assert!((p.t - sum).abs() < 1e-14 * sum.abs().max(1.0), "{f} {} {sum}", p.t);
            }
        }
        assert!(found > all * 3 / 4, "{found} of {all}");
    }
}
