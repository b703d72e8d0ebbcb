//! Forces that act until they are removed, as the user gives them.

use crate::error::{Result, finite_vec, non_negative, positive};
use crate::ids::BodyId;
use glam::DVec3;
use std::f64::consts::TAU;

/// A spring and damper between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// First body.
    pub i: BodyId,
    /// Second body.
    pub j: BodyId,
    /// Anchor on the first body, its own coordinates, m.
    pub point_i: DVec3,
    /// Anchor on the second body, its own coordinates, m.
    pub point_j: DVec3,
    /// Stiffness, N/m. Zero makes a pure damper.
    pub stiffness: f64,
    /// Damping along the line, N s/m.
    pub damping: f64,
    /// Length without force, m.
    pub rest_length: f64,
}

/// A spring from a point of a body to a point in space whose stiffness scales with the body's mass, so that it feels the
/// same on a feather and on a lorry: k = m (2 pi f)^2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouseSpring {
    /// The body it grabs.
    pub body: BodyId,
    /// Where, in the body's own coordinates, m.
    pub point: DVec3,
    /// Where to, in the world, m.
    pub target: DVec3,
    /// Natural frequency of the body on it, Hz.
    pub frequency: f64,
    /// 1 is critically damped.
    pub damping_ratio: f64,
}

impl Spring {
    /// The energy it holds at a length, J.
    pub fn energy(&self, length: f64) -> f64 {
        let stretch = length - self.rest_length;
        0.5 * self.stiffness * stretch * stretch
    }
}

impl MouseSpring {
    /// 2 Hz, critically damped.
    pub fn new(body: BodyId, point: DVec3, target: DVec3) -> Self {
        MouseSpring { body, point, target, frequency: 2.0, damping_ratio: 1.0 }
    }

    /// Stiffness (N/m) and damping (N s/m) on a body of the given mass.
    pub fn constants(&self, mass: f64) -> (f64, f64) {
        let w = TAU * self.frequency;
        (mass * w * w, 2.0 * self.damping_ratio * mass * w)
    }
}

/// A force that acts until it is removed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Force {
    /// A constant force at a point of a body.
    Point {
        /// The body.
        body: BodyId,
        /// Where, in the body's own coordinates, m.
        point: DVec3,
        /// The force in the world, N.
        force: DVec3,
    },
    /// A constant torque.
    Torque {
        /// The body.
        body: BodyId,
        /// The torque in the world, N m.
        torque: DVec3,
    },
    /// Resistance to all motion of a body, whatever its mass: -linear v at its centre and -angular w. Implicit.
    Drag {
        /// The body.
        body: BodyId,
        /// Force per velocity, N s/m.
        linear: f64,
        /// Torque per angular velocity, the same about every axis, N m s/rad.
        angular: f64,
    },
    /// Spring and damper between two points.
    Spring(Spring),
    /// Mouse spring.
    Mouse(MouseSpring),
}

impl Force {
    /// Bodies it acts on.
    pub fn bodies(&self) -> (BodyId, Option<BodyId>) {
        match self {
            Force::Point { body, .. } | Force::Torque { body, .. } | Force::Drag { body, .. } => (*body, None),
            Force::Spring(s) => (s.i, Some(s.j)),
            Force::Mouse(m) => (m.body, None),
        }
    }

    /// Anchors with the bodies that carry them.
    pub(crate) fn points(&self) -> Vec<(BodyId, DVec3)> {
        match self {
            Force::Point { body, point, .. } => vec![(*body, *point)],
            Force::Torque { .. } | Force::Drag { .. } => Vec::new(),
            Force::Spring(s) => vec![(s.i, s.point_i), (s.j, s.point_j)],
            Force::Mouse(m) => vec![(m.body, m.point)],
        }
    }

    pub(crate) fn validate(&self) -> Result<()> {
        match self {
            Force::Point { point, force, .. } => {
                finite_vec("force point", *point, "m")?;
                finite_vec("force", *force, "N")?;
            }
            Force::Torque { torque, .. } => {
                finite_vec("torque", *torque, "N m")?;
            }
            Force::Drag { linear, angular, .. } => {
                non_negative("drag linear", *linear, "N s/m")?;
                non_negative("drag angular", *angular, "N m s/rad")?;
            }
            Force::Spring(s) => {
                finite_vec("spring point_i", s.point_i, "m")?;
                finite_vec("spring point_j", s.point_j, "m")?;
                non_negative("spring stiffness", s.stiffness, "N/m")?;
                non_negative("spring damping", s.damping, "N s/m")?;
                non_negative("spring rest_length", s.rest_length, "m")?;
            }
            Force::Mouse(m) => {
                finite_vec("mouse point", m.point, "m")?;
                finite_vec("mouse target", m.target, "m")?;
                positive("mouse frequency", m.frequency, "Hz")?;
                non_negative("mouse damping_ratio", m.damping_ratio, "(no unit)")?;
            }
        }
        Ok(())
    }
}
