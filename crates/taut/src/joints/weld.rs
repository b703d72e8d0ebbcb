//! Weld (rigid joint): no relative motion. A ball and three dot-1 rows: the same motion as the paper's three dot-1
//! and three dot-2 rows (to rounding, where phi = 0), without their dense geometric stiffness. 6 rows.

use super::{Axis, Chart, Joint, RowBuilder, Softness};

/// Rigid joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weld {
    /// Give of the ball, m/N.
    pub point: Softness,
    /// Give of the three locked rotations, rad/(N m).
    pub angular: Softness,
}

impl Joint for Weld {
    fn name(&self) -> &'static str {
        "weld"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.point);
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
        r.dot1(Axis::U, Axis::V, self.angular);
    }
    fn chart(&self) -> Option<Chart> {
        (self.point.is_rigid() && self.angular.is_rigid()).then_some(Chart::Fixed)
    }
}
