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
