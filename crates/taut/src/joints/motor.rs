//! Motors: rows that drive what a joint leaves free.
//!
//! A motor is a row like any other, in the block of its joint, so it costs no loop and no extra pass. With q what the row
//! measures and q*, q'* what it is told:
//! ```text
//! rate    J v+ = q'*                                                    whatever force that takes
//! servo   lambda+ = -kp (q+ - q*) - kd (q'+ - q'*),   q+ = q + h J v+    (implicit PD)
//!         J v+ + Sigma (h lambda+) = (kp (q* - q) + kd q'*)/(h kp + kd),    Sigma = 1/(h (h kp + kd))
//! ```
//! Implicit, so any gain is stable at any step. All the work of a motor is booked as work. A motor with a bounded force is a
//! bounded row of the same law (see `bounded`): lambda+ never leaves [-max, max].

use super::{Axis, Softness};
use crate::error::{Error, Result, finite, non_negative};

/// What of a joint a motor drives.
///
/// A cylindrical joint slides and turns: a motor says which of the two it drives.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let spindle = world.add(Body::dynamic(MassProperties::cylinder(7800.0, 0.1, 0.02)?))?;
/// let joint = Cylindrical::between(spindle, world.ground())
///     .axis(Vec3::Y)
///     .motor(Motor::rate().on(Freedom::Turn).speed(3.0))
///     .motor(Motor::rate().on(Freedom::Slide).speed(0.1));
/// let joint = world.add(joint)?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(joint)?.position_of(Freedom::Turn) - 3.0).abs() < 1e-6);
/// assert!((world.joint(joint)?.position_of(Freedom::Slide) - 0.1).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// The angle of body i against body j about N of body i, rad. For joints that keep the two N axes together (hinge, cylindrical).
    Turn,
    /// The same about another axis of body i, rad. For joints that keep this axis of the two bodies together (six-degree joint).
    About(Axis),
    /// The offset of body i's origin from body j's along N of body i, m (prismatic, cylindrical).
    Slide,
    /// The offset of body i's origin from body j's along an axis of body i, m (planar joints; along N it is the slide).
    Shift(Axis),
    /// The offset of body i's origin from body j's along N of body j, m: the travel of a wheel's suspension.
    Rise,
    /// The angle, rad, by which axis `.0` of body i has left the right angle to axis `.1` of body j, about their cross product; within
    /// a quarter turn. For what ball and universal joints leave free.
    Lean(Axis, Axis),
    /// The angle between N of body i and N of body j, rad, never negative: how far a ball joint has swung. For limits.
    Swing,
    /// The twist of body i against body j, rad, after the shortest turn that brings N of j to N of i: what a ball joint turns about its
    /// own axis, however far it has swung (not by half a turn). For limits and friction.
    Twist,
    /// The turn of a wheel about its axle against its chassis, rad.
    Spin,
    /// The distance between the two origins, m (ropes, winches, linear drives).
    Length,
}

impl Freedom {
    /// The value of the row's own measure at a wanted position: the sine of a leaning angle.
    pub(crate) fn measure(self, target: f64) -> f64 {
        match self {
            Freedom::Lean(..) => libm::sin(target),
            Freedom::Swing => libm::cos(target),
            _ => target,
        }
    }

    /// A position as a row sees it that measures `now`: less the turns that were counted, or where none are, with as many as bring it
    /// nearest.
    pub(crate) fn unwound(self, position: f64, now: f64, turns: Option<f64>) -> f64 {
        turns.map_or_else(|| self.wound(position, now), |turns| position - turns)
    }

    /// A position with as many whole turns as bring it nearest to another one; what does not turn is what it is.
    pub(crate) fn wound(self, q: f64, near: f64) -> f64 {
        let turn = std::f64::consts::TAU;
        if self.turns() { q + turn * ((near - q) / turn).round() } else { q }
    }

    /// Whether it goes round, so that its position is known up to whole turns.
    pub(crate) fn turns(self) -> bool {
        matches!(self, Freedom::Turn | Freedom::About(_) | Freedom::Spin | Freedom::Twist)
    }

    /// Rate of the row's measure over that of the position: d sin(q)/dq for a leaning angle, d cos(q)/dq for a swing.
    pub(crate) fn slope(self, measure: f64) -> f64 {
        match self {
            Freedom::Lean(..) => f64::sqrt(1.0 - (measure * measure).min(1.0)),
            Freedom::Swing => -f64::sqrt(1.0 - (measure * measure).min(1.0)),
            _ => 1.0,
        }
    }

    /// The position that the row's measure stands for.
    pub(crate) fn position(self, measure: f64) -> f64 {
        match self {
            Freedom::Lean(..) => libm::asin(measure.clamp(-1.0, 1.0)),
            Freedom::Swing => libm::acos(measure.clamp(-1.0, 1.0)),
            _ => measure,
        }
    }

    /// Whether a motor can push along it: it has one direction wherever it is.
    pub(crate) fn can_be_driven(self) -> bool {
        !matches!(self, Freedom::Swing | Freedom::Twist)
    }

    /// A word for it, beside the others of a joint.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Freedom::Turn => "turn",
            Freedom::About(Axis::U) => "turn u",
            Freedom::About(Axis::V) => "turn v",
            Freedom::About(Axis::N) => "turn n",
            Freedom::Slide => "slide",
            Freedom::Shift(Axis::U) => "slide u",
            Freedom::Shift(Axis::V) => "slide v",
            Freedom::Shift(Axis::N) => "slide n",
            Freedom::Rise => "rise",
            Freedom::Lean(..) => "lean",
            Freedom::Swing => "swing",
            Freedom::Twist => "twist",
            Freedom::Spin => "spin",
            Freedom::Length => "length",
        }
    }

    /// Whether it is an angle.
    pub(crate) fn is_angle(self) -> bool {
        !matches!(self, Freedom::Slide | Freedom::Shift(_) | Freedom::Rise | Freedom::Length)
    }
}

/// How a motor drives it.
///
/// A servo is a spring: the arm of 10 kg sinks below its target by torque over stiffness, 49.05/4905 = 0.01 rad.
/// A motor that drives a rate gives no way.
/// ```
/// use taut::{Body, Command, Drive, Hinge, MassProperties, Motor, Vec3, World};
/// let mut world = World::new();
/// let arm = world.add(Body::dynamic(MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?).at(0.5 * Vec3::X))?;
/// let motor = Motor::servo(4905.0, 500.0).target(0.0);
/// let elbow = world.add(Hinge::between(arm, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).motor(motor))?;
/// for _ in 0..300 {
///     world.step(0.01)?;
/// }
/// assert!((world.motor(elbow)?.position() + 0.01).abs() < 1e-5);
/// world.set_drive(elbow, Drive::Rate)?;
/// world.set_motor(elbow, Command::rate(1.0))?;
/// world.step(0.01)?;
/// assert!((world.motor(elbow)?.position() - 0.0).abs() < 1e-5);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drive {
    /// The commanded rate, whatever force it takes.
    Rate,
    /// A spring to the commanded position and a damper to the commanded rate.
    Servo {
        /// kp, N/m or N m/rad.
        stiffness: f64,
        /// kd, N s/m or N m s/rad.
        damping: f64,
    },
}

/// A motor on one freedom of a joint. It does nothing until it is told something: here, or by
/// [`World::set_motor`](crate::World::set_motor).
///
/// ```
/// use taut::{Freedom, Motor};
/// let hold = Motor::servo(500.0, 50.0).target(0.3).limited(40.0).named("elbow");
/// let spin = Motor::rate().on(Freedom::Turn).speed(2.0);
/// // A hoist pulls with at most 20 kN, and never pushes.
/// let hoist = Motor::rate().pulling(2e4).named("hoist");
/// assert!(hold.command.is_some() && spin.command.is_some() && hoist.command.is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// What it drives; the only freedom of the joint when left out.
    pub freedom: Option<Freedom>,
    /// How.
    pub drive: Drive,
    /// Least it pushes with, N or N m: minus infinity when nothing bounds it, 0 when it only pushes.
    pub min_force: f64,
    /// Most it pushes with, N or N m: infinite when nothing bounds it, 0 when it only pulls.
    pub max_force: f64,
    /// What it is told at the start; nothing when left out.
    pub command: Option<Command>,
    /// A servo that is a spring of the joint: it may be beside a motor on the same freedom, and the handle of the joint does not mean it.
    pub spring: bool,
    /// Name, for [`World::find_motor`](crate::World::find_motor).
    pub name: String,
}

impl Motor {
    fn new(drive: Drive) -> Self {
        let unbounded = f64::INFINITY;
        let (min_force, max_force, name) = (-unbounded, unbounded, String::new());
        Motor { freedom: None, drive, min_force, max_force, command: None, spring: false, name }
    }

    /// A servo with kp (N/m, N m/rad) and kd (N s/m, N m s/rad).
    pub fn servo(stiffness: f64, damping: f64) -> Self {
        Motor::new(Drive::Servo { stiffness, damping })
    }

    /// A motor that keeps the commanded rate.
    pub fn rate() -> Self {
        Motor::new(Drive::Rate)
    }

    /// The same motor on one freedom among several.
    pub fn on(mut self, freedom: Freedom) -> Self {
        self.freedom = Some(freedom);
        self
    }

    /// The same motor with a bound on its force (N) or torque (N m) in both directions.
    pub fn limited(self, max_force: f64) -> Self {
        self.force_range(-max_force, max_force)
    }

    /// The same motor with a force (N) or torque (N m) that is never negative: it only pushes.
    pub fn pushing(self, max_force: f64) -> Self {
        self.force_range(0.0, max_force)
    }

    /// The same motor with a force (N) or torque (N m) that is never positive: it only pulls, like a hoist on its rope.
    pub fn pulling(self, max_force: f64) -> Self {
        self.force_range(-max_force, 0.0)
    }

    /// The same motor with a force (N) or torque (N m) between two values, of which the first is not positive and the second not
    /// negative.
    pub fn force_range(mut self, min: f64, max: f64) -> Self {
        (self.min_force, self.max_force) = (min, max);
        self
    }

    /// Told at the start where to be, m or rad. For servos with stiffness: nothing else goes to a position, and any but zero is refused.
    pub fn target(mut self, target: f64) -> Self {
        self.command = Some(Command { target, ..self.command.unwrap_or_default() });
        self
    }

    /// Told at the start how fast to move, m/s or rad/s.
    pub fn speed(mut self, rate: f64) -> Self {
        self.command = Some(Command { rate, ..self.command.unwrap_or_default() });
        self
    }

    /// Names it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Whether it pulls like a spring beside what else drives its freedom.
    pub(crate) fn is_spring(&self) -> bool {
        self.spring && matches!(self.drive, Drive::Servo { .. })
    }

    /// Servos on the two angles of a universal joint.
    pub fn universal(stiffness: f64, damping: f64) -> [Self; 2] {
        UNIVERSAL.map(|f| Motor::servo(stiffness, damping).on(f))
    }

    /// Servos on the three angles of a ball joint.
    pub fn ball(stiffness: f64, damping: f64) -> [Self; 3] {
        BALL.map(|f| Motor::servo(stiffness, damping).on(f))
    }

    /// Whether its force has a bound.
    pub(crate) fn is_bounded(&self) -> bool {
        self.min_force.is_finite() || self.max_force.is_finite()
    }

    /// The law of its row. A rate is a damper without bound to a moving wall.
    pub(crate) fn law(&self) -> Softness {
        match self.drive {
            Drive::Rate => Softness { compliance: f64::INFINITY, damping: f64::INFINITY },
            Drive::Servo { stiffness, damping } => Softness::spring(stiffness, damping),
        }
    }

    pub(crate) fn validate(&self, freedom: Freedom) -> Result<()> {
        if !freedom.can_be_driven() {
            let given = format!("{freedom:?}");
            let expected = "Turn, About, Spin, Slide, Shift, Rise, Lean or Length: what a motor can drive";
            return Err(Error::input("motor freedom", given, expected));
        }
        let (min, max) = (self.min_force, self.max_force);
        if (min == -max || max.is_nan()) && !(max > 0.0) {
            let expected = "a positive number of N or N m, infinite when nothing bounds it";
            return Err(Error::input("motor max_force", max, expected));
        }
        if !(min <= 0.0 && max >= 0.0 && min < max) {
            let expected = "a range of N or N m that goes from zero or less to zero or more";
            return Err(Error::input("motor force range", format!("{min} to {max}"), expected));
        }
        if let Drive::Servo { stiffness, damping } = self.drive {
            non_negative("motor stiffness", stiffness, "N/m or N m/rad")?;
            non_negative("motor damping", damping, "N s/m or N m s/rad")?;
            if stiffness == 0.0 && damping == 0.0 {
                return Err(Error::input("motor stiffness and damping", 0.0, "at least one of them positive"));
            }
        }
        self.command.map_or(Ok(()), |c| c.validate(freedom))
    }
}

/// The angles of a universal joint.
pub(super) const UNIVERSAL: [Freedom; 2] = [Freedom::Lean(Axis::V, Axis::U), Freedom::Lean(Axis::N, Axis::V)];

/// The angles of a ball joint.
pub(super) const BALL: [Freedom; 3] =
    [Freedom::Lean(Axis::N, Axis::U), Freedom::Lean(Axis::N, Axis::V), Freedom::Lean(Axis::U, Axis::V)];

/// What a motor is told.
///
/// A crane slews at 0.1 rad/s for ten seconds, then is told to stop.
/// ```
/// use taut::{Body, Command, Hinge, MassProperties, Motor, Vec3, World};
/// let mut world = World::new();
/// let jib = world.add(Body::dynamic(MassProperties::cuboid(100.0, Vec3::new(10.0, 0.5, 0.5))?).at(5.0 * Vec3::X))?;
/// let slew = world.add(Hinge::between(jib, world.ground()).at(Vec3::ZERO).axis(Vec3::Y).motor(Motor::rate()))?;
/// world.set_motor(slew, Command::rate(0.1))?;
/// for _ in 0..100 {
///     world.step(0.1)?;
/// }
/// world.set_motor(slew, Command::rate(0.0))?;
/// world.step(0.1)?;
/// assert!((world.joint(slew)?.position()? - 1.0).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Command {
    /// Wanted position at the end of the step, m or rad (servos).
    pub target: f64,
    /// Wanted rate, m/s or rad/s.
    pub rate: f64,
}

impl Command {
    /// Go to a position and stay there, m or rad. For servos with stiffness; other motors refuse any but zero.
    pub fn target(target: f64) -> Self {
        Command { target, rate: 0.0 }
    }

    /// Move at a rate, m/s or rad/s.
    pub fn rate(rate: f64) -> Self {
        Command { target: 0.0, rate }
    }

    /// Refuses a target that a drive has no stiffness to go to. Zero is what a command for a rate alone has.
    pub(crate) fn suits(&self, drive: Drive) -> Result<()> {
        let expected = match drive {
            _ if self.target == 0.0 => return Ok(()),
            Drive::Servo { stiffness, .. } if stiffness > 0.0 => return Ok(()),
            Drive::Servo { .. } => {
                "none of a servo without stiffness, which only damps: tell it a rate, or give it stiffness"
            }
            Drive::Rate => "none of a motor that keeps a rate: tell it a rate, or make it a servo (Motor::servo)",
        };
        Err(Error::input("motor target", self.target, expected))
    }

    /// Refuses numbers that are not finite, and leaning angles of a quarter turn.
    pub fn validate(&self, freedom: Freedom) -> Result<()> {
        finite("motor target", self.target, "m or rad")?;
        finite("motor rate", self.rate, "m/s or rad/s")?;
        if matches!(freedom, Freedom::Lean(..)) && self.target.abs() >= std::f64::consts::FRAC_PI_2 {
            return Err(Error::input(
                "motor target",
                self.target,
                "less than a quarter turn (pi/2 rad) to either side",
            ));
        }
        Ok(())
    }
}
