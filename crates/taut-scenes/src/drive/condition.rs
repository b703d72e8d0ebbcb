//! Conditions of events: what they look at between two steps.

use super::record::Record;
use taut::{BodyId, ColliderId, Freedom, JointId, MotorId, Result, RopeId, Vec3, World, queries::QueryFilter};

/// What must be so.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// A measure is above or below a value.
    Measure(Measure, Test),
    /// Colliders of one list push at those of another with more than a force, N; sensors overlap.
    Contact { colliders: [Vec<ColliderId>; 2], above: f64 },
    /// Another event has fired, so many seconds ago.
    Event { event: usize, delay: f64 },
    /// A joint is gone.
    Gone(JointId),
    /// All of them.
    All(Vec<Condition>),
    /// One of them.
    Any(Vec<Condition>),
}

/// Above or below a value; both exclude it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Test {
    Above(f64),
    Below(f64),
}

impl Test {
    fn holds(self, x: f64) -> bool {
        match self {
            Test::Above(y) => x > y,
            Test::Below(y) => x < y,
        }
    }
}

/// What can be measured.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measure {
    /// Force that a joint carries, N.
    Force(JointId),
    /// Torque that it carries about its origin, N m.
    Torque(JointId),
    /// Pull of a rope or rod, N.
    Tension(JointId),
    /// Opening of a joint, m.
    Gap(JointId),
    /// Where a freedom is, m or rad; the last is -1 where the file counts the other way.
    Position(JointId, Freedom, f64),
    /// How fast it moves, m/s or rad/s.
    Rate(JointId, Freedom, f64),
    /// Where a motor is.
    MotorPosition(MotorId, f64),
    MotorRate(MotorId, f64),
    /// What it pushes with, N or N m.
    Effort(MotorId, f64),
    /// Position of a body along a direction, m.
    Place(BodyId, Vec3),
    /// Position against gravity, m.
    Height(BodyId),
    /// How far a body is below the water above it, m.
    Depth(BodyId),
    /// Velocity of a body along a direction, m/s.
    Velocity(BodyId, Vec3),
    /// Its length, m/s.
    Speed(BodyId),
    /// Length of the angular velocity, rad/s.
    Spin(BodyId),
    /// Tension of a span of a rope over guides, or the largest, N.
    RopeTension(RopeId, Option<usize>),
    /// Its length without stretch, m.
    RopeLength(RopeId),
    /// By how much it is longer than when it was new, m.
    PaidOut(RopeId),
    /// By how much it is longer than its way, m.
    Slack(RopeId),
    /// Angle by which it lies round a guide of its path, from 1, or all of them, rad.
    Wrap(RopeId, Option<usize>),
    /// By how much it is twisted, rad.
    Twist(RopeId),
    /// Moment of its torsion, N m.
    RopeTorque(RopeId),
}

impl Measure {
    /// The value now; none of what is gone.
    fn now(self, world: &World) -> Option<f64> {
        let joint = |id: JointId| world.joint(id).ok();
        let motor = |id: MotorId| world.motor(id).ok();
        let body = |id: BodyId| world.body(id).ok();
        let rope = |id: RopeId| world.rope(id).ok();
        match self {
            Measure::Force(j) => joint(j).map(|j| j.force().length()),
            Measure::Torque(j) => joint(j).map(|j| j.torque().length()),
            Measure::Tension(j) => joint(j).map(|j| j.tension()),
            Measure::Gap(j) => joint(j).map(|j| j.gap()),
            Measure::Position(j, f, sign) => joint(j).map(|j| sign * j.position_of(f)),
            Measure::Rate(j, f, sign) => joint(j).map(|j| sign * j.rate_of(f)),
            Measure::MotorPosition(m, sign) => motor(m).map(|m| sign * m.position()),
            Measure::MotorRate(m, sign) => motor(m).map(|m| sign * m.rate()),
            Measure::Effort(m, sign) => motor(m).map(|m| sign * m.effort()),
            Measure::Place(b, along) => body(b).map(|b| b.position().dot(along)),
            Measure::Height(b) => body(b).map(|b| b.position().dot(up(world))),
            Measure::Depth(b) => body(b).and_then(|b| world.water_at(b.position())).map(|w| w.depth),
            Measure::Velocity(b, along) => body(b).map(|b| b.velocity().dot(along)),
            Measure::Speed(b) => body(b).map(|b| b.velocity().length()),
            Measure::Spin(b) => body(b).map(|b| b.angular_velocity().length()),
            Measure::RopeTension(r, Some(span)) => rope(r).and_then(|r| r.tensions().nth(span)),
            Measure::RopeTension(r, None) => rope(r).map(|r| r.tensions().fold(0.0, f64::max)),
            Measure::RopeLength(r) => rope(r).map(|r| r.length()),
            Measure::PaidOut(r) => rope(r).map(|r| r.paid_out()),
            Measure::Slack(r) => rope(r).map(|r| (-r.excess()).max(0.0)),
            Measure::Wrap(r, Some(guide)) => rope(r).and_then(|r| r.wraps().nth(guide - 1)),
            Measure::Wrap(r, None) => rope(r).map(|r| r.wraps().sum()),
            Measure::Twist(r) => rope(r).map(|r| r.twist()),
            Measure::RopeTorque(r) => rope(r).map(|r| r.torque()),
        }
    }
}

/// Against gravity; y where there is none.
fn up(world: &World) -> Vec3 {
    let up = -world.options().gravity.normalize_or_zero();
    if up == Vec3::ZERO { Vec3::Y } else { up }
}

impl Condition {
    /// Whether it holds; what is gone has no measure, and no condition on it holds.
    pub fn holds(&self, world: &mut World, record: &Record) -> Result<bool> {
        Ok(match self {
            Condition::Measure(measure, test) => measure.now(world).is_some_and(|x| test.holds(x)),
            Condition::Contact { colliders: [a, b], above } => touch(world, a, b, *above)?,
            Condition::Event { event, delay } => {
                let slack = 1e-9 * (1.0 + world.time().abs());
                record.last(*event).is_some_and(|t| t + delay <= world.time() + slack)
            }
            Condition::Gone(joint) => world.joint(*joint).is_err(),
            Condition::All(list) => {
                list.iter().try_fold(true, |all, c| if all { c.holds(world, record) } else { Ok(false) })?
            }
            Condition::Any(list) => {
                list.iter().try_fold(false, |any, c| if any { Ok(true) } else { c.holds(world, record) })?
            }
        })
    }
}

/// Whether colliders of two lists push at each other with more than a force, N, or a sensor among them overlaps another.
fn touch(world: &mut World, a: &[ColliderId], b: &[ColliderId], above: f64) -> Result<bool> {
    let pair =
        |(i, j): (ColliderId, ColliderId)| (a.contains(&i) && b.contains(&j)) || (a.contains(&j) && b.contains(&i));
    let push: f64 = world.contacts().filter(|c| pair(c.colliders)).map(|c| c.force.length()).sum();
    if push > above {
        return Ok(true);
    }
    for (one, other) in [(a, b), (b, a)] {
        for &id in one {
            let Some((shape, pose)) = sensor(world, id) else { continue };
            let filter = QueryFilter { sensors: true, ..QueryFilter::default() };
            if world.overlaps(&shape, pose, &filter)?.iter().any(|c| other.contains(c)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Shape and pose of a collider that only tells what overlaps it.
fn sensor(world: &World, id: ColliderId) -> Option<(taut::Shape, taut::Pose)> {
    let c = world.collider(id).ok()?;
    (c.sensor && c.shape.is_solid()).then(|| (c.shape.clone(), c.pose))
}
