//! Ball-and-socket: the origins coincide, rotation is free. 3 rows (Andrews 2017, Appendix A).

use super::{Chart, Freedom, Joint, JointKind, RowBuilder, Softness, motor};
use crate::ids::BodyId;

/// Ball-and-socket joint.
///
/// A lamp of 2 kg on a hook carries its weight, and swings by no more than its socket lets it.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let lamp = world.add(Body::dynamic(MassProperties::sphere(500.0, 0.1)?.with_mass(2.0)?).at(-0.3 * Vec3::Y))?;
/// let hook = world.add(Ball::between(lamp, world.ground()).at(Vec3::ZERO).stop(Limit::cone(0.5)))?;
/// world.step(0.01)?;
/// assert!((world.joint(hook)?.force().y - 2.0 * 9.81).abs() < 1e-6);
/// world.apply_impulse(lamp, 4.0 * Vec3::X, -0.3 * Vec3::Y)?;
/// for _ in 0..20 {
///     world.step(0.01)?;
///     assert!(world.joint(hook)?.position_of(Freedom::Swing) < 0.5 + 1e-4);
/// }
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// Give of the three rows, m/N.
    pub point: Softness,
}

impl Ball {
    /// A ball joint of body i to body j.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Ball::default(), i, j)
    }
}

impl JointKind for Ball {
    fn name(&self) -> &'static str {
        "ball"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.point);
    }
    fn chart(&self) -> Option<Chart> {
        self.point.is_rigid().then_some(Chart::Ball)
    }
    fn freedoms(&self) -> &[Freedom] {
        &motor::BALL
    }
    fn has_axis(&self) -> bool {
        false
    }
}
