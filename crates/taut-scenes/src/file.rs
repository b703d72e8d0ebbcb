//! The scene file: a world with everything in it, as JSON.
//!
//! [`parse`] reads one, [`write()`] writes one, [`load_tables`] and [`load_meshes`] read the files that it names, [`build()`] makes the world,
//! [`from_world`] makes one of a world, [`SCHEMA`] describes it for editors. SI units; only `degrees` in degrees. Points, axes and
//! directions are those of the world at the start, but where a field says otherwise. The format is described in `docs/scene-file.md`.

mod body;
mod bound;
mod build;
mod collider;
mod condition;
mod coupling;
mod deformable;
mod error;
mod event;
mod field;
mod follow;
mod force;
mod freedom;
mod joint;
mod locks;
mod mesh;
mod motor;
mod open;
mod order;
mod program;
pub mod quantity;
mod read;
mod reeving;
mod rows;
mod save;
#[cfg(feature = "schema")]
mod schema;
mod script;
mod settings;
mod shape;
mod signal;
mod soft;
mod table;
mod typed;
mod write;

pub use body::{AxisAngle, Body, Dynamic, Fixed, Inertia, Kinematic, Particle, Rotation};
pub use bound::{Friction, FrictionOf, Limit, LimitOf, Speed, SpeedOf, Strength};
pub use build::{add, build};
pub use collider::{
    BodyPair, Coefficients, Collider, ColliderPair, ColliderShape, Compound, Ground, Groups, HalfSpace, HeightField,
    Hull, Pair, Part, Rule, Surface, Triangles,
};
pub use condition::{
    AllConditions, AnyCondition, BodyCondition, BodyMeasure, BrokenCondition, Condition, ContactCondition,
    EventCondition, JointCondition, JointMeasure, MotorCondition, MotorMeasure, RopeCondition, RopeMeasure,
};
pub use coupling::{Coupling, FreedomSum, Gear, Mimic, RackAndPinion, Screw, Term, Tied};
pub use deformable::{
    BallMesh, BarMesh, Bound, BoxRegion, Carrier, CellKind, CellMesh, CellRun, CreatureMesh, Deformable, Fibre,
    FileMesh, Filling, FrameCellMesh, FrameSample, FrameSamples, FramesMesh, GroupRegion, Hooke, Law, Mapped, NetMesh,
    NodeGroup, NodeRegion, OneNode, Orthotropic, PlaneRegion, Plasticity, Region, RegionLoad, RopeMesh, SheetMesh,
    SheetOf, Skin, SoftMaterial, SoftMesh, SphereRegion, TubeMesh, VolumeKept, VoxelMesh,
};
pub use error::{FileError, Path, Step};
pub use event::{
    Action, Attached, Command, CutOff, End, Event, Impulse, MotorName, PayOut, Released, Removed, SetFriction,
    SetGravity, SetLength, SetLimit, Spliced, Stop, Switched,
};
pub use field::{Displaces, Exposure, Gust, Water, Wave, Wind};
pub use follow::{Follow, Followed};
pub use force::{Drag, Load, MouseSpring, PointForce, Spring, Torque};
pub use freedom::Freedom;
pub use joint::{
    AxialLock, Ball, Cable, Distance, FlexibleCable, Frame, Joint, Kind, Ligament, Material, Pivot, PointOnLine, Range,
    Role, Rope, SixDof, Translational, Weld, Wheel,
};
pub use locks::{JointAxis, Locks, Third, WorldAxis};
pub use mesh::load_meshes;
pub use motor::{Least, Motor, MotorOf, SlideMotor, SpringOf, Springs, TurnMotor};
pub use open::{Opened, open, open_text, read_bytes};
pub use order::{Bodies, Of, Order, Run};
pub use program::{BodyProgram, ForceProgram, GravityProgram, JointProgram, MotorProgram, Program, RopeProgram, Turn};
pub use read::parse;
pub use reeving::{Guide, GuideState, Haul, Keep, Reeved, ReevedState, Sheave, SpanState, Winch};
pub use rows::{Chart, DirectionRow, DistanceRow, OffsetRow, PointRow, Row, Rows, TwistRow};
pub use save::{Saved, from_scene, from_world};
#[cfg(feature = "schema")]
pub use schema::{schema, schema_text};
pub use settings::{
    Bounded, ConstraintSpace, Coordinates, Inertial, Nothing, Outputs, Pgs, Settings, Solver, Stabiliser,
};
pub use shape::{Capsule, Cuboid, Cylinder, Mesh, Shape, Sphere};
pub use signal::{Column, Constant, Form, Interpolation, Points, Signal, Sine, Steps, Sum, Table};
pub use soft::{AngularSoft, LinearSoft, Soft};
pub use table::load_tables;
pub use write::{document, write};

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The JSON Schema of a scene file: what `schema` makes of the types, which a test compares.
pub const SCHEMA: &str = include_str!("../scene.schema.json");

/// The version of the format that this build reads.
pub const VERSION: u32 = 1;

/// A scene file. Read one with [`parse`]; units are SI.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(title = "Taut scene file"))]
pub struct SceneFile {
    /// Address of the schema, for editors; not used.
    #[serde(rename = "$schema", default)]
    pub schema: Option<String>,
    /// Version of the format: 1.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version"))]
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
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// What is on the ground, in world coordinates.
    #[serde(default)]
    pub ground: Ground,
    /// Bodies and colliders that meet otherwise than by default.
    #[serde(default)]
    pub pairs: Vec<Pair>,
    /// Meshes of elements: cloth, rubber, flesh.
    #[serde(default)]
    pub deformables: Vec<Deformable>,
    /// Joints between the bodies.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// What ties the free motions of joints to each other: gears, screws, racks.
    #[serde(default)]
    pub couplings: Vec<Coupling>,
    /// Sheaves and drums that ropes run over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sheaves: Vec<Sheave>,
    /// Winches: drums with a motor and a brake.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub winches: Vec<Winch>,
    /// Ropes over guides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ropes: Vec<Reeved>,
    /// Water up to a level. Default: none.
    #[serde(default)]
    pub water: Option<Water>,
    /// Wind. Default: none.
    #[serde(default)]
    pub wind: Option<Wind>,
    /// Forces that act all the time.
    #[serde(default)]
    pub forces: Vec<Load>,
    /// What drives motors, forces, bodies and ropes over time.
    #[serde(default)]
    pub programs: Vec<Program>,
    /// What happens once something is so.
    #[serde(default)]
    pub events: Vec<Event>,
    /// The order in which parts are added, where it is not that of the lists; for the last bits of a run.
    #[serde(default)]
    pub order: Order,
    /// How long to run, and what the run is measured by.
    #[serde(default)]
    pub outputs: Outputs,
}
