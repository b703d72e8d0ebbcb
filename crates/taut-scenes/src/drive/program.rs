//! Programs: what drives a thing over time.

use super::action::{Setting, Target, set_gravity};
use super::record::Record;
use super::signal::Signal;
use taut::{BodyId, Command, Force, ForceId, JointId, MotorId, Pose, Quat, Result, RopeId, Vec3, World};

/// One thing driven over time.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The event that it begins with, from which its time then counts.
    pub after: Option<usize>,
    pub drives: Driven,
}

/// What is driven, and by what.
#[derive(Clone, Debug)]
pub(crate) enum Driven {
    /// `sign` is -1 where the file counts the other way.
    Motor { motor: MotorId, sign: f64, target: Option<Signal>, rate: Option<Signal> },
    /// `base` is the force of the file.
    Force { force: ForceId, base: Force, by: Push },
    /// Where a kinematic body goes; what is not told stays as it was at the start, `base`.
    Pose { body: BodyId, base: Pose, position: Option<[Signal; 3]>, turn: Option<(Vec3, Signal)> },
    /// How fast a kinematic body moves.
    Velocity { body: BodyId, linear: Option<[Signal; 3]>, angular: Option<[Signal; 3]> },
    /// Length of a rope or rod, m; that of the file; whether it gives way.
    Length { joint: JointId, length: Signal, base: f64, soft: bool },
    /// How fast a rope over guides is paid out, m/s.
    PayOut { rope: RopeId, rate: Signal },
    /// Gravity, m/s^2, and that of the file.
    Gravity { gravity: [Signal; 3], base: Vec3 },
}

/// What changes of a force.
#[derive(Clone, Debug)]
pub(crate) enum Push {
    /// Its strength, as a multiple of that of the file.
    Scale(Signal),
    /// Its vector, N or N m.
    Vector([Signal; 3]),
    /// Where a mouse spring pulls to, m.
    Target([Signal; 3]),
    /// Length of a spring without force, m.
    RestLength(Signal),
}

/// A step: when it begins for the program, and how long it is, s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub start: f64,
    pub h: f64,
}

impl Span {
    fn end(self) -> f64 {
        self.start + self.h
    }

    /// What acts during the step is that of its middle.
    fn middle(self) -> f64 {
        self.start + 0.5 * self.h
    }

    fn vector(list: &[Signal; 3], t: f64) -> Vec3 {
        Vec3::new(list[0].at(t), list[1].at(t), list[2].at(t))
    }
}

impl Program {
    /// What an event may take from it.
    pub fn target(&self) -> Option<Target> {
        match self.drives {
            Driven::Motor { motor, .. } => Some(Target::Motor(motor)),
            Driven::Length { joint, .. } => Some(Target::Length(joint)),
            Driven::Gravity { .. } => Some(Target::Gravity),
            Driven::Force { .. } | Driven::Pose { .. } | Driven::Velocity { .. } | Driven::PayOut { .. } => None,
        }
    }

    /// What it drives as the file has it, where that is not part of a snapshot.
    pub fn base(&self) -> Option<Setting> {
        match &self.drives {
            Driven::Force { force, base, .. } => Some(Setting::Force(*force, *base)),
            Driven::Length { joint, base, .. } => Some(Setting::Length(*joint, *base)),
            Driven::Gravity { base, .. } => Some(Setting::Gravity(*base)),
            Driven::Motor { .. } | Driven::Pose { .. } | Driven::Velocity { .. } | Driven::PayOut { .. } => None,
        }
    }

    /// Drives the thing for the step; `number` is that of the program. What is gone is left alone.
    pub fn run(&self, number: usize, world: &mut World, record: &mut Record, step: Span) -> Result<()> {
        match &self.drives {
            Driven::Motor { motor, sign, target, rate } => {
                if world.motor(*motor).is_err() {
                    return Ok(());
                }
                world.set_motor(*motor, command(*sign, target.as_ref(), rate.as_ref(), step))
            }
            Driven::Force { force, base, by } => {
                let wanted = by.at(base, step);
                match world.force(*force) {
                    Ok(now) if now != wanted => {
                        record.books.open(world)?;
                        world.set_force(*force, wanted)
                    }
                    _ => Ok(()),
                }
            }
            Driven::Pose { body, base, position, turn } => {
                let pos = position.as_ref().map_or(base.pos, |p| Span::vector(p, step.end()));
                let angle = turn.as_ref().map_or(Quat::IDENTITY, |(axis, s)| about(*axis, s.at(step.end())));
                place(world, *body, Pose { pos, rot: angle * base.rot })
            }
            Driven::Velocity { body, linear, angular } => {
                let Ok(now) = world.body(*body).map(|b| (b.velocity(), b.angular_velocity())) else { return Ok(()) };
                let of =
                    |s: &Option<[Signal; 3]>, now: Vec3| s.as_ref().map_or(now, |s| Span::vector(s, step.middle()));
                world.set_velocity(*body, of(linear, now.0), of(angular, now.1))
            }
            Driven::Length { joint, length, base, soft } => {
                let wanted = length.at(step.end());
                if world.joint(*joint).is_err() || record.lengths[number] == Some(wanted) {
                    return Ok(());
                }
                let before = if step.start > 0.0 { length.at(step.start) } else { *base };
                record.lengths[number] = Some(wanted);
                record.books.lengthen(world, *joint, [before, wanted], *soft)
            }
            Driven::PayOut { rope, rate } => record.books.pay_out(world, *rope, rate.at(step.middle()) * step.h),
            Driven::Gravity { gravity, .. } => {
                let wanted = Span::vector(gravity, step.middle());
                if world.options().gravity != wanted {
                    record.books.open(world)?;
                }
                set_gravity(world, wanted)
            }
        }
    }
}

/// What a motor is told for a step: the target of its end, and the rate that it was given or else that of the target.
fn command(sign: f64, target: Option<&Signal>, rate: Option<&Signal>, step: Span) -> Command {
    let rate = match (target, rate) {
        (_, Some(rate)) => rate.at(step.middle()),
        (Some(target), None) => target.moved(step.start, step.end()) / step.h,
        (None, None) => 0.0,
    };
    Command { target: sign * target.map_or(0.0, |s| s.at(step.end())), rate: sign * rate }
}

/// Moves a kinematic body during the step, unless it is there and stands still.
fn place(world: &mut World, id: BodyId, pose: Pose) -> Result<()> {
    let Ok(body) = world.body(id) else { return Ok(()) };
    let still = body.velocity() == Vec3::ZERO && body.angular_velocity() == Vec3::ZERO;
    if still && body.position() == pose.pos && body.rotation() == pose.rot {
        return Ok(());
    }
    world.set_target(id, pose)
}

/// A turn about a unit axis, rad.
fn about(axis: Vec3, angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let v = axis * sin;
    Quat::from_xyzw(v.x, v.y, v.z, cos)
}

impl Push {
    /// The force during a step.
    fn at(&self, base: &Force, step: Span) -> Force {
        let mut out = *base;
        match (self, &mut out) {
            (Push::Scale(s), Force::Point { force, .. }) => *force *= s.at(step.middle()),
            (Push::Scale(s), Force::Torque { torque, .. }) => *torque *= s.at(step.middle()),
            (Push::Scale(s), Force::Drag { linear, angular, .. }) => {
                let scale = s.at(step.middle());
                (*linear, *angular) = (scale * *linear, scale * *angular);
            }
            (Push::Vector(v), Force::Point { force, .. }) => *force = Span::vector(v, step.middle()),
            (Push::Vector(v), Force::Torque { torque, .. }) => *torque = Span::vector(v, step.middle()),
            (Push::Target(v), Force::Mouse(m)) => m.target = Span::vector(v, step.end()),
            (Push::RestLength(s), Force::Spring(spring)) => spring.rest_length = s.at(step.end()),
            // The builder pairs them rightly.
            _ => {}
        }
        out
    }
}
