//! Taut: dynamics of mechanisms and cables under load. Heavy on light, stiff, in real time: one linear solve per step, whose
//! cost grows linearly with the number of bodies on trees and narrow loops, and nothing to tune.
//!
//! Start with [`World`]. All quantities are SI, in `f64`; the same inputs give the same bits on every machine.

mod bounded;
mod close;
mod collide;
mod conflicts;
pub mod constraint;
mod contact;
mod delassus;
mod desk;
mod error;
mod events;
mod fingerprint;
mod force;
mod forest;
mod ids;
#[doc(hidden)]
pub mod inner;
mod integrate;
pub mod joints;
mod kin;
mod mass;
mod math;
pub mod method;
mod model;
mod options;
mod passes;
mod plan;
mod profile;
mod report;
mod rows;
mod stabilise;
mod state;
mod step;
mod system;
mod topology;
mod tuning;
mod world;

#[doc(inline)]
pub use taut_solve as solve;
#[doc(hidden)]
pub use taut_solve::block;

#[cfg(feature = "ablate")]
pub use tuning::numbers;

pub use conflicts::Conflict;
pub use contact::collider::{Collider, Groups};
pub use contact::material::{Combine, Material};
pub use contact::outline::Facets;
pub use contact::shape::Shape;
pub use error::{Error, Result};
pub use events::Event;
pub use forest::tree::TreeReport;
pub use glam::{DMat3 as Mat3, DQuat as Quat, DVec3 as Vec3};
pub use ids::{BodyId, ColliderId, ForceId, JointId};
pub use joints::{
    AxialLock, Axis, Ball, Cable, Chart, Command, Cylindrical, Distance, Drive, Driven, FlexibleCable, Freedom,
    Friction, Hinge, Joint, Ligament, Limit, Limited, Motor, Planar, PointOnLine, Prismatic, Rope, RowBuilder, Rubbing,
    Softness, Translational, Universal, Weld,
};
pub use mass::{MassProperties, Solid};
pub use math::pose::{Frame, Frames, Pose};
pub use model::force::{Force, MouseSpring, Spring};
pub use model::{BodyDef, Motion, Strength, TreeRole};
pub use options::{Coordinates, InertialDamping, Options, Solver, Stabiliser};
pub use report::{AnytimeReport, BoundedReport, Energy, Ledger, StepReport};
pub use solve::bounded::Method as BoundedMethod;
pub use solve::structured::Budget;
pub use state::State;
pub use system::low_rank::{SingularUpdate, SparseInverse};
#[doc(hidden)]
pub use world::KktSystem;
pub use world::{
    Assembled, Assembly, BodyView, ColliderView, ContactView, ForceView, JointView, MotorView, PointHit, QueryFilter,
    RayHit, ShapeHit, Size, World, memory_limit, set_memory_limit,
};

/// The example of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
