//! Numbers and vectors of four bodies at a time.
//!
//! The operations of a lane are those of one body, in the same order; branches are selections lane by lane. So a body has the same bits
//! whichever bodies are beside it and whatever vectors the machine has. There are no fused multiplications and no other orders of sums.

use crate::{Mask, Number, Real};
use glam::DVec3;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// How many bodies go side by side.
pub const LANES: usize = 4;

/// Something of each of four bodies: `each!(n in batch => mass[n])` is an array of four. Written out by a macro, for a closure that is not
/// inlined is compiled for any machine, and hands its results over in memory.
#[macro_export]
macro_rules! each {
    ($n:ident in $list:expr => $value:expr) => {{
        let list = $list;
        let [a, b, c, d] = list;
        [
            {
                let $n = a;
                $value
            },
            {
                let $n = b;
                $value
            },
            {
                let $n = c;
                $value
            },
            {
                let $n = d;
                $value
            },
        ]
    }};
}

/// A number of each body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct Four(pub [f64; LANES]);

/// Yes or no for each body: all bits, or none, which is what vectors compare to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Which([u64; LANES]);

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
        let mut out = [0; LANES];
        for k in 0..LANES {
            out[k] = if f(self.0[k], b.0[k]) { u64::MAX } else { 0 };
        }
        Which(out)
    }

    /// Of each.
    #[inline(always)]
    pub fn sqrt(self) -> Four {
        let mut out = [0.0; LANES];
        for k in 0..LANES {
            out[k] = self.0[k].sqrt();
        }
        Four(out)
    }

    /// Of each.
    #[inline(always)]
    pub fn abs(self) -> Four {
        let mut out = [0.0; LANES];
        for k in 0..LANES {
            out[k] = self.0[k].abs();
        }
        Four(out)
    }

    /// The larger of each; `b` where one is no number.
    #[inline(always)]
    pub fn max(self, b: Four) -> Four {
        b.below(self).select(self, b)
    }

    /// a == b of each.
    #[inline(always)]
    pub fn equals(self, b: Four) -> Which {
        self.compare(b, |a, b| a == b)
    }

    /// a < b of each.
    #[inline(always)]
    pub fn below(self, b: Four) -> Which {
        self.compare(b, |a, b| a < b)
    }

    /// a <= b of each.
    #[inline(always)]
    pub fn at_most(self, b: Four) -> Which {
        self.compare(b, |a, b| a <= b)
    }
}

impl Which {
    /// Of no body.
    pub const NONE: Which = Which([0; LANES]);

    /// Whether it is so for one.
    #[inline(always)]
    pub fn lane(self, k: usize) -> bool {
        self.0[k] != 0
    }

    /// Whether it is so for all.
    #[inline(always)]
    pub fn all(self) -> bool {
        self.0.into_iter().fold(u64::MAX, |a, b| a & b) != 0
    }

    /// Whether it is so for any.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0.into_iter().fold(0, |a, b| a | b) != 0
    }

    /// `a` where it is so, `b` elsewhere.
    #[inline(always)]
    pub fn select(self, a: Four, b: Four) -> Four {
        let mut out = [0.0; LANES];
        for k in 0..LANES {
            out[k] = f64::from_bits((a.0[k].to_bits() & self.0[k]) | (b.0[k].to_bits() & !self.0[k]));
        }
        Four(out)
    }
}

impl Not for Which {
    type Output = Which;
    #[inline(always)]
    fn not(self) -> Which {
        Which(each!(a in self.0 => !a))
    }
}

impl BitAnd for Which {
    type Output = Which;
    #[inline(always)]
    fn bitand(self, b: Which) -> Which {
        let mut out = self.0;
        for k in 0..LANES {
            out[k] &= b.0[k];
        }
        Which(out)
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

impl Neg for Four {
    type Output = Four;
    #[inline(always)]
    fn neg(self) -> Four {
        Four(each!(a in self.0 => -a))
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

/// A vector, or one of each body.
#[derive(Clone, Copy, Debug)]
pub struct Vec4<F = Four> {
    /// First component,
    pub x: F,
    /// second,
    pub y: F,
    /// third.
    pub z: F,
}

impl<F: Number> Vec4<F> {
    /// From the vectors of four bodies.
    #[inline(always)]
    pub fn of(v: [DVec3; LANES]) -> Self {
        Vec4 { x: F::of(each!(v in v => v.x)), y: F::of(each!(v in v => v.y)), z: F::of(each!(v in v => v.z)) }
    }

    /// From where the vectors of four bodies are: nothing is loaded before it is needed.
    #[inline(always)]
    pub fn get(v: [&DVec3; LANES]) -> Self {
        Vec4 { x: F::of(each!(v in v => v.x)), y: F::of(each!(v in v => v.y)), z: F::of(each!(v in v => v.z)) }
    }

    /// The vectors of four bodies.
    #[inline(always)]
    pub fn array(self) -> [DVec3; LANES] {
        let (x, y, z) = (self.x.array(), self.y.array(), self.z.array());
        each!(k in [0, 1, 2, 3] => DVec3::new(x[k], y[k], z[k]))
    }

    /// The vector of one body.
    #[inline(always)]
    pub fn lane(&self, k: usize) -> DVec3 {
        DVec3::new(self.x.array()[k], self.y.array()[k], self.z.array()[k])
    }
}

impl<F: Real> Vec4<F> {
    /// The same for all.
    #[inline(always)]
    pub fn all(v: DVec3) -> Self {
        Vec4 { x: F::all(v.x), y: F::all(v.y), z: F::all(v.z) }
    }

    /// From where they are kept.
    #[inline(always)]
    pub fn load(from: &[F::Cell; 3]) -> Self {
        Vec4 { x: F::load(&from[0]), y: F::load(&from[1]), z: F::load(&from[2]) }
    }

    /// To where they are kept.
    #[inline(always)]
    pub fn store(self, to: &mut [F::Cell; 3]) {
        self.x.store(&mut to[0]);
        self.y.store(&mut to[1]);
        self.z.store(&mut to[2]);
    }

    /// Their lengths.
    #[inline(always)]
    pub fn length(self) -> F {
        self.dot(self).sqrt()
    }

    /// Scalar products.
    #[inline(always)]
    pub fn dot(self, b: Self) -> F {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    /// Vector products.
    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        Vec4 { x: self.y * b.z - b.y * self.z, y: self.z * b.x - b.z * self.x, z: self.x * b.y - b.x * self.y }
    }

    /// Each component times that of another.
    #[inline(always)]
    pub fn each(self, b: Self) -> Self {
        Vec4 { x: self.x * b.x, y: self.y * b.y, z: self.z * b.z }
    }

    /// These where it is so, the others elsewhere.
    #[inline(always)]
    pub fn select(self, which: F::Which, other: Self) -> Self {
        Vec4 { x: which.select(self.x, other.x), y: which.select(self.y, other.y), z: which.select(self.z, other.z) }
    }
}

impl<F: Real> Add for Vec4<F> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Vec4 { x: self.x + b.x, y: self.y + b.y, z: self.z + b.z }
    }
}

impl<F: Real> Sub for Vec4<F> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Vec4 { x: self.x - b.x, y: self.y - b.y, z: self.z - b.z }
    }
}

impl<F: Real> Mul<F> for Vec4<F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: F) -> Self {
        Vec4 { x: self.x * b, y: self.y * b, z: self.z * b }
    }
}

impl<F: Real> Div<F> for Vec4<F> {
    type Output = Self;
    #[inline(always)]
    fn div(self, b: F) -> Self {
        Vec4 { x: self.x / b, y: self.y / b, z: self.z / b }
    }
}

impl<F: Number> Mul<f64> for Vec4<F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: f64) -> Self {
        self * F::all(b)
    }
}

impl<F: Real> Neg for Vec4<F> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Vec4 { x: -self.x, y: -self.y, z: -self.z }
    }
}
