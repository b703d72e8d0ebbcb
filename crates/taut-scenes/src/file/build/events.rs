//! Events of a scene file into those of a script: when they fire.

use super::free;
use super::script::Names;
use crate::drive::{Condition, Event, Measure, Rearm, Test, Trigger};
use crate::file::error::{At, FileError, Path};
use crate::file::quantity::{Number, One};
use crate::file::{
    self, BodyMeasure, Joint, JointCondition, JointMeasure, Kind, MotorMeasure, RopeCondition, RopeMeasure,
};
use taut::{ColliderId, Freedom, JointId, Vec3};

/// Deepest conditions of conditions.
const DEEPEST: usize = 16;

impl Names<'_> {
    pub(super) fn event(&self, number: usize, e: &file::Event, path: &Path) -> Result<Event, FileError> {
        let trigger = match (&e.at, &e.when) {
            (Some(at), None) => self.timed(e, at.value, path)?,
            (None, Some(when)) => {
                if e.every.is_some() {
                    return Err(FileError::new(path.key("every"), "every: expected none without 'at'"));
                }
                let condition = self.condition(when, &path.key("when"), 0)?;
                Trigger::When { condition, rearm: self.rearm(e, path)? }
            }
            (Some(_), Some(_)) => {
                return Err(FileError::new(path.key("when"), "when: expected either 'at' or 'when'"));
            }
            (None, None) => {
                return Err(FileError::new(path.clone(), "an event that never fires: expected 'at' or 'when'"));
            }
        };
        let actions = e.actions.iter().enumerate().map(|(k, a)| self.action(a, &path.key("do").index(k)));
        let name = e.name.clone().unwrap_or_else(|| format!("events[{number}]"));
        Ok(Event { name, trigger, actions: actions.collect::<Result<_, _>>()? })
    }

    fn timed(&self, e: &file::Event, time: f64, path: &Path) -> Result<Trigger, FileError> {
        for (name, there) in [("repeat", e.repeat), ("rearm", e.rearm.is_some())] {
            if there {
                let message = format!("{name}: expected none with 'at'; 'every' repeats it");
                return Err(FileError::new(path.key(name), message));
            }
        }
        let every = e.every.map(|x| x.value);
        if let Some(x) = every.filter(|x| !(*x > 0.0)) {
            return Err(FileError::input(path.key("every"), x, "a number of s greater than zero"));
        }
        Ok(Trigger::At { time, every })
    }

    fn rearm(&self, e: &file::Event, path: &Path) -> Result<Rearm, FileError> {
        match (e.repeat, &e.rearm) {
            (false, None) => Ok(Rearm::Never),
            (true, None) => Ok(Rearm::Ceased),
            (true, Some(c)) => self.condition(c, &path.key("rearm"), 0).map(Rearm::When),
            (false, Some(_)) => Err(FileError::new(path.key("rearm"), "rearm: expected '\"repeat\": true' with it")),
        }
    }

    fn condition(&self, c: &file::Condition, path: &Path, depth: usize) -> Result<Condition, FileError> {
        if depth > DEEPEST {
            return Err(FileError::new(
                path.clone(),
                format!("conditions of conditions: expected at most {DEEPEST} deep"),
            ));
        }
        let all = |name: &str, list: &[file::Condition]| {
            if list.is_empty() {
                return Err(FileError::new(path.key(name), "an empty list: expected at least one condition"));
            }
            let each = list.iter().enumerate();
            each.map(|(k, c)| self.condition(c, &path.key(name).index(k), depth + 1)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match c {
            file::Condition::Joint(j) => {
                Condition::Measure(self.joint_measure(j, path)?, test(j.above, j.below, path)?)
            }
            file::Condition::Rope(r) => Condition::Measure(self.rope_measure(r, path)?, test(r.above, r.below, path)?),
            file::Condition::Motor(m) => {
                let motor = self.motor(&m.motor, path.key("motor"))?;
                let measure = match m.measure {
                    MotorMeasure::Effort => Measure::Effort(motor.id, motor.said.sign),
                    MotorMeasure::Position => Measure::MotorPosition(motor.id, motor.said.sign),
                    MotorMeasure::Rate => Measure::MotorRate(motor.id, motor.said.sign),
                };
                Condition::Measure(measure, test(m.above, m.below, path)?)
            }
            file::Condition::Body(b) => {
                let id = self.b.find(&b.body, path.key("body"))?;
                Condition::Measure(body_measure(b.measure, id), test(b.above, b.below, path)?)
            }
            file::Condition::Contact(c) => {
                let at = path.key("contact");
                let colliders =
                    [self.touching(&c.contact[0], at.index(0))?, self.touching(&c.contact[1], at.index(1))?];
                let above = c.above.map_or(0.0, |x| x.value);
                if !(above >= 0.0) {
                    return Err(FileError::input(path.key("above"), above, "a number of N, zero or more"));
                }
                Condition::Contact { colliders, above }
            }
            file::Condition::Event(e) => {
                let delay = e.delay.map_or(0.0, |x| x.value);
                if !(delay >= 0.0) {
                    return Err(FileError::input(path.key("delay"), delay, "a number of s, zero or more"));
                }
                Condition::Event { event: self.event_number(&e.event, path.key("event"))?, delay }
            }
            file::Condition::Broken(b) => Condition::Gone(self.joint(&b.broken, path.key("broken"))?.0),
            file::Condition::All(c) => Condition::All(all("all", &c.all)?),
            file::Condition::Any(c) => Condition::Any(all("any", &c.any)?),
        })
    }

    fn rope_measure(&self, c: &RopeCondition, path: &Path) -> Result<Measure, FileError> {
        let id = self.rope(&c.rope, path.key("rope"))?;
        let spans = self.b.world.rope(id).at(path)?.span_count();
        let given = [("span", c.span, RopeMeasure::Tension, 0), ("guide", c.guide, RopeMeasure::Wrap, 1)];
        for (field, number, of, first) in given {
            let Some(k) = number else { continue };
            if c.measure != of {
                let with = if of == RopeMeasure::Wrap { "wrap" } else { "tension" };
                return Err(FileError::new(path.key(field), format!("{field}: expected none but with '{with}'")));
            }
            if !(first..spans).contains(&k) {
                let expected = format!("a number from {first} to {}", spans - 1);
                return Err(FileError::input(path.key(field), k, expected));
            }
        }
        Ok(match c.measure {
            RopeMeasure::Tension => Measure::RopeTension(id, c.span),
            RopeMeasure::Length => Measure::RopeLength(id),
            RopeMeasure::PaidOut => Measure::PaidOut(id),
            RopeMeasure::Slack => Measure::Slack(id),
            RopeMeasure::Wrap => Measure::Wrap(id, c.guide),
            RopeMeasure::Twist => Measure::Twist(id),
            RopeMeasure::Torque => Measure::RopeTorque(id),
        })
    }

    fn joint_measure(&self, c: &JointCondition, path: &Path) -> Result<Measure, FileError> {
        let (id, said) = self.joint(&c.joint, path.key("joint"))?;
        let moves = matches!(c.measure, JointMeasure::Position | JointMeasure::Rate);
        if let (Some(_), false) = (c.freedom, moves) {
            return Err(FileError::new(path.key("freedom"), "freedom: expected none but with 'position' and 'rate'"));
        }
        if c.index.is_some() && c.freedom != Some(file::Freedom::Lean) {
            return Err(FileError::new(path.key("index"), "index: expected none but with the freedom 'lean'"));
        }
        Ok(match c.measure {
            JointMeasure::Force => Measure::Force(id),
            JointMeasure::Torque => Measure::Torque(id),
            JointMeasure::Gap => Measure::Gap(id),
            JointMeasure::Tension if matches!(said.kind, Kind::Distance(_) | Kind::Rope(_) | Kind::Ligament(_)) => {
                Measure::Tension(id)
            }
            JointMeasure::Tension => {
                let expected = "'force' for this joint: a distance, rope or ligament has a tension";
                return Err(FileError::input(path.key("measure"), "'tension'", expected));
            }
            JointMeasure::Position | JointMeasure::Rate => {
                let (freedom, sign) = self.freedom(id, said, c, path)?;
                match c.measure {
                    JointMeasure::Position => Measure::Position(id, freedom, sign),
                    _ => Measure::Rate(id, freedom, sign),
                }
            }
        })
    }

    /// The freedom that is meant, and -1 where the file counts the other way.
    fn freedom(&self, id: JointId, said: &Joint, c: &JointCondition, path: &Path) -> Result<(Freedom, f64), FileError> {
        if let Some(name) = c.freedom {
            return free::freedom(&said.kind, name, c.index, path);
        }
        if matches!(said.kind, Kind::Distance(_)) {
            return Ok((Freedom::Length, 1.0));
        }
        match self.b.world.joint(id).at(path)?.freedoms() {
            [only] => Ok((*only, 1.0)),
            list => {
                let count = list.len();
                let message =
                    format!("a joint that leaves {count} things free: expected 'freedom', which says the one meant");
                Err(FileError::new(path.clone(), message))
            }
        }
    }

    /// The collider of a name, or all those of the body of that name.
    fn touching(&self, name: &str, path: Path) -> Result<Vec<ColliderId>, FileError> {
        if let Ok(id) = self.b.find_collider(name, path.clone()) {
            return Ok(vec![id]);
        }
        let Some((body, _)) = self.b.bodies.get(name) else {
            let known = self.b.bodies.keys().chain(self.b.named_colliders.keys()).map(String::as_str);
            return Err(super::script::unknown("a collider or body", name, path, known));
        };
        let list = self.b.world.colliders_of(*body).at(&path)?.to_vec();
        if list.is_empty() {
            return Err(FileError::input(path, format!("'{name}'"), "a body with colliders: it meets nothing"));
        }
        Ok(list)
    }
}

fn body_measure(measure: BodyMeasure, id: taut::BodyId) -> Measure {
    match measure {
        BodyMeasure::Height => Measure::Height(id),
        BodyMeasure::X => Measure::Place(id, Vec3::X),
        BodyMeasure::Y => Measure::Place(id, Vec3::Y),
        BodyMeasure::Z => Measure::Place(id, Vec3::Z),
        BodyMeasure::Depth => Measure::Depth(id),
        BodyMeasure::Speed => Measure::Speed(id),
        BodyMeasure::Vx => Measure::Velocity(id, Vec3::X),
        BodyMeasure::Vy => Measure::Velocity(id, Vec3::Y),
        BodyMeasure::Vz => Measure::Velocity(id, Vec3::Z),
        BodyMeasure::Spin => Measure::Spin(id),
    }
}

/// One of two bounds.
fn test(above: Option<Number<One>>, below: Option<Number<One>>, path: &Path) -> Result<Test, FileError> {
    match (above, below) {
        (Some(x), None) => Ok(Test::Above(x.value)),
        (None, Some(x)) => Ok(Test::Below(x.value)),
        (None, None) => Err(FileError::new(path.clone(), "a measure alone: expected 'above' or 'below'")),
        (Some(_), Some(_)) => {
            let message = "below: expected either 'above' or 'below'; 'all' takes two conditions";
            Err(FileError::new(path.key("below"), message))
        }
    }
}
