//! Numbers of four bodies at a time, whatever holds them: an array (`Four`), or a vector of the machine where kernels run that ask for it.

use crate::{Four, LANES, Which};
use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// A number of each of four bodies.
pub trait Number:
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
    /// From a number of each.
    fn of(x: [f64; LANES]) -> Self;
    /// The number of each.
    fn array(self) -> [f64; LANES];
    /// Square root of each.
    fn sqrt(self) -> Self;
    /// a == b of each.
    fn equals(self, b: Self) -> Self::Which;
    /// a < b of each.
    fn below(self, b: Self) -> Self::Which;
    /// a <= b of each.
    fn at_most(self, b: Self) -> Self::Which;

    /// The same number for all.
    #[inline(always)]
    fn all(x: f64) -> Self {
        Self::of([x; LANES])
    }

    /// The larger of each; `b` where one is no number.
    #[inline(always)]
    fn max(self, b: Self) -> Self {
        b.below(self).select(self, b)
    }
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

impl Number for Four {
    type Which = Which;

    #[inline(always)]
    fn of(x: [f64; LANES]) -> Self {
        Four(x)
    }

    #[inline(always)]
    fn array(self) -> [f64; LANES] {
        self.0
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
