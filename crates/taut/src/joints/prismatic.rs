//! Prismatic joint: sliding along N of body i, no rotation. Three dot-1 and two dot-2 rows.

use super::{Axis, Chart, Freedom, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// Prismatic (slider) joint along N.
///
/// The head of a drill, 10 kg, slides on a column and hangs on a spring of 981 N/m: it sinks by m g/k = 0.1 m.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let head = world.add(Body::dynamic(MassProperties::cuboid(1250.0, Vec3::splat(0.1))?))?;
/// let column = world.add(Prismatic::between(head, world.ground()).axis(Vec3::Y).spring(981.0, 200.0))?;
/// for _ in 0..300 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.joint(column)?.position()? + 0.1).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prismatic {
    /// Give across the slide, m/N.
    pub linear: Softness,
    /// Give of the three locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Prismatic {
    /// A slide of body i on body j.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Prismatic::default(), i, j)
    }
}

impl JointKind for Prismatic {
    fn name(&self) -> &'static str {
        "prismatic"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot1(Axis::U, Axis::V, self.angular);
        r.dot2(Axis::U, self.linear);
        r.dot2(Axis::V, self.linear);
    }
    fn chart(&self) -> Option<Chart> {
        (self.linear.is_rigid() && self.angular.is_rigid()).then_some(Chart::Prismatic)
    }
    fn freedoms(&self) -> &[Freedom] {
        &[Freedom::Slide]
    }
}
