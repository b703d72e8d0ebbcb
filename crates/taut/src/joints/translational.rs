//! Translational joint: sliding in all directions, no rotation. Three dot-1 rows.

use super::{Axis, Chart, Joint, RowBuilder, Softness};

/// Joint that only keeps two bodies from turning against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Translational {
    /// Give of the three locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Joint for Translational {
    fn name(&self) -> &'static str {
        "translational"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot1(Axis::U, Axis::V, self.angular);
    }
    fn chart(&self) -> Option<Chart> {
        self.angular.is_rigid().then_some(Chart::Translational)
    }
}
