//! Adding and removing: one word each for all that a world is made of.

use super::World;
use crate::contact::collider::Collider;
use crate::error::{Error, Result};
use crate::ids::{BodyId, ColliderId, CouplingId, DeformableId, ForceId, JointId, RopeId};
use crate::joints::Joint;
use crate::model::body::Body;
use crate::model::coupling::Coupling;
use crate::model::force::{Force, MouseSpring, NamedForce, Spring, SpringBuilder};
use crate::model::reeving::Reeving;
use crate::model::soft::Deformable;

/// Something that can be added to a world: [`Body`], [`Collider`], [`Joint`], [`Coupling`], [`Force`], [`Spring`].
///
/// A part of your own is made of others: a pendulum is a body and its rope.
/// ```
/// use taut::{Body, BodyId, JointId, Result, Rope, Vec3, World, parts::Part};
///
/// struct Pendulum {
///     mass: f64,
///     length: f64,
/// }
///
/// impl Part for Pendulum {
///     type Handle = (BodyId, JointId);
///     fn add_to(self, world: &mut World) -> Result<Self::Handle> {
///         let bob = world.add(Body::particle(self.mass).at(-self.length * Vec3::Y))?;
///         Ok((bob, world.add(Rope::between(bob, world.ground()))?))
///     }
/// }
///
/// let mut world = World::new();
/// let (_, rope) = world.add(Pendulum { mass: 3.0, length: 2.0 })?;
/// world.step(0.01)?;
/// assert!((world.joint(rope)?.tension() - 3.0 * 9.81).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
pub trait Part {
    /// What names it in the world.
    type Handle;
    /// Adds it, or changes nothing and says why it cannot be added.
    fn add_to(self, world: &mut World) -> Result<Self::Handle>;
}

/// A handle of something that can be removed from a world.
///
/// All handles are: with a body go its joints.
/// ```
/// use taut::{Body, Error, Rope, Vec3, World, parts::Removable};
/// fn take_all<H: Removable>(world: &mut World, handles: impl IntoIterator<Item = H>) -> Result<(), Error> {
///     handles.into_iter().try_for_each(|h| world.remove(h))
/// }
/// let mut world = World::new();
/// let (a, b) = (world.add(Body::particle(1.0).at(Vec3::X))?, world.add(Body::particle(1.0))?);
/// let rope = world.add(Rope::between(a, b))?;
/// take_all(&mut world, [a, b])?;
/// assert!(world.joint(rope).is_err() && world.bodies().count() == 1);
/// # Ok::<(), taut::Error>(())
/// ```
pub trait Removable {
    /// Removes it with all that cannot be without it.
    fn remove_from(self, world: &mut World) -> Result<()>;
}

impl World {
    /// Adds a body, a collider, a joint or a force.
    ///
    /// ```
    /// use taut::{Ball, Body, Force, MassProperties, Spring, Vec3, World};
    /// let mut world = World::new();
    /// let ground = world.ground();
    /// let bob = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(Vec3::X).named("bob"))?;
    /// let pivot = world.add(Ball::between(bob, ground).at(Vec3::ZERO).named("pivot"))?;
    /// world.add(Spring::between(bob, ground).ends(Vec3::X, Vec3::new(1.0, 2.0, 0.0)).stiffness(100.0))?;
    /// world.add(Force::Point { body: bob, point: Vec3::ZERO, force: Vec3::Z }.named("wind"))?;
    /// world.step(0.01)?;
    /// world.remove(pivot)?;
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn add<P: Part>(&mut self, part: P) -> Result<P::Handle> {
        part.add_to(self)
    }

    /// Removes what a handle names; with a body its joints, forces and colliders.
    pub fn remove(&mut self, handle: impl Removable) -> Result<()> {
        handle.remove_from(self)
    }
}

impl Part for Body {
    type Handle = BodyId;
    fn add_to(self, world: &mut World) -> Result<BodyId> {
        world.insert_body(self)
    }
}

impl Part for Joint {
    type Handle = JointId;
    fn add_to(self, world: &mut World) -> Result<JointId> {
        world.insert_joint(self, false)
    }
}

impl Part for Collider {
    type Handle = ColliderId;
    fn add_to(self, world: &mut World) -> Result<ColliderId> {
        let Some(body) = self.body else {
            return Err(Error::input("body of the collider", "none", "a body: call .on(body)"));
        };
        world.insert_collider(body, self)
    }
}

impl Part for Coupling {
    type Handle = CouplingId;
    fn add_to(self, world: &mut World) -> Result<CouplingId> {
        world.insert_coupling(self)
    }
}

impl Part for Reeving {
    type Handle = RopeId;
    fn add_to(self, world: &mut World) -> Result<RopeId> {
        world.insert_rope(self)
    }
}

impl Part for Deformable {
    type Handle = DeformableId;
    fn add_to(self, world: &mut World) -> Result<DeformableId> {
        world.insert_deformable(self)
    }
}

impl Part for Force {
    type Handle = ForceId;
    fn add_to(self, world: &mut World) -> Result<ForceId> {
        world.insert_force(self, String::new())
    }
}

impl Part for NamedForce {
    type Handle = ForceId;
    fn add_to(self, world: &mut World) -> Result<ForceId> {
        world.insert_force(self.force, self.name)
    }
}

impl Part for Spring {
    type Handle = ForceId;
    fn add_to(self, world: &mut World) -> Result<ForceId> {
        world.insert_force(Force::Spring(self), String::new())
    }
}

impl Part for SpringBuilder {
    type Handle = ForceId;
    fn add_to(self, world: &mut World) -> Result<ForceId> {
        let (i, j) = (world.pose(self.i)?, world.pose(self.j)?);
        let spring = self.place(&i, &j)?;
        world.insert_force(Force::Spring(spring), self.name)
    }
}

impl Part for MouseSpring {
    type Handle = ForceId;
    fn add_to(self, world: &mut World) -> Result<ForceId> {
        world.insert_force(Force::Mouse(self), String::new())
    }
}

impl Removable for BodyId {
    fn remove_from(self, world: &mut World) -> Result<()> {
        world.take_body(self)
    }
}

impl Removable for JointId {
    fn remove_from(self, world: &mut World) -> Result<()> {
        world.model.joint(self)?;
        world.drop_joint(self);
        Ok(())
    }
}

impl Removable for ColliderId {
    fn remove_from(self, world: &mut World) -> Result<()> {
        world.take_collider(self)
    }
}

impl Removable for CouplingId {
    fn remove_from(self, world: &mut World) -> Result<()> {
        world.take_coupling(self)
    }
}

impl Removable for RopeId {
    fn remove_from(self, world: &mut World) -> Result<()> {
        world.take_rope(self)
    }
}

impl Removable for DeformableId {
    fn remove_from(self, world: &mut World) -> Result<()> {
        world.take_deformable(self)
    }
}

impl Removable for ForceId {
    fn remove_from(self, world: &mut World) -> Result<()> {
        world.take_force(self)
    }
}
