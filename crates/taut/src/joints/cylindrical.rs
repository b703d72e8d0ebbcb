//! Cylindrical joint: sliding along and rotation about N of body i. Two dot-1 and two dot-2 rows.

use super::{Axis, Chart, Joint, RowBuilder, Softness};

/// Cylindrical joint along N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cylindrical {
    /// Give across the axis, m/N.
    pub linear: Softness,
    /// Give of the two locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Joint for Cylindrical {
    fn name(&self) -> &'static str {
        "cylindrical"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot2(Axis::U, self.linear);
        r.dot2(Axis::V, self.linear);
    }
    fn chart(&self) -> Option<Chart> {
        (self.linear.is_rigid() && self.angular.is_rigid()).then_some(Chart::Cylindrical)
    }
}
