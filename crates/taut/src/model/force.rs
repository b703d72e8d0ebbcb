//! Forces that act until they are removed, as the user gives them.

use crate::error::{Result, finite_vec, non_negative, positive};
use crate::ids::BodyId;
use crate::math::pose::Pose;
use glam::DVec3;
use std::f64::consts::TAU;

/// A spring and damper between two points.
///
/// A spring of 400 N/m, pulled out from 0.5 m to 0.6 m, pulls with 40 N and holds k x^2/2 = 2 J.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let bob = world.add(Body::particle(1.0).at(0.6 * Vec3::X))?;
/// let (i, j) = (bob, world.ground());
/// let (point_i, point_j) = (Vec3::ZERO, Vec3::ZERO);
/// let spring = Spring { i, j, point_i, point_j, stiffness: 400.0, damping: 0.0, rest_length: 0.5 };
/// assert!((spring.energy(0.6) - 2.0).abs() < 1e-12);
/// world.add(spring)?;
/// assert!((world.energy()?.elastic - 2.0).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
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
///
/// Whatever is grabbed is drawn to the pointer within a second; its weight lets it sag by g/(2 pi f)^2 = 62 mm.
/// ```
/// use taut::{Body, MouseSpring, Vec3, World};
/// let mut world = World::new();
/// let lorry = world.add(Body::particle(20_000.0))?;
/// let grip = world.add(MouseSpring::new(lorry, Vec3::ZERO, Vec3::X))?;
/// for _ in 0..120 {
///     world.step(1.0 / 60.0)?;
/// }
/// let sag = 9.81 / (2.0 * std::f64::consts::TAU).powi(2);
/// assert!((world.body(lorry)?.position() - Vec3::new(1.0, -sag, 0.0)).length() < 1e-3);
/// world.remove(grip)?;
/// # Ok::<(), taut::Error>(())
/// ```
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

impl Spring {
    /// A spring of body i to body j, between their centres and as long as they are apart until told otherwise.
    pub fn between(i: BodyId, j: BodyId) -> SpringBuilder {
        SpringBuilder { i, j, ends: None, stiffness: 0.0, damping: 0.0, rest_length: None, name: String::new() }
    }
}

/// A spring to be added to a world; see [`Spring::between`].
///
/// A scale: 2 kg on a spring of 981 N/m, as long as it hangs there, stretch it by 20 mm.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let pan = world.add(Body::particle(2.0).at(-0.5 * Vec3::Y))?;
/// let spring = Spring::between(pan, world.ground()).stiffness(981.0).damping(80.0).named("scale");
/// let spring = world.add(spring)?;
/// for _ in 0..300 {
///     world.step(0.01)?;
/// }
/// assert!((world.body(pan)?.position().y + 0.52).abs() < 1e-6);
/// assert_eq!(world.force_name(spring)?, "scale");
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SpringBuilder {
    pub(crate) i: BodyId,
    pub(crate) j: BodyId,
    ends: Option<(DVec3, DVec3)>,
    stiffness: f64,
    damping: f64,
    rest_length: Option<f64>,
    pub(crate) name: String,
}

impl SpringBuilder {
    /// Its ends on the two bodies, world, m.
    pub fn ends(mut self, on_i: DVec3, on_j: DVec3) -> Self {
        self.ends = Some((on_i, on_j));
        self
    }

    /// Stiffness, N/m. Zero makes a pure damper.
    pub fn stiffness(mut self, stiffness: f64) -> Self {
        self.stiffness = stiffness;
        self
    }

    /// Damping along the line, N s/m.
    pub fn damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// Length without force, m; without it the distance of its ends when it is added.
    pub fn rest_length(mut self, length: f64) -> Self {
        self.rest_length = Some(length);
        self
    }

    /// Names it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The spring between bodies at these poses.
    pub(crate) fn place(&self, i: &Pose, j: &Pose) -> Result<Spring> {
        let (a, b) = self.ends.unwrap_or((i.pos, j.pos));
        for (name, end) in [("spring end on the first body", a), ("spring end on the second body", b)] {
            finite_vec(name, end, "m")?;
        }
        let (point_i, point_j) = match self.ends {
            Some(_) => (i.to_local(a), j.to_local(b)),
            None => (DVec3::ZERO, DVec3::ZERO),
        };
        let (stiffness, damping) = (self.stiffness, self.damping);
        let rest_length = self.rest_length.unwrap_or((a - b).length());
        Ok(Spring { i: self.i, j: self.j, point_i, point_j, stiffness, damping, rest_length })
    }
}

/// A force with a name, to be added to a world.
///
/// A steady wind of 30 N that is found by its name and dies down.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let sail = world.add(Body::particle(10.0))?;
/// world.add(Force::Point { body: sail, point: Vec3::ZERO, force: 30.0 * Vec3::X }.named("wind"))?;
/// let wind = world.find_force("wind")?;
/// assert_eq!(world.force_view(wind)?.force, 30.0 * Vec3::X);
/// world.remove(wind)?;
/// assert!(world.find_force("wind").is_err());
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NamedForce {
    pub(crate) force: Force,
    pub(crate) name: String,
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
///
/// A parachutist of 80 kg sinks at m g/c, with a drag of 156.96 N s/m at 5 m/s.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let jumper = world.add(Body::particle(80.0).at(1000.0 * Vec3::Y))?;
/// world.add(Force::Drag { body: jumper, linear: 156.96, angular: 0.0 })?;
/// for _ in 0..1000 {
///     world.step(0.01)?;
/// }
/// assert!((world.body(jumper)?.velocity().y + 5.0).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
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
    /// The same with a name, to be added to a world.
    pub fn named(self, name: impl Into<String>) -> NamedForce {
        NamedForce { force: self, name: name.into() }
    }

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
                non_negative("mouse damping_ratio", m.damping_ratio, "")?;
            }
        }
        Ok(())
    }
}
