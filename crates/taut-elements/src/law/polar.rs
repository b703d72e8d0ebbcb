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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// Matrices that are done at a time.
pub(crate) const LANES: usize = 4;

type Lane = [f64; LANES];

/// The same of four matrices side by side, to the same bits; none where one of them has none.
#[inline(always)]
pub(crate) fn polar_of_four(f: &[DMat3; LANES]) -> Option<[Polar; LANES]> {
    let entry = |c: usize, r: usize| -> Lane { std::array::from_fn(|l| f[l].col(c)[r]) };
    let [a, b, c]: [[Lane; 3]; 3] = std::array::from_fn(|k| std::array::from_fn(|r| entry(k, r)));
    let (aa, bb, cc) = (dots(&a, &a), dots(&b, &b), dots(&c, &c));
    let (ab, bc, ac) = (dots(&a, &b), dots(&b, &c), dots(&a, &c));
    let cof = [crosses(&b, &c), crosses(&c, &a), crosses(&a, &b)];
    let one = each(|l| aa[l] + bb[l] + cc[l]);
    let two =
        each(|l| (aa[l] * bb[l] - ab[l] * ab[l]) + (bb[l] * cc[l] - bc[l] * bc[l]) + (aa[l] * cc[l] - ac[l] * ac[l]));
    let j = dots(&a, &cof[0]);
    let mut t = each(|l| (3.0 * one[l]).sqrt());
    let mut going = [true; LANES];
    for _ in 0..STEPS {
        let step = each(|l| {
            let g = t[l] * t[l] - one[l];
            (g * g - 8.0 * j[l] * t[l] - 4.0 * two[l]) / (4.0 * t[l] * g - 8.0 * j[l])
        });
        t = each(|l| if going[l] { t[l] - step[l] } else { t[l] });
        going = std::array::from_fn(|l| going[l] && !(step[l].abs() <= CLOSE * t[l]));
        if going == [false; LANES] {
            break;
        }
    }
    let q = each(|l| 0.5 * (t[l] * t[l] - one[l]));
    let gap = each(|l| t[l] * q[l] - j[l]);
    let found = |l: usize| !going[l] && gap[l] > LEAST * t[l] * one[l];
    if !(0..LANES).all(found) {
        return None;
    }
    let (k, per) = (each(|l| q[l] + one[l]), each(|l| 1.0 / gap[l]));
    let column = |u: &[Lane; 3], uu: &Lane, v: &[Lane; 3], uv: &Lane, w: &[Lane; 3], uw: &Lane, cof: &[Lane; 3]| {
        let entry = |r: usize| {
            each(|l| (u[r][l] * (k[l] - uu[l]) - v[r][l] * uv[l] - w[r][l] * uw[l] + cof[r][l] * t[l]) * per[l])
        };
        [entry(0), entry(1), entry(2)]
    };
    let r = [
        column(&a, &aa, &b, &ab, &c, &ac, &cof[0]),
        column(&b, &bb, &a, &ab, &c, &bc, &cof[1]),
        column(&c, &cc, &a, &ac, &b, &bc, &cof[2]),
    ];
    Some(std::array::from_fn(|l| {
        let column = |c: usize| glam::DVec3::new(r[c][0][l], r[c][1][l], r[c][2][l]);
        Polar { r: DMat3::from_cols(column(0), column(1), column(2)), t: t[l], gap: gap[l] }
    }))
}

#[inline(always)]
fn each(f: impl Fn(usize) -> f64) -> Lane {
    std::array::from_fn(f)
}

#[inline(always)]
fn dots(a: &[Lane; 3], b: &[Lane; 3]) -> Lane {
    each(|l| a[0][l] * b[0][l] + a[1][l] * b[1][l] + a[2][l] * b[2][l])
}

#[inline(always)]
fn crosses(a: &[Lane; 3], b: &[Lane; 3]) -> [Lane; 3] {
    let part = |i: usize, j: usize| each(|l| a[i][l] * b[j][l] - b[i][l] * a[j][l]);
    [part(1, 2), part(2, 0), part(0, 1)]
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

    #[test]
    fn four_at_a_time_have_the_bits_of_each() {
        let mut random = 7_u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut missing = 0;
        for k in 0..4000 {
            let size = [0.0, 1e-6, 0.1, 2.0][k % 4];
            let f = [0; LANES].map(|_| DMat3::IDENTITY + DMat3::from_cols_array(&[0; 9].map(|_| next())) * size);
            let alone = f.map(|f| polar(&f));
            match polar_of_four(&f) {
                Some(four) => assert_eq!(four.map(Some), alone),
                None => {
                    missing += 1;
                    assert!(alone.contains(&None));
                }
            }
        }
        assert!(missing > 0 && missing <= 1000);
    }
}
