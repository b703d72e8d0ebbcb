//! A body as it is added to a world.

use super::field::Exposure;
use super::{BodyEntry, Motion};
use crate::contact::collider::Collider;
use crate::contact::shape::Shape;
use crate::error::{Error, Result, finite, finite_vec, non_negative, positive};
use crate::joints::Locks;
use crate::mass::MassProperties;
use crate::math::pose::{Pose, unit_or_exact};
use glam::{DMat3, DQuat, DVec3};

/// A body to be added to a world ([`World::add`](crate::World::add)).
///
/// ```
/// use taut::{Body, Collider, MassProperties, Shape, Vec3, World};
/// let mut world = World::new();
/// let crate_ = world.add(Body::solid(Shape::cuboid(Vec3::splat(0.5)), 400.0)?.at(2.0 * Vec3::Y).named("crate"))?;
/// let anvil = world.add(
///     Body::dynamic(MassProperties::sphere(7800.0, 0.2)?)
///         .at(4.0 * Vec3::Y)
///         .moving(Vec3::X, Vec3::ZERO)
///         .collider(Collider::new(Shape::ball(0.2)).friction(0.4)),
/// )?;
/// assert_eq!(world.body(crate_)?.mass(), 400.0);
/// assert_eq!(world.body(anvil)?.velocity(), Vec3::X);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    /// How it moves.
    pub motion: Motion,
    /// Mass and inertia; not used for fixed and kinematic bodies. Its centre is ignored: `pose` places the centre of mass.
    pub mass: Option<MassProperties>,
    /// Pose of the centre of mass.
    pub pose: Pose,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity in the world frame, rad/s.
    pub angular_velocity: DVec3,
    /// Rate at which the linear velocity decays, 1/s.
    pub linear_damping: f64,
    /// Rate at which the angular velocity decays, 1/s.
    pub angular_damping: f64,
    /// How much of gravity it feels: 1 is all, 0 none, -1 makes it rise. No unit.
    pub gravity_scale: f64,
    /// Directions in the world in which it cannot move or turn.
    pub locks: Locks,
    /// Whether it takes part; one that does not stands where it is and meets nothing.
    pub enabled: bool,
    /// Its colliders.
    pub colliders: Vec<Collider>,
    /// A number of the user's own.
    pub user_data: u64,
    /// Name in reports and errors.
    pub name: String,
    /// What water and wind see of it.
    pub exposure: Exposure,
    /// How fast it can go, m/s, and turn, rad/s; infinite where nothing holds it.
    pub top_speed: [f64; 2],
    /// The rotation is taken to the last bit.
    pub(crate) exact: bool,
}

impl Body {
    fn new(motion: Motion, mass: Option<MassProperties>) -> Self {
        Body {
            motion,
            mass,
            pose: Pose::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            linear_damping: 0.0,
            angular_damping: 0.0,
            gravity_scale: 1.0,
            locks: Locks::NONE,
            enabled: true,
            colliders: Vec::new(),
            user_data: 0,
            name: String::new(),
            exposure: Exposure::default(),
            top_speed: [f64::INFINITY; 2],
            exact: false,
        }
    }

    /// A rigid body.
    pub fn dynamic(mass: MassProperties) -> Self {
        Body::new(Motion::Dynamic, Some(mass))
    }

    /// A rigid body of a shape and a density (kg/m^3), which collides with this shape.
    pub fn solid(shape: Shape, density: f64) -> Result<Self> {
        let mass = MassProperties::of(&shape, density)?;
        Ok(Body::dynamic(mass).collider(Collider::new(shape).at(-mass.center)))
    }

    /// A point mass, kg.
    pub fn particle(mass: f64) -> Self {
        Body::new(
            Motion::Particle,
            Some(MassProperties { mass, center: DVec3::ZERO, inertia: DMat3::ZERO, solid: None }),
        )
    }

    /// A body that does not move.
    pub fn fixed() -> Self {
        Body::new(Motion::Fixed, None)
    }

    /// A body that the user moves.
    pub fn kinematic() -> Self {
        Body::new(Motion::Kinematic, None)
    }

    /// Places the centre of mass, m.
    pub fn at(mut self, pos: DVec3) -> Self {
        self.pose.pos = pos;
        self
    }

    /// Orients the body.
    pub fn rotated(mut self, rot: DQuat) -> Self {
        (self.pose.rot, self.exact) = (rot, false);
        self
    }

    /// Places the centre of mass at a pose that another world had, to the last bit: its rotation is not normalised again and must be of
    /// length 1 to 1e-12.
    pub fn posed(mut self, pose: Pose) -> Self {
        (self.pose, self.exact) = (pose, true);
        self
    }

    /// Sets the start velocity (m/s) and angular velocity (rad/s, world frame).
    pub fn moving(mut self, velocity: DVec3, angular_velocity: DVec3) -> Self {
        self.velocity = velocity;
        self.angular_velocity = angular_velocity;
        self
    }

    /// Sets the decay rates of linear and angular velocity, 1/s.
    pub fn damped(mut self, linear: f64, angular: f64) -> Self {
        self.linear_damping = linear;
        self.angular_damping = angular;
        self
    }

    /// Sets how much of gravity it feels, no unit.
    pub fn gravity_scale(mut self, scale: f64) -> Self {
        self.gravity_scale = scale;
        self
    }

    /// Keeps it from moving or turning in some directions of the world.
    pub fn locked(mut self, locks: Locks) -> Self {
        self.locks = locks;
        self
    }

    /// What water and wind see of it, in place of its colliders.
    pub fn exposed(mut self, exposure: Exposure) -> Self {
        self.exposure = exposure;
        self
    }

    /// How fast it can go, m/s, and turn, rad/s: something without weight holds it back from there on. Infinite where nothing does.
    pub fn top_speed(mut self, linear: f64, angular: f64) -> Self {
        self.top_speed = [linear, angular];
        self
    }

    /// Adds it switched off.
    pub fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// Gives it a collider; several may be given.
    pub fn collider(mut self, collider: Collider) -> Self {
        self.colliders.push(collider);
        self
    }

    /// A number of the user's own.
    pub fn user_data(mut self, data: u64) -> Self {
        self.user_data = data;
        self
    }

    /// Names the body, for reports, errors and [`World::find_body`](crate::World::find_body).
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    pub(crate) fn build(&self) -> Result<(BodyEntry, Pose)> {
        finite_vec("body position", self.pose.pos, "m")?;
        finite_vec("body velocity", self.velocity, "m/s")?;
        finite_vec("body angular velocity", self.angular_velocity, "rad/s")?;
        non_negative("linear damping", self.linear_damping, "1/s")?;
        non_negative("angular damping", self.angular_damping, "1/s")?;
        finite("gravity scale", self.gravity_scale, "")?;
        self.exposure.validate()?;
        top_speed(self.top_speed)?;
        let rot = unit_or_exact(self.pose.rot, self.exact)?;
        let mut entry = BodyEntry::standing(self.name.clone());
        entry.motion = self.motion;
        (entry.linear_damping, entry.angular_damping) = (self.linear_damping, self.angular_damping);
        (entry.gravity_scale, entry.enabled, entry.user_data) = (self.gravity_scale, self.enabled, self.user_data);
        (entry.exposure, entry.top_speed) = (self.exposure, self.top_speed);
        entry.weigh(self.motion, self.mass.as_ref())?;
        if self.motion == Motion::Particle && self.angular_velocity != DVec3::ZERO {
            let expected = "zero: a particle does not rotate";
            return Err(Error::input("angular velocity of a particle", self.angular_velocity, expected));
        }
        Ok((entry, Pose { pos: self.pose.pos, rot }))
    }
}

impl BodyEntry {
    /// One that stands where it is.
    pub(crate) fn standing(name: String) -> Self {
        BodyEntry {
            motion: Motion::Fixed,
            mass: 0.0,
            inertia: DMat3::ZERO,
            solid: None,
            linear_damping: 0.0,
            angular_damping: 0.0,
            gravity_scale: 1.0,
            locks: (Locks::NONE, None),
            enabled: true,
            user_data: 0,
            name,
            target: None,
            load: (DVec3::ZERO, DVec3::ZERO),
            colliders: Vec::new(),
            soft: None,
            exposure: Exposure::default(),
            top_speed: [f64::INFINITY; 2],
            joints: Vec::new(),
        }
    }

    /// Takes the mass that a motion needs; a body that does not move freely has none.
    pub(crate) fn weigh(&mut self, motion: Motion, mass: Option<&MassProperties>) -> Result<()> {
        (self.mass, self.inertia, self.solid) = match (motion, mass) {
            (Motion::Dynamic, Some(m)) => {
                m.validate()?;
                (m.mass, m.inertia, m.solid)
            }
            (Motion::Particle, Some(m)) => (positive("mass", m.mass, "kg")?, DMat3::ZERO, None),
            (Motion::Dynamic | Motion::Particle, None) => {
                return Err(Error::input("mass", "none", "mass properties for a body that moves freely"));
            }
            _ => (0.0, DMat3::ZERO, None),
        };
        self.motion = motion;
        Ok(())
    }
}

/// Refuses what is no top speed.
pub(crate) fn top_speed(most: [f64; 2]) -> Result<()> {
    for (name, value, unit) in [("top speed", most[0], "m/s"), ("top angular speed", most[1], "rad/s")] {
        if !(value > 0.0) {
            return Err(Error::input(name, value, format!("a positive number of {unit}, infinite for any")));
        }
    }
    Ok(())
}
