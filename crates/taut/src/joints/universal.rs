//! Universal (Hooke) joint: a ball that does not twist. Axis n of i stays at right angles to u of j. 4 rows.

use super::{Axis, Chart, Joint, RowBuilder, Softness};

/// Universal joint; its cross lies along N of body i and U of body j.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Universal {
    /// Give of the ball, m/N.
    pub point: Softness,
    /// Give about the locked axis, rad/(N m).
    pub angular: Softness,
}

impl Joint for Universal {
    fn name(&self) -> &'static str {
        "universal"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.point);
        r.dot1(Axis::N, Axis::U, self.angular);
    }
    fn chart(&self) -> Option<Chart> {
        (self.point.is_rigid() && self.angular.is_rigid()).then_some(Chart::Universal)
    }
}
