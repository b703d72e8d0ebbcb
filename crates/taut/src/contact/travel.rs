//! How bodies move within a step as far as is known when it begins, and when two solids first touch.
//!
//! ```text
//! x(t) = x + t (v + h g),    R(t) = exp(t w) R
//! conservative advancement: along the normal n between closest points the gap d closes no faster than
//!     s = -n.(v_a - v_b) + |n x w_a| r_a + |n x w_b| r_b         (r: farthest core point from the centre of mass)
//! at any later time, so that t + d / s is before the impact (Mirtich 1996).
//! ```
//! What joints do within the step is not known yet. A body tied to others may be given the velocity of any of them, so contacts are
//! kept as far apart as that would carry it.

use crate::math::pose::Pose;
use crate::math::so3::exp;
use crate::tuning::T;
use glam::DVec3;

/// The expected motion of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Travel {
    pub start: Pose,
    /// Velocity of the centre of mass with the kick of gravity, m/s.
    pub vel: DVec3,
    /// rad/s, world frame.
    pub omega: DVec3,
    /// Speed by which joints may change its velocity within the step, in any direction, m/s.
    pub jerk: f64,
}

impl Travel {
    /// A body at rest.
    pub fn rest(start: Pose) -> Self {
        Travel { start, vel: DVec3::ZERO, omega: DVec3::ZERO, jerk: 0.0 }
    }

    /// Whether it is not at rest.
    pub fn moves(&self) -> bool {
        self.vel != DVec3::ZERO || self.omega != DVec3::ZERO
    }

    /// Its pose after `t` seconds.
    pub fn at(&self, t: f64) -> Pose {
        if t == 0.0 {
            return self.start;
        }
        let rot = if self.omega == DVec3::ZERO { self.start.rot } else { exp(self.omega * t) * self.start.rot };
        Pose { pos: self.start.pos + self.vel * t, rot }
    }
}

/// Two bodies on their way: motions and arms of the parts that may meet, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course<'a> {
    pub a: &'a Travel,
    pub b: &'a Travel,
    pub arms: (f64, f64),
}

impl Course<'_> {
    /// How far the two can come nearer in a time, whatever the direction, m.
    pub fn approach(&self, h: f64) -> f64 {
        let turn = self.a.omega.length() * self.arms.0 + self.b.omega.length() * self.arms.1;
        h * ((self.a.vel - self.b.vel).length() + turn)
    }

    /// How far joints may throw the two at each other in a time, m.
    pub fn thrown(&self, h: f64) -> f64 {
        h * (self.a.jerk + self.b.jerk)
    }

    /// Speed at which a gap along `n` (from b to a) may close at most, m/s.
    fn closing(&self, n: DVec3) -> f64 {
        let turn = n.cross(self.a.omega).length() * self.arms.0 + n.cross(self.b.omega).length() * self.arms.1;
        turn - n.dot(self.a.vel - self.b.vel)
    }

    /// The time within `h` when the gap is down to `near`; `gap` tells normal and gap at the time it is given.
    pub fn impact(&self, h: f64, near: f64, mut gap: impl FnMut(f64) -> Option<(DVec3, f64)>) -> Option<f64> {
        let mut t = 0.0;
        for _ in 0..T.contact.advances {
            let (n, d) = gap(t)?;
            if d <= near {
                return Some(t);
            }
            let speed = self.closing(n);
            if speed <= 0.0 {
                return None;
            }
            t += (d - 0.5 * near) / speed;
            if !(t <= h) {
                return None;
            }
        }
        Some(t)
    }
}
