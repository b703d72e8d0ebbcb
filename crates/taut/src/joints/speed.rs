//! Bounds of speed: what a joint leaves free goes no faster than this in either direction.
//!
//! Two bounded rows, one for each direction, of which one acts at most:
//! ```text
//! 0 >= lambda  _|_  J v+ - upper <= 0          0 <= lambda  _|_  J v+ - lower >= 0
//! ```
//! What they take is lost (`Ledger::damping`).

use super::Freedom;
use crate::error::{Error, Result};

/// A bound of the speed of one freedom of a joint.
///
/// A load of 100 kg on a governed hoist sinks at 0.5 m/s, and the governor carries its weight.
/// ```
/// use taut::prelude::*;
/// use taut::SpeedLimit;
/// let mut world = World::new();
/// let load = world.add(Body::dynamic(MassProperties::cuboid(100.0, Vec3::splat(0.5))?))?;
/// let slide = Prismatic::between(load, world.ground()).axis(Vec3::Y).speed_limit(SpeedLimit::new(-0.5, 2.0));
/// let slide = world.add(slide)?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(slide)?.rate()? + 0.5).abs() < 1e-9);
/// assert!((world.joint(slide)?.reaction().force.y - 981.0).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedLimit {
    /// What it bounds; the only freedom of the joint when left out.
    pub freedom: Option<Freedom>,
    /// The lowest rate, m/s or rad/s, zero or negative; minus infinity for none.
    pub lower: f64,
    /// The highest, zero or positive; infinity for none.
    pub upper: f64,
}

impl SpeedLimit {
    /// Rates between two values, m/s or rad/s.
    pub fn new(lower: f64, upper: f64) -> Self {
        SpeedLimit { freedom: None, lower, upper }
    }

    /// The same in both directions, m/s or rad/s.
    pub fn both(most: f64) -> Self {
        SpeedLimit::new(-most, most)
    }

    /// The same on one freedom among several.
    pub fn on(mut self, freedom: Freedom) -> Self {
        self.freedom = Some(freedom);
        self
    }

    /// Refuses NaN, a range without rest in it, and the swing.
    pub fn validate(&self, freedom: Freedom) -> Result<()> {
        if freedom == Freedom::Swing {
            let expected = "Turn, Twist, Slide, Shift, Lean or Length: a swing has no direction at zero";
            return Err(Error::input("freedom of the speed limit", "Swing", expected));
        }
        if !(self.lower <= 0.0) {
            return Err(Error::input("lowest rate", self.lower, "zero or a negative number of m/s or rad/s"));
        }
        if !(self.upper >= 0.0) {
            return Err(Error::input("highest rate", self.upper, "zero or a positive number of m/s or rad/s"));
        }
        Ok(())
    }
}
