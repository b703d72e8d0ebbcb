//! Turns of four bodies at a time (`taut_lanes`), with the bits of one.

use super::so3::{COSC, SINC, TINY, series};
pub(crate) use taut_lanes::{Four, LANES, Vec4, Which};

/// (sin x / x, cos x) as functions of x^2 < 1/4, as `so3` has them.
#[inline(always)]
fn sinc_cos(x2: Four) -> (Four, Four) {
    let (one, all) = (Four::all(1.0), Four::all);
    let tiny = (one + x2 * (all(SINC[1]) + x2 * SINC[2]), one - x2 * (all(COSC[0]) + x2 * COSC[1]));
    let is_tiny = x2.below(all(TINY));
    if is_tiny.all() {
        return tiny;
    }
    let (mut sinc, mut cosc) = ([0.0; LANES], [0.0; LANES]);
    for k in 0..LANES {
        sinc[k] = series(x2.0[k], &SINC);
        cosc[k] = series(x2.0[k], &COSC);
    }
    (is_tiny.select(tiny.0, Four(sinc)), is_tiny.select(tiny.1, one - x2 * Four(cosc)))
}

/// `exp(w)` applied to vectors, for turns of less than one radian.
#[inline(always)]
pub(crate) fn rotate(w: Vec4, a: Vec4) -> Vec4 {
    let (sinc, cos) = sinc_cos(w.dot(w) * 0.25);
    let v = w * (sinc * 0.5);
    let t = v.cross(a) * 2.0;
    a + t * cos + v.cross(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::so3;
    use glam::DVec3;

    #[test]
    fn a_lane_has_the_bits_of_one_body() {
        let turns = [1e-9, 1e-3, 0.4, 0.99].map(|x| x * DVec3::new(0.6, 0.0, -0.8));
        let a = [DVec3::X, DVec3::new(0.3, -2.0, 1.0), DVec3::Y, DVec3::new(-1.0, 0.2, 3.0)];
        let out = rotate(Vec4::of(turns), Vec4::of(a));
        for k in 0..LANES {
            assert_eq!(out.lane(k), so3::rotate(turns[k], a[k]));
            let alone = rotate(Vec4::of([turns[k]; LANES]), Vec4::of([a[k]; LANES]));
            assert_eq!(alone.lane(3), out.lane(k));
        }
    }
}
