//! Point on line: the origin of body j stays on the line along N of body i. Two dot-2 rows.

use super::{Axis, Joint, RowBuilder, Softness};

/// A point of body j that slides along N of body i, with every rotation free: a pin in a slot. It also closes planar loops, where a ball
/// joint would repeat what the hinges hold already.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointOnLine {
    /// Give across the line, m/N.
    pub linear: Softness,
}

impl Joint for PointOnLine {
    fn name(&self) -> &'static str {
        "point-on-line"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot2(Axis::U, self.linear);
        r.dot2(Axis::V, self.linear);
    }
}
