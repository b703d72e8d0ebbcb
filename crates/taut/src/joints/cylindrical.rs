//! Cylindrical joint: sliding along and rotation about N of body i. Two dot-1 and two dot-2 rows.

use super::{Axis, Chart, Freedom, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// Cylindrical joint along N.
///
/// A bolt in a smooth sleeve falls freely along its axis, by g t^2/2, and keeps on turning about it.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let bolt = Body::dynamic(MassProperties::cylinder(7800.0, 0.05, 0.01)?).moving(Vec3::ZERO, 2.0 * Vec3::Y);
/// let bolt = world.add(bolt)?;
/// let sleeve = world.add(Cylindrical::between(bolt, world.ground()).axis(Vec3::Y))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.joint(sleeve)?.position_of(Freedom::Turn) - 2.0).abs() < 1e-6);
/// assert!((world.joint(sleeve)?.position_of(Freedom::Slide) + 9.81 / 2.0).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cylindrical {
    /// Give across the axis, m/N.
    pub linear: Softness,
    /// Give of the two locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Cylindrical {
    /// A cylindrical joint of body i to body j.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Cylindrical::default(), i, j)
    }
}

impl JointKind for Cylindrical {
    fn name(&self) -> &'static str {
        "cylindrical"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot2(Axis::U, self.linear);
        r.dot2(Axis::V, self.linear);
    }
    fn chart(&self) -> Option<Chart> {
        (self.linear.is_rigid() && self.angular.is_rigid()).then_some(Chart::Cylindrical)
    }
    fn freedoms(&self) -> &[Freedom] {
        &[Freedom::Slide, Freedom::Turn]
    }
}
