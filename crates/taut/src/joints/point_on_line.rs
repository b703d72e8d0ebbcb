//! Point on line: the origin of body j stays on the line along N of body i. Two dot-2 rows.

use super::{Axis, Freedom, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// A point of body j that slides along N of body i, with every rotation free: a pin in a slot. It also closes planar loops, where a ball
/// joint would repeat what the hinges hold already.
///
/// A trolley of 5 kg runs along the rail of a gantry, here fixed to the ground, which carries its weight.
/// ```
/// use taut::{Body, Vec3, World, joints::PointOnLine};
/// let mut world = World::new();
/// let trolley = world.add(Body::particle(5.0).moving(Vec3::X, Vec3::ZERO))?;
/// let rail = world.add(PointOnLine::between(world.ground(), trolley).at(Vec3::ZERO).axis(Vec3::X))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(trolley)?.position() - Vec3::X).length() < 1e-6);
/// assert!((world.joint(rail)?.force().y + 5.0 * 9.81).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointOnLine {
    /// Give across the line, m/N.
    pub linear: Softness,
}

impl PointOnLine {
    /// Keeps a point of body j on a line of body i.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(PointOnLine::default(), i, j)
    }
}

impl JointKind for PointOnLine {
    fn name(&self) -> &'static str {
        "point-on-line"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot2(Axis::U, self.linear);
        r.dot2(Axis::V, self.linear);
    }
    fn freedoms(&self) -> &[Freedom] {
        &[Freedom::Slide]
    }
}
