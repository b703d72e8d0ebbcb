//! How smooth a motion is: the share of the angular accelerations that lies above a frequency.

use crate::scene::Scene;
use std::f64::consts::{PI, SQRT_2};
use taut::{BodyId, Error, Motion, Result, Vec3, World};

/// Angular accelerations of all rigid bodies of a scene over a time.
#[derive(Clone, Copy, Debug)]
pub struct Smoothness {
    /// Root mean square over bodies and time, rad/s^2.
    pub rms: f64,
    /// The same of the part above the cutoff, rad/s^2.
    pub rms_above: f64,
    /// Share of the power above the cutoff: (rms_above / rms)^2; zero when nothing moved.
    pub share_above: f64,
}

/// High-pass filter of second order (Butterworth, bilinear transform) for one vector.
#[derive(Clone, Copy, Default)]
struct HighPass {
    input: [Vec3; 2],
    output: [Vec3; 2],
}

/// (b0, b1, b2, a1, a2) for a cutoff in Hz at a sampling step in s.
fn coefficients(cutoff: f64, dt: f64) -> [f64; 5] {
    let k = (PI * cutoff * dt).tan();
    let norm = 1.0 / (1.0 + SQRT_2 * k + k * k);
    [norm, -2.0 * norm, norm, 2.0 * (k * k - 1.0) * norm, (1.0 - SQRT_2 * k + k * k) * norm]
}

impl HighPass {
    fn pass(&mut self, x: Vec3, [b0, b1, b2, a1, a2]: &[f64; 5]) -> Vec3 {
        let y = *b0 * x + *b1 * self.input[0] + *b2 * self.input[1] - *a1 * self.output[0] - *a2 * self.output[1];
        self.input = [x, self.input[0]];
        self.output = [y, self.output[0]];
        y
    }
}

/// Measures the angular accelerations of a run as it goes.
#[derive(Clone)]
pub struct SmoothnessMeter {
    dt: f64,
    from: f64,
    law: [f64; 5],
    /// Rigid bodies, their angular velocities at the last step, rad/s, and their filters.
    bodies: Vec<(BodyId, Vec3, HighPass)>,
    /// Steps seen.
    steps: u64,
    /// Sums of squares, all and above the cutoff, rad^2/s^4, and how many.
    all: f64,
    above: f64,
    count: u64,
}

impl SmoothnessMeter {
    /// For a run of `world` from now on in steps of `dt` s, measured from `from` s on and split at `cutoff` Hz.
    pub fn new(world: &World, dt: f64, from: f64, cutoff: f64) -> Result<Self> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(Error::input("time step", dt, "a positive, finite number of s"));
        }
        if !(cutoff > 0.0 && cutoff < 0.5 / dt) {
            return Err(Error::input("cutoff", cutoff, format!("between 0 and half the step rate, {} Hz", 0.5 / dt)));
        }
        let mut bodies = Vec::new();
        for b in world.bodies().filter(|b| b.motion() == Motion::Dynamic) {
            bodies.push((b.id(), b.angular_velocity(), HighPass::default()));
        }
        let law = coefficients(cutoff, dt);
        Ok(SmoothnessMeter { dt, from, law, bodies, steps: 0, all: 0.0, above: 0.0, count: 0 })
    }

    /// Looks at the world after a step.
    pub fn see(&mut self, world: &World) -> Result<()> {
        for (b, last, filter) in &mut self.bodies {
            let w = world.body(*b)?.angular_velocity();
            let rate = (w - *last) / self.dt;
            *last = w;
            let high = filter.pass(rate, &self.law);
            if self.steps as f64 * self.dt >= self.from {
                self.all += rate.length_squared();
                self.above += high.length_squared();
                self.count += 1;
            }
        }
        self.steps += 1;
        Ok(())
    }

    /// What it came to.
    pub fn done(&self) -> Smoothness {
        let n = self.count.max(1) as f64;
        let share_above = if self.all > 0.0 { self.above / self.all } else { 0.0 };
        Smoothness { rms: f64::sqrt(self.all / n), rms_above: f64::sqrt(self.above / n), share_above }
    }
}

/// Runs a scene for `time` s in steps of `dt` and measures the angular accelerations from `from` s on, split at `cutoff` Hz.
pub fn smoothness(scene: &mut Scene, dt: f64, time: f64, from: f64, cutoff: f64) -> Result<Smoothness> {
    let mut meter = SmoothnessMeter::new(&scene.world, dt, from, cutoff)?;
    if !(from >= 0.0 && from < time && time.is_finite()) {
        return Err(Error::input("start of the measurement", from, format!("from 0 to before {time} s")));
    }
    for _ in 0..(time / dt).round() as u64 {
        scene.step(dt)?;
        meter.see(&scene.world)?;
    }
    Ok(meter.done())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_halves_the_power_at_its_cutoff_and_keeps_what_is_far_above() {
        let (dt, cutoff) = (1e-3, 10.0);
        let law = coefficients(cutoff, dt);
        let power = |frequency: f64| {
            let mut filter = HighPass::default();
            let wave = |k: usize| (2.0 * PI * frequency * dt * k as f64).sin();
            let out: Vec<f64> = (0..10_000).map(|k| filter.pass(wave(k) * Vec3::X, &law).x).collect();
            out[5_000..].iter().map(|y| y * y).sum::<f64>() / (5_000..10_000).map(|k| wave(k) * wave(k)).sum::<f64>()
        };
        // Second order: 1/(1 + (cutoff/f)^4).
        for (frequency, wanted) in [(1.0, 1e-4), (10.0, 0.5), (20.0, 16.0 / 17.0), (100.0, 1.0)] {
            let p = power(frequency);
            assert!((p - wanted).abs() < 0.02 * wanted.max(1e-3), "{frequency} Hz: {p} for {wanted}");
        }
    }
}
