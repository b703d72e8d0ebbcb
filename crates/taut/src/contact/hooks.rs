//! What the user has to say while contacts are found: who meets whom beyond groups, and what the surfaces are like at one point.

use super::material::{Material, Meeting, across};
use crate::error::{Error, Result};
use crate::ids::{BodyId, ColliderId};
use crate::math::pose::Pose;
use glam::DVec3;
use std::fmt;
use std::sync::Arc;

/// Answers for pairs of colliders and for contact points, asked in every step: one-way platforms, conveyor belts, patches of ice.
///
/// Answers should depend on what is handed in and on nothing else that changes: then the same inputs give the same bits, and a restored
/// snapshot repeats its run. Whoever changes what a hook answers wakes the bodies that it concerns ([`World::wake`](crate::World::wake)):
/// of those that sleep, and of pairs in which nothing moves, nothing is asked. Hooks are shared by copies of a world, and asked by
/// [`World::predict_contacts`](crate::World::predict_contacts) too; rays and other queries have filters of their own.
///
/// A platform that lets through what comes from below:
///
/// ```
/// use taut::{ColliderId, hooks::ContactEdit, hooks::ContactHooks, Vec3, World};
///
/// struct OneWay(ColliderId);
///
/// impl ContactHooks for OneWay {
///     fn modify(&self, contact: &mut ContactEdit<'_>) {
///         let Some(out) = contact.normal_from(self.0) else { return };
///         let rises = contact.velocity_from(self.0).is_some_and(|v| v.y > 0.01);
///         if out.y < 0.7 || rises || contact.distance() < -0.02 {
///             contact.discard();
///         }
///     }
/// }
/// # use taut::{Collider, Shape};
/// # let mut world = World::new();
/// # let ground = world.ground();
/// # let platform = world.add(Collider::new(Shape::cuboid(Vec3::new(1.0, 0.1, 1.0))).on(ground))?;
/// world.set_contact_hooks(Some(std::sync::Arc::new(OneWay(platform))));
/// # Ok::<(), taut::Error>(())
/// ```
pub trait ContactHooks: Send + Sync {
    /// Whether two colliders may touch. Asked once in a step for every pair whose boxes meet and whose groups agree, before their contact
    /// points are looked for. A sensor does not see what is refused.
    fn filter(&self, pair: &ContactPair<'_>) -> bool {
        let _ = pair;
        true
    }

    /// Changes a contact point, or discards it. Contacts are found before they touch: [`ContactEdit::distance`] may be positive. A step
    /// that wakes sleeping bodies finds its contacts again, and asks again. A step in which a value is out of its range fails with an
    /// error that names it, and nothing has changed.
    fn modify(&self, contact: &mut ContactEdit<'_>) {
        let _ = contact;
    }
}

/// Two colliders that may touch, in the order of their slots, when a step begins.
///
/// Ghosts, whose colliders carry the number 7, pass through everything.
/// ```
/// use std::sync::Arc;
/// use taut::hooks::{ContactHooks, ContactPair};
/// use taut::{Body, Collider, Shape, Vec3, World};
///
/// struct Ghosts;
///
/// impl ContactHooks for Ghosts {
///     fn filter(&self, pair: &ContactPair<'_>) -> bool {
///         pair.user_data.0 != 7 && pair.user_data.1 != 7
///     }
/// }
///
/// let mut world = World::new();
/// world.set_contact_hooks(Some(Arc::new(Ghosts)));
/// world.add(Collider::new(Shape::ground()).on(world.ground()))?;
/// let ghost = world.add(Body::particle(1.0).at(Vec3::Y).collider(Collider::new(Shape::ball(0.1)).user_data(7)))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!(world.body(ghost)?.position().y < -1.0);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ContactPair<'a> {
    /// The colliders, a and b.
    pub colliders: (ColliderId, ColliderId),
    /// Their bodies.
    pub bodies: (BodyId, BodyId),
    /// Names of the colliders; empty where they have none.
    pub collider_names: (&'a str, &'a str),
    /// Names of the bodies; empty where they have none.
    pub body_names: (&'a str, &'a str),
    /// The user's own numbers of the colliders.
    pub user_data: (u64, u64),
    /// Whether they are sensors.
    pub sensors: (bool, bool),
    /// Poses of the colliders in the world.
    pub poses: (Pose, Pose),
    /// Velocities of the centres of mass of the bodies, m/s.
    pub velocities: (DVec3, DVec3),
    /// Angular velocities of the bodies, world frame, rad/s.
    pub angular_velocities: (DVec3, DVec3),
}

impl ContactPair<'_> {
    /// Whether a collider is one of the two.
    pub fn has(&self, collider: ColliderId) -> bool {
        self.sign(collider).is_some()
    }

    /// The collider that the given one meets; none if it is not one of the two.
    pub fn other(&self, collider: ColliderId) -> Option<ColliderId> {
        self.sign(collider).map(|s| if s < 0.0 { self.colliders.1 } else { self.colliders.0 })
    }

    /// -1 for the first, 1 for the second: what points from b to a points out of b.
    fn sign(&self, collider: ColliderId) -> Option<f64> {
        match collider {
            c if c == self.colliders.0 => Some(-1.0),
            c if c == self.colliders.1 => Some(1.0),
            _ => None,
        }
    }

    /// Both colliders by name or handle, with their bodies.
    fn named(&self) -> String {
        let called = |name: &str, id: &dyn fmt::Debug| match name {
            "" => format!("{id:?}"),
            name => format!("'{name}'"),
        };
        let (c, b) = (self.colliders, self.bodies);
        format!(
            "collider {} on body {} and collider {} on body {}",
            called(self.collider_names.0, &c.0),
            called(self.body_names.0, &b.0),
            called(self.collider_names.1, &c.1),
            called(self.body_names.1, &b.1)
        )
    }
}

/// A contact point that may be changed before the step solves it. What can be changed holds the values of the two materials, or those
/// of the pair.
///
/// A belt that runs at 1 m/s brings a parcel to its own speed.
/// ```
/// use std::sync::Arc;
/// use taut::hooks::{ContactEdit, ContactHooks};
/// use taut::{Body, Collider, ColliderId, Shape, Vec3, World};
///
/// struct Belt(ColliderId);
///
/// impl ContactHooks for Belt {
///     fn modify(&self, contact: &mut ContactEdit<'_>) {
///         contact.run_surface(self.0, Vec3::X);
///     }
/// }
///
/// let mut world = World::new();
/// let belt = world.add(Collider::new(Shape::ground()).on(world.ground()))?;
/// world.set_contact_hooks(Some(Arc::new(Belt(belt))));
/// let parcel = world.add(Body::solid(Shape::cuboid(Vec3::new(0.2, 0.1, 0.2)), 200.0)?.at(0.1 * Vec3::Y))?;
/// for _ in 0..60 {
///     world.step(0.01)?;
/// }
/// assert!((world.body(parcel)?.velocity().x - 1.0).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Debug)]
pub struct ContactEdit<'a> {
    pair: ContactPair<'a>,
    at: ContactPoint,
    is_discarded: bool,
    /// Coefficients of friction along the two [tangents](ContactEdit::tangents), zero or more.
    pub friction: [f64; 2],
    /// Rebound speed over impact speed, 0 to 1.
    pub restitution: f64,
    /// Give of the two surfaces together, m/N, zero or more; zero is rigid.
    pub compliance: f64,
    /// Damping beside the compliance, N s/m, zero or more.
    pub damping: f64,
    /// Velocity of the surface of b relative to its body, less that of a, in the world, m/s: friction brings a to this velocity relative
    /// to b. What is along the normal does not count. [`ContactEdit::run_surface`] minds the order of the two.
    pub surface_velocity: DVec3,
}

/// Where two surfaces touch or are about to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactPoint {
    /// Between the surfaces, world, m.
    pub point: DVec3,
    /// From b to a.
    pub normal: DVec3,
    pub distance: f64,
    /// Of a against b, m/s.
    pub velocity: DVec3,
    pub tangents: [DVec3; 2],
}

impl<'a> ContactEdit<'a> {
    /// The two colliders.
    pub fn pair(&self) -> &ContactPair<'a> {
        &self.pair
    }

    /// World point between the surfaces, m.
    pub fn point(&self) -> DVec3 {
        self.at.point
    }

    /// Unit normal from collider b to collider a.
    pub fn normal(&self) -> DVec3 {
        self.at.normal
    }

    /// Unit normal out of the surface of a collider; none if it is not one of the two.
    pub fn normal_from(&self, collider: ColliderId) -> Option<DVec3> {
        self.pair.sign(collider).map(|s| s * self.at.normal)
    }

    /// How far the surfaces are apart along the normal, m; negative in each other.
    pub fn distance(&self) -> f64 {
        self.at.distance
    }

    /// Velocity of the body of a relative to that of b at the point when the step begins, m/s; without surface velocities.
    pub fn velocity(&self) -> DVec3 {
        self.at.velocity
    }

    /// Velocity of the other body at the point as seen from the body of a collider, m/s; none if it is not one of the two.
    pub fn velocity_from(&self, collider: ColliderId) -> Option<DVec3> {
        self.pair.sign(collider).map(|s| s * self.at.velocity)
    }

    /// Unit tangents that the two coefficients of friction belong to, across the normal and each other.
    pub fn tangents(&self) -> [DVec3; 2] {
        self.at.tangents
    }

    /// Lets the surface of a collider run at a velocity relative to its body, in the world, m/s, in place of what the materials say: a
    /// conveyor belt. Says whether it is one of the two.
    pub fn run_surface(&mut self, collider: ColliderId, velocity: DVec3) -> bool {
        let Some(sign) = self.pair.sign(collider) else { return false };
        self.surface_velocity = sign * velocity;
        true
    }

    /// The two do not touch here.
    pub fn discard(&mut self) {
        self.is_discarded = true;
    }

    /// What the surfaces do now; refuses values out of their range.
    fn finish(self, before: &Meeting) -> Result<Option<Meeting>> {
        if self.is_discarded {
            return Ok(None);
        }
        let ContactEdit { friction, restitution, compliance, damping, .. } = self;
        let mut m = Meeting { friction, restitution, compliance, damping, ..*before };
        if self.surface_velocity != before.surface_velocity {
            m.surface_velocity = across(self.surface_velocity, self.at.normal);
        }
        let asked = Material {
            friction,
            restitution,
            compliance,
            damping,
            direction: before.tangents[0],
            surface_velocity: self.surface_velocity,
            ..Material::default()
        };
        if m != *before {
            asked.validate().map_err(|e| blame(e, &self.pair))?;
        }
        Ok(Some(m))
    }
}

/// Names the hook and the pair in the error of a value.
fn blame(error: Error, pair: &ContactPair<'_>) -> Error {
    match error {
        Error::Input { name, value, expected } => {
            let name = format!("{name} that ContactHooks::modify has set for {}", pair.named());
            Error::Input { name, value, expected }
        }
        other => other,
    }
}

/// The hooks of a world, if it has any.
#[derive(Clone, Default)]
pub(crate) struct Hooks(pub Option<Arc<dyn ContactHooks>>);

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Hooks(some)" } else { "Hooks(none)" })
    }
}

/// What a hook makes of a contact point; none when it is discarded.
pub(crate) fn modified(
    hook: &dyn ContactHooks,
    pair: ContactPair<'_>,
    at: ContactPoint,
    met: &Meeting,
) -> Result<Option<Meeting>> {
    let mut edit = ContactEdit {
        pair,
        at,
        is_discarded: false,
        friction: met.friction,
        restitution: met.restitution,
        compliance: met.compliance,
        damping: met.damping,
        surface_velocity: met.surface_velocity,
    };
    hook.modify(&mut edit);
    edit.finish(met)
}
