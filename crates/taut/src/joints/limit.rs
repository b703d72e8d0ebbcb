//! Limits: what a joint leaves free stays between two values.
//!
//! One bounded row: at the lower limit it only pushes up, at the upper one only down,
//! ```text
//! 0 <= lambda  _|_  J v+ + Sigma (h lambda) + Gamma (q - lower)/h >= 0      and the mirror image at the upper limit
//! ```
//! so a limit is reached at the end of a step and not passed. Restitution acts at the end of the step (see `bounce`).

use super::{Freedom, Softness};
use crate::error::{Error, Result};
use std::f64::consts::{PI, TAU};

/// A limit on one freedom of a joint.
///
/// Positions are counted from where the joint was added, whole turns too: a limit of -10 to 10 rad lets a hinge make a turn and a half to
/// either side. The twist of a ball joint is known up to whole turns: its limits are less than a turn apart.
///
/// A carriage runs at 1 m/s into a buffer that gives back half of its speed.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let carriage = Body::dynamic(MassProperties::cuboid(300.0, Vec3::splat(0.5))?).moving(Vec3::X, Vec3::ZERO);
/// let carriage = world.add(carriage)?;
/// let buffer = Limit::new(f64::NEG_INFINITY, 0.2).bouncing(0.5);
/// let track = world.add(Prismatic::between(carriage, world.ground()).axis(Vec3::X).stop(buffer))?;
/// for _ in 0..30 {
///     world.step(0.01)?;
///     assert!(world.joint(track)?.position()? < 0.2 + 1e-6);
/// }
/// assert!((world.joint(track)?.rate()? + 0.5).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// What it limits; the only freedom of the joint when left out.
    pub freedom: Option<Freedom>,
    /// Lower limit, m or rad; minus infinity for none.
    pub lower: f64,
    /// Upper limit, m or rad; infinity for none.
    pub upper: f64,
    /// Give of the stop, m/N or rad/(N m).
    pub soft: Softness,
    /// Rebound speed over approach speed, 0 to 1.
    pub restitution: f64,
}

impl Limit {
    /// A rigid stop on both sides, m or rad.
    pub fn new(lower: f64, upper: f64) -> Self {
        Limit { freedom: None, lower, upper, soft: Softness::RIGID, restitution: 0.0 }
    }

    /// A ball joint swings by at most this angle, rad.
    pub fn cone(angle: f64) -> Self {
        Limit::new(f64::NEG_INFINITY, angle).on(Freedom::Swing)
    }

    /// A ball joint twists between two angles, rad.
    pub fn twist(lower: f64, upper: f64) -> Self {
        Limit::new(lower, upper).on(Freedom::Twist)
    }

    /// The same on one freedom among several.
    pub fn on(mut self, freedom: Freedom) -> Self {
        self.freedom = Some(freedom);
        self
    }

    /// The same with a soft stop.
    pub fn soft(mut self, soft: Softness) -> Self {
        self.soft = soft;
        self
    }

    /// The same with a rebound.
    pub fn bouncing(mut self, restitution: f64) -> Self {
        self.restitution = restitution;
        self
    }

    /// Refuses limits in the wrong order or out of range, and restitution outside 0 to 1.
    pub fn validate(&self, freedom: Freedom) -> Result<()> {
        let (lo, hi) = (self.lower, self.upper);
        if !(lo <= hi) || (lo.is_infinite() && hi.is_infinite()) {
            let expected = "lower <= upper, at least one of them finite, in m or rad";
            return Err(Error::input("limit lower and upper", format!("{lo} and {hi}"), expected));
        }
        let (least, most) = match freedom {
            Freedom::Lean(..) => (-0.5 * PI, 0.5 * PI),
            Freedom::Swing => (0.0, PI),
            Freedom::Length => (0.0, f64::INFINITY),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        let outside = |x: f64| x.is_finite() && !(least..=most).contains(&x);
        if outside(lo) || outside(hi) {
            let expected = format!("between {least} and {most} for {freedom:?}");
            return Err(Error::input("limit lower and upper", format!("{lo} and {hi}"), expected));
        }
        if freedom == Freedom::Twist {
            within_a_turn(lo, hi)?;
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(Error::input("limit restitution", self.restitution, "a number from 0 to 1"));
        }
        self.soft.validate("limit")
    }
}

/// Refuses two angles that are not less than a whole turn apart.
pub(super) fn within_a_turn(lower: f64, upper: f64) -> Result<()> {
    if upper - lower < TAU {
        return Ok(());
    }
    let expected = "two finite angles less than a whole turn apart: the turns of this angle are not counted";
    Err(Error::input("limit lower and upper", format!("{lower} and {upper}"), expected))
}
