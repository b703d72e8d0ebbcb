//! Translational joint: sliding in all directions, no rotation. Three dot-1 rows.

use super::{Axis, Chart, Freedom, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// Joint that only keeps two bodies from turning against each other.
///
/// A camera platform of 8 kg that goes anywhere and never tips, wherever it is pushed: v = F t/m.
/// ```
/// use taut::{Body, MassProperties, Quat, Vec3, World, joints::Translational};
/// let mut world = World::new();
/// let platform = world.add(Body::dynamic(MassProperties::cuboid(1000.0, Vec3::splat(0.1))?))?;
/// world.add(Translational::between(platform, world.ground()))?;
/// world.apply_force(platform, 16.0 * Vec3::X, Vec3::new(0.0, 0.1, 0.1))?;
/// world.step(0.5)?;
/// assert!((world.body(platform)?.velocity().x - 1.0).abs() < 1e-9);
/// assert!(world.body(platform)?.rotation().angle_between(Quat::IDENTITY) < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Translational {
    /// Give of the three locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Translational {
    /// Keeps body i turned as body j is.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Translational::default(), i, j)
    }
}

impl JointKind for Translational {
    fn name(&self) -> &'static str {
        "translational"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot1(Axis::U, Axis::V, self.angular);
    }
    fn chart(&self) -> Option<Chart> {
        self.angular.is_rigid().then_some(Chart::Translational)
    }
    fn freedoms(&self) -> &[Freedom] {
        &[Freedom::Shift(Axis::U), Freedom::Shift(Axis::V), Freedom::Shift(Axis::N)]
    }
    fn has_axis(&self) -> bool {
        false
    }
}
