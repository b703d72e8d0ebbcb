//! What a world is made of: bodies, joints, forces, colliders. It never changes during a step.

pub(crate) mod force;
pub(crate) mod identity;

use crate::constraint::Primitive;
use crate::contact::collider::ColliderEntry;
use crate::contact::material::Material;
use crate::error::{Error, Result, finite_vec, non_negative, positive};
use crate::ids::{Arena, BodyId, ColliderId, ForceId, JointId, next_world};
use crate::joints::{BoundSpec, Chart, Freedom, RowSpec, row_starts};
use crate::mass::{MassProperties, Solid};
use crate::math::pose::{Frames, Pose, unit};
use crate::math::so3::log;
use crate::state::BodyState;
use force::Force;
use glam::{DMat3, DQuat, DVec3};
use std::collections::BTreeMap;

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// By the equations of motion, six degrees of freedom.
    Dynamic,
    /// By the equations of motion, three degrees of freedom: a point mass.
    Particle,
    /// Not at all.
    Fixed,
    /// As the user says, by velocity or target pose; nothing pushes it.
    Kinematic,
}

/// A body to be added to a world.
#[derive(Clone, Debug)]
pub struct BodyDef {
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
    /// Name in reports and errors.
    pub name: String,
}

impl BodyDef {
    fn new(motion: Motion, mass: Option<MassProperties>) -> Self {
        BodyDef {
            motion,
            mass,
            pose: Pose::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            linear_damping: 0.0,
            angular_damping: 0.0,
            name: String::new(),
        }
    }

    /// A rigid body.
    pub fn dynamic(mass: MassProperties) -> Self {
        BodyDef::new(Motion::Dynamic, Some(mass))
    }

    /// A point mass, kg.
    pub fn particle(mass: f64) -> Self {
        BodyDef::new(
            Motion::Particle,
            Some(MassProperties { mass, center: DVec3::ZERO, inertia: DMat3::ZERO, solid: None }),
        )
    }

    /// A body that does not move.
    pub fn fixed() -> Self {
        BodyDef::new(Motion::Fixed, None)
    }

    /// A body that the user moves.
    pub fn kinematic() -> Self {
        BodyDef::new(Motion::Kinematic, None)
    }

    /// Places the centre of mass, m.
    pub fn at(mut self, pos: DVec3) -> Self {
        self.pose.pos = pos;
        self
    }

    /// Orients the body.
    pub fn rotated(mut self, rot: DQuat) -> Self {
        self.pose.rot = rot;
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

    /// Names the body.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    pub(crate) fn build(&self) -> Result<(Body, Pose)> {
        finite_vec("body position", self.pose.pos, "m")?;
        finite_vec("body velocity", self.velocity, "m/s")?;
        finite_vec("body angular velocity", self.angular_velocity, "rad/s")?;
        non_negative("linear damping", self.linear_damping, "1/s")?;
        non_negative("angular damping", self.angular_damping, "1/s")?;
        let rot = unit(self.pose.rot)?;
        let (mass, inertia) = match (self.motion, &self.mass) {
            (Motion::Dynamic, Some(m)) => {
                m.validate()?;
                (m.mass, m.inertia)
            }
            (Motion::Particle, Some(m)) => {
                positive("mass", m.mass, "kg")?;
                if self.angular_velocity != DVec3::ZERO {
                    return Err(Error::input(
                        "angular velocity of a particle",
                        self.angular_velocity,
                        "zero: a particle does not rotate",
                    ));
                }
                (m.mass, DMat3::ZERO)
            }
            (Motion::Dynamic | Motion::Particle, None) => {
                return Err(Error::input("mass", "none", "mass properties for a body that moves freely"));
            }
            _ => (0.0, DMat3::ZERO),
        };
        let body = Body {
            motion: self.motion,
            mass,
            inertia,
            solid: self.mass.as_ref().and_then(|m| m.solid).filter(|_| self.motion == Motion::Dynamic),
            linear_damping: self.linear_damping,
            angular_damping: self.angular_damping,
            name: self.name.clone(),
            target: None,
            load: (DVec3::ZERO, DVec3::ZERO),
            colliders: Vec::new(),
        };
        Ok((body, Pose { pos: self.pose.pos, rot }))
    }
}

/// A body in the world.
#[derive(Clone, Debug)]
pub struct Body {
    pub motion: Motion,
    pub mass: f64,
    pub inertia: DMat3,
    /// What its mass was made from.
    pub(crate) solid: Option<Solid>,
    pub linear_damping: f64,
    pub angular_damping: f64,
    pub(crate) name: String,
    /// Pose a kinematic body must have after the next step.
    pub(crate) target: Option<Pose>,
    /// Force and torque about the centre of mass for the next step.
    pub load: (DVec3, DVec3),
    /// Its colliders, in the order they were added.
    pub(crate) colliders: Vec<ColliderId>,
}

impl Body {
    /// Whether it has unknowns.
    pub fn is_node(&self) -> bool {
        matches!(self.motion, Motion::Dynamic | Motion::Particle)
    }

    /// Velocity and angular velocity of a kinematic body during a step of length `h`.
    pub fn driven(&self, s: &BodyState, h: f64) -> (DVec3, DVec3) {
        match self.target {
            Some(target) => ((target.pos - s.pos) / h, log(target.rot * s.rot.inverse()) / h),
            None => (s.vel, s.omega),
        }
    }
}

/// What a joint can carry before it breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Force, N; infinite for any.
    pub force: f64,
    /// Torque about the joint's origin, N m; infinite for any.
    pub torque: f64,
}

impl Strength {
    /// Breaks at this force, N.
    pub fn force(force: f64) -> Self {
        Strength { force, torque: f64::INFINITY }
    }

    /// Breaks at this torque, N m.
    pub fn torque(torque: f64) -> Self {
        Strength { force: f64::INFINITY, torque }
    }

    /// Refuses what is not positive.
    pub fn validate(&self) -> crate::error::Result<()> {
        for (name, value, unit) in [("force", self.force, "N"), ("torque", self.torque, "N m")] {
            if !(value > 0.0) {
                let expected = format!("a positive number of {unit}, infinite for any");
                return Err(crate::error::Error::input(format!("strength {name}"), value, expected));
            }
        }
        Ok(())
    }
}

/// What a joint is to be in reduced coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeRole {
    /// As the forest turns out.
    #[default]
    Auto,
    /// Coordinates.
    Tree,
    /// Rows.
    Loop,
}

/// A joint in the world.
#[derive(Clone, Debug)]
pub struct JointEntry {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    /// The body of the tip frame.
    pub i: BodyId,
    /// The body of the base frame.
    pub j: BodyId,
    pub(crate) frames: Frames,
    /// What it leaves free, when it can be reduced.
    pub(crate) chart: Option<Chart>,
    /// Whether it is to be coordinates or rows, when coordinates are reduced.
    pub(crate) role: TreeRole,
    /// The primitives of its block.
    pub rows: Vec<RowSpec>,
    pub(crate) bounds: Vec<BoundSpec>,
    /// First of its rows in `State::lambda`: those of its block, then those with bounds.
    pub row_start: usize,
    /// Rows of its block.
    pub row_count: usize,
    /// First of its motors in `State::commands`.
    pub command_start: usize,
    /// A spring in compliance form owns its joint; users cannot reach it.
    pub owned: bool,
    /// What it can carry, if not anything.
    pub(crate) strength: Option<Strength>,
}

/// A motor of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotorRef {
    /// Its row among all rows of the joint.
    pub row: usize,
    pub freedom: Freedom,
    pub primitive: Primitive,
    /// Its place among the motors of the joint.
    pub ordinal: usize,
}

impl JointEntry {
    /// Whether it has rows with bounds.
    pub fn is_bounded(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// All rows it has in the state.
    pub(crate) fn state_rows(&self) -> usize {
        self.row_count + self.bounds.len()
    }

    /// The motors: those in the block, then those with bounds.
    pub(crate) fn motors(&self) -> impl Iterator<Item = MotorRef> {
        let of = |row, freedom, primitive, ordinal| MotorRef { row, freedom, primitive, ordinal };
        let block = row_starts(&self.rows).filter_map(move |(r, s)| s.motor.map(|f| of(r, f, s.primitive, s.ordinal)));
        let bounded = self.bounds.iter().enumerate();
        block
            .chain(bounded.filter_map(move |(k, b)| b.motor.map(|m| of(self.row_count + k, b.freedom, b.primitive, m))))
    }

    /// Whether a rod, a rope or another row along a line couples its two bodies.
    pub(crate) fn has_line(&self) -> bool {
        let line = |p: &Primitive| matches!(p, Primitive::Distance { .. });
        self.rows.iter().any(|r| line(&r.primitive)) || self.bounds.iter().any(|b| line(&b.primitive))
    }
}

/// A force in the world.
#[derive(Clone, Debug)]
pub struct ForceEntry {
    /// What acts.
    pub force: Force,
    /// The rows of a spring in compliance form.
    pub(crate) joint: Option<JointId>,
}

/// Everything but the state.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Bodies and particles.
    pub bodies: Arena<Body>,
    /// Joints, and the rows of springs.
    pub joints: Arena<JointEntry>,
    /// Forces that act until they are removed.
    pub forces: Arena<ForceEntry>,
    pub(crate) colliders: Arena<ColliderEntry>,
    /// Whether two bodies (lower handle first) meet, where the user has said so.
    pub(crate) collisions: BTreeMap<(BodyId, BodyId), bool>,
    /// Materials of pairs of colliders (lower handle first) and whether they are in the frame of the first.
    pub(crate) pair_materials: BTreeMap<(ColliderId, ColliderId), (Material, bool)>,
    /// Some body has a load or a target for the next step.
    pub(crate) is_loaded: bool,
    /// Some joint can break.
    pub(crate) has_weak: bool,
    /// Fingerprint of all parts as they were added and removed; a state fits only worlds built from the same definition.
    pub(crate) edition: u64,
}

impl Model {
    /// An empty one for a new world.
    pub(crate) fn new() -> Self {
        let world = next_world();
        Model {
            bodies: Arena::new(world),
            joints: Arena::new(world),
            forces: Arena::new(world),
            colliders: Arena::new(world),
            ..Model::default()
        }
    }

    pub(crate) fn body(&self, id: BodyId) -> Result<&Body> {
        self.bodies.get(id.0).ok_or_else(|| self.bodies.missing("body", id.0))
    }

    pub(crate) fn joint(&self, id: JointId) -> Result<&JointEntry> {
        self.joints.get(id.0).filter(|j| !j.owned).ok_or_else(|| self.joints.missing("joint", id.0))
    }

    pub(crate) fn force(&self, id: ForceId) -> Result<&ForceEntry> {
        self.forces.get(id.0).ok_or_else(|| self.forces.missing("force", id.0))
    }

    pub(crate) fn collider(&self, id: ColliderId) -> Result<&ColliderEntry> {
        self.colliders.get(id.0).ok_or_else(|| self.colliders.missing("collider", id.0))
    }

    /// Whether anything can touch.
    pub fn has_colliders(&self) -> bool {
        self.colliders.len() > 0
    }

    /// "body 'crank'" or "body #3".
    pub fn body_name(&self, slot: usize) -> String {
        match self.bodies.at(slot) {
            Some(b) if !b.name.is_empty() => format!("body '{}'", b.name),
            _ => format!("body #{slot}"),
        }
    }

    /// "joint 'elbow' (hinge)" or "joint #3 (hinge)".
    pub fn joint_name(&self, slot: usize) -> String {
        match self.joints.at(slot) {
            Some(j) if !j.name.is_empty() => format!("joint '{}' ({})", j.name, j.kind),
            Some(j) => format!("joint #{slot} ({})", j.kind),
            None => format!("joint #{slot}"),
        }
    }

    /// The bodies of a contact, where they still are.
    pub(crate) fn bodies_of(&self, id: crate::contact::ContactKey) -> (Option<BodyId>, Option<BodyId>) {
        (self.colliders.get(id.a).map(|c| c.body), self.colliders.get(id.b).map(|c| c.body))
    }
}
