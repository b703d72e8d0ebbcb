//! The order in which the parts of a world were added, where it is not that of the lists: sums of forces go by it, and so do the last
//! bits of a run.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// In which order colliders, and all that has rows, are added to the world. What is not named comes last, in the order of the lists.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Bodies and deformables in turn. Default: the bodies, then the deformables.
    #[serde(default)]
    pub bodies: Vec<Bodies>,
    /// Colliders, by the bodies they are on. Default: those of the ground, then those of the bodies in order.
    #[serde(default)]
    pub colliders: Vec<Of>,
    /// What has rows. Default: the locks of bodies, then the joints, then the forces.
    #[serde(default)]
    pub rows: Vec<Run>,
}

/// The next bodies, then the next colliders, then the next deformables, each with its skin.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bodies {
    /// How many bodies of the list come next, no unit. Default: 0.
    #[serde(default)]
    pub bodies: usize,
    /// How many entries of `colliders` come next, no unit. Default: 0.
    #[serde(default)]
    pub colliders: usize,
    /// How many deformables of the list come next, no unit. Default: 0.
    #[serde(default)]
    pub deformables: usize,
}

/// The next colliders of a body.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Of {
    /// Name of the body.
    pub body: String,
    /// How many of its colliders, no unit. Default: 1.
    #[serde(default = "one")]
    pub count: usize,
}

/// The next locks, then the next joints, then the next forces.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Bodies whose locks come next, by name.
    #[serde(default)]
    pub locks: Vec<String>,
    /// How many joints of the list come next, no unit. Default: 0.
    #[serde(default)]
    pub joints: usize,
    /// How many forces of the list come next, no unit. Default: 0.
    #[serde(default)]
    pub forces: usize,
}

fn one() -> usize {
    1
}
