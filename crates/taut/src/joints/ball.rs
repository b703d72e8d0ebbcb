//! Ball-and-socket: the origins coincide, rotation is free. 3 rows (Andrews 2017, Appendix A).

use super::{Chart, Joint, RowBuilder, Softness};

/// Ball-and-socket joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// Give of the three rows, m/N.
    pub point: Softness,
}

impl Joint for Ball {
    fn name(&self) -> &'static str {
        "ball"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.point);
    }
    fn chart(&self) -> Option<Chart> {
        self.point.is_rigid().then_some(Chart::Ball)
    }
}
