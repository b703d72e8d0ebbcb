//! Kernels that are compiled twice: for any machine, and for vectors of four doubles where the machine has them.
//!
//! Both are the same code. The compiler may not change the order of sums nor fuse a multiplication with an addition, and no such
//! instructions are switched on, so that the bits are the same; tests beside the kernels compare them.
//! This is the one place of the engine with `unsafe` code: a call of a function that needs what was just found to be there.

mod four;

pub use four::{Four, LANES, Vec4, Which};

/// A piece of work. Its `run` should be `#[inline(always)]`, and so should be what it calls, for only what is inlined is compiled again.
pub trait Kernel {
    /// What it gives.
    type Out;
    /// Does it.
    fn run(self) -> Self::Out;
}

/// Runs a kernel with the widest vectors that the machine has.
///
/// ```
/// struct Sum<'a>(&'a [f64; 4], &'a [f64; 4]);
/// impl taut_lanes::Kernel for Sum<'_> {
///     type Out = [f64; 4];
///     #[inline(always)]
///     fn run(self) -> [f64; 4] {
///         std::array::from_fn(|k| self.0[k] + self.1[k])
///     }
/// }
/// assert_eq!(taut_lanes::run(Sum(&[1.0; 4], &[2.0; 4])), [3.0; 4]);
/// ```
#[inline]
#[allow(unsafe_code)]
pub fn run<K: Kernel>(kernel: K) -> K::Out {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has what `four` is compiled for.
        return unsafe { four(kernel) };
    }
    kernel.run()
}

/// The same for vectors of four doubles (AVX2, without fused multiplications).
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn four<K: Kernel>(kernel: K) -> K::Out {
    kernel.run()
}
