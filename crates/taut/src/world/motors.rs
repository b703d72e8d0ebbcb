//! Telling motors what to do, and looking at them.

use super::World;
use super::body_ref::only;
use crate::error::{Error, Result};
use crate::ids::MotorId;
use crate::joints::{Command, Drive, Freedom, Motor};
use crate::model::freedoms::Taken;
use crate::model::{JointEntry, MotorAt};

/// A motor of a world, to be read.
///
/// A hoist lifts 100 kg at 2 m/s: it pulls with 981 N and gives m g v = 1962 W.
/// ```
/// use taut::{Body, Freedom, MassProperties, Motor, Prismatic, Vec3, World};
/// let mut world = World::new();
/// let cage = world.add(Body::dynamic(MassProperties::cuboid(100.0, Vec3::splat(0.5))?))?;
/// let shaft = world.add(Prismatic::between(cage, world.ground()).axis(Vec3::Y).motor(Motor::rate().speed(2.0)))?;
/// for _ in 0..10 {
///     world.step(0.01)?;
/// }
/// let hoist = world.motor(shaft)?;
/// assert_eq!(hoist.freedom(), Freedom::Slide);
/// assert!((hoist.effort() - 981.0).abs() < 1e-6 && (hoist.power() - 1962.0).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MotorRef<'a> {
    id: MotorId,
    world: &'a World,
    joint: &'a JointEntry,
    motor: MotorAt,
}

impl<'a> MotorRef<'a> {
    /// Its handle.
    pub fn id(&self) -> MotorId {
        self.id.joint.motor(self.motor.ordinal)
    }

    /// Its name; empty without one.
    pub fn name(&self) -> &'a str {
        &self.definition().name
    }

    /// What it is made of.
    pub fn definition(&self) -> &'a Motor {
        &self.joint.def.motors[self.motor.ordinal]
    }

    /// What it drives.
    pub fn freedom(&self) -> Freedom {
        self.motor.freedom
    }

    /// How it drives it.
    pub fn drive(&self) -> Drive {
        self.definition().drive
    }

    /// Where it is, m or rad: body i against body j, from where the joint was added, whole turns counted.
    pub fn position(&self) -> f64 {
        self.world.joint(self.id.joint).map_or(0.0, |j| j.position_of(self.motor.freedom))
    }

    /// How fast it moves, m/s or rad/s.
    pub fn rate(&self) -> f64 {
        self.world.joint(self.id.joint).map_or(0.0, |j| j.rate_of(self.motor.freedom))
    }

    /// What it pushes body i with, N or N m; zero while it is told nothing or its joint holds nothing.
    pub fn effort(&self) -> f64 {
        if self.command().is_none() {
            return 0.0;
        }
        let lambda = self.world.carried_by(self.joint)[self.motor.row];
        if self.motor.row >= self.joint.row_count {
            return lambda;
        }
        // The force of a bounded row goes with the position, that of a row of the block with its measure.
        let (i, j) = (self.world.side(self.joint.i), self.world.side(self.joint.j));
        self.motor.freedom.slope(self.motor.primitive.phi(&i, &j)[0]) * lambda
    }

    /// Power that it gives, W.
    pub fn power(&self) -> f64 {
        self.effort() * self.rate()
    }

    /// What it is told; nothing until it has been told something.
    pub fn command(&self) -> Option<Command> {
        self.world.state.commands[self.joint.command_start + self.motor.ordinal]
    }
}

impl World {
    /// Tells a motor what to do from the next step on. The handle of a joint stands for its only motor, whatever springs it has beside it.
    /// A target is refused by a motor without stiffness, which could not go there.
    ///
    /// ```
    /// use taut::{Body, Command, MassProperties, Motor, Prismatic, Vec3, World};
    /// let mut world = World::new();
    /// let cage = world.add(Body::dynamic(MassProperties::cuboid(200.0, Vec3::ONE)?))?;
    /// let shaft = world.add(
    ///     Prismatic::between(cage, world.ground()).axis(Vec3::Y).motor(Motor::rate().limited(5e5).named("hoist")),
    /// )?;
    /// world.set_motor(shaft, Command::rate(1.5))?;
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let hoist = world.motor(world.find_motor("hoist")?)?;
    /// assert!((hoist.position() - 1.5).abs() < 1e-9);
    /// assert!((hoist.effort() - 1600.0 * 9.81).abs() < 1e-6);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn set_motor(&mut self, motor: impl Into<MotorId>, command: Command) -> Result<()> {
        let id = motor.into();
        let (at, m) = self.motor_place(id)?;
        command.validate(m.freedom)?;
        command.suits(self.model.joint(id.joint)?.def.motors[m.ordinal].drive)?;
        self.tell(at, m.joint, Some(command))
    }

    /// Lets a motor go: it does nothing until it is told something again.
    pub fn release_motor(&mut self, motor: impl Into<MotorId>) -> Result<()> {
        let (at, m) = self.motor_place(motor.into())?;
        self.tell(at, m.joint, None)
    }

    fn tell(&mut self, at: usize, bodies: [usize; 2], command: Option<Command>) -> Result<()> {
        if self.state.commands[at] != command {
            bodies.into_iter().for_each(|s| self.wake_slot(s));
            self.state.commands[at] = command;
        }
        Ok(())
    }

    /// Looks at a motor. The handle of a joint stands for its only motor.
    pub fn motor(&self, motor: impl Into<MotorId>) -> Result<MotorRef<'_>> {
        let id = motor.into();
        let (_, motor) = self.motor_place(id)?;
        Ok(MotorRef { id, world: self, joint: self.model.joint(id.joint)?, motor })
    }

    /// All motors, by joint and in the order they were given.
    pub fn motors(&self) -> impl Iterator<Item = MotorRef<'_>> {
        self.joints().flat_map(move |j| {
            let count = self.model.joint(j.id()).map_or(0, |j| j.def.motors.len());
            (0..count).filter_map(move |k| self.motor(j.id().motor(k)).ok())
        })
    }

    /// The motor of that name, or where none has it the only motor of the joint of that name; an error when there is none, or several.
    pub fn find_motor(&self, name: &str) -> Result<MotorId> {
        if !self.motors().any(|m| m.name() == name)
            && let Ok(motor) = self.find_joint(name).and_then(|joint| self.motor(joint))
        {
            return Ok(motor.id());
        }
        only("motor", name, self.motors().filter(|m| m.name() == name).map(|m| m.id()))
    }

    /// Place of a motor's command, and the motor.
    pub(super) fn motor_place(&self, id: MotorId) -> Result<(usize, MotorAt)> {
        let j = self.model.joint(id.joint)?;
        let count = j.def.motors.len();
        let index = id.index.map(|k| k as usize).or_else(|| j.only_motor());
        let found = j.motors().find(|m| Some(m.ordinal) == index).map(|m| (j.command_start + m.ordinal, m));
        found.ok_or_else(|| {
            let name = self.model.joint_name(id.joint.0.slot as usize);
            let given = id.index.map_or("not said".to_owned(), |k| k.to_string());
            Error::input(format!("motor of {name}"), given, which(count, "motor"))
        })
    }

    /// A motor must drive what the joint leaves free, and no other motor drives. Springs may be beside motors.
    pub(super) fn check_motors(&self, entry: &JointEntry) -> Result<()> {
        if entry.motors().next().is_none() {
            return Ok(());
        }
        let (i, j) = (self.side(entry.i), self.side(entry.j));
        let held = Taken::by(entry, &i, &j);
        let mut taken = held.clone();
        for m in entry.motors() {
            let (e, is_spring) = (m.primitive.eval(&i, &j), entry.def.motors[m.ordinal].is_spring());
            let free = held.clone().take(&e, 0);
            if free && (is_spring || taken.take(&e, 0)) {
                continue;
            }
            let what = match entry.name.as_str() {
                "" => format!("motor of the {} joint", entry.kind.name()),
                name => format!("motor of joint '{name}' ({})", entry.kind.name()),
            };
            let why = if free { "another motor drives it" } else { "rows of the joint hold it" };
            let expected = format!("something that the joint leaves free, driven once: {why}");
            return Err(Error::input(what, format!("{:?}", m.freedom), expected));
        }
        Ok(())
    }
}

/// What a handle must say of a joint with so many of something.
pub(super) fn which(count: usize, what: &str) -> String {
    match count {
        0 => format!("a joint with a {what}: this one has none"),
        1 => format!("0: it has one {what}"),
        n => format!("which of its {n} {what}s, 0 to {}: call {what}(k) of the joint's handle", n - 1),
    }
}
