//! Rope: the origins stay at most a length apart; slack, then taut. One bounded row that only pulls.
//! With compliance it is a spring that only pulls.

use super::{Freedom, Joint, JointKind, Limit, RowBuilder, Softness};
use crate::error::{Error, Result, positive};
use crate::ids::BodyId;

/// Massless rope, or a one-way spring when it has compliance.
///
/// Like those of every joint its two bodies do not meet: a load on a rope from the ground passes through the colliders of the ground. Say
/// `world.set_collision(load, world.ground(), true)` to let it land ([`World::set_collision`](crate::World::set_collision)).
///
/// A bucket of 10 kg falls for half a metre until the rope is taut, then the rope carries m g.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let bucket = world.add(Body::particle(10.0).at(-1.5 * Vec3::Y))?;
/// let rope = world.add(Rope::between(bucket, world.ground()).length(2.0))?;
/// world.step(0.01)?;
/// assert_eq!(world.joint(rope)?.tension(), 0.0);
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(rope)?.tension() - 98.1).abs() < 1e-6);
/// assert!((world.joint(rope)?.position()? - 2.0).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rope {
    /// Length when taut, m; the distance of its ends when it is added if left out.
    pub length: Option<f64>,
    /// Give along the rope, m/N.
    pub soft: Softness,
    /// Rebound speed over stretching speed when it snaps taut, 0 to 1.
    pub restitution: f64,
}

impl Rope {
    /// A rope that does not stretch.
    pub fn new(length: f64) -> Self {
        Rope { length: Some(length), soft: Softness::RIGID, restitution: 0.0 }
    }

    /// A rope that does not stretch from body i to body j, taut as they are.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Rope::default(), i, j)
    }

    /// A spring that only pulls: rest length (m), stiffness (N/m), damping (N s/m).
    pub fn spring(length: f64, stiffness: f64, damping: f64) -> Self {
        Rope { length: Some(length), soft: Softness::spring(stiffness, damping), restitution: 0.0 }
    }
}

impl JointKind for Rope {
    fn name(&self) -> &'static str {
        "rope"
    }
    fn rows(&self, r: &mut RowBuilder) {
        let taut = Limit::new(f64::NEG_INFINITY, r.length(self.length)).on(Freedom::Length);
        r.limit(&taut.soft(self.soft).bouncing(self.restitution));
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
        self.length.map_or(Ok(0.0), |l| positive("rope length", l, "m"))?;
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(Error::input("rope restitution", self.restitution, "a number from 0 to 1"));
        }
        self.soft.validate("rope")
    }
}
