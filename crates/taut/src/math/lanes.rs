//! Numbers and vectors of four bodies at a time.
//!
//! The operations of a lane are those of one body, in the same order; branches are selections lane by lane. So a body has the same bits
//! whichever bodies are beside it and whatever vectors the machine has. There are no fused multiplications and no other orders of sums.

use super::so3::{COSC, SINC, TINY, series};
use glam::DVec3;
use std::ops::{Add, BitOr, Div, Mul, Sub};

/// How many bodies go side by side.
pub(crate) const LANES: usize = 4;

/// A number of each body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Four(pub [f64; LANES]);

/// Yes or no for each body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Which(pub [bool; LANES]);

impl Four {
    /// The same number for all.
    #[inline(always)]
    pub fn all(x: f64) -> Self {
        Four([x; LANES])
    }

    #[inline(always)]
    fn zip(self, b: Four, f: impl Fn(f64, f64) -> f64) -> Four {
        let mut out = [0.0; LANES];
        for k in 0..LANES {
            out[k] = f(self.0[k], b.0[k]);
        }
        Four(out)
    }

    #[inline(always)]
    fn compare(self, b: Four, f: impl Fn(f64, f64) -> bool) -> Which {
        let mut out = [false; LANES];
        for k in 0..LANES {
            out[k] = f(self.0[k], b.0[k]);
        }
        Which(out)
    }

    #[inline(always)]
    pub fn sqrt(self) -> Four {
        let mut out = [0.0; LANES];
        for k in 0..LANES {
            out[k] = self.0[k].sqrt();
        }
        Four(out)
    }

    #[inline(always)]
    pub fn below(self, b: Four) -> Which {
        self.compare(b, |a, b| a < b)
    }

    #[inline(always)]
    pub fn at_most(self, b: Four) -> Which {
        self.compare(b, |a, b| a <= b)
    }
}

impl Which {
    pub const NONE: Which = Which([false; LANES]);

    #[inline(always)]
    pub fn all(self) -> bool {
        self.0 == [true; LANES]
    }

    /// `a` where it is so, `b` elsewhere.
    #[inline(always)]
    pub fn select(self, a: Four, b: Four) -> Four {
        let mut out = [0.0; LANES];
        for k in 0..LANES {
            out[k] = if self.0[k] { a.0[k] } else { b.0[k] };
        }
        Four(out)
    }
}

impl BitOr for Which {
    type Output = Which;
    #[inline(always)]
    fn bitor(self, b: Which) -> Which {
        let mut out = self.0;
        for k in 0..LANES {
            out[k] |= b.0[k];
        }
        Which(out)
    }
}

impl Add for Four {
    type Output = Four;
    #[inline(always)]
    fn add(self, b: Four) -> Four {
        self.zip(b, |a, b| a + b)
    }
}

impl Sub for Four {
    type Output = Four;
    #[inline(always)]
    fn sub(self, b: Four) -> Four {
        self.zip(b, |a, b| a - b)
    }
}

impl Mul for Four {
    type Output = Four;
    #[inline(always)]
    fn mul(self, b: Four) -> Four {
        self.zip(b, |a, b| a * b)
    }
}

impl Mul<f64> for Four {
    type Output = Four;
    #[inline(always)]
    fn mul(self, b: f64) -> Four {
        self.zip(Four::all(b), |a, b| a * b)
    }
}

impl Div for Four {
    type Output = Four;
    #[inline(always)]
    fn div(self, b: Four) -> Four {
        self.zip(b, |a, b| a / b)
    }
}

/// A vector of each body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vec4 {
    pub x: Four,
    pub y: Four,
    pub z: Four,
}

impl Vec4 {
    #[inline(always)]
    pub fn of(v: [DVec3; LANES]) -> Self {
        Vec4 { x: Four(v.map(|v| v.x)), y: Four(v.map(|v| v.y)), z: Four(v.map(|v| v.z)) }
    }

    /// The vector of one body.
    #[inline(always)]
    pub fn lane(&self, k: usize) -> DVec3 {
        DVec3::new(self.x.0[k], self.y.0[k], self.z.0[k])
    }

    #[inline(always)]
    pub fn dot(self, b: Vec4) -> Four {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub fn cross(self, b: Vec4) -> Vec4 {
        Vec4 { x: self.y * b.z - b.y * self.z, y: self.z * b.x - b.z * self.x, z: self.x * b.y - b.x * self.y }
    }

    /// Each component times that of another.
    #[inline(always)]
    pub fn each(self, b: Vec4) -> Vec4 {
        Vec4 { x: self.x * b.x, y: self.y * b.y, z: self.z * b.z }
    }

    #[inline(always)]
    pub fn select(self, which: Which, other: Vec4) -> Vec4 {
        Vec4 { x: which.select(self.x, other.x), y: which.select(self.y, other.y), z: which.select(self.z, other.z) }
    }
}

impl Add for Vec4 {
    type Output = Vec4;
    #[inline(always)]
    fn add(self, b: Vec4) -> Vec4 {
        Vec4 { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl Sub for Vec4 {
    type Output = Vec4;
    #[inline(always)]
    fn sub(self, b: Vec4) -> Vec4 {
        Vec4 { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl Mul<Four> for Vec4 {
    type Output = Vec4;
    #[inline(always)]
    fn mul(self, b: Four) -> Vec4 {
        Vec4 { x: self.x * b, y: self.y * b, z: self.z * b }
    }
}

impl Mul<f64> for Vec4 {
    type Output = Vec4;
    #[inline(always)]
    fn mul(self, b: f64) -> Vec4 {
        self * Four::all(b)
    }
}

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
