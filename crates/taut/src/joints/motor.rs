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

use super::{Axis, Chart, Joint, RowBuilder, Softness};
use crate::error::{Error, Result, finite, non_negative};

/// What of a joint a motor drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// The angle of body i against body j about N of body i, rad. For joints that keep the two N axes together (hinge, cylindrical).
    Turn,
    /// The offset of body i's origin from body j's along N of body i, m (prismatic, cylindrical).
    Slide,
    /// The angle, rad, by which axis `.0` of body i has left the right angle to axis `.1` of body j, about their cross product; within
    /// a quarter turn. For what ball and universal joints leave free.
    Lean(Axis, Axis),
    /// The angle between N of body i and N of body j, rad, never negative: how far a ball joint has swung. For limits.
    Swing,
    /// The twist of body i against body j, rad, after the shortest turn that brings N of j to N of i: what a ball joint turns about its
    /// own axis, however far it has swung (not by half a turn). For limits and friction.
    Twist,
    /// The distance between the two origins, m (ropes, winches, linear drives).
    Length,
}

impl Freedom {
    /// The value of the row's own measure at a wanted position: the turn nearest to where it is now, the sine of a leaning angle.
    pub(crate) fn measure(self, target: f64, now: f64) -> f64 {
        match self {
            Freedom::Turn | Freedom::Twist => {
                let turn = std::f64::consts::TAU;
                target + turn * ((now - target) / turn).round()
            }
            Freedom::Slide | Freedom::Length => target,
            Freedom::Lean(..) => libm::sin(target),
            Freedom::Swing => libm::cos(target),
        }
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

    /// Whether it is an angle.
    pub(crate) fn is_angle(self) -> bool {
        !matches!(self, Freedom::Slide | Freedom::Length)
    }
}

/// How a motor drives it.
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

/// A motor on one freedom of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// What it drives.
    pub freedom: Freedom,
    /// How.
    pub drive: Drive,
    /// Most it can push with, N or N m; infinite when nothing bounds it.
    pub max_force: f64,
}

impl Motor {
    /// A servo with kp (N/m, N m/rad) and kd (N s/m, N m s/rad).
    pub fn servo(freedom: Freedom, stiffness: f64, damping: f64) -> Self {
        Motor { freedom, drive: Drive::Servo { stiffness, damping }, max_force: f64::INFINITY }
    }

    /// A motor that keeps the commanded rate.
    pub fn rate(freedom: Freedom) -> Self {
        Motor { freedom, drive: Drive::Rate, max_force: f64::INFINITY }
    }

    /// The same motor with a bound on its force (N) or torque (N m).
    pub fn limited(mut self, max_force: f64) -> Self {
        self.max_force = max_force;
        self
    }

    /// Servos on the two angles of a universal joint.
    pub fn universal(stiffness: f64, damping: f64) -> [Self; 2] {
        [(Axis::V, Axis::U), (Axis::N, Axis::V)].map(|(a, b)| Motor::servo(Freedom::Lean(a, b), stiffness, damping))
    }

    /// Servos on the three angles of a ball joint.
    pub fn ball(stiffness: f64, damping: f64) -> [Self; 3] {
        [(Axis::N, Axis::U), (Axis::N, Axis::V), (Axis::U, Axis::V)]
            .map(|(a, b)| Motor::servo(Freedom::Lean(a, b), stiffness, damping))
    }

    /// The law of its row. A rate is a damper without bound to a moving wall.
    fn law(&self) -> Softness {
        match self.drive {
            Drive::Rate => Softness { compliance: f64::INFINITY, damping: f64::INFINITY },
            Drive::Servo { stiffness, damping } => Softness::spring(stiffness, damping),
        }
    }

    fn validate(&self) -> Result<()> {
        if matches!(self.freedom, Freedom::Swing | Freedom::Twist) {
            let given = format!("{:?}", self.freedom);
            return Err(Error::input("motor freedom", given, "Turn, Slide, Lean or Length: what a motor can drive"));
        }
        if !(self.max_force > 0.0) {
            let expected = "a positive number of N or N m, infinite when nothing bounds it";
            return Err(Error::input("motor max_force", self.max_force, expected));
        }
        if let Drive::Servo { stiffness, damping } = self.drive {
            non_negative("motor stiffness", stiffness, "N/m or N m/rad")?;
            non_negative("motor damping", damping, "N s/m or N m s/rad")?;
            if stiffness == 0.0 && damping == 0.0 {
                return Err(Error::input("motor stiffness and damping", 0.0, "at least one of them positive"));
            }
        }
        Ok(())
    }
}

/// What a motor is told: hold still at zero, until told otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// Wanted position at the end of the step, m or rad (servos).
    pub target: f64,
    /// Wanted rate, m/s or rad/s.
    pub rate: f64,
}

impl Command {
    pub(crate) fn validate(&self, freedom: Freedom) -> Result<()> {
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

/// A joint with motors on some of what it leaves free.
#[derive(Clone, Copy)]
pub struct Driven<'a> {
    /// The joint.
    pub joint: &'a dyn Joint,
    /// Its motors; `World::set_motor` tells them by index what to do.
    pub motors: &'a [Motor],
}

impl Joint for Driven<'_> {
    fn name(&self) -> &'static str {
        self.joint.name()
    }
    fn rows(&self, r: &mut RowBuilder) {
        self.joint.rows(r);
        for m in self.motors {
            r.motor(m.freedom, m.law(), m.max_force);
        }
    }
    fn chart(&self) -> Option<Chart> {
        self.joint.chart()
    }
    fn validate(&self) -> Result<()> {
        self.joint.validate()?;
        self.motors.iter().try_for_each(Motor::validate)
    }
}
