//! Numbers of four bodies in one vector of the machine (AVX). Left to itself the compiler takes arrays that are filled one body at a time
//! apart into single numbers and pairs: twice the instructions.
//!
//! Nothing outside of this crate can name `Wide`: it gets into a kernel through `run_wide` alone, which has asked the machine.

use crate::{Four, LANES, Mask, Number, Real};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// A number of each body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide(__m256d);

/// Yes or no for each body: all bits, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen(__m256d);

/// An instruction. SAFETY: values of this module are made by kernels under `run_wide` alone, which has found AVX2.
macro_rules! avx {
    ($call:expr) => {{
        #[allow(unsafe_code)]
        unsafe {
            $call
        }
    }};
}

impl Number for Wide {
    #[inline(always)]
    fn of([a, b, c, d]: [f64; LANES]) -> Self {
        Wide(avx!(_mm256_set_pd(d, c, b, a)))
    }

    #[inline(always)]
    fn array(self) -> [f64; LANES] {
        let mut out = [0.0; LANES];
        avx!(_mm256_storeu_pd(out.as_mut_ptr(), self.0));
        out
    }
}

impl Real for Wide {
    type Which = Chosen;
    type Cell = Four;

    #[inline(always)]
    fn all(x: f64) -> Self {
        Wide(avx!(_mm256_set1_pd(x)))
    }

    #[inline(always)]
    fn load(from: &Four) -> Self {
        Wide(avx!(_mm256_loadu_pd(from.0.as_ptr())))
    }

    #[inline(always)]
    fn store(self, to: &mut Four) {
        avx!(_mm256_storeu_pd(to.0.as_mut_ptr(), self.0));
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Wide(avx!(_mm256_sqrt_pd(self.0)))
    }

    #[inline(always)]
    fn equals(self, b: Self) -> Chosen {
        Chosen(avx!(_mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, b.0)))
    }

    #[inline(always)]
    fn below(self, b: Self) -> Chosen {
        Chosen(avx!(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, b.0)))
    }

    #[inline(always)]
    fn at_most(self, b: Self) -> Chosen {
        Chosen(avx!(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, b.0)))
    }
}

impl Chosen {
    /// A bit for each body.
    #[inline(always)]
    fn bits(self) -> i32 {
        avx!(_mm256_movemask_pd(self.0))
    }
}

impl Mask<Wide> for Chosen {
    #[inline(always)]
    fn none() -> Self {
        Chosen(avx!(_mm256_setzero_pd()))
    }

    #[inline(always)]
    fn lane(self, k: usize) -> bool {
        self.bits() >> k & 1 == 1
    }

    #[inline(always)]
    fn all(self) -> bool {
        self.bits() == 15
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }

    #[inline(always)]
    fn select(self, a: Wide, b: Wide) -> Wide {
        Wide(avx!(_mm256_blendv_pd(b.0, a.0, self.0)))
    }
}

impl Not for Chosen {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Chosen(avx!(_mm256_xor_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(-1)))))
    }
}

impl BitAnd for Chosen {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, b: Self) -> Self {
        Chosen(avx!(_mm256_and_pd(self.0, b.0)))
    }
}

impl BitOr for Chosen {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, b: Self) -> Self {
        Chosen(avx!(_mm256_or_pd(self.0, b.0)))
    }
}

impl Add for Wide {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Wide(avx!(_mm256_add_pd(self.0, b.0)))
    }
}

impl Sub for Wide {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Wide(avx!(_mm256_sub_pd(self.0, b.0)))
    }
}

impl Mul for Wide {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Wide(avx!(_mm256_mul_pd(self.0, b.0)))
    }
}

impl Mul<f64> for Wide {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: f64) -> Self {
        self * Wide::all(b)
    }
}

impl Div for Wide {
    type Output = Self;
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        Wide(avx!(_mm256_div_pd(self.0, b.0)))
    }
}

impl Neg for Wide {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Wide(avx!(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))))
    }
}
