//! Kernels that are compiled twice: for any machine, and for vectors of four doubles where the machine has them.
//!
//! Both are the same code. The compiler may not change the order of sums nor fuse a multiplication with an addition, and no such
//! instructions are switched on, so that the bits are the same; tests beside the kernels compare them.
//! This is the one place of the engine with `unsafe` code: calls of functions that need what was just found to be there.

mod four;
mod number;
#[cfg(target_arch = "x86_64")]
mod wide;

pub use four::{Four, LANES, Vec4, Which};
pub use number::{Mask, Number, Real};

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

/// A piece of work on four bodies at a time, written for any `Number`. All that it calls should be `#[inline(always)]`.
pub trait WideKernel {
    /// What it gives.
    type Out;
    /// Does it.
    fn run<F: Number>(self) -> Self::Out;
}

/// Runs it with the numbers of four bodies in one vector where the machine has such.
#[inline]
#[allow(unsafe_code)]
pub fn run_wide<K: WideKernel>(kernel: K) -> K::Out {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has what `in_vectors` is compiled for.
        return unsafe { in_vectors(kernel) };
    }
    kernel.run::<Four>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn in_vectors<K: WideKernel>(kernel: K) -> K::Out {
    kernel.run::<wide::Wide>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that numbers can do, on some of them.
    struct All([[f64; LANES]; 3]);

    impl WideKernel for All {
        type Out = Vec<[u64; LANES]>;

        #[inline(always)]
        fn run<F: Number>(self) -> Self::Out {
            let [a, b, c] = self.0.map(F::of);
            let (less, same, most) = (a.below(b), a.equals(b), a.at_most(b));
            let masks = [less, same, most, !less, less | same, most & !same, F::Which::none()];
            let told = masks.map(|m| {
                let bit = |yes: bool, k: usize| u64::from(yes) << k;
                let lanes = (0..LANES).map(|k| bit(m.lane(k), k)).sum::<u64>();
                [lanes, bit(m.all(), 0), bit(m.any(), 0), 0]
            });
            let numbers = [a + b, a - b, a * b, a / b, a * 3.0, -a, c.sqrt(), a.max(b), F::all(c.array()[1])];
            let vector = Vec4 { x: a, y: b, z: c };
            let other = Vec4 { x: c, y: a, z: b };
            let moved = vector.cross(other).select(less, vector.each(other) - other * a) + -vector * 0.5;
            let rest = [vector.dot(other), moved.x, moved.y, moved.z, most.select(a, c)];
            assert_eq!(moved.lane(2).to_array().map(f64::to_bits), moved.array()[2].to_array().map(f64::to_bits));
            told.into_iter().chain(numbers.into_iter().chain(rest).map(|x| x.array().map(f64::to_bits))).collect()
        }
    }

    #[test]
    fn vectors_have_the_bits_of_arrays() {
        let lists = [[1.0, -2.5, 0.0, 3e300], [1.0, 7e-3, -0.0, 1e-300], [2.0, 3.0, 0.5, f64::INFINITY]];
        for turn in 0..LANES {
            let lists = lists.map(|mut list| {
                list.rotate_left(turn);
                list
            });
            assert_eq!(run_wide(All(lists)), All(lists).run::<Four>());
        }
    }
}
