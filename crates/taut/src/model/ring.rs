//! Endless ropes and grips: what a user says, and which sheaves a grip can pass.
//!
//! Material changes places along a rope by slip alone. So an endless rope that is opened at a place where it does not slip is a rope from
//! there to there, and needs no rows of its own: `RopeEntry::guides` has that guide first and last.

use super::reeving::{Lead, Reeving, RopeEntry, Wound};
use super::{Model, Motion};
use crate::error::{Error, Result};
use crate::ids::{BodyId, JointId};
use crate::joints::Rope;
use crate::reeve::hold::Hold;
use crate::state::Stop;
use glam::DVec3;

impl Rope {
    /// An endless rope, as of a lift or a belt: say its guides next, in the order of its way; from the last it goes on to the first. It
    /// must not slip on one of them at least: a sheave without slip, or a grip.
    ///
    /// A belt over two pulleys: the small one turns twice as fast.
    /// ```
    /// use taut::prelude::*;
    /// use taut::Sheave;
    /// let mut world = World::new();
    /// let mut pulley = |x: f64, radius: f64| {
    ///     let mass = MassProperties::from_diagonal(2.0, Vec3::splat(0.01))?;
    ///     let rotor = world.add(Body::dynamic(mass).at(x * Vec3::X))?;
    ///     let hinge = world.add(Hinge::between(rotor, world.ground()).at(x * Vec3::X).axis(Vec3::Z).motor(Motor::rate()))?;
    ///     Ok::<_, taut::Error>((hinge, Sheave::on(rotor, x * Vec3::X, Vec3::Z, radius).no_slip()))
    /// };
    /// let ((drive, large), (driven, small)) = (pulley(0.0, 0.2)?, pulley(1.0, 0.1)?);
    /// let belt = world.add(Rope::endless().round(large.about()).round(small.about()))?;
    /// world.set_motor(drive, Command::rate(3.0))?;
    /// for _ in 0..100 {
    ///     world.step(0.01)?;
    /// }
    /// assert!((world.motor(driven)?.rate() - 6.0).abs() < 1e-9);
    /// assert!(world.rope(belt)?.is_closed());
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn endless() -> Reeving {
        Reeving { closed: true, ..Reeving::of(Vec::new()) }
    }
}

impl Reeving {
    /// On to a grip: a point of a body, given as a point of the world, m, that holds the rope fast and goes with it. Where it comes to a sheave that
    /// the rope does not slip on it rides round on its rim and goes on behind it, whichever way the rope runs. Other guides stop it.
    ///
    /// A gondola on an endless rope between two wheels goes round them.
    /// ```
    /// use taut::prelude::*;
    /// use taut::{Event, Sheave};
    /// let mut world = World::new();
    /// let mut wheel = |x: f64| {
    ///     let mass = MassProperties::from_diagonal(20.0, Vec3::splat(1.0))?;
    ///     let rotor = world.add(Body::dynamic(mass).at(x * Vec3::X))?;
    ///     let hinge = world.add(Hinge::between(rotor, world.ground()).at(x * Vec3::X).axis(Vec3::Z).motor(Motor::rate()))?;
    ///     Ok::<_, taut::Error>((hinge, Sheave::on(rotor, x * Vec3::X, Vec3::Z, 0.5).no_slip()))
    /// };
    /// let ((drive, a), (_, b)) = (wheel(0.0)?, wheel(5.0)?);
    /// let start = Vec3::new(2.0, -0.5, 0.0);
    /// let gondola = world.add(Body::particle(1.0).at(start))?;
    /// world.add(Rope::endless().round(a.about()).grip(gondola, start).round(b.about()).stiffness(1e6))?;
    /// world.set_motor(drive, Command::rate(2.0))?;
    /// let mut wheels = 0;
    /// for _ in 0..1000 {
    ///     wheels += world.step(0.01)?.events.iter().filter(|e| matches!(e, Event::GripLeft { .. })).count();
    /// }
    /// // 10 m at 1 m/s: on to the far wheel, round it, back to the near one, and so on.
    /// assert_eq!(wheels, 1);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn grip(mut self, body: BodyId, point: DVec3) -> Self {
        self.leads.push(Lead::Grip(body, point));
        self
    }

    /// Whether it is endless. By default it is not, but for [`Rope::endless`].
    pub fn closed(self, closed: bool) -> Self {
        Reeving { closed, ..self }
    }

    /// The leads of a rope from its start to its end. An endless one is opened where it does not slip; which of those that were said
    /// that is comes with it.
    pub(crate) fn opened(&self) -> Result<(Vec<Lead>, Option<usize>)> {
        let mut leads = self.leads.clone();
        if !self.closed {
            return match leads.len() {
                0 | 1 => Err(Error::input("rope", "a start alone", "an end too: say to(body, point)")),
                _ => Ok((leads, None)),
            };
        }
        if leads.len() < 2 {
            let expected = "two at least: an endless rope goes round something";
            return Err(Error::input("guides of the endless rope", leads.len(), expected));
        }
        let sticks = |l: &Lead| matches!(l, Lead::Round(Wound { sheave, .. }) if sheave.hold == Hold::Fast);
        let first = leads.iter().position(sticks).or_else(|| leads.iter().position(|l| matches!(l, Lead::Grip(..))));
        let Some(first) = first else {
            let expected = "one that it does not slip on: a sheave with no_slip, or a grip";
            return Err(Error::input("guides of the endless rope", "all let it slip", expected));
        };
        leads.rotate_left(first);
        leads.push(leads[0]);
        Ok((leads, Some(first)))
    }
}

/// A sheave that a grip can pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RideEntry {
    /// Guides of the rope: the grip and the sheave.
    pub grip: u32,
    pub wheel: u32,
    /// The ball joint that holds the one on the rim of the other, switched off while it does not; none before the rope is in the world.
    pub joint: Option<JointId>,
}

impl RopeEntry {
    /// Which of the guides that were said.
    pub fn number(&self, guide: u32) -> usize {
        let (k, count) = (guide as usize, self.guides.len());
        self.ring.map_or(k, |first| (k + first) % (count - 1))
    }

    /// A guide by one number: the end of an endless rope is its start.
    pub fn one(&self, guide: u32) -> u32 {
        if self.ring.is_some() && guide as usize + 1 == self.guides.len() { 0 } else { guide }
    }

    pub fn is_grip(&self, stop: &Stop) -> bool {
        stop.lead.is_some_and(|k| self.guides[k as usize].grip)
    }

    /// Whether a stop is a grip and another a sheave that it can pass.
    pub fn passes(&self, grip: &Stop, wheel: &Stop) -> bool {
        let (Some(grip), Some(wheel)) = (grip.lead, wheel.lead) else { return false };
        self.rides.iter().any(|r| r.grip == grip && r.wheel == self.one(wheel))
    }

    /// Which sheaves its grips can pass: those that the rope does not slip on, and that are no drums. One of the two bodies must move freely.
    pub fn find_rides(&self, model: &Model) -> Vec<RideEntry> {
        let last = self.guides.len() - 1;
        let free =
            |b: BodyId| model.bodies.get(b.0).is_some_and(|b| matches!(b.motion, Motion::Dynamic | Motion::Particle));
        let mut out = Vec::new();
        for (g, grip) in self.guides.iter().enumerate().filter(|(k, g)| g.grip && *k > 0 && *k < last) {
            for (w, wheel) in self.guides[..last].iter().enumerate() {
                let turns = wheel.groove.is_round() && wheel.hold == Hold::Fast && wheel.drum.is_none();
                let inner = w > 0 || self.ring.is_some();
                if turns && inner && wheel.body != grip.body && (free(wheel.body) || free(grip.body)) {
                    out.push(RideEntry { grip: g as u32, wheel: w as u32, joint: None });
                }
            }
        }
        out
    }
}
