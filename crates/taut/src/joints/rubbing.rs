//! Dry friction in a joint: a bounded row that asks for no motion, |lambda| <= max + per_load |F|.
//!
//! F is the force the joint carries, of the last pass. For a journal of radius r with friction mu, per_load = mu r (m); for a
//! slide, per_load = mu.

use super::{Chart, Freedom, Joint, RowBuilder};
use crate::error::{Error, Result, non_negative};

/// Dry friction on one freedom of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// What rubs.
    pub freedom: Freedom,
    /// Friction without load, N or N m.
    pub max: f64,
    /// Friction per newton that the joint carries: m for turning, no unit for sliding.
    pub per_load: f64,
}

impl Friction {
    /// Friction that does not depend on the load, N or N m.
    pub fn new(freedom: Freedom, max: f64) -> Self {
        Friction { freedom, max, per_load: 0.0 }
    }

    /// Refuses negative numbers, NaN, and the swing.
    pub fn validate(&self) -> Result<()> {
        if self.freedom == Freedom::Swing {
            let expected = "Turn, Twist, Slide, Lean or Length: a swing has no direction at zero";
            return Err(Error::input("friction freedom", "Swing", expected));
        }
        non_negative("joint friction max", self.max, "N or N m")?;
        non_negative("joint friction per_load", self.per_load, "m for turning, no unit for sliding")?;
        Ok(())
    }
}

/// A joint that rubs.
#[derive(Clone, Copy)]
pub struct Rubbing<'a> {
    /// The joint.
    pub joint: &'a dyn Joint,
    /// Where it rubs.
    pub friction: &'a [Friction],
}

impl Joint for Rubbing<'_> {
    fn name(&self) -> &'static str {
        self.joint.name()
    }
    fn rows(&self, r: &mut RowBuilder) {
        self.joint.rows(r);
        self.friction.iter().for_each(|f| r.friction(f));
    }
    fn chart(&self) -> Option<Chart> {
        self.joint.chart()
    }
    fn validate(&self) -> Result<()> {
        self.joint.validate()?;
        self.friction.iter().try_for_each(Friction::validate)
    }
}
