//! Conditions of events in a scene file.

use super::freedom::Freedom;
use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What must be so. What it looks at is said by the field that names it: `joint`, `motor`, `body`, `rope`, `contact`, `event`,
/// `broken`, `all` or `any`. On something that is gone no condition but `broken` holds.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(untagged))]
pub enum Condition {
    /// A measure of a joint.
    Joint(JointCondition),
    /// A measure of a motor.
    Motor(MotorCondition),
    /// A measure of a body.
    Body(BodyCondition),
    /// A measure of a rope over guides.
    Rope(RopeCondition),
    /// Two things touch.
    Contact(ContactCondition),
    /// Another event has fired.
    Event(EventCondition),
    /// A joint is gone.
    Broken(BrokenCondition),
    /// All of several.
    All(AllConditions),
    /// One of several.
    Any(AnyCondition),
}

/// A measure of a joint is above or below a value.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointCondition {
    /// Name of the joint.
    pub joint: String,
    /// What is measured.
    pub measure: JointMeasure,
    /// Of `position` and `rate`, which of several things that the joint leaves free, as in `limits`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freedom: Option<Freedom>,
    /// Of the freedom `lean`, its place in the list of motors, from 0. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// It holds above this, in the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Number<One>>,
    /// It holds below this, in the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Number<One>>,
}

/// What can be measured of a joint.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum JointMeasure {
    /// Force that it carries, N.
    Force,
    /// Torque that it carries about its point, N m.
    Torque,
    /// Pull of a rope, rod or ligament, N.
    Tension,
    /// Opening, m.
    Gap,
    /// Where what it leaves free is, m or rad.
    Position,
    /// How fast that moves, m/s or rad/s.
    Rate,
}

/// A measure of a motor is above or below a value.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MotorCondition {
    /// Name of the motor, or of a joint with one motor.
    pub motor: String,
    /// What is measured.
    pub measure: MotorMeasure,
    /// It holds above this, in the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Number<One>>,
    /// It holds below this, in the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Number<One>>,
}

/// What can be measured of a motor.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum MotorMeasure {
    /// What it pushes with, N or N m.
    Effort,
    /// Where it is, m or rad.
    Position,
    /// How fast it moves, m/s or rad/s.
    Rate,
}

/// A measure of a body is above or below a value.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyCondition {
    /// Name of the body.
    pub body: String,
    /// What is measured.
    pub measure: BodyMeasure,
    /// It holds above this, in the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Number<One>>,
    /// It holds below this, in the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Number<One>>,
}

/// What can be measured of a body.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum BodyMeasure {
    /// Position against gravity, m (y without gravity).
    Height,
    /// Position along x, m.
    X,
    /// Position along y, m.
    Y,
    /// Position along z, m.
    Z,
    /// How far its centre is below the water above it, m; never with no water.
    Depth,
    /// Length of the velocity, m/s.
    Speed,
    /// Velocity along x, m/s.
    Vx,
    /// Velocity along y, m/s.
    Vy,
    /// Velocity along z, m/s.
    Vz,
    /// Length of the angular velocity, rad/s.
    Spin,
}

/// A measure of a rope over guides is above or below a value.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RopeCondition {
    /// Name of the rope.
    pub rope: String,
    /// What is measured.
    pub measure: RopeMeasure,
    /// Of `tension`, which span, from 0. Default: the one that pulls most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<usize>,
    /// Of `wrap`, which guide of its path, from 1. Default: all of them together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guide: Option<usize>,
    /// It holds above this, in the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Number<One>>,
    /// It holds below this, in the unit of the measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Number<One>>,
}

/// What can be measured of a rope over guides.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum RopeMeasure {
    /// Its tension, N.
    Tension,
    /// Its length without stretch, m; of a rope on a drum what is off the drum.
    Length,
    /// By how much it is longer than at the start, m.
    PaidOut,
    /// By how much it is longer than its way, m.
    Slack,
    /// Angle by which it lies round its guides, rad.
    Wrap,
    /// By how much it is twisted, whole turns counted, rad.
    Twist,
    /// Moment of its torsion, N m.
    Torque,
}

/// Two things touch: they push at each other, or one is a sensor that the other overlaps.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ContactCondition {
    /// Names of two colliders or bodies; a body stands for all its colliders.
    pub contact: [String; 2],
    /// It holds when they push with more than this, N. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Number<Newton>>,
}

/// Another event has fired.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EventCondition {
    /// Name of the event.
    pub event: String,
    /// How long ago, at least, s. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Number<Second>>,
}

/// A joint is gone: it broke or was removed.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BrokenCondition {
    /// Name of the joint.
    pub broken: String,
}

/// All of several conditions.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AllConditions {
    /// The conditions.
    pub all: Vec<Condition>,
}

/// One of several conditions.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AnyCondition {
    /// The conditions.
    pub any: Vec<Condition>,
}
