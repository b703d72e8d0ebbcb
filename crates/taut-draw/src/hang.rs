//! A slack rope between two points: the catenary of its length, as points at equal distances along it. Drawn only; it pulls at nothing.
//!
//! ```text
//! y(t) = c cosh((t - x0)/c) + const,   2 c sinh(H/(2 c)) = sqrt(L^2 - V^2),   x0 = H/2 - c atanh(V/L)
//! ```
//! with the horizontal distance H and the height V of the end above the start.

use taut::Vec3;

/// A loop that is so many times longer than its ends are apart sideways is drawn as a hairpin.
const NARROW: f64 = 40.0;

/// Points along a rope of a length (m) from one point to another, so many pieces of it; straight where it is not longer than that.
/// `up` is a unit vector against gravity.
pub(crate) fn points([a, b]: [Vec3; 2], length: f64, up: Vec3, pieces: usize) -> Vec<Vec3> {
    let (way, n) = (b - a, pieces.max(1));
    let share = |k: usize| k as f64 / n as f64;
    let high = way.dot(up);
    let flat = way - high * up;
    let wide = flat.length();
    let straight = way.length();
    if !(length > straight * (1.0 + 1e-9)) || !(straight > 0.0) {
        return (0..=n).map(|k| a + share(k) * way).collect();
    }
    let ratio = (length * length - high * high).sqrt() / wide;
    if !(ratio < NARROW) {
        return (0..=n).map(|k| hairpin(a, way, high, up, length, share(k))).collect();
    }
    let c = 0.5 * wide / spread(ratio);
    let (start, along) = (0.5 * wide - c * libm::atanh(high / length), flat / wide);
    let slope = libm::sinh(start / c);
    let at = |k: usize| {
        let t = start + c * libm::asinh(share(k) * length / c - slope);
        let y = c * (libm::cosh((t - start) / c) - libm::cosh(start / c));
        a + t * along + y * up
    };
    // Both ends are exact.
    (0..=n)
        .map(|k| {
            if k == 0 {
                a
            } else if k == n {
                b
            } else {
                at(k)
            }
        })
        .collect()
}

/// x with sinh(x)/x = ratio, for a ratio above 1.
fn spread(ratio: f64) -> f64 {
    let (mut low, mut high) = (0.0, 2.0 + 2.0 * libm::log(2.0 * ratio));
    // Halved to rounding.
    for _ in 0..60 {
        let x = 0.5 * (low + high);
        if libm::sinh(x) > ratio * x { high = x } else { low = x }
    }
    high
}

/// Down to the lowest point and up again, a part of the length from the start.
fn hairpin(a: Vec3, way: Vec3, high: f64, up: Vec3, length: f64, part: f64) -> Vec3 {
    let (gone, down) = (part * length, 0.5 * (length - high));
    let y = if gone < down { -gone } else { gone - 2.0 * down };
    a + part * (way - high * up) + y * up
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(p: &[Vec3]) -> f64 {
        p.windows(2).map(|p| (p[1] - p[0]).length()).sum()
    }

    #[test]
    fn it_has_its_length_and_its_ends_and_hangs_down() {
        let (a, b) = (Vec3::new(0.3, 2.0, -1.0), Vec3::new(3.0, 1.0, 0.5));
        for times in [1.0001, 1.05, 1.5, 3.0, 20.0] {
            let length = times * (b - a).length();
            let p = points([a, b], length, Vec3::Y, 4000);
            assert_eq!((p[0], p[4000]), (a, b));
            assert!((long(&p) / length - 1.0).abs() < 1e-5, "{times}: {} for {length}", long(&p));
            let sag = p.iter().enumerate().map(|(k, p)| (a + k as f64 / 4000.0 * (b - a) - *p).y);
            assert!(sag.clone().all(|s| s > -1e-9) && sag.fold(0.0, f64::max) > 0.005, "{times}");
            // Known closed form: the lowest point of a catenary of equal heights.
        }
        let p = points([Vec3::ZERO, 2.0 * Vec3::X], 2.0 * libm::sinh(1.0), Vec3::Y, 2);
        assert!((p[1] - Vec3::new(1.0, 1.0 - libm::cosh(1.0), 0.0)).length() < 1e-9, "{}", p[1]);
    }

    #[test]
    fn what_hangs_down_alone_is_a_loop_and_what_is_taut_is_straight() {
        let p = points([Vec3::ZERO, -Vec3::Y], 2.0, Vec3::Y, 400);
        assert!((long(&p) - 2.0).abs() < 1e-9);
        let low = p.iter().fold(0.0_f64, |m, p| m.min(p.y));
        assert!((low + 1.5).abs() < 1e-9, "{low}");
        assert_eq!(points([Vec3::ZERO, Vec3::X], 0.9, Vec3::Y, 2), [Vec3::ZERO, 0.5 * Vec3::X, Vec3::X]);
        assert!(points([Vec3::X, Vec3::X], 1.0, Vec3::Y, 2).iter().all(|p| p.is_finite()));
    }
}
