//! Numbers of four bodies at a time, whatever holds them: an array (`Four`), or a vector of the machine where kernels run that ask for it.

use crate::{Four, LANES, Which};
use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// A number, or one of each of four bodies: what formulas are written for that serve one body and four.
pub trait Real:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<f64, Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Yes or no for each body.
    type Which: Mask<Self>;
    /// What it is kept in between kernels.
    type Cell: Copy + Debug + Default;
    /// The same number for all.
    fn all(x: f64) -> Self;
    /// From where it is kept.
    fn load(from: &Self::Cell) -> Self;
    /// To where it is kept.
    fn store(self, to: &mut Self::Cell);
    /// Square root of each.
    fn sqrt(self) -> Self;
    /// a == b of each.
    fn equals(self, b: Self) -> Self::Which;
    /// a < b of each.
    fn below(self, b: Self) -> Self::Which;
    /// a <= b of each.
    fn at_most(self, b: Self) -> Self::Which;

    /// The larger of each; `b` where one is no number.
    #[inline(always)]
    fn max(self, b: Self) -> Self {
        b.below(self).select(self, b)
    }

    /// The smaller of each; `b` where one is no number.
    #[inline(always)]
    fn min(self, b: Self) -> Self {
        self.below(b).select(self, b)
    }

    /// Without its sign.
    #[inline(always)]
    fn abs(self) -> Self {
        self.max(-self)
    }
}

/// A number of each of four bodies.
pub trait Number: Real<Cell = Four> {
    /// From a number of each.
    fn of(x: [f64; LANES]) -> Self;
    /// The number of each.
    fn array(self) -> [f64; LANES];
}

/// Yes or no for each body.
pub trait Mask<F>: Copy + Debug + Not<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// For no body.
    fn none() -> Self;
    /// Whether it is so for one.
    fn lane(self, k: usize) -> bool;
    /// Whether it is so for all.
    fn all(self) -> bool;
    /// Whether it is so for any.
    fn any(self) -> bool;
    /// `a` where it is so, `b` elsewhere.
    fn select(self, a: F, b: F) -> F;
}

impl Real for Four {
    type Which = Which;
    type Cell = Four;

    #[inline(always)]
    fn all(x: f64) -> Self {
        Four::all(x)
    }

    #[inline(always)]
    fn load(from: &Four) -> Self {
        *from
    }

    #[inline(always)]
    fn store(self, to: &mut Four) {
        *to = self;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Four::sqrt(self)
    }

    #[inline(always)]
    fn equals(self, b: Self) -> Which {
        Four::equals(self, b)
    }

    #[inline(always)]
    fn below(self, b: Self) -> Which {
        Four::below(self, b)
    }

    #[inline(always)]
    fn at_most(self, b: Self) -> Which {
        Four::at_most(self, b)
    }
}

impl Number for Four {
    #[inline(always)]
    fn of(x: [f64; LANES]) -> Self {
        Four(x)
    }

    #[inline(always)]
    fn array(self) -> [f64; LANES] {
        self.0
    }
}

impl Real for f64 {
    type Which = bool;
    type Cell = f64;

    #[inline(always)]
    fn all(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn load(from: &f64) -> Self {
        *from
    }

    #[inline(always)]
    fn store(self, to: &mut f64) {
        *to = self;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn equals(self, b: Self) -> bool {
        self == b
    }

    #[inline(always)]
    fn below(self, b: Self) -> bool {
        self < b
    }

    #[inline(always)]
    fn at_most(self, b: Self) -> bool {
        self <= b
    }
}

impl Mask<f64> for bool {
    #[inline(always)]
    fn none() -> Self {
        false
    }

    #[inline(always)]
    fn lane(self, _: usize) -> bool {
        self
    }

    #[inline(always)]
    fn all(self) -> bool {
        self
    }

    #[inline(always)]
    fn any(self) -> bool {
        self
    }

    #[inline(always)]
    fn select(self, a: f64, b: f64) -> f64 {
        if self { a } else { b }
    }
}

impl Mask<Four> for Which {
    #[inline(always)]
    fn none() -> Self {
        Which::NONE
    }

    #[inline(always)]
    fn lane(self, k: usize) -> bool {
        Which::lane(self, k)
    }

    #[inline(always)]
    fn all(self) -> bool {
        Which::all(self)
    }

    #[inline(always)]
    fn any(self) -> bool {
        Which::any(self)
    }

    #[inline(always)]
    fn select(self, a: Four, b: Four) -> Four {
        Which::select(self, a, b)
    }
}
