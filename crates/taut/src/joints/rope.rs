//! Rope: the origins stay at most a length apart; slack, then taut. One bounded row that only pulls.
//! With compliance it is a spring that only pulls.

use super::{Freedom, Joint, Limit, RowBuilder, Softness};
use crate::error::{Error, Result, positive};

/// Massless rope, or a one-way spring when it has compliance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rope {
    /// Length when taut, m.
    pub length: f64,
    /// Give along the rope, m/N.
    pub soft: Softness,
    /// Rebound speed over stretching speed when it snaps taut, 0 to 1.
    pub restitution: f64,
}

impl Rope {
    /// A rope that does not stretch.
    pub fn new(length: f64) -> Self {
        Rope { length, soft: Softness::RIGID, restitution: 0.0 }
    }

    /// A spring that only pulls: rest length (m), stiffness (N/m), damping (N s/m).
    pub fn spring(length: f64, stiffness: f64, damping: f64) -> Self {
        Rope { length, soft: Softness::spring(stiffness, damping), restitution: 0.0 }
    }
}

impl Joint for Rope {
    fn name(&self) -> &'static str {
        "rope"
    }
    fn rows(&self, r: &mut RowBuilder) {
        let taut = Limit::new(Freedom::Length, f64::NEG_INFINITY, self.length);
        r.limit(&taut.soft(self.soft).bouncing(self.restitution));
    }
    fn validate(&self) -> Result<()> {
        positive("rope length", self.length, "m")?;
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(Error::input("rope restitution", self.restitution, "a number from 0 to 1"));
        }
        self.soft.validate("rope")
    }
}
