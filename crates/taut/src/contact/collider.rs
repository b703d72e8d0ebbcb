//! Colliders: shapes on bodies, what they are made of and whom they meet.

use super::geometry::Geometry;
use super::material::Material;
use super::shape::{Shape, point};
use crate::error::{Error, Result};
use crate::ids::BodyId;
use crate::math::pose::{Pose, unit};
use glam::DVec3;
use std::sync::Arc;

/// Whom a collider meets: two meet when each is a member of a group that the other is with.
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
#[derive(Clone, Debug)]
pub struct Collider {
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
    /// Name in reports and errors.
    pub name: String,
}

impl Collider {
    /// A collider in the middle of its body, of the default material.
    pub fn new(shape: Shape) -> Self {
        Collider {
            shape,
            pose: Pose::IDENTITY,
            material: Material::default(),
            groups: Groups::ALL,
            sensor: false,
            name: String::new(),
        }
    }

    /// Places it in the frame of the body, m.
    pub fn at(mut self, pos: DVec3) -> Self {
        self.pose.pos = pos;
        self
    }

    /// Turns it in the frame of the body.
    pub fn rotated(mut self, rot: glam::DQuat) -> Self {
        self.pose.rot = rot;
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

    /// Names it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Checks it against its body, which moves freely or not and may be a particle, and takes its shape apart.
    pub(crate) fn build(self, id: BodyId, moves: bool, particle: bool, owner: String) -> Result<ColliderEntry> {
        point("collider position", self.pose.pos)?;
        let pose = Pose { pos: self.pose.pos, rot: unit(self.pose.rot)? };
        self.material.validate()?;
        let geometry = Geometry::new(&self.shape)?;
        let what = || format!("{} on {owner}", self.shape.name());
        if particle && (!matches!(self.shape, Shape::Ball { .. }) || pose.pos != DVec3::ZERO) {
            return Err(Error::input("collider of a particle", what(), "a ball about it: a particle has no extent"));
        }
        if moves && !self.shape.is_solid() {
            return Err(Error::input("collider", what(), "a fixed or kinematic body, or a convex shape or compound"));
        }
        if self.sensor && matches!(self.shape, Shape::Mesh { .. } | Shape::HeightField { .. }) {
            return Err(Error::input("sensor", self.shape.name(), "a shape with an inside"));
        }
        Ok(ColliderEntry {
            body: id,
            pose,
            material: self.material,
            groups: self.groups,
            sensor: self.sensor,
            name: self.name,
            shape: Arc::new(self.shape),
            geometry: Arc::new(geometry),
        })
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
    pub name: String,
    pub shape: Arc<Shape>,
    pub geometry: Arc<Geometry>,
}
