//! Universal (Hooke) joint: a ball that does not twist. Axis n of i stays at right angles to u of j. 4 rows.

use super::{Axis, Chart, Freedom, Joint, JointKind, RowBuilder, Softness, motor};
use crate::ids::BodyId;

/// Universal joint; its cross lies along N of body i and U of body j.
///
/// A shaft that hangs on a Cardan joint may lean in two directions, and hands on all torque about its length.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let shaft = world.add(Body::dynamic(MassProperties::cylinder(7800.0, 0.5, 0.02)?).at(-0.5 * Vec3::Y))?;
/// let cross = world.add(Universal::between(shaft, world.ground()).at(Vec3::ZERO).axis(Vec3::X).across(Vec3::Z))?;
/// world.add(Force::Torque { body: shaft, torque: 5.0 * Vec3::Y })?;
/// world.step(0.01)?;
/// assert_eq!(world.joint(cross)?.freedoms().len(), 2);
/// assert!((world.joint(cross)?.torque().y + 5.0).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Universal {
    /// Give of the ball, m/N.
    pub point: Softness,
    /// Give about the locked axis, rad/(N m).
    pub angular: Softness,
}

impl Universal {
    /// A universal joint of body i to body j.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Universal::default(), i, j)
    }
}

impl JointKind for Universal {
    fn name(&self) -> &'static str {
        "universal"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.point);
        r.dot1(Axis::N, Axis::U, self.angular);
    }
    fn chart(&self) -> Option<Chart> {
        (self.point.is_rigid() && self.angular.is_rigid()).then_some(Chart::Universal)
    }
    fn freedoms(&self) -> &[Freedom] {
        &motor::UNIVERSAL
    }
}
