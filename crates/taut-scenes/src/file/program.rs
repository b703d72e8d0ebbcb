//! Programs of a scene file: what drives a thing over time.

use super::quantity::*;
use super::signal::Signal;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Drives one thing over time. What it drives is said by the field that names it: `motor`, `force`, `body`, `joint`, `rope` or
/// `gravity`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(untagged))]
pub enum Program {
    /// A motor.
    Motor(MotorProgram),
    /// A force.
    Force(Box<ForceProgram>),
    /// A kinematic body.
    Body(Box<BodyProgram>),
    /// A rope or rod.
    Joint(JointProgram),
    /// A rope over guides.
    Rope(RopeProgram),
    /// Gravity.
    Gravity(GravityProgram),
}

/// What a motor is told.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MotorProgram {
    /// Name of the motor, or of a joint with one motor.
    pub motor: String,
    /// Wanted position of a servo with stiffness, m or rad. Its rate of change is what the servo is told as rate, unless `rate` says another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Signal>,
    /// Wanted rate, m/s or rad/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Signal>,
    /// Name of the event that it begins with, from which its time counts. Default: it begins with the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// How a force changes; one of `scale`, `vector`, `target` and `rest_length`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ForceProgram {
    /// Name of the force.
    pub force: String,
    /// Its strength as a multiple of that in `forces`, no unit (force, torque, drag).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Signal>,
    /// Its vector along the world's axes, N or N m (force, torque).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<[Signal; 3]>,
    /// Where it pulls to, world coordinates, m (mouse).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<[Signal; 3]>,
    /// Its length without force, m (spring).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_length: Option<Signal>,
    /// Name of the event that it begins with, from which its time counts. Default: it begins with the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// How a kinematic body moves: `position` and `turn`, or `velocity` and `angular_velocity`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyProgram {
    /// Name of the body.
    pub body: String,
    /// Its position along x, y and z, m; at the start that of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<[Signal; 3]>,
    /// Its turn from the rotation of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
    /// Its velocity along x, y and z, m/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[Signal; 3]>,
    /// Its angular velocity along the world's axes, rad/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<[Signal; 3]>,
    /// Name of the event that it begins with, from which its time counts. Default: it begins with the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A turn about an axis over time.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Axis in the world, through the position of the body; any length but zero.
    pub axis: Triple<One>,
    /// Angle, rad, counter-clockwise seen against the axis; 0 at the start.
    pub angle: Signal,
}

/// How the length of a rope, rod or ligament changes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointProgram {
    /// Name of the joint.
    pub joint: String,
    /// Its length, m; greater than zero.
    pub length: Signal,
    /// Name of the event that it begins with, from which its time counts. Default: it begins with the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// How a rope over guides is paid out at its end.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RopeProgram {
    /// Name of the rope.
    pub rope: String,
    /// How fast it is paid out, m/s; negative where it is hauled in.
    pub pay_out: Signal,
    /// Name of the event that it begins with, from which its time counts. Default: it begins with the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// How gravity changes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GravityProgram {
    /// Acceleration of gravity along x, y and z, m/s^2.
    pub gravity: [Signal; 3],
    /// Name of the event that it begins with, from which its time counts. Default: it begins with the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}
