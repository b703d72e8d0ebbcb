//! What a world is made of: bodies, joints, forces, colliders. It never changes during a step.

pub(crate) mod body;
pub(crate) mod buried;
pub(crate) mod coupling;
pub(crate) mod cut;
pub(crate) mod drum;
pub(crate) mod field;
pub(crate) mod force;
pub(crate) mod freedoms;
pub(crate) mod heavy;
pub(crate) mod identity;
pub(crate) mod reeved;
pub(crate) mod reeving;
pub(crate) mod ring;
pub(crate) mod rooms;
pub(crate) mod rope_end;
pub(crate) mod soft;

use crate::constraint::{Primitive, Side};
use crate::contact::collider::ColliderEntry;
use crate::contact::material::Material;
use crate::contact::skin::node_of;
use crate::error::Result;
use crate::ids::{
    Arena, BodyId, ColliderId, CouplingId, DeformableId, ForceId, HeavyRopeId, JointId, Key, RopeId, next_world,
};
use crate::joints::{
    Bound, BoundSpec, Chart, Freedom, JointDef, JointKind, Locks, RowSpec, Strength, TreeRole, Turn, row_starts, turn,
};
use crate::mass::Solid;
use crate::math::pose::{Frames, Pose};
use crate::math::so3::log;
use crate::state::BodyState;
use buried::Buried;
use coupling::CouplingEntry;
use force::Force;
use glam::{DMat3, DVec3};
use heavy::{HeavyEntry, Source};
use reeving::RopeEntry;
use rooms::Rooms;
use soft::SoftEntry;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a body moves.
///
/// A lift goes where it is told and nothing pushes it; the lamp that hangs in it is dynamic and comes along.
/// ```
/// use taut::{Body, Motion, Rope, Vec3, World};
/// let mut world = World::new();
/// let lift = world.add(Body::kinematic().moving(Vec3::Y, Vec3::ZERO))?;
/// let lamp = world.add(Body::particle(2.0).at(-Vec3::Y).moving(Vec3::Y, Vec3::ZERO))?;
/// world.add(Rope::between(lamp, lift))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert_eq!((world.body(lift)?.motion(), world.body(lamp)?.motion()), (Motion::Kinematic, Motion::Particle));
/// assert!((world.body(lift)?.position().y - 1.0).abs() < 1e-9 && world.body(lamp)?.position().y.abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
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

/// A body in the world.
#[derive(Clone, Debug)]
pub struct BodyEntry {
    pub motion: Motion,
    pub mass: f64,
    pub inertia: DMat3,
    /// What its mass was made from.
    pub(crate) solid: Option<Solid>,
    pub linear_damping: f64,
    pub angular_damping: f64,
    /// How much of gravity it feels.
    pub gravity_scale: f64,
    /// In which directions it is locked, and the joint to the ground that does it.
    pub(crate) locks: (Locks, Option<JointId>),
    pub(crate) enabled: bool,
    pub(crate) user_data: u64,
    pub(crate) name: String,
    /// Pose a kinematic body must have after the next step.
    pub(crate) target: Option<Pose>,
    /// Force and torque about the centre of mass for the next step.
    pub load: (DVec3, DVec3),
    /// Its colliders, in the order they were added.
    pub(crate) colliders: Vec<ColliderId>,
    /// Slot of the deformable that it is a node of.
    pub(crate) soft: Option<u32>,
    /// What water and wind see of it.
    pub(crate) exposure: field::Exposure,
    /// How fast it can go, m/s, and turn, rad/s; infinite where nothing holds it.
    pub(crate) top_speed: [f64; 2],
    /// Slots of the joints on it, in the order they were added.
    pub(crate) joints: Vec<u32>,
}

impl BodyEntry {
    /// Whether it has unknowns.
    pub fn is_node(&self) -> bool {
        self.enabled && matches!(self.motion, Motion::Dynamic | Motion::Particle)
    }

    /// Whether it is switched off.
    pub fn is_off(&self) -> bool {
        !self.enabled
    }

    /// Mass that gravity acts on, kg: nothing of a body without unknowns.
    pub fn weight(&self) -> f64 {
        if self.is_node() { self.mass * self.gravity_scale } else { 0.0 }
    }

    /// Whether the user moves it.
    pub fn is_driven(&self) -> bool {
        self.enabled && self.motion == Motion::Kinematic
    }

    /// Velocity and angular velocity of a kinematic body during a step of length `h`.
    pub fn driven(&self, s: &BodyState, h: f64) -> (DVec3, DVec3) {
        match self.target {
            _ if !self.is_driven() => (DVec3::ZERO, DVec3::ZERO),
            Some(target) => ((target.pos - s.pos) / h, log(target.rot * s.rot.inverse()) / h),
            None => (s.vel, s.omega),
        }
    }
}

/// A joint in the world.
#[derive(Clone, Debug)]
pub struct JointEntry {
    pub(crate) kind: Arc<dyn JointKind>,
    /// All that can be changed of it; its rows are made from this.
    pub(crate) def: JointDef,
    /// How far its origins were apart when it was added, m.
    pub(crate) apart: f64,
    pub(crate) enabled: bool,
    pub(crate) user_data: u64,
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
    /// The freedom whose turns are counted, and the turns that it had made before it was added.
    pub(crate) turn: Option<Turn>,
    pub(crate) turns: i32,
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
pub(crate) struct MotorAt {
    /// Its row among all rows of the joint.
    pub row: usize,
    pub freedom: Freedom,
    pub primitive: Primitive,
    /// Its place among the motors of the joint.
    pub ordinal: usize,
    /// Body slots of the joint.
    pub joint: [usize; 2],
}

impl JointEntry {
    /// Whether it is the row of a spring, and no joint.
    pub fn is_spring(&self) -> bool {
        self.owned && self.has_line()
    }

    /// Whether it has rows with bounds.
    pub fn is_bounded(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// All rows it has in the state.
    pub(crate) fn state_rows(&self) -> usize {
        self.row_count + self.bounds.len()
    }

    /// The motors: those in the block, then those with bounds.
    pub(crate) fn motors(&self) -> impl Iterator<Item = MotorAt> {
        let joint = [self.i.0.slot as usize, self.j.0.slot as usize];
        let of = move |row, freedom, primitive, ordinal| MotorAt { row, freedom, primitive, ordinal, joint };
        let block = row_starts(&self.rows).filter_map(move |(r, s)| s.motor.map(|f| of(r, f, s.primitive, s.ordinal)));
        let bounded = self.bounds.iter().enumerate();
        block
            .chain(bounded.filter_map(move |(k, b)| b.motor.map(|m| of(self.row_count + k, b.freedom, b.primitive, m))))
    }

    /// The freedom whose turns are counted, where a primitive measures it.
    pub(crate) fn turn_of(&self, primitive: &Primitive) -> Option<Turn> {
        self.turn.filter(|t| t.primitive == *primitive)
    }

    /// Whether the motor with a command measures the freedom whose turns are counted.
    pub(crate) fn counts_turns_of(&self, command: usize) -> bool {
        let motor = self.motors().find(|at| self.command_start + at.ordinal == command);
        motor.is_some_and(|at| self.turn_of(&at.primitive).is_some())
    }

    /// Where its turning freedom is when it is added: within half a turn of zero, or where that is outside its limits, of their middle;
    /// and the turns that were made before.
    pub(crate) fn start(&self, i: &Side, j: &Side) -> f64 {
        let Some(turn) = self.turn else { return 0.0 };
        let angle = turn.angle(i, j);
        let middle = self.limits().filter(|(_, b)| b.counted).find_map(|(_, b)| match b.bound {
            Bound::Limit { lower, upper, .. } if !(lower..=upper).contains(&angle) => Some(0.5 * (lower + upper)),
            _ => None,
        });
        let whole = f64::from(self.turns) * std::f64::consts::TAU;
        angle + middle.filter(|m| m.is_finite()).map_or(0.0, |m| turn::wind(angle, m)) + whole
    }

    /// The place of its only motor: beside springs, or the only spring.
    pub(crate) fn only_motor(&self) -> Option<usize> {
        let count = self.def.motors.len();
        let mut motors = (0..count).filter(|k| count == 1 || !self.def.motors[*k].is_spring());
        motors.next().filter(|_| motors.next().is_none())
    }

    /// Its limits with their places among the bounded rows: those of its kind first.
    pub(crate) fn limits(&self) -> impl Iterator<Item = (usize, &BoundSpec)> {
        self.bounds.iter().enumerate().filter(|(_, b)| matches!(b.bound, Bound::Limit { .. }))
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
    pub(crate) name: String,
    /// The rows of a spring in compliance form.
    pub(crate) joint: Option<JointId>,
}

/// Everything but the state.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Bodies and particles.
    pub bodies: Arena<BodyEntry>,
    /// Joints, and the rows of springs.
    pub joints: Arena<JointEntry>,
    /// Couplings between freedoms of joints.
    pub(crate) couplings: Arena<CouplingEntry>,
    /// Ropes over guides.
    pub(crate) ropes: Arena<RopeEntry>,
    pub(crate) heavies: Arena<HeavyEntry>,
    /// Forces that act until they are removed.
    pub forces: Arena<ForceEntry>,
    pub(crate) colliders: Arena<ColliderEntry>,
    /// Deformables.
    pub(crate) softs: Arena<SoftEntry>,
    /// Whether two bodies (lower handle first) meet, where the user has said so.
    pub(crate) collisions: BTreeMap<(BodyId, BodyId), bool>,
    /// Materials of pairs of colliders (lower handle first) and whether they are in the frame of the first.
    pub(crate) pair_materials: BTreeMap<(ColliderId, ColliderId), (Material, bool)>,
    /// Some body has a load or a target for the next step.
    pub(crate) is_loaded: bool,
    /// Gaps in the rows and in the commands of the state.
    pub(crate) row_rooms: Rooms,
    pub(crate) command_rooms: Rooms,
    /// Joints that were cut and are in layouts as dead pivots, in the order they were cut.
    pub(crate) buried: Vec<Buried>,
    /// Some joint can break.
    pub(crate) has_weak: bool,
    /// Water and wind.
    pub(crate) field: field::Field,
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
            couplings: Arena::new(world),
            ropes: Arena::new(world),
            heavies: Arena::new(world),
            forces: Arena::new(world),
            colliders: Arena::new(world),
            softs: Arena::new(world),
            ..Model::default()
        }
    }

    pub(crate) fn body(&self, id: BodyId) -> Result<&BodyEntry> {
        self.bodies.get(id.0).ok_or_else(|| self.bodies.missing("body", id.0))
    }

    pub(crate) fn joint(&self, id: JointId) -> Result<&JointEntry> {
        self.joints.get(id.0).filter(|j| !j.owned).ok_or_else(|| self.joints.missing("joint", id.0))
    }

    /// The joints on a body, by slot.
    pub(crate) fn joints_on(&self, id: BodyId) -> impl Iterator<Item = (Key, &JointEntry)> {
        let mut slots = self.bodies.get(id.0).map_or_else(Vec::new, |b| b.joints.clone());
        slots.sort_unstable();
        slots.into_iter().filter_map(|slot| self.joints.key_at(slot as usize).zip(self.joints.at(slot as usize)))
    }

    pub(crate) fn coupling(&self, id: CouplingId) -> Result<&CouplingEntry> {
        self.couplings.get(id.0).ok_or_else(|| self.couplings.missing("coupling", id.0))
    }

    pub(crate) fn rope(&self, id: RopeId) -> Result<&RopeEntry> {
        self.ropes.get(id.0).ok_or_else(|| self.ropes.missing("rope", id.0))
    }

    pub(crate) fn heavy(&self, id: HeavyRopeId) -> Result<&HeavyEntry> {
        self.heavies.get(id.0).ok_or_else(|| self.heavies.missing("heavy rope", id.0))
    }

    /// The rope with mass that the rope over guides in a slot leads to.
    pub(crate) fn led_by(&self, slot: usize) -> Option<&HeavyEntry> {
        let leads = |h: &HeavyEntry| matches!(h.source, Source::Guides { rope, .. } if rope.0.slot as usize == slot);
        self.heavies.iter().map(|(_, h)| h).find(|h| leads(h))
    }

    /// "rope 'hoist'" or "rope #3".
    pub fn rope_name(&self, slot: usize) -> String {
        match self.ropes.at(slot) {
            Some(r) if !r.name.is_empty() => format!("rope '{}'", r.name),
            _ => format!("rope #{slot}"),
        }
    }

    /// Whether a rope over guides takes part: its bodies are switched on, and one of them moves freely.
    pub(crate) fn pulls(&self, r: &RopeEntry) -> bool {
        let mut bodies = r.guides.iter().filter_map(|g| self.bodies.get(g.body.0));
        bodies.clone().all(|b| b.enabled) && bodies.any(BodyEntry::is_node)
    }

    pub(crate) fn force(&self, id: ForceId) -> Result<&ForceEntry> {
        self.forces.get(id.0).ok_or_else(|| self.forces.missing("force", id.0))
    }

    pub(crate) fn deformable(&self, id: DeformableId) -> Result<&SoftEntry> {
        self.softs.get(id.0).ok_or_else(|| self.softs.missing("deformable", id.0))
    }

    /// "deformable 'arm'" or "deformable #3".
    pub(crate) fn deformable_name(&self, slot: usize) -> String {
        match self.softs.at(slot) {
            Some(s) if !s.name.is_empty() => format!("deformable '{}'", s.name),
            _ => format!("deformable #{slot}"),
        }
    }

    /// The deformable, by slot, that a body is a node of or carries nodes of.
    pub(crate) fn soft_on(&self, id: BodyId) -> Option<usize> {
        let on = |s: &SoftEntry| (0..s.nodes.len()).any(|n| s.carriers(n).any(|c| c.body == id));
        self.softs.iter().find(|(_, s)| on(s)).map(|(k, _)| k.slot as usize)
    }

    pub(crate) fn collider(&self, id: ColliderId) -> Result<&ColliderEntry> {
        self.colliders.get(id.0).ok_or_else(|| self.colliders.missing("collider", id.0))
    }

    /// Whether a joint takes part: it and its bodies are switched on, and one of them moves freely.
    pub fn is_active(&self, j: &JointEntry) -> bool {
        let bodies = [j.i, j.j].map(|b| self.bodies.get(b.0));
        let on = |b: &Option<&BodyEntry>| b.is_some_and(|b| b.enabled);
        j.enabled && bodies.iter().all(on) && bodies.iter().flatten().any(|b| b.is_node())
    }

    /// Whether a coupling takes part: its joints and their bodies are switched on, and one of them moves freely. A joint between bodies
    /// that do not counts with the velocity that it is given.
    pub(crate) fn couples(&self, c: &CouplingEntry) -> bool {
        let joints_on = c.terms.iter().all(|t| self.joints.get(t.joint.0).is_some_and(|j| j.enabled));
        let bodies = || c.bodies(self).filter_map(|b| self.bodies.get(b.0));
        joints_on && bodies().all(|b| b.enabled) && bodies().any(BodyEntry::is_node)
    }

    /// Whether a force takes part: its bodies are switched on, and one of them moves freely.
    pub fn acts(&self, force: &Force) -> bool {
        let (i, j) = force.bodies();
        let mut bodies = [Some(i), j].into_iter().flatten().filter_map(|b| self.bodies.get(b.0));
        bodies.clone().all(|b| b.enabled) && bodies.any(BodyEntry::is_node)
    }

    /// Whether a collider takes part: it and its body are switched on.
    pub(crate) fn is_on(&self, c: &ColliderEntry) -> bool {
        c.enabled && self.bodies.get(c.body.0).is_some_and(|b| b.enabled)
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
            Some(j) if !j.name.is_empty() => format!("joint '{}' ({})", j.name, j.kind.name()),
            Some(j) => format!("joint #{slot} ({})", j.kind.name()),
            None => format!("joint #{slot}"),
        }
    }

    /// "coupling 'differential'" or "coupling #3".
    pub fn coupling_name(&self, slot: usize) -> String {
        match self.couplings.at(slot) {
            Some(c) if !c.name.is_empty() => format!("coupling '{}'", c.name),
            _ => format!("coupling #{slot}"),
        }
    }

    /// The name of the first deformable, where there is one.
    pub fn first_deformable(&self) -> Option<String> {
        self.softs.iter().next().map(|(k, _)| self.deformable_name(k.slot as usize))
    }

    /// The name of the first rope over guides, where there is one.
    pub fn first_rope(&self) -> Option<String> {
        self.ropes.iter().next().map(|(k, _)| self.rope_name(k.slot as usize))
    }

    /// The name of the first coupling, where there is one.
    pub fn first_coupling(&self) -> Option<String> {
        self.couplings.iter().next().map(|(k, _)| self.coupling_name(k.slot as usize))
    }

    /// The bodies of a contact, where they still are.
    pub(crate) fn bodies_of(&self, id: crate::contact::ContactKey) -> (Option<BodyId>, Option<BodyId>) {
        let of = |key, feature| self.colliders.get(key).map(|c| self.carrier(c, feature));
        (of(id.a, id.features[0]), of(id.b, id.features[1]))
    }

    /// The body at a feature of a collider: its own, or of the surface of a deformable the one that carries the node that the feature
    /// is named after.
    pub(crate) fn carrier(&self, c: &ColliderEntry, feature: u64) -> BodyId {
        let soft = c.soft.and_then(|slot| self.softs.at(slot as usize));
        let node = node_of(feature);
        let on = soft.filter(|s| node < s.nodes.len()).and_then(|s| s.carriers(node).next());
        on.map_or(c.body, |carrier| carrier.body)
    }
}
