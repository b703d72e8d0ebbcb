//! Distance range: the origins stay between two distances. One bounded row.

use super::{Freedom, Joint, JointKind, Limit, RowBuilder, Softness};
use crate::error::{Error, Result};
use crate::ids::BodyId;

/// Keeps two points between two distances: a rope that also has a shortest length.
///
/// ```
/// use taut::{Body, Range, Vec3, World};
/// let mut world = World::new();
/// let bob = world.add(Body::particle(1.0).at(-Vec3::Y))?;
/// let range = world.add(Range::between(bob, world.ground(), 0.5, 2.0))?;
/// for _ in 0..120 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(bob)?.position().length() - 2.0).abs() < 1e-9);
/// assert!((world.joint(range)?.tension() - 9.81).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Least distance, m.
    pub shortest: f64,
    /// Largest distance, m.
    pub longest: f64,
    /// Give of the stops, m/N.
    pub soft: Softness,
    /// Rebound speed over approach speed, 0 to 1.
    pub restitution: f64,
}

impl Range {
    /// Between two distances, m.
    pub fn new(shortest: f64, longest: f64) -> Self {
        Range { shortest, longest, soft: Softness::RIGID, restitution: 0.0 }
    }

    /// Keeps body i between two distances (m) from body j.
    pub fn between(i: BodyId, j: BodyId, shortest: f64, longest: f64) -> Joint {
        Joint::of(Range::new(shortest, longest), i, j)
    }

    fn limit(&self) -> Limit {
        Limit::new(self.shortest, self.longest).on(Freedom::Length).soft(self.soft).bouncing(self.restitution)
    }
}

impl JointKind for Range {
    fn name(&self) -> &'static str {
        "range"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.limit(&self.limit());
    }
    fn freedoms(&self) -> &[Freedom] {
        &[Freedom::Length]
    }
    fn has_axis(&self) -> bool {
        false
    }
    fn spans(&self) -> bool {
        true
    }
    fn validate(&self) -> Result<()> {
        if !(self.longest > 0.0 && self.longest.is_finite()) {
            return Err(Error::input("range longest", self.longest, "a positive, finite number of m"));
        }
        self.limit().validate(Freedom::Length)
    }
}
