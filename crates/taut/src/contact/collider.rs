//! Colliders: shapes on bodies, what they are made of and whom they meet.

use super::geometry::Geometry;
use super::material::Material;
use super::shape::{Shape, point};
use crate::error::{Error, Result};
use crate::ids::BodyId;
use crate::math::pose::{Pose, unit_or_exact};
use glam::DVec3;
use std::sync::Arc;

/// Whom a collider meets: two meet when each is a member of a group that the other is with.
///
/// Debris (group 2) falls through debris, and lies on the ground (group 1).
/// ```
/// use taut::shapes::Groups;
/// let ground = Groups { member: 0b01, with: 0b11 };
/// let debris = Groups { member: 0b10, with: 0b01 };
/// assert!(debris.meets(&ground) && ground.meets(&debris));
/// assert!(!debris.meets(&debris));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Groups it belongs to, one per bit.
    pub member: u32,
    /// Groups it meets, one per bit.
    pub with: u32,
}

impl Groups {
    /// In every group, with every group.
    pub const ALL: Groups = Groups { member: u32::MAX, with: u32::MAX };

    /// Whether two colliders with these groups meet.
    pub fn meets(&self, other: &Groups) -> bool {
        self.member & other.with != 0 && other.member & self.with != 0
    }
}

impl Default for Groups {
    fn default() -> Self {
        Groups::ALL
    }
}

/// A collider to be added to a body.
///
/// A crate of 100 kg on a floor with friction 0.5: less than mu m g = 490 N does not move it.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// world.add(Collider::new(Shape::ground()).friction(0.5).on(world.ground()))?;
/// let box_ = Collider::new(Shape::cuboid(Vec3::splat(0.5))).friction(0.5).named("crate");
/// let mass = MassProperties::cuboid(100.0, Vec3::splat(0.5))?;
/// let crate_ = world.add(Body::dynamic(mass).at(0.5 * Vec3::Y).collider(box_))?;
/// world.add(Force::Point { body: crate_, point: -0.5 * Vec3::Y, force: 480.0 * Vec3::X })?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!(world.body(crate_)?.position().x.abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Collider {
    /// The body it is on.
    pub body: Option<BodyId>,
    /// Its shape.
    pub shape: Shape,
    /// Pose of the shape in the frame of the body, whose origin is the centre of mass.
    pub pose: Pose,
    /// What its surface is like.
    pub material: Material,
    /// Whom it meets.
    pub groups: Groups,
    /// Whether it only tells what overlaps it, without pushing.
    pub sensor: bool,
    /// Whether it is there at all: one that is switched off meets nothing and no query sees it.
    pub enabled: bool,
    /// A number of the user's own, which the engine hands back.
    pub user_data: u64,
    /// Name in reports and errors.
    pub name: String,
    /// The rotation is taken to the last bit.
    pub(crate) exact: bool,
}

impl Collider {
    /// A collider in the middle of its body, of the default material.
    pub fn new(shape: Shape) -> Self {
        Collider {
            body: None,
            shape,
            pose: Pose::IDENTITY,
            material: Material::default(),
            groups: Groups::ALL,
            sensor: false,
            enabled: true,
            user_data: 0,
            name: String::new(),
            exact: false,
        }
    }

    /// Puts it on a body.
    pub fn on(mut self, body: BodyId) -> Self {
        self.body = Some(body);
        self
    }

    /// Places it in the frame of the body, m.
    pub fn at(mut self, pos: DVec3) -> Self {
        self.pose.pos = pos;
        self
    }

    /// Turns it in the frame of the body.
    pub fn rotated(mut self, rot: glam::DQuat) -> Self {
        (self.pose.rot, self.exact) = (rot, false);
        self
    }

    /// Places it in the frame of the body at a pose that another collider had, to the last bit: its rotation is not normalised again and
    /// must be of length 1 to 1e-12.
    pub fn posed(mut self, pose: Pose) -> Self {
        (self.pose, self.exact) = (pose, true);
        self
    }

    /// Sets what it is made of.
    pub fn of(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// Sets friction and keeps the rest of the material.
    pub fn friction(mut self, friction: f64) -> Self {
        self.material.friction = [friction; 2];
        self
    }

    /// Sets the restitution, 0 to 1, and keeps the rest of the material.
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.material.restitution = restitution;
        self
    }

    /// Sets whom it meets.
    pub fn grouped(mut self, member: u32, with: u32) -> Self {
        self.groups = Groups { member, with };
        self
    }

    /// Makes it a sensor: it tells what overlaps it at the start of each step and pushes nothing.
    pub fn sensing(mut self) -> Self {
        self.sensor = true;
        self
    }

    /// Switches it off until [`World::set_collider_enabled`](crate::World::set_collider_enabled) switches it on.
    pub fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// Gives it a number of the user's own.
    pub fn user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }

    /// Names it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Checks it against its body and takes its shape apart.
    pub(crate) fn build(self, id: BodyId, on: &Carrier) -> Result<ColliderEntry> {
        let pose = checked(self.pose, self.exact)?;
        self.material.validate()?;
        let geometry = Geometry::new(&self.shape)?;
        on.takes(&self.shape, &pose, self.sensor)?;
        Ok(ColliderEntry {
            body: id,
            pose,
            material: self.material,
            groups: self.groups,
            sensor: self.sensor,
            enabled: self.enabled,
            user_data: self.user_data,
            name: self.name,
            shape: Arc::new(self.shape),
            geometry: Arc::new(geometry),
            soft: None,
        })
    }
}

/// The pose of a collider in the frame of its body, with a rotation of length 1, or one that is to be taken `exact`ly.
pub(crate) fn checked(pose: Pose, exact: bool) -> Result<Pose> {
    point("collider position", pose.pos)?;
    Ok(Pose { pos: pose.pos, rot: unit_or_exact(pose.rot, exact)? })
}

/// A body as far as its colliders must fit it.
pub(crate) struct Carrier {
    /// It moves freely.
    pub moves: bool,
    /// It is a particle.
    pub particle: bool,
    pub name: String,
}

impl Carrier {
    /// Refuses what a body cannot carry, and sensors without an inside.
    pub fn takes(&self, shape: &Shape, pose: &Pose, sensor: bool) -> Result<()> {
        let what = || format!("{} on {}", shape.name(), self.name);
        if self.particle && (!matches!(shape, Shape::Ball { .. }) || pose.pos != DVec3::ZERO) {
            return Err(Error::input("collider of a particle", what(), "a ball about it: a particle has no extent"));
        }
        if self.moves && !shape.is_solid() {
            return Err(Error::input("collider", what(), "a fixed or kinematic body, or a convex shape or compound"));
        }
        if sensor && matches!(shape, Shape::Mesh { .. } | Shape::HeightField { .. }) {
            return Err(Error::input("sensor", shape.name(), "a shape with an inside"));
        }
        Ok(())
    }
}

/// A collider in the world.
#[derive(Clone, Debug)]
pub(crate) struct ColliderEntry {
    pub body: BodyId,
    /// In the frame of the body.
    pub pose: Pose,
    pub material: Material,
    pub groups: Groups,
    pub sensor: bool,
    /// Switched on.
    pub enabled: bool,
    pub user_data: u64,
    pub name: String,
    pub shape: Arc<Shape>,
    pub geometry: Arc<Geometry>,
    /// Slot of the deformable whose surface it is. Its shape is then the ball that goes along the surface, its body one of the carriers.
    pub soft: Option<u32>,
}
