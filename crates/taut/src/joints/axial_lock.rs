//! Axial lock: no relative rotation about N of body i (Andrews 2017 Eq. 23). 1 row.

use super::{Joint, RowBuilder, Softness};

/// Axial lock about N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxialLock {
    /// Give about the axis, rad/(N m).
    pub angular: Softness,
}

impl Joint for AxialLock {
    fn name(&self) -> &'static str {
        "axial-lock"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.axial(self.angular);
    }
}
