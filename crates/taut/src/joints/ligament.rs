//! Ligament: soft up to a strain, stiff above it, slack below its rest length (Tournier 2015 section 3.3). Two bounded rows that only
//! pull: stiffness k1 above the rest length, k2 - k1 more above the taut length.

use super::{Freedom, JointKind, Limit, RowBuilder, Softness};
use crate::error::{Error, Result, non_negative, positive};

/// A cord with two stiffnesses that only pulls.
///
/// A cord of 0.1 m is soft (10 kN/m) up to a strain of 5 %. It gives by 2.943 mm under the weight of 3 kg.
/// ```
/// use taut::{Body, Joint, Vec3, World, joints::Ligament};
/// let cord =
///     Ligament { rest_length: Some(0.1), soft_stiffness: 1e4, strain: 0.05, stiffness: 1e6, damping: 300.0 };
/// let mut world = World::new();
/// let weight = world.add(Body::particle(3.0).at(-0.1 * Vec3::Y))?;
/// let joint = world.add(Joint::of(cord, weight, world.ground()))?;
/// for _ in 0..200 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(joint)?.position()? - 0.102943).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ligament {
    /// Length without force, m; the distance of its ends when it is added if left out.
    pub rest_length: Option<f64>,
    /// Stiffness k1 from there on, N/m.
    pub soft_stiffness: f64,
    /// Strain (stretch over rest length) where it becomes stiff.
    pub strain: f64,
    /// Stiffness k2 from there on, N/m; infinite for a stop.
    pub stiffness: f64,
    /// Damping of the soft part, N s/m.
    pub damping: f64,
}

impl JointKind for Ligament {
    fn name(&self) -> &'static str {
        "ligament"
    }
    fn rows(&self, r: &mut RowBuilder) {
        let pull = |upper: f64, soft: Softness| Limit::new(f64::NEG_INFINITY, upper).on(Freedom::Length).soft(soft);
        let rest = r.length(self.rest_length);
        r.limit(&pull(rest, Softness::spring(self.soft_stiffness, self.damping)));
        let more = self.stiffness - self.soft_stiffness;
        r.limit(&pull(rest * (1.0 + self.strain), Softness::compliance(1.0 / more)));
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
        self.rest_length.map_or(Ok(0.0), |l| positive("ligament rest_length", l, "m"))?;
        positive("ligament soft_stiffness", self.soft_stiffness, "N/m")?;
        non_negative("ligament strain", self.strain, "")?;
        non_negative("ligament damping", self.damping, "N s/m")?;
        if !(self.stiffness > self.soft_stiffness) {
            let expected = format!("more than soft_stiffness {} N/m", self.soft_stiffness);
            return Err(Error::input("ligament stiffness", self.stiffness, expected));
        }
        Ok(())
    }
}
