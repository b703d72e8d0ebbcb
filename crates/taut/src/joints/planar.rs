//! Planar joint: sliding in the plane normal to N of body i and rotation about N. Two dot-1 rows and one dot-2 row.

use super::{Axis, Chart, Freedom, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// Planar joint with the normal N.
///
/// A curling stone of 20 kg glides and spins on ice without friction; the ice carries m g.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let granite = MassProperties::cylinder(2700.0, 0.06, 0.14)?.with_mass(20.0)?;
/// let stone = world.add(Body::dynamic(granite).moving(2.0 * Vec3::X, Vec3::Y))?;
/// let ice = world.add(Planar::between(stone, world.ground()).axis(Vec3::Y))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(stone)?.position() - 2.0 * Vec3::X).length() < 1e-6);
/// assert!((world.joint(ice)?.force().y - 20.0 * 9.81).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Planar {
    /// Give along the normal, m/N.
    pub linear: Softness,
    /// Give of the two locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Planar {
    /// A planar joint of body i to body j.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Planar::default(), i, j)
    }
}

impl JointKind for Planar {
    fn name(&self) -> &'static str {
        "planar"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot2(Axis::N, self.linear);
    }
    fn chart(&self) -> Option<Chart> {
        (self.linear.is_rigid() && self.angular.is_rigid()).then_some(Chart::Planar)
    }
    fn freedoms(&self) -> &[Freedom] {
        &[Freedom::Shift(Axis::U), Freedom::Shift(Axis::V), Freedom::Turn]
    }
}
