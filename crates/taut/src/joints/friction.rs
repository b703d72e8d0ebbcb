//! Dry friction in a joint: a bounded row that asks for no motion, |lambda| <= max + per_load |F|.
//!
//! F is the force the joint carries, of the last pass. For a journal of radius r with friction mu, per_load = mu r (m); for a
//! slide, per_load = mu.

use super::Freedom;
use crate::error::{Error, Result, non_negative};

/// Dry friction on one freedom of a joint.
///
/// A flywheel of 2 kg m^2 turns at 10 rad/s against a brake of 5 N m: it loses 2.5 rad/s in each second.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let disc = MassProperties::from_diagonal(8.0, Vec3::new(1.0, 1.0, 2.0))?;
/// let wheel = world.add(Body::dynamic(disc).moving(Vec3::ZERO, 10.0 * Vec3::Z))?;
/// let axle = world.add(Hinge::between(wheel, world.ground()).axis(Vec3::Z).friction(Friction::new(5.0)))?;
/// for _ in 0..200 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(axle)?.rate()? - 5.0).abs() < 0.02);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// What rubs; the only freedom of the joint when left out.
    pub freedom: Option<Freedom>,
    /// Friction without load, N or N m.
    pub max: f64,
    /// Friction per newton that the joint carries: m for turning, no unit for sliding.
    pub per_load: f64,
}

impl Friction {
    /// Friction that does not depend on the load, N or N m.
    pub fn new(max: f64) -> Self {
        Friction { freedom: None, max, per_load: 0.0 }
    }

    /// Friction by the load alone: mu times the radius of a journal (m), or mu of a slide.
    pub fn by_load(per_load: f64) -> Self {
        Friction { freedom: None, max: 0.0, per_load }
    }

    /// The same on one freedom among several.
    pub fn on(mut self, freedom: Freedom) -> Self {
        self.freedom = Some(freedom);
        self
    }

    /// Refuses negative numbers, NaN, and the swing.
    pub fn validate(&self, freedom: Freedom) -> Result<()> {
        if freedom == Freedom::Swing {
            let expected = "Turn, Twist, Slide, Shift, Lean or Length: a swing has no direction at zero";
            return Err(Error::input("friction freedom", "Swing", expected));
        }
        non_negative("joint friction max", self.max, "N or N m")?;
        non_negative("joint friction per_load", self.per_load, "m for turning, no unit for sliding")?;
        Ok(())
    }
}

impl From<f64> for Friction {
    /// A force (N) or torque (N m) that does not depend on the load.
    fn from(max: f64) -> Self {
        Friction::new(max)
    }
}
