//! How smooth a motion is: the share of the angular accelerations that lies above a frequency.

use crate::scene::Scene;
use std::f64::consts::{PI, SQRT_2};
use taut::{Motion, Result, Vec3};

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

/// Runs a scene for `time` s in steps of `dt` and measures the angular accelerations from `from` s on, split at `cutoff` Hz.
pub fn smoothness(scene: &mut Scene, dt: f64, time: f64, from: f64, cutoff: f64) -> Result<Smoothness> {
    if !(dt.is_finite() && dt > 0.0) {
        return Err(taut::Error::input("time step", dt, "a positive, finite number of s"));
    }
    if !(cutoff > 0.0 && cutoff < 0.5 / dt) {
        return Err(taut::Error::input("cutoff", cutoff, format!("between 0 and half the step rate, {} Hz", 0.5 / dt)));
    }
    if !(from >= 0.0 && from < time && time.is_finite()) {
        return Err(taut::Error::input("start of the measurement", from, format!("from 0 to before {time} s")));
    }
    let law = coefficients(cutoff, dt);
    let mut bodies = Vec::new();
    for b in scene.world.bodies() {
        let view = scene.world.body(b)?;
        if view.motion == Motion::Dynamic {
            bodies.push((b, view.angular_velocity, HighPass::default()));
        }
    }
    let (mut all, mut above, mut count) = (0.0, 0.0, 0u64);
    for k in 0..(time / dt).round() as u64 {
        scene.world.step(dt)?;
        for (b, last, filter) in &mut bodies {
            let w = scene.world.body(*b)?.angular_velocity;
            let rate = (w - *last) / dt;
            *last = w;
            let high = filter.pass(rate, &law);
            if k as f64 * dt >= from {
                all += rate.length_squared();
                above += high.length_squared();
                count += 1;
            }
        }
    }
    let n = count.max(1) as f64;
    let share_above = if all > 0.0 { above / all } else { 0.0 };
    Ok(Smoothness { rms: f64::sqrt(all / n), rms_above: f64::sqrt(above / n), share_above })
}
