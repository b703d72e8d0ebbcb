//! What somebody does by hand to a scene that runs: motors that are driven, ropes that are paid out.

use crate::drive::Books;
use crate::scene::Scene;
use taut::study::Study;
use taut::{Command, Drive, MotorId, Result, RopeId, StepReport, World};

/// What somebody wants of a motor: a rate, m/s or rad/s, or that a servo goes to a position, m or rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// m/s or rad/s.
    Rate(f64),
    /// m or rad.
    Target(f64),
    /// Exactly what the motor is told.
    Command(Command),
}

/// Motors and ropes in somebody's hands, in place of what the scene does with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hand {
    motors: Vec<(MotorId, Wish)>,
    ropes: Vec<(RopeId, f64)>,
}

/// Times of the stages of a step, s.
type Stages = Vec<(&'static str, f64)>;

impl Hand {
    /// Drives a motor at a rate, m/s or rad/s, from now on; none: it is the scene's again.
    pub fn drive(&mut self, motor: MotorId, rate: Option<f64>) {
        self.wish(motor, rate.map(Wish::Rate));
    }

    /// The same with any wish. A motor that is no servo has no target to go to, and is refused by the next step.
    pub fn wish(&mut self, motor: MotorId, wish: Option<Wish>) {
        self.motors.retain(|m| m.0 != motor);
        self.motors.extend(wish.map(|w| (motor, w)));
    }

    /// What is wanted of a motor in the hand.
    pub fn wished(&self, motor: MotorId) -> Option<Wish> {
        self.motors.iter().find(|m| m.0 == motor).map(|m| m.1)
    }

    /// Pays out a rope over guides at a rate, m/s, from now on; negative: hauls it in.
    pub fn pay_out(&mut self, rope: RopeId, rate: f64) {
        self.ropes.retain(|r| r.0 != rope);
        if rate != 0.0 {
            self.ropes.push((rope, rate));
        }
    }

    /// Rate of a motor in the hand, m/s or rad/s.
    pub fn rate(&self, motor: MotorId) -> Option<f64> {
        match self.wished(motor) {
            Some(Wish::Rate(rate)) => Some(rate),
            _ => None,
        }
    }

    /// Rate at which a rope is paid out by the hand, m/s.
    pub fn paying(&self, rope: RopeId) -> f64 {
        self.ropes.iter().find(|r| r.0 == rope).map_or(0.0, |r| r.1)
    }

    /// Acts before a step of `h` seconds; what is gone is left alone.
    fn act(&self, world: &mut World, books: &mut Books, h: f64) -> Result<()> {
        for &(id, wish) in &self.motors {
            let Ok(motor) = world.motor(id) else { continue };
            let command = match (motor.drive(), wish) {
                (_, Wish::Command(command)) => command,
                (_, Wish::Target(target)) => Command { target, rate: 0.0 },
                // A spring is led along.
                (Drive::Servo { stiffness, .. }, Wish::Rate(rate)) if stiffness > 0.0 => {
                    Command { target: motor.position() + rate * h, rate }
                }
                (_, Wish::Rate(rate)) => Command::rate(rate),
            };
            world.set_motor(id, command)?;
        }
        for &(id, rate) in &self.ropes {
            books.pay_out(world, id, rate * h)?;
        }
        books.close(world)
    }
}

impl Scene {
    /// The same as [`Scene::step`] with motors and ropes in a hand, whose work on ropes is booked as work; with the time of each stage
    /// where a clock is given.
    pub fn step_by_hand(
        &mut self,
        h: f64,
        hand: &Hand,
        clock: Option<fn() -> f64>,
    ) -> Result<(StepReport, Option<Stages>)> {
        self.drive(h)?;
        self.step_driven(h, hand, clock)
    }

    /// The same as [`Scene::next_step`] with motors and ropes in a hand.
    pub fn next_step_by_hand(&mut self, h: f64, hand: &Hand) -> Result<Option<StepReport>> {
        self.drive(h)?;
        if self.stopped().is_some() {
            return Ok(None);
        }
        self.step_driven(h, hand, None).map(|(report, _)| Some(report))
    }

    fn step_driven(&mut self, h: f64, hand: &Hand, clock: Option<fn() -> f64>) -> Result<(StepReport, Option<Stages>)> {
        let mut books = Books::default();
        hand.act(&mut self.world, &mut books, h)?;
        let (report, stages) = match clock {
            Some(clock) => self.world.profiled_step(h, clock).map(|(r, s)| (r, Some(s)))?,
            None => (self.world.step(h)?, None),
        };
        let mut report = self.booked(report);
        books.settle(&self.world).enter(&mut report);
        Ok((report, stages))
    }
}
