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
    /// Efficiency of its bearing (no unit), above 0 and up to 1: hauled over it a rope is tighter by one over that. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Number<One>>,
    /// Coefficient of friction (no unit) of a bollard or capstan: tensions differ by at most exp(friction x angle of wrap). Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Number<One>>,
    /// Largest ratio (no unit) of the tension after it to that before it, and of that before it to that after it, each at least 1: a ratchet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratios: Option<[f64; 2]>,
}

/// A winch: a drum on a hinge of its own, with a motor and a brake. Ropes name it as they name a sheave; its rotor is a body of the
/// same name, its hinge a joint, its motor a motor.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Winch {
    /// Name, unique among winches and sheaves.
    pub name: String,
    /// Name of the body that it stands on.
    pub body: String,
    /// Its centre, a point of the world at the start, m. Default: where the body is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// Its axis in the world at the start.
    pub axis: Triple<One>,
    /// Pitch radius of the drum, m.
    pub radius: Number<Metre>,
    /// Inertia of drum, gear and motor about the axis, kg m^2. Default: that of its mass as a disc.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Number<KilogramMetre2>>,
    /// Its mass, kg. Default: that of a hollow drum of steel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number<Kilogram>>,
    /// Hauls in at a speed, with at most a pull.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub haul: Option<Haul>,
    /// Holds with at most this pull, N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brake: Option<Number<Newton>>,
    /// Keeps a tension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// Whether it turns freely. Default: it holds, whatever pulls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
}

/// A winch that hauls in.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Haul {
    /// Speed of the rope, m/s; negative to pay out.
    pub speed: Number<MetrePerSecond>,
    /// Most it pulls with, N. Default: whatever it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Number<Newton>>,
}

/// A winch that keeps a tension: it hauls in below `recover`, holds up to `render`, and pays out above.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// Tension below which it hauls in, N.
    pub recover: Number<Newton>,
    /// Tension above which it pays out, N.
    pub render: Number<Newton>,
    /// Of hauling, m/s.
    pub speed: Number<MetrePerSecond>,
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
    /// Whole turns round a sheave, more than the shortest way has. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Coefficient of friction (no unit) of a ring, with `body`. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Number<One>>,
}
