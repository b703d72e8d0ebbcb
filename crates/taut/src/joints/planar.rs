//! Planar joint: sliding in the plane normal to N of body i and rotation about N. Two dot-1 rows and one dot-2 row.

use super::{Axis, Chart, Joint, RowBuilder, Softness};

/// Planar joint with the normal N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Planar {
    /// Give along the normal, m/N.
    pub linear: Softness,
    /// Give of the two locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Joint for Planar {
    fn name(&self) -> &'static str {
        "planar"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot2(Axis::N, self.linear);
    }
    fn chart(&self) -> Option<Chart> {
        (self.linear.is_rigid() && self.angular.is_rigid()).then_some(Chart::Planar)
    }
}
