//! Looking at bodies: views that borrow the world and copy nothing.

use super::World;
use crate::error::{Error, Result};
use crate::ids::{BodyId, ColliderId};
use crate::joints::Locks;
use crate::mass::{MassProperties, Solid};
use crate::math::pose::Pose;
use crate::model::field::Exposure;
use crate::model::{BodyEntry, Motion};
use crate::state::BodyState;
use glam::{DMat3, DQuat, DVec3};
use std::ops::Index;

/// A body of a world, to be read. It costs nothing: no copy, no allocation.
///
/// ```
/// use taut::{Body, Vec3, World};
/// let mut world = World::new();
/// let stone = world.add(Body::particle(2.0).at(10.0 * Vec3::Y).named("stone"))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// let b = world.body(stone)?;
/// println!("{} at {} m, {} m/s", b.name(), b.position(), b.velocity());
/// // The same by index, where the handle is known to be good.
/// assert_eq!(world[stone].pos, b.position());
/// let heaviest = world.bodies().max_by(|a, b| a.mass().total_cmp(&b.mass()));
/// assert_eq!(heaviest.map(|b| b.id()), Some(stone));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BodyRef<'a> {
    id: BodyId,
    entry: &'a BodyEntry,
    state: &'a BodyState,
}

impl<'a> BodyRef<'a> {
    /// Its handle.
    pub fn id(&self) -> BodyId {
        self.id
    }

    /// Its name; empty without one.
    pub fn name(&self) -> &'a str {
        &self.entry.name
    }

    /// How it moves.
    pub fn motion(&self) -> Motion {
        self.entry.motion
    }

    /// Mass, kg; zero for bodies that do not move freely.
    pub fn mass(&self) -> f64 {
        self.entry.mass
    }

    /// Inertia about its centre of mass along its own axes, kg m^2; zero for particles and bodies that do not move freely.
    pub fn inertia(&self) -> DMat3 {
        self.entry.inertia
    }

    /// Mass and inertia together.
    pub fn mass_properties(&self) -> MassProperties {
        let BodyEntry { mass, inertia, solid, .. } = *self.entry;
        MassProperties { mass, center: DVec3::ZERO, inertia, solid }
    }

    /// The solid that its mass was made from, about the centre of mass along its own axes; none when only numbers were given.
    pub fn solid(&self) -> Option<Solid> {
        self.entry.solid
    }

    /// Pose of its centre of mass.
    pub fn pose(&self) -> Pose {
        Pose { pos: self.state.pos, rot: self.state.rot }
    }

    /// Its centre of mass, world, m.
    pub fn position(&self) -> DVec3 {
        self.state.pos
    }

    /// Its orientation, body to world.
    pub fn rotation(&self) -> DQuat {
        self.state.rot
    }

    /// Velocity of the centre of mass, m/s. It belongs half a step before the pose.
    pub fn velocity(&self) -> DVec3 {
        self.state.vel
    }

    /// Angular velocity, world frame, rad/s.
    pub fn angular_velocity(&self) -> DVec3 {
        self.state.omega
    }

    /// Velocity of a world point that moves with it, m/s.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.state.vel + self.state.omega.cross(point - self.state.pos)
    }

    /// Momentum, N s.
    pub fn momentum(&self) -> DVec3 {
        self.entry.mass * self.state.vel
    }

    /// Angular momentum about its centre of mass, N m s.
    pub fn angular_momentum(&self) -> DVec3 {
        let turned = self.state.rot.inverse() * self.state.omega;
        self.state.rot * (self.entry.inertia * turned)
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self) -> f64 {
        0.5 * (self.momentum().dot(self.state.vel) + self.angular_momentum().dot(self.state.omega))
    }

    /// Decay rates of linear and angular velocity, 1/s.
    pub fn damping(&self) -> (f64, f64) {
        (self.entry.linear_damping, self.entry.angular_damping)
    }

    /// How much of gravity it feels, no unit.
    pub fn gravity_scale(&self) -> f64 {
        self.entry.gravity_scale
    }

    /// What water and wind see of it.
    pub fn exposure(&self) -> Exposure {
        self.entry.exposure
    }

    /// How fast it can go, m/s, and turn, rad/s; infinite where nothing holds it.
    pub fn top_speed(&self) -> [f64; 2] {
        self.entry.top_speed
    }

    /// Directions of the world in which it is locked.
    pub fn locks(&self) -> Locks {
        self.entry.locks.0
    }

    /// Whether it takes part.
    pub fn is_enabled(&self) -> bool {
        self.entry.enabled
    }

    /// Whether it sleeps.
    pub fn is_asleep(&self) -> bool {
        self.state.group != 0
    }

    /// Whether it moves by the equations of motion.
    pub fn is_free(&self) -> bool {
        self.entry.is_node()
    }

    /// Its colliders, in the order they were added.
    pub fn colliders(&self) -> &'a [ColliderId] {
        &self.entry.colliders
    }

    /// Force (N) and torque about its centre of mass (N m), world axes, that it was given for the next step.
    pub fn load(&self) -> (DVec3, DVec3) {
        self.entry.load
    }

    /// Where a kinematic body must be after the next step, if it was told.
    pub fn target(&self) -> Option<Pose> {
        self.entry.target
    }

    /// The number that the user has given it.
    pub fn user_data(&self) -> u64 {
        self.entry.user_data
    }
}

impl World {
    /// Looks at a body.
    pub fn body(&self, id: BodyId) -> Result<BodyRef<'_>> {
        let entry = self.model.body(id)?;
        Ok(BodyRef { id, entry, state: &self.state.bodies[id.0.slot as usize] })
    }

    /// All bodies, in a fixed order; the ground is the first.
    pub fn bodies(&self) -> impl Iterator<Item = BodyRef<'_>> {
        let view = |(k, entry)| BodyRef { id: BodyId(k), entry, state: &self.state.bodies[k.slot as usize] };
        self.model.bodies.iter().map(view)
    }

    /// The body of that name; an error when there is none, or several.
    pub fn find_body(&self, name: &str) -> Result<BodyId> {
        only("body", name, self.bodies().filter(|b| b.name() == name).map(|b| b.id()))
    }

    /// Pose of a body.
    pub fn pose(&self, id: BodyId) -> Result<Pose> {
        self.body(id).map(|b| b.pose())
    }
}

/// The one thing of a name.
pub(super) fn only<T>(what: &str, name: &str, mut found: impl Iterator<Item = T>) -> Result<T> {
    let refuse = |given: &str| {
        Err(Error::input(format!("name of a {what}"), format!("'{name}'{given}"), format!("that of one {what}")))
    };
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => refuse(", which none has"),
        (Some(_), Some(_)) => refuse(", which several have"),
    }
}

impl Index<BodyId> for World {
    type Output = BodyState;

    /// Pose and velocity of a body.
    ///
    /// # Panics
    ///
    /// When the handle names no body of this world, like an index beyond the end of a list. [`World::body`] returns an error instead.
    fn index(&self, id: BodyId) -> &BodyState {
        assert!(self.model.bodies.get(id.0).is_some(), "{id:?} names no body of this world");
        &self.state.bodies[id.0.slot as usize]
    }
}
