//! Axial lock: no relative rotation about N of body i (Andrews 2017 Eq. 23). 1 row.

use super::{Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// Axial lock about N.
///
/// A sign on a ball joint that the wind cannot twist about the vertical: the lock answers 4 N m with 4 N m.
/// ```
/// use taut::{Ball, Body, Force, MassProperties, Vec3, World, joints::AxialLock};
/// let mut world = World::new();
/// let board = MassProperties::cuboid(500.0, Vec3::new(0.5, 0.3, 0.01))?;
/// let sign = world.add(Body::dynamic(board).at(-0.3 * Vec3::Y))?;
/// world.add(Ball::between(sign, world.ground()).at(Vec3::ZERO))?;
/// let lock = world.add(AxialLock::between(sign, world.ground()).at(Vec3::ZERO).axis(Vec3::Y))?;
/// world.add(Force::Torque { body: sign, torque: 4.0 * Vec3::Y })?;
/// world.step(0.01)?;
/// assert!((world.joint(lock)?.torque().y + 4.0).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxialLock {
    /// Give about the axis, rad/(N m).
    pub angular: Softness,
}

impl AxialLock {
    /// Keeps body i from turning against body j about an axis.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(AxialLock::default(), i, j)
    }
}

impl JointKind for AxialLock {
    fn name(&self) -> &'static str {
        "axial-lock"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.axial(self.angular);
    }
}
