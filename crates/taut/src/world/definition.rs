//! What a world is made of, for those who write it down: the parts of joints, and what was said about pairs.

use super::{JointRef, MotorRef, World};
use crate::contact::material::Material;
use crate::ids::{BodyId, ColliderId, ForceId, JointId};
use crate::joints::{BoundSpec, Chart, Friction, JointKind, Limit, RowSpec, SpeedLimit};
use std::any::Any;
use std::collections::BTreeMap;

/// Something that has rows in a world.
///
/// ```
/// use taut::views::RowsOf;
/// use taut::{Body, Locks, Rope, World};
/// let mut world = World::new();
/// let bead = world.add(Body::particle(1.0).locked(Locks { linear: [true, false, true], ..Locks::NONE }))?;
/// let rope = world.add(Rope::between(bead, world.ground()).length(2.0))?;
/// assert_eq!(world.rows_in_order(), [RowsOf::Locks(bead), RowsOf::Joint(rope)]);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsOf {
    /// A joint.
    Joint(JointId),
    /// The locks of a body.
    Locks(BodyId),
    /// A spring.
    Force(ForceId),
}

impl<'a> JointRef<'a> {
    /// Its kind with all numbers, where it is of that type; a kind behind a pointer is of the type of the pointer.
    ///
    /// ```
    /// use taut::{Body, Rope, Vec3, World};
    /// let mut world = World::new();
    /// let bob = world.add(Body::particle(1.0).at(-Vec3::Y))?;
    /// let rope = world.add(Rope::between(bob, world.ground()))?;
    /// assert_eq!(world.joint(rope)?.kind_as::<Rope>().map(|r| r.restitution), Some(0.0));
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn kind_as<K: JointKind>(&self) -> Option<&'a K> {
        let kind: &dyn Any = self.entry().kind.as_ref();
        kind.downcast_ref()
    }

    /// The rows of its block with their give as it is now: those of its kind, then those of motors without a bound on their force.
    pub fn rows(&self) -> &'a [RowSpec] {
        &self.entry().rows
    }

    /// The limits that its kind brings along, as they are now: that of a rope. They come first among [`JointRef::limits`].
    pub fn own_limits(&self) -> impl Iterator<Item = Limit> + use<'a> {
        let own = self.entry().limits().count() - self.entry().def.limits.len();
        self.limits().take(own)
    }

    /// Its dry friction, in the order it was given.
    pub fn frictions(&self) -> impl Iterator<Item = Friction> + use<'a> {
        self.entry().bounds.iter().filter_map(BoundSpec::friction)
    }

    /// The bounds of its speed, in the order they were given.
    pub fn speed_limits(&self) -> impl Iterator<Item = SpeedLimit> + use<'a> {
        self.entry().bounds.iter().filter_map(BoundSpec::speed)
    }

    /// Its armature, kg m^2 for turns and kg for slides; zero for none.
    pub fn armature(&self) -> f64 {
        self.entry().def.armature
    }

    /// Its motors, in the order they were given.
    pub fn motors(&self) -> impl Iterator<Item = MotorRef<'a>> + use<'a> {
        let (world, id) = (self.world(), self.id());
        (0..self.entry().def.motors.len()).filter_map(move |k| world.motor(id.motor(k)).ok())
    }

    /// What it leaves free, where reduced coordinates can replace its rows.
    pub fn chart(&self) -> Option<Chart> {
        self.entry().chart
    }
}

impl World {
    /// Pairs of bodies that meet or do not because the user has said so ([`World::set_collision`]), in a fixed order.
    pub fn collisions(&self) -> impl Iterator<Item = (BodyId, BodyId, bool)> + '_ {
        self.model.collisions.iter().map(|(&(a, b), &meet)| (a, b, meet))
    }

    /// Pairs of colliders with a material of their own ([`World::set_pair_material`]), in a fixed order; it is in the frame of the first.
    pub fn pair_materials(&self) -> impl Iterator<Item = (ColliderId, ColliderId, Material)> + '_ {
        let turned = |(&(a, b), &(material, first)): (&(ColliderId, ColliderId), &(Material, bool))| {
            if first { (a, b, material) } else { (b, a, material) }
        };
        self.model.pair_materials.iter().map(turned)
    }

    /// All that has rows, in the order in which a step takes them: joints, springs and locked bodies.
    pub fn rows_in_order(&self) -> Vec<RowsOf> {
        let springs = self.model.forces.iter().filter_map(|(k, f)| f.joint.map(|j| (j, RowsOf::Force(ForceId(k)))));
        let locks = self.model.bodies.iter().filter_map(|(k, b)| b.locks.1.map(|j| (j, RowsOf::Locks(BodyId(k)))));
        let owners: BTreeMap<JointId, RowsOf> = springs.chain(locks).collect();
        let all = self.model.joints.iter().map(|(k, _)| JointId(k));
        all.map(|id| owners.get(&id).copied().unwrap_or(RowsOf::Joint(id))).collect()
    }
}
