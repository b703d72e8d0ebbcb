//! Hinge: rotation about N alone. A ball and n_i at right angles to u_j and v_j. 5 rows.

use super::{Axis, Chart, Joint, RowBuilder, Softness};

/// Hinge (revolute) joint about N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hinge {
    /// Give of the ball, m/N.
    pub point: Softness,
    /// Give about the two locked axes, rad/(N m).
    pub angular: Softness,
}

impl Joint for Hinge {
    fn name(&self) -> &'static str {
        "hinge"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.point);
        r.dot1(Axis::N, Axis::U, self.angular);
        r.dot1(Axis::N, Axis::V, self.angular);
    }
    fn chart(&self) -> Option<Chart> {
        (self.point.is_rigid() && self.angular.is_rigid()).then_some(Chart::Hinge)
    }
}
