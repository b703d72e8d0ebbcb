//! Handles. Slots with generations: a handle to something removed never names what took its place, and a handle of one world
//! names nothing in another.

use crate::error::Error;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering as Memory};

/// Slot and generation, and the number of the world it belongs to.
///
/// Keys compare by slot and generation alone: equal worlds have equal reports and snapshots. The world is checked where a
/// key is used.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Key {
    /// Its place.
    pub slot: u32,
    pub(crate) generation: u32,
    /// Not written: what is read belongs to no world, and compares with the handles of any.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) world: u32,
}

impl Key {
    fn place(&self) -> (u32, u32) {
        (self.slot, self.generation)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }
}

/// The number of the next world: they are counted, so that a program that makes the same worlds gets the same numbers.
pub(crate) fn next_world() -> u32 {
    static WORLDS: AtomicU32 = AtomicU32::new(1);
    WORLDS.fetch_add(1, Memory::Relaxed)
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.slot, self.generation)
    }
}

/// Why a handle names nothing in a world.
pub(crate) fn missing(world: u32, what: &'static str, key: Key) -> Error {
    let handle = format!("{key:?}");
    if key.world == world {
        return Error::Handle { what, handle, expected: format!("a {what} that is in this world: it was removed") };
    }
    Error::Handle {
        what,
        handle: format!("{handle} of world {}", key.world),
        expected: format!("a {what} of world {world}: handles belong to the world that gave them"),
    }
}

/// Storage by slot. Iteration is in slot order.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    /// The world it belongs to.
    world: u32,
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena::new(0)
    }
}

impl<T> Arena<T> {
    /// An empty one of a world.
    pub(crate) fn new(world: u32) -> Self {
        Arena { world, slots: Vec::new(), free: Vec::new() }
    }

    /// The number of its world.
    pub(crate) fn world(&self) -> u32 {
        self.world
    }

    /// Why a handle names nothing here.
    pub(crate) fn missing(&self, what: &'static str, key: Key) -> Error {
        missing(self.world, what, key)
    }

    fn key(&self, slot: usize, generation: u32) -> Key {
        Key { slot: slot as u32, generation, world: self.world }
    }

    pub(crate) fn insert(&mut self, value: T) -> Key {
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.slots[slot as usize];
            entry.1 = Some(value);
            return Key { slot, generation: entry.0, world: self.world };
        }
        self.slots.push((0, Some(value)));
        self.key(self.slots.len() - 1, 0)
    }

    pub(crate) fn remove(&mut self, key: Key) -> Option<T> {
        let entry = self.slots.get_mut(key.slot as usize)?;
        if (entry.0, self.world) != (key.generation, key.world) {
            return None;
        }
        let value = entry.1.take()?;
        entry.0 = entry.0.wrapping_add(1);
        self.free.push(key.slot);
        Some(value)
    }

    /// Takes what is in a slot, to put it back soon: its key goes on naming it.
    pub(crate) fn lend(&mut self, slot: usize) -> Option<T> {
        self.slots.get_mut(slot)?.1.take()
    }

    /// Puts back what was lent.
    pub(crate) fn put_back(&mut self, slot: usize, value: T) {
        if let Some(entry) = self.slots.get_mut(slot) {
            entry.1 = Some(value);
        }
    }

    pub(crate) fn get(&self, key: Key) -> Option<&T> {
        let here = (key.generation, key.world);
        self.slots.get(key.slot as usize).filter(|e| (e.0, self.world) == here)?.1.as_ref()
    }

    pub(crate) fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        let (world, here) = (self.world, (key.generation, key.world));
        self.slots.get_mut(key.slot as usize).filter(|e| (e.0, world) == here)?.1.as_mut()
    }

    /// What is in a slot, whatever its generation.
    pub fn at(&self, slot: usize) -> Option<&T> {
        self.slots.get(slot)?.1.as_ref()
    }

    /// The key of what is in a slot.
    pub(crate) fn key_at(&self, slot: usize) -> Option<Key> {
        self.slots.get(slot).filter(|e| e.1.is_some()).map(|e| self.key(slot, e.0))
    }

    pub fn iter(&self) -> impl Iterator<Item = (Key, &T)> {
        self.slots.iter().enumerate().filter_map(|(s, e)| e.1.as_ref().map(|v| (self.key(s, e.0), v)))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Key, &mut T)> {
        let world = self.world;
        self.slots.iter_mut().enumerate().filter_map(move |(s, e)| {
            let generation = e.0;
            e.1.as_mut().map(|v| (Key { slot: s as u32, generation, world }, v))
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Number of slots, empty ones included.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) Key);
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{:?}", self.0)
            }
        }
    };
}
id!(
    /// Handle of a body or particle.
    ///
    /// It names the body as long as that is in the world, and nothing afterwards, even when another takes its place.
    /// ```
    /// use taut::{Body, World};
    /// let mut world = World::new();
    /// let old = world.add(Body::particle(1.0))?;
    /// world.remove(old)?;
    /// let new = world.add(Body::particle(2.0))?;
    /// assert!(old != new && world.body(old).is_err());
    /// assert_eq!(world.body(new)?.mass(), 2.0);
    /// # Ok::<(), taut::Error>(())
    /// ```
    BodyId
);
id!(
    /// Handle of a joint.
    ///
    /// It reads the joint, and stands for its only motor and its only limit.
    /// ```
    /// use taut::{Body, Command, Hinge, Limit, MassProperties, Motor, Vec3, World};
    /// let mut world = World::new();
    /// let flap = world.add(Body::dynamic(MassProperties::cuboid(500.0, Vec3::new(0.2, 0.01, 0.2))?))?;
    /// let hinge = Hinge::between(flap, world.ground()).axis(Vec3::Y).limit(-0.1, 1.0).motor(Motor::rate());
    /// let hinge = world.add(hinge)?;
    /// world.set_motor(hinge, Command::rate(0.5))?;
    /// world.set_limit(hinge, Limit::new(-0.1, 2.0))?;
    /// world.step(0.1)?;
    /// assert!((world.joint(hinge)?.position()? - 0.05).abs() < 1e-9);
    /// # Ok::<(), taut::Error>(())
    /// ```
    JointId
);
id!(
    /// Handle of a coupling.
    ///
    /// Two rollers run on one belt, which is found by its name and taken off again.
    /// ```
    /// # use taut::{Body, Hinge, MassProperties, Vec3, World};
    /// # let mut world = World::new();
    /// # let roller = Body::dynamic(MassProperties::cylinder(1000.0, 0.5, 0.05)?);
    /// # let (a, b) = (world.add(roller.clone())?, world.add(roller.at(Vec3::X))?);
    /// # let a = world.add(Hinge::between(a, world.ground()).axis(Vec3::Y))?;
    /// # let b = world.add(Hinge::between(b, world.ground()).axis(Vec3::Y))?;
    /// let belt = world.add(taut::Gear::between(a, b).ratio(1.0).named("belt"))?;
    /// assert_eq!(world.find_coupling("belt")?, belt);
    /// world.remove(belt)?;
    /// assert!(world.coupling(belt).is_err());
    /// # Ok::<(), taut::Error>(())
    /// ```
    CouplingId
);
id!(
    /// Handle of a rope over guides.
    ///
    /// It reads the rope, and takes it off.
    /// ```
    /// use taut::{Body, Rope, Vec3, World};
    /// let mut world = World::new();
    /// let bead = world.add(Body::particle(1.0).at(-Vec3::Y))?;
    /// let line = world.add(Rope::from(world.ground(), -Vec3::X).through(bead, -Vec3::Y).to(world.ground(), Vec3::X))?;
    /// world.step(0.01)?;
    /// // Two spans at 45 degrees carry the bead.
    /// assert!((world.rope(line)?.tension() - 9.81 / 2f64.sqrt()).abs() < 1e-6);
    /// world.remove(line)?;
    /// assert!(world.rope(line).is_err());
    /// # Ok::<(), taut::Error>(())
    /// ```
    RopeId
);
id!(
    /// Handle of a rope with mass.
    ///
    /// ```
    /// use taut::{Body, HeavyRope, Vec3, World};
    /// let mut world = World::new();
    /// let weight = world.add(Body::particle(10.0).at(-6.0 * Vec3::Y))?;
    /// let chain = HeavyRope::from_locker(world.ground(), Vec3::ZERO, (weight, -6.0 * Vec3::Y), 2.0);
    /// let chain = world.add(chain.segment(1.0))?;
    /// world.step(0.01)?;
    /// // The locker is empty: it carries the weight, and the chain but for half of its uppermost piece.
    /// assert!((world.heavy_rope(chain)?.tension() / (22.0 * 9.81) - 1.0).abs() < 0.05);
    /// # Ok::<(), taut::Error>(())
    /// ```
    HeavyRopeId
);
id!(
    /// Handle of a force.
    ///
    /// It reads the force and changes it: a thruster is turned up from 5 N to 8 N.
    /// ```
    /// use taut::{Body, Force, Vec3, World};
    /// let mut world = World::new();
    /// let body = world.add(Body::particle(4.0))?;
    /// let push = |newton: f64| Force::Point { body, point: Vec3::ZERO, force: newton * Vec3::X };
    /// let thruster = world.add(push(5.0))?;
    /// world.set_force(thruster, push(8.0))?;
    /// world.step(0.1)?;
    /// assert_eq!(world.force(thruster)?, push(8.0));
    /// # Ok::<(), taut::Error>(())
    /// ```
    ForceId
);
id!(
    /// Handle of a deformable.
    ///
    /// It names the deformable as long as that is in the world; its nodes are bodies with handles of their own.
    /// ```
    /// use taut::{Deformable, Vec3, World};
    /// use taut::soft::{Cell, Material, Mesh};
    /// let mesh = Mesh { nodes: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], cells: vec![Cell::tet4([0, 1, 2, 3])] };
    /// let mut world = World::new();
    /// let jelly = world.add(Deformable::new(&mesh, &Material::new(1000.0, 1e4, 0.3))?)?;
    /// let corner = world.deformable(jelly)?.node(3)?;
    /// assert_eq!(world.body(corner)?.position(), Vec3::Z);
    /// // A node cannot be taken out of the elements that it holds.
    /// assert!(world.remove(corner).is_err());
    /// world.remove(jelly)?;
    /// assert!(world.body(corner).is_err());
    /// # Ok::<(), taut::Error>(())
    /// ```
    DeformableId
);
id!(
    /// Handle of a collider.
    ///
    /// A bumper is known by its handle in reports and queries; a body lists those that it has.
    /// ```
    /// use taut::{Body, Collider, Shape, Vec3, World};
    /// let mut world = World::new();
    /// let robot = world.add(Body::solid(Shape::cylinder(0.1, 0.2), 300.0)?)?;
    /// let bumper = world.add(Collider::new(Shape::ball(0.05)).at(0.2 * Vec3::X).on(robot).named("bumper"))?;
    /// assert_eq!(world.collider(bumper)?.body, robot);
    /// assert_eq!(world.body(robot)?.colliders()[1], bumper);
    /// # Ok::<(), taut::Error>(())
    /// ```
    ColliderId
);

/// Handle of a motor of a joint. A [`JointId`] stands for the only motor of its joint.
///
/// A joint with two motors: each is told what to do by its own handle, found by number or by name.
/// ```
/// use taut::{Body, Command, Cylindrical, Freedom, MassProperties, Motor, Vec3, World};
/// let mut world = World::new();
/// let drill = world.add(Body::dynamic(MassProperties::cylinder(7800.0, 0.1, 0.02)?))?;
/// let quill = Cylindrical::between(drill, world.ground())
///     .axis(Vec3::Y)
///     .motors([Motor::rate().on(Freedom::Turn), Motor::rate().on(Freedom::Slide).named("feed")]);
/// let quill = world.add(quill)?;
/// world.set_motor(quill.motor(0), Command::rate(100.0))?;
/// world.set_motor(world.find_motor("feed")?, Command::rate(-0.01))?;
/// world.step(0.1)?;
/// assert!((world.motor(quill.motor(1))?.position() + 0.001).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MotorId {
    pub(crate) joint: JointId,
    /// Which of the joint's motors, in the order they were given; `None` for the only one.
    pub(crate) index: Option<u32>,
}

/// Handle of a limit of a joint. A [`JointId`] stands for the only limit of its joint.
///
/// A joint with two limits: the second, on the turn, is made narrower.
/// ```
/// use taut::{Body, Cylindrical, Freedom, Limit, MassProperties, Vec3, World};
/// let mut world = World::new();
/// let lock = world.add(Body::dynamic(MassProperties::cylinder(7800.0, 0.1, 0.02)?))?;
/// let joint = Cylindrical::between(lock, world.ground())
///     .axis(Vec3::Y)
///     .stops([Limit::new(-0.1, 0.1).on(Freedom::Slide), Limit::new(-1.0, 1.0).on(Freedom::Turn)]);
/// let joint = world.add(joint)?;
/// world.set_limit(joint.limit(1), Limit::new(-0.2, 0.2).on(Freedom::Turn))?;
/// assert_eq!(world.joint(joint)?.limits().map(|l| l.upper).collect::<Vec<_>>(), [0.1, 0.2]);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LimitId {
    pub(crate) joint: JointId,
    /// Which of the joint's limits, that of a rope first, then in the order they were given; `None` for the only one.
    pub(crate) index: Option<u32>,
}

impl JointId {
    /// Its motor number `index`, in the order they were given.
    pub fn motor(self, index: usize) -> MotorId {
        MotorId { joint: self, index: Some(index as u32) }
    }

    /// Its limit number `index`: that of a rope first, then in the order they were given.
    pub fn limit(self, index: usize) -> LimitId {
        LimitId { joint: self, index: Some(index as u32) }
    }
}

impl From<JointId> for MotorId {
    fn from(joint: JointId) -> Self {
        MotorId { joint, index: None }
    }
}

impl From<JointId> for LimitId {
    fn from(joint: JointId) -> Self {
        LimitId { joint, index: None }
    }
}

impl MotorId {
    /// Its joint.
    pub fn joint(self) -> JointId {
        self.joint
    }
}

impl LimitId {
    /// Its joint.
    pub fn joint(self) -> JointId {
        self.joint
    }
}
