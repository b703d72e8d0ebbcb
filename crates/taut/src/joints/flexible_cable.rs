//! The flexible cable of Andrews 2017 (Appendix A): a rigid joint of three dot-1 and three dot-2 rows, relaxed. 6 rows.
//! Kept for comparison; `Cable` is the better model.

use super::{Axis, Joint, RowBuilder, Softness};

/// The paper's cable joint, along N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexibleCable {
    /// Give along the cable, m/N.
    pub axial: Softness,
    /// Give across the cable, m/N.
    pub shear: Softness,
    /// Give in bending, rad/(N m).
    pub bending: Softness,
    /// Give in torsion, rad/(N m).
    pub torsion: Softness,
}

impl Joint for FlexibleCable {
    fn name(&self) -> &'static str {
        "flexible-cable"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.bending);
        r.dot1(Axis::N, Axis::V, self.bending);
        r.dot1(Axis::U, Axis::V, self.torsion);
        r.dot2(Axis::U, self.shear);
        r.dot2(Axis::V, self.shear);
        r.dot2(Axis::N, self.axial);
    }
}
