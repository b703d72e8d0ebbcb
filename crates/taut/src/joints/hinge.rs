//! Hinge: rotation about N alone. A ball and n_i at right angles to u_j and v_j. 5 rows.

use super::{Axis, Chart, Freedom, Joint, JointKind, RowBuilder, Softness};
use crate::ids::BodyId;

/// Hinge (revolute) joint about N.
///
/// A trapdoor of 20 kg, 1 m wide, rests level on its stop. The stop carries m g l/2.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let lid = world.add(Body::dynamic(MassProperties::cuboid(500.0, Vec3::new(0.5, 0.02, 0.5))?).at(0.5 * Vec3::X))?;
/// let hinge = world.add(Hinge::between(lid, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).limit(0.0, 1.5))?;
/// world.step(0.01)?;
/// assert!((world.joint(hinge)?.torque().z - 20.0 * 9.81 * 0.5).abs() < 1e-6);
/// assert!(world.joint(hinge)?.position()?.abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hinge {
    /// Give of the ball, m/N.
    pub point: Softness,
    /// Give about the two locked axes, rad/(N m).
    pub angular: Softness,
}

impl Hinge {
    /// A hinge of body i to body j.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Hinge::default(), i, j)
    }
}

impl JointKind for Hinge {
    fn name(&self) -> &'static str {
        "hinge"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.point);
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
    }
    fn chart(&self) -> Option<Chart> {
        (self.point.is_rigid() && self.angular.is_rigid()).then_some(Chart::Hinge)
    }
    fn freedoms(&self) -> &[Freedom] {
        &[Freedom::Turn]
    }
}
