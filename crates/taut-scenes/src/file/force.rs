//! Forces of a scene file.

use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A force that acts all the time.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Load {
    /// A constant force at a point of a body.
    Force(PointForce),
    /// A constant torque on a body.
    Torque(Torque),
    /// Resistance to all motion of a body, whatever its mass.
    Drag(Drag),
    /// A spring and damper between two points.
    Spring(Spring),
    /// A spring from a point of a body to a point in space, whose stiffness goes with the body's mass.
    Mouse(MouseSpring),
}

/// A constant force.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct PointForce {
    /// Name, for programs and events, unique among the forces.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the body.
    pub body: String,
    /// Where it pushes at the start, world coordinates, m; the point moves with the body. Default: the centre of mass.
    #[serde(default)]
    pub point: Option<Triple<Metre>>,
    /// The same in the coordinates of the body, from its centre of mass, m, to the last bit; instead of `point`.
    #[serde(default)]
    pub local_point: Option<Triple<Metre>>,
    /// The force in the world, N.
    pub force: Triple<Newton>,
}

/// A constant torque.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Torque {
    /// Name, for programs and events, unique among the forces.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the body.
    pub body: String,
    /// The torque in the world, N m.
    pub torque: Triple<NewtonMetre>,
}

/// Resistance to all motion of a body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Drag {
    /// Name, for programs and events, unique among the forces.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the body.
    pub body: String,
    /// Force per velocity of the centre of mass, N s/m. Default: 0.
    #[serde(default)]
    pub damping: Number<NewtonSecondPerMetre>,
    /// Torque per angular velocity, the same about every axis, N m s/rad. Default: 0.
    #[serde(default)]
    pub turn_damping: Number<NewtonMetreSecondPerRadian>,
}

/// A spring and damper.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Spring {
    /// Name, for programs and events, unique among the forces.
    #[serde(default)]
    pub name: Option<String>,
    /// Names of the two bodies.
    pub bodies: [String; 2],
    /// Its end on the first body and its end on the second at the start, world coordinates, m. Default: the centres of mass.
    #[serde(default)]
    pub points: Option<[Triple<Metre>; 2]>,
    /// The same in the coordinates of the two bodies, from their centres of mass, m, to the last bit; instead of `points`.
    #[serde(default)]
    pub local_points: Option<[Triple<Metre>; 2]>,
    /// Stiffness, N/m; 0 makes a damper.
    pub stiffness: Number<NewtonPerMetre>,
    /// Damping along the line, N s/m. Default: 0.
    #[serde(default)]
    pub damping: Number<NewtonSecondPerMetre>,
    /// Length without force, m. Default: the distance of the points at the start.
    #[serde(default)]
    pub rest_length: Option<Number<Metre>>,
}

/// A spring that pulls a point of a body to a place.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct MouseSpring {
    /// Name, for programs and events, unique among the forces.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the body.
    pub body: String,
    /// Where it grabs at the start, world coordinates, m; the point moves with the body. Default: the centre of mass.
    #[serde(default)]
    pub point: Option<Triple<Metre>>,
    /// The same in the coordinates of the body, from its centre of mass, m, to the last bit; instead of `point`.
    #[serde(default)]
    pub local_point: Option<Triple<Metre>>,
    /// Where it pulls to, world coordinates, m.
    pub target: Triple<Metre>,
    /// Natural frequency of the body on it, Hz. Default: 2.
    #[serde(default)]
    pub frequency: Option<Number<Hertz>>,
    /// Damping ratio, no unit; 1 is critical. Default: 1.
    #[serde(default)]
    pub damping_ratio: Option<Number<One>>,
}

impl Load {
    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Load::Force(f) => f.name.as_deref(),
            Load::Torque(f) => f.name.as_deref(),
            Load::Drag(f) => f.name.as_deref(),
            Load::Spring(f) => f.name.as_deref(),
            Load::Mouse(f) => f.name.as_deref(),
        }
    }
}
