//! Draws of the generator. Every part of a world has a stream of its own, keyed by the seed, the
//! name of the part and its number: what one part draws never changes another.

use crate::random::Random;
use taut::Vec3;

/// A stream of random numbers for one part of a world.
pub(super) struct Draw(Random);

impl Draw {
    /// The stream of part `k` of a kind.
    pub fn of(seed: u64, kind: &str, k: usize) -> Self {
        let name = kind.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| scatter(h ^ u64::from(b)));
        Draw(Random::new(scatter(scatter(seed) ^ name).wrapping_add(scatter(k as u64 + 1))))
    }

    /// Uniform in [low, high), to a thousandth: files stay readable.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        thousandth(self.0.uniform(low, high))
    }

    /// Uniform in the logarithm between two positive numbers, to four digits.
    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        // From libm, so that a seed gives the same world on every machine.
        digits(low * libm::exp(self.0.uniform(0.0, libm::log(high / low))), 4)
    }

    /// A whole number below `n`, which is positive.
    pub fn below(&mut self, n: usize) -> usize {
        (self.0.uniform(0.0, n as f64) as usize).min(n - 1)
    }

    /// True with a probability.
    pub fn chance(&mut self, p: f64) -> bool {
        self.0.uniform(0.0, 1.0) < p
    }

    /// Uniform in a box around the origin.
    pub fn within(&mut self, half: f64) -> Vec3 {
        Vec3::new(self.range(-half, half), self.range(-half, half), self.range(-half, half))
    }

    /// A direction, of length 1 to a thousandth.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.within(1.0);
            if v.length() > 0.1 && v.length() < 1.0 {
                return neat(v / v.length());
            }
        }
    }
}

/// A bijection of 64 bits without visible pattern (the finaliser of splitmix64).
fn scatter(x: u64) -> u64 {
    let z = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)).wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// A vector to a thousandth.
pub(super) fn neat(v: Vec3) -> Vec3 {
    Vec3::new(thousandth(v.x), thousandth(v.y), thousandth(v.z))
}

fn thousandth(x: f64) -> f64 {
    // The sum makes zero of minus zero, which a file would lose.
    (x * 1000.0).round() / 1000.0 + 0.0
}

/// A number to some significant digits.
pub(super) fn digits(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits.max(1) - 1).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same numbers on every machine: these were worked out by another program.
    #[test]
    fn draws_are_what_they_were() {
        let mut draw = Draw::of(7, "mass", 3);
        let numbers = [draw.range(-1.0, 1.0), draw.log(1e-3, 1e6), draw.log(1e-3, 1e6), draw.below(1000) as f64];
        assert_eq!(numbers, [0.501, 974_600.0, 758_000.0, 868.0]);
        assert_eq!(draw.direction(), Vec3::new(-0.002, 0.557, -0.831));
    }

    #[test]
    fn parts_have_draws_of_their_own() {
        let first = |seed, kind, k| Draw::of(seed, kind, k).0.uniform(0.0, 1.0);
        let all = [first(1, "a", 0), first(2, "a", 0), first(1, "b", 0), first(1, "a", 1), first(2, "a", 1)];
        for (k, x) in all.iter().enumerate() {
            assert!(all[..k].iter().all(|y| y != x), "{all:?}");
        }
    }

    #[test]
    fn minus_zero_is_zero() {
        assert_eq!(thousandth(-1e-9).to_bits(), 0);
    }
}
