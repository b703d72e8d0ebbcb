//! Sheaves and ropes over guides of a scene file.

use super::collider::Groups;
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
    /// Whether ropes are kept in its groove, or leave it where they run straight past. Default: they are kept where the body moves freely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keeper: Option<bool>,
    /// As a drum: diameter of the rope, which lies in layers, m. Default: one layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rope_diameter: Option<Number<Metre>>,
    /// As a drum with layers: wraps beside each other in each, no unit. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wraps: Option<Number<One>>,
    /// As a drum: rope on it at the start, m. Default: it never runs off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<Number<Metre>>,
    /// As a drum: rope that its flanges hold, m. Default: any length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Number<Metre>>,
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
    /// Its diameter for what it meets on its way, m. Default: `diameter`, or 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<Number<Metre>>,
    /// Whether colliders that it sweeps over bend it. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collides: Option<bool>,
    /// Which colliders do. Default: all but those of what it is tied to and led by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
}

/// What leads a rope: one of a body, the ways round a sheave, and an edge.
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
    /// Name of a body with an edge that it runs across, where the angles to that are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<String>,
    /// Ends of the edge, points of the world at the start, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<[Triple<Metre>; 2]>,
    /// Direction out of what it is the edge of. Default: the side that the rope is bent round on at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outward: Option<Triple<One>>,
}
