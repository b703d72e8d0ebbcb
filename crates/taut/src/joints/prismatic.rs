//! Prismatic joint: sliding along N of body i, no rotation. Three dot-1 and two dot-2 rows.

use super::{Axis, Chart, Joint, RowBuilder, Softness};

/// Prismatic (slider) joint along N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prismatic {
    /// Give across the slide, m/N.
    pub linear: Softness,
    /// Give of the three locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Joint for Prismatic {
    fn name(&self) -> &'static str {
        "prismatic"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot1(Axis::U, Axis::V, self.angular);
        r.dot2(Axis::U, self.linear);
        r.dot2(Axis::V, self.linear);
    }
    fn chart(&self) -> Option<Chart> {
        (self.linear.is_rigid() && self.angular.is_rigid()).then_some(Chart::Prismatic)
    }
}
