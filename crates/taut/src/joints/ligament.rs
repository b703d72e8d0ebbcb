//! Ligament: soft up to a strain, stiff above it, slack below its rest length (Tournier 2015 section 3.3). Two bounded rows that only
//! pull: stiffness k1 above the rest length, k2 - k1 more above the taut length.

use super::{Freedom, Joint, Limit, RowBuilder, Softness};
use crate::error::{Error, Result, non_negative, positive};

/// A cord with two stiffnesses that only pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ligament {
    /// Length without force, m.
    pub rest_length: f64,
    /// Stiffness k1 from there on, N/m.
    pub soft_stiffness: f64,
    /// Strain (stretch over rest length) where it becomes stiff.
    pub strain: f64,
    /// Stiffness k2 from there on, N/m; infinite for a stop.
    pub stiffness: f64,
    /// Damping of the soft part, N s/m.
    pub damping: f64,
}

impl Joint for Ligament {
    fn name(&self) -> &'static str {
        "ligament"
    }
    fn rows(&self, r: &mut RowBuilder) {
        let pull = |upper: f64, soft: Softness| Limit::new(Freedom::Length, f64::NEG_INFINITY, upper).soft(soft);
        r.limit(&pull(self.rest_length, Softness::spring(self.soft_stiffness, self.damping)));
        let more = self.stiffness - self.soft_stiffness;
        r.limit(&pull(self.rest_length * (1.0 + self.strain), Softness::compliance(1.0 / more)));
    }
    fn validate(&self) -> Result<()> {
        positive("ligament rest_length", self.rest_length, "m")?;
        positive("ligament soft_stiffness", self.soft_stiffness, "N/m")?;
        non_negative("ligament strain", self.strain, "(no unit)")?;
        non_negative("ligament damping", self.damping, "N s/m")?;
        if !(self.stiffness > self.soft_stiffness) {
            let expected = format!("more than soft_stiffness {} N/m", self.soft_stiffness);
            return Err(Error::input("ligament stiffness", self.stiffness, expected));
        }
        Ok(())
    }
}
