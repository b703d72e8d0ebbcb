//! Rod: the origins stay a fixed distance apart (Tournier 2015 section 2.2). 1 row.

use super::{Joint, RowBuilder, Softness};
use crate::error::{Result, positive};

/// Massless rod, or a spring when it has compliance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Length, m.
    pub length: f64,
    /// Give along the rod, m/N.
    pub soft: Softness,
}

impl Distance {
    /// A rigid rod.
    pub fn new(length: f64) -> Self {
        Distance { length, soft: Softness::RIGID }
    }
}

impl Joint for Distance {
    fn name(&self) -> &'static str {
        "distance"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.distance(self.length, self.soft);
    }
    fn validate(&self) -> Result<()> {
        positive("distance length", self.length, "m").map(|_| ())
    }
}
