//! Sheaves and ropes over guides of a scene file.

use super::quantity::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A sheave or a drum: a circle on a body that ropes run over.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sheave {
    /// Name for the paths of ropes, unique among the sheaves.
    pub name: String,
    /// Name of the body that it is a part of.
    pub body: String,
    /// Its centre, a point of the world at the start, m. Default: where the body is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// Its axis in the world at the start.
    pub axis: Triple<One>,
    /// Pitch radius, from the axis to the middle of the rope, m.
    pub radius: Number<Metre>,
    /// Whether ropes stick to it and turn its body. Default: they slip over it without friction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_slip: bool,
}

/// A rope over guides.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reeved {
    /// Name in reports and errors, unique among the ropes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its way: start, guides, end. An end on a sheave is wound on it: a drum.
    pub path: Vec<Guide>,
    /// How much longer it is than its way at the start, m. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slack: Option<Number<Metre>>,
    /// Force that would double its length, E A, N. Default: it does not stretch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number<Newton>>,
    /// Diameter of steel wire rope, m, in place of `stiffness`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter: Option<Number<Metre>>,
    /// What it has become in a run that was saved. Default: it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ReevedState>,
}

/// What a rope has become in a run: all that a new one on the same way has not, to the last bit.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReevedState {
    /// Its guides in the frames of their bodies, from its start to its end.
    pub guides: Vec<GuideState>,
    /// Its spans, from its start to its end.
    pub spans: Vec<SpanState>,
    /// Compliance of each piece between guides that it does not slip on, m/N. Default: it does not stretch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compliance: Vec<Number<MetrePerNewton>>,
    /// Its length when it was new, m.
    pub laid: Number<Metre>,
}

/// Where a guide is, along the axes of its body from its centre of mass.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct GuideState {
    /// Its point or centre, m.
    pub centre: Triple<Metre>,
    /// Axis of a sheave, of length 1. Default: z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Triple<One>>,
    /// Direction across the axis, of length 1, from which angles count. Default: x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Triple<One>>,
}

/// What a span has.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SpanState {
    /// Rope between the marks of its guides, m.
    pub material: Number<Metre>,
    /// The same in the step before, m. Default: as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<Number<Metre>>,
    /// Its tension, N. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tension: Option<Number<Newton>>,
    /// What it was stretched by in the step before, m. Default: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<Number<Metre>>,
    /// Angles of its ends on their sheaves from the marks, whole turns counted, rad.
    pub angles: [Number<Radian>; 2],
    /// Energy of the stabiliser's element, J. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Number<Joule>>,
}

/// What leads a rope: one of a body and the ways round a sheave.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Guide {
    /// Name of a body that it is tied to at its ends, or runs through as through a ring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Where on that body, a point of the world at the start, m. Default: where the body is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// Name of a sheave that it passes over, on the side away from gravity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// Name of a sheave that it passes under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
    /// Name of a sheave about whose axis it turns from its start to its end, by the right hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Name of a sheave against whose axis it turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}
