//! The scene file: a world with everything in it, as JSON.
//!
//! [`parse`] reads one, [`write()`] writes one, [`build()`] makes the world, [`schema`] describes it for editors. SI units; only `degrees` in degrees. All points,
//! axes and directions are those of the world at the start. The format is described in `docs/scene-file.md`.

mod body;
mod bound;
mod build;
mod collider;
mod error;
mod force;
mod joint;
mod motor;
pub mod quantity;
mod read;
mod settings;
mod shape;
mod write;

pub use body::{AxisAngle, Body, Dynamic, Fixed, Inertia, Kinematic, Particle, Rotation};
pub use bound::{
    AngleFriction, AngleLimit, Friction, LeanFriction, LeanLimit, LengthFriction, LengthLimit, Limit, Strength,
};
pub use build::build;
pub use collider::{
    BodyPair, Coefficients, Collider, ColliderPair, ColliderShape, Compound, Ground, Groups, HalfSpace, HeightField,
    Hull, Pair, Part, Rule, Surface, Triangles,
};
pub use error::{FileError, Path, Step};
pub use force::{Drag, Load, MouseSpring, PointForce, Spring, Torque};
pub use joint::{
    AngularSoft, AxialLock, Ball, Cable, Distance, FlexibleCable, Joint, Ligament, LinearSoft, Material, Pivot,
    PointOnLine, Rope, Translational, Weld,
};
pub use motor::{SlideMotor, TurnMotor};
pub use read::parse;
pub use settings::{
    Bounded, ConstraintSpace, Coordinates, Inertial, Nothing, Outputs, Pgs, Settings, Solver, Stabiliser,
};
pub use shape::{Capsule, Cuboid, Cylinder, Mesh, Shape, Sphere};
pub use write::{document, write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the format that this build reads.
pub const VERSION: u32 = 1;

/// A scene file. Read one with [`parse`]; units are SI.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Taut scene file")]
pub struct SceneFile {
    /// Address of the schema, for editors; not used.
    #[serde(rename = "$schema", default)]
    pub schema: Option<String>,
    /// Version of the format: 1.
    #[schemars(schema_with = "version_schema")]
    pub taut: u32,
    /// Name of the scene in reports and plots; the name of the file when left out.
    #[serde(default)]
    pub name: Option<String>,
    /// What the scene shows; not used.
    #[serde(default)]
    pub description: Option<String>,
    /// Gravity, stabiliser and solver.
    #[serde(default)]
    pub settings: Settings,
    /// Bodies. A fixed body named "ground", at the origin, is always there.
    pub bodies: Vec<Body>,
    /// What is on the ground, in world coordinates.
    #[serde(default)]
    pub ground: Ground,
    /// Bodies and colliders that meet otherwise than by default.
    #[serde(default)]
    pub pairs: Vec<Pair>,
    /// Joints between the bodies.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// Forces that act all the time.
    #[serde(default)]
    pub forces: Vec<Load>,
    /// How long to run, and what the run is measured by.
    #[serde(default)]
    pub outputs: Outputs,
}

fn version_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "const": VERSION })
}

/// The JSON Schema of a scene file.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(SceneFile).to_value()
}
