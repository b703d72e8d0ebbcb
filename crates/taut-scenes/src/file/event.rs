//! Events of a scene file: when they fire and what they do.

use super::bound::{Friction, Limit};
use super::condition::Condition;
use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens once something is so: either `at` a time, or `when` a condition holds. It fires once unless it is told to repeat.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Name in the outcome of a run, unique among the events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Time at which it fires, s: before the first step that begins then or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Number<Second>>,
    /// Time after which it fires again, s; with `at`. Default: it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<Number<Second>>,
    /// Condition on which it fires: before the first step that begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// Whether it fires again, once its condition no longer held in between; with `when`. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub repeat: bool,
    /// Condition that must have held in between instead; with `repeat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rearm: Option<Condition>,
    /// What it does, in this order. Default: nothing but to be told in the outcome.
    #[serde(default, rename = "do", skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
}

fn is_false(x: &bool) -> bool {
    !x
}

/// Something that an event does. What is gone by then is left alone.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Action {
    /// Takes something out for good; a joint is cut, a body goes with its joints, forces and colliders.
    Remove(Removed),
    /// Cuts a deformable along a plane or a part of one, where cells that it passes between part; or a rope over guides into two.
    Cut(CutOff),
    /// Switches something off: a joint holds nothing, a body stands where it is and meets nothing, a collider meets nothing.
    Disable(Switched),
    /// Switches it on again.
    Enable(Switched),
    /// Tells a motor what to do from now on, in place of its program.
    Command(Command),
    /// Tells a motor to stay where it is.
    Hold(MotorName),
    /// Lets a motor go, or an end of a rope over guides, which then runs through its guides.
    Release(Released),
    /// Ties an end of a rope over guides to a body.
    Attach(Attached),
    /// Makes one rope of two, whose ends hang free.
    Splice(Spliced),
    /// Changes a limit of a joint.
    Limit(SetLimit),
    /// Changes the friction of a joint.
    Friction(SetFriction),
    /// Changes the length of a rope, rod or ligament.
    Length(SetLength),
    /// Pays out some of a rope over guides at its end, or hauls it in.
    PayOut(PayOut),
    /// Hits a body.
    Impulse(Impulse),
    /// Changes gravity.
    Gravity(SetGravity),
    /// Ends the run.
    Stop(Stop),
}

/// What is taken out: one of them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Removed {
    /// Name of a joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// Name of a body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Name of a force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<String>,
    /// Name of a collider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collider: Option<String>,
    /// Name of a rope over guides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rope: Option<String>,
}

/// A cut through a deformable, where it is by then, or through a rope over guides: one of them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct CutOff {
    /// Name of the deformable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deformable: Option<String>,
    /// A point of the plane, m: the centre of a disc, the corner of a part with edges. With `deformable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// Direction across the plane; unless `edges` are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<Triple<One>>,
    /// Radius of the disc that is cut, m. Default: the whole plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number<Metre>>,
    /// The two edges of a rectangle, or another parallelogram, that is cut, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<[Triple<Metre>; 2]>,
    /// Name of the rope. The part from its start keeps the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rope: Option<String>,
    /// Rope without stretch between its start and the cut, m; what is wound on a drum does not count. With `rope`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number<Metre>>,
    /// Name of the rope from the cut to the end, for other events; with `rope`. Default: the same with a number, which none can name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

/// One of the two ends of a rope over guides.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum End {
    /// Where its path begins.
    First,
    /// Where its path ends.
    #[default]
    Last,
}

/// What is let go: one of them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Released {
    /// Name of the motor, or of a joint with one motor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor: Option<String>,
    /// Name of the rope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rope: Option<String>,
    /// Which end of the rope; with `rope`. Default: the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// Where an end of a rope is tied.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Attached {
    /// Name of the rope.
    pub rope: String,
    /// Which end of it. Default: the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Name of the body.
    pub to: String,
    /// Where, as a point of the world at the start that moves with the body, m. Default: its centre of mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// How much longer than its way the rope is made, m; 0 ties it as it is found. Default: it keeps its length, and the run ends with an
    /// error where it does not reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slack: Option<Number<Metre>>,
}

/// Two ropes that become one.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Spliced {
    /// Name of the rope that goes on.
    pub rope: String,
    /// Which end of it. Default: the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Name of the rope that becomes a part of it.
    pub with: String,
    /// Which end of that. Default: the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_end: Option<End>,
}

/// What is switched: one of them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Switched {
    /// Name of a joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// Name of a body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Name of a collider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collider: Option<String>,
}

/// What a motor is told.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Command {
    /// Name of the motor, or of a joint with one motor.
    pub motor: String,
    /// Wanted position of a servo with stiffness, m or rad. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Number<One>>,
    /// Wanted rate, m/s or rad/s. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Number<One>>,
}

/// A motor.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct MotorName {
    /// Name of the motor, or of a joint with one motor.
    pub motor: String,
}

/// Another limit.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct SetLimit {
    /// Name of the joint.
    pub joint: String,
    /// Which of its `limits`, from 0. Default: the only one on that freedom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The limit that takes its place.
    pub limit: Limit,
}

/// Another friction.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct SetFriction {
    /// Name of the joint.
    pub joint: String,
    /// The friction that takes the place of that on its freedom.
    pub friction: Friction,
}

/// Another length.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct SetLength {
    /// Name of the joint.
    pub joint: String,
    /// Its length from now on, m.
    pub length: Number<Metre>,
}

/// More of a rope.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct PayOut {
    /// Name of the rope.
    pub rope: String,
    /// How much, m; negative where it is hauled in.
    pub length: Number<Metre>,
}

/// A hit; at least one of `impulse` and `angular`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Impulse {
    /// Name of the body.
    pub body: String,
    /// The impulse in the world, N s. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impulse: Option<Triple<NewtonSecond>>,
    /// Where it hits, as a point of the world at the start that moves with the body, m. Default: the centre of mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// An angular impulse in the world, N m s. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angular: Option<Triple<NewtonMetreSecond>>,
}

/// Another gravity.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct SetGravity {
    /// Acceleration of gravity from now on, m/s^2.
    pub gravity: Triple<MetrePerSecond2>,
}

/// The end of a run.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Stop {
    /// What the outcome of the run says.
    pub message: String,
}
