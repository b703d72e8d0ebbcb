//! Rod: the origins stay a fixed distance apart (Tournier 2015 section 2.2). 1 row.

use super::{Joint, JointKind, RowBuilder, Softness};
use crate::error::{Result, positive};
use crate::ids::BodyId;

/// Massless rod, or a spring when it has compliance.
///
/// A load of 100 kg on two rods of 5 m that reach 4 m to either side: each pulls with m g/2 * 5/3.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let at = Vec3::new(0.0, -3.0, 0.0);
/// let load = world.add(Body::particle(100.0).at(at))?;
/// let left = world.add(Distance::between(load, world.ground()).ends(at, -4.0 * Vec3::X))?;
/// let right = world.add(Distance::between(load, world.ground()).ends(at, 4.0 * Vec3::X))?;
/// world.step(0.01)?;
/// for rod in [left, right] {
///     assert!((world.joint(rod)?.tension() - 981.0 / 2.0 * 5.0 / 3.0).abs() < 1e-6);
/// }
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distance {
    /// Length, m; the distance of its ends when it is added if left out.
    pub length: Option<f64>,
    /// Give along the rod, m/N.
    pub soft: Softness,
}

impl Distance {
    /// A rigid rod.
    pub fn new(length: f64) -> Self {
        Distance { length: Some(length), soft: Softness::RIGID }
    }

    /// A rigid rod from body i to body j, as long as they are apart.
    pub fn between(i: BodyId, j: BodyId) -> Joint {
        Joint::of(Distance::default(), i, j)
    }
}

impl JointKind for Distance {
    fn name(&self) -> &'static str {
        "distance"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.distance(r.length(self.length), self.soft);
    }
    fn has_axis(&self) -> bool {
        false
    }
    fn spans(&self) -> bool {
        true
    }
    fn validate(&self) -> Result<()> {
        self.length.map_or(Ok(()), |l| positive("distance length", l, "m").map(drop))
    }
}
