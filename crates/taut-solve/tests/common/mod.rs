//! A small generator for tests, here and in the engine.
#![allow(dead_code, reason = "each test file uses its own part")]

use glam::{DQuat as Quat, DVec3 as Vec3};

/// SplitMix64: the same numbers on every machine.
pub struct Rng(pub u64);

impl Rng {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// In the cube of half side `r`.
    pub fn vec(&mut self, r: f64) -> Vec3 {
        Vec3::new(self.range(-r, r), self.range(-r, r), self.range(-r, r))
    }

    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vec(1.0);
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    pub fn quat(&mut self) -> Quat {
        Quat::from_axis_angle(self.unit(), self.range(-3.0, 3.0))
    }
}
