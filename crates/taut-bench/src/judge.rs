//! One judge for all engines. It sees poses and velocities after each step and nothing else.
//!
//! Stretch is the sum of the gaps of all joints over the length of the scene, at the worst instant. Energy is
//! 1 + (E - E0) / scale, with E from masses, inertias, poses and velocities: 1 for ever, since every scene is conservative.
//! A run has failed when the engine says so, when a number is not finite, or when the energy exceeds [`energy_limit`].
//! There is no limit on speeds: a light link of a chain that snaps taut is faster than ten times free fall in the exact solution too.

use crate::scene::{Motion, Scene};

/// Stretch below which a run counts as held.
pub const STRETCH_LIMIT: f64 = 0.01;

/// Energy above which a run has diverged: 10 %, and what a perfect first-order method shows when its velocities belong half a
/// step before its poses (1.5 per s of step: 2.5 % at 1/60 s, 15 % at 0.1 s).
pub fn energy_limit(h: f64) -> f64 {
    1.1 + 1.5 * h
}

/// Kinetic and potential energy, J.
pub fn energy(scene: &Scene, motions: &[Motion]) -> (f64, f64) {
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for (b, m) in scene.bodies.iter().zip(motions) {
        let w = m.rot.inverse() * m.ang;
        kinetic += 0.5 * b.mass * m.vel.length_squared() + 0.5 * w.dot(b.inertia * w);
        potential -= b.mass * scene.gravity.dot(m.pos);
    }
    (kinetic, potential)
}

/// Sum of the gaps of all joints and the largest of them, m.
pub fn gaps(scene: &Scene, motions: &[Motion]) -> (f64, f64) {
    let world = |k: usize, p| motions[k].pos + motions[k].rot * p;
    scene.joints.iter().fold((0.0, 0.0), |(sum, worst): (f64, f64), j| {
        let gap = (world(j.b, j.on_b) - j.a.map_or(j.on_a, |a| world(a, j.on_a))).length();
        // `max` drops a NaN, the sum keeps it.
        (sum + gap, worst.max(gap))
    })
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Steps seen.
    pub steps: usize,
    /// Why it failed.
    pub failure: Option<String>,
    /// Worst sum of gaps over the length.
    pub stretch: f64,
    /// Worst single gap over the length.
    pub single: f64,
    /// Energy, mean over the last tenth of the run (1 at the start).
    pub energy_left: f64,
    /// Largest energy.
    pub energy_peak: f64,
    /// First maximum of the kinetic energy that it falls 5 % below: value over the scale, and time in s.
    pub kinetic_peak: (f64, f64),
}

impl Verdict {
    /// Neither failed nor stretched to 1 %.
    pub fn held(&self) -> bool {
        self.failure.is_none() && self.stretch < STRETCH_LIMIT
    }
}

/// Judges a run as it goes.
#[derive(Debug)]
pub struct Judge<'a> {
    scene: &'a Scene,
    h: f64,
    steps: usize,
    start: f64,
    tail: (f64, usize),
    peak_passed: bool,
    seen: Verdict,
}

impl<'a> Judge<'a> {
    /// A judge of a run of `steps` steps of `h` s.
    pub fn new(scene: &'a Scene, h: f64, steps: usize) -> Self {
        let (k, p) = energy(scene, &scene.start());
        let seen = Verdict {
            steps: 0,
            failure: None,
            stretch: 0.0,
            single: 0.0,
            energy_left: 1.0,
            energy_peak: 1.0,
            kinetic_peak: (0.0, 0.0),
        };
        Judge { scene, h, steps, start: k + p, tail: (0.0, 0), peak_passed: false, seen }
    }

    /// The engine gave up.
    pub fn fail(&mut self, why: impl Into<String>) {
        self.seen.failure.get_or_insert(why.into());
    }

    /// Sees the motions after a step; false when the run has failed.
    pub fn see(&mut self, motions: &[Motion]) -> bool {
        let s = &mut self.seen;
        s.steps += 1;
        let time = s.steps as f64 * self.h;
        let (kinetic, potential) = energy(self.scene, motions);
        let (sum, single) = gaps(self.scene, motions);
        let e = 1.0 + (kinetic + potential - self.start) / self.scene.energy_scale;
        if !(e.is_finite() && sum.is_finite()) {
            self.fail(format!("not finite at {time:.3} s"));
            return false;
        }
        s.stretch = s.stretch.max(sum / self.scene.length);
        s.single = s.single.max(single / self.scene.length);
        s.energy_peak = s.energy_peak.max(e);
        let k = kinetic / self.scene.energy_scale;
        if !self.peak_passed && k >= s.kinetic_peak.0 {
            s.kinetic_peak = (k, time);
        }
        self.peak_passed |= k < 0.95 * s.kinetic_peak.0;
        s.energy_left = e;
        if 10 * s.steps > 9 * self.steps {
            self.tail.0 += e;
            self.tail.1 += 1;
        }
        if e > energy_limit(self.h) {
            self.fail(format!("energy {e:.2} at {time:.3} s"));
        }
        self.seen.failure.is_none()
    }

    /// The verdict.
    pub fn verdict(mut self) -> Verdict {
        if self.tail.1 > 0 {
            self.seen.energy_left = self.tail.0 / self.tail.1 as f64;
        }
        self.seen
    }
}
