//! Taut: dynamics of mechanisms and cables under load. Heavy on light, stiff, in real time: one linear solve per step, whose
//! cost grows linearly with the number of bodies on trees and narrow loops, and nothing to tune.
//!
//! ```
//! use taut::prelude::*;
//!
//! let mut world = World::new();
//! let ground = world.ground();
//! let boom = world.add(Body::dynamic(MassProperties::cuboid(500.0, Vec3::new(5.0, 0.2, 0.2))?).at(5.0 * Vec3::X))?;
//! world.add(Hinge::between(boom, ground).at(Vec3::ZERO).axis(Vec3::Z).spring(1e8, 1e7).named("foot"))?;
//! let load = world.add(Body::particle(1000.0).at(Vec3::new(10.0, -6.0, 0.0)).named("load"))?;
//! let rope = world.add(Rope::between(load, boom).ends(Vec3::new(10.0, -6.0, 0.0), 10.0 * Vec3::X).named("hoist"))?;
//! for _ in 0..600 {
//!     world.step(1.0 / 60.0)?;
//! }
//! println!("the hoist carries {:.0} N", world.joint(rope)?.tension());
//! # assert!((world.joint(rope)?.tension() - 9810.0).abs() < 200.0);
//! # Ok::<(), taut::Error>(())
//! ```
//!
//! # Parts
//!
//! A [`World`] is made of five kinds of parts, all added by [`World::add`] and removed by [`World::remove`]:
//!
//! | part | made by | handle | read by |
//! |---|---|---|---|
//! | [`Body`] | [`Body::dynamic`], [`Body::solid`], [`Body::particle`], [`Body::fixed`], [`Body::kinematic`] | [`BodyId`] | [`BodyRef`] |
//! | [`Joint`] | [`Hinge::between`], [`Ball::between`], [`Rope::between`], ... | [`JointId`] | [`JointRef`], [`MotorRef`] |
//! | [`Collider`] | [`Collider::new`] with a [`Shape`] | [`ColliderId`] | [`views::ColliderView`] |
//! | [`Coupling`] | [`Gear::between`], [`Screw::on`], [`RackAndPinion::between`], [`Mimic::of`] | [`CouplingId`] | [`CouplingRef`] |
//! | [`Force`], [`Spring`] | [`Spring::between`] | [`ForceId`] | [`views::ForceView`] |
//!
//! Points and directions are those of the world at the time a part is added. Everything can be changed while the world runs; a step
//! that fails, and a call that is refused, has changed nothing. All quantities are SI, in `f64`.
//!
//! # The step
//!
//! [`World::step`] solves one linear system for the velocities v+ and the impulses h lambda+ of all joints,
//! ```text
//! [ M + A   -J^T  ] [ v+   ]   [ M v + h f + r      ]
//! [ J       Sigma ] [ h l+ ] = [ -Gamma phi / h + w ]
//! ```
//! M the masses, J the Jacobian of the joints, phi their violation, Sigma and Gamma from their compliance and damping, w what motors
//! ask for. A and r are the stabiliser's: the geometric stiffness that keeps heavy loads on light links stable at large steps, with
//! the memory that gives its damping back ([`Stabiliser`]). Rows with bounds (limits, ropes, friction, contacts) are solved on top of
//! the factor of the joints, so joints stay exact however these converge. The [`StepReport`] tells how well everything is met, and
//! its [`Ledger`] where energy came from and went.
//!
//! The same inputs give the same bits on every machine and number of threads.
//!
//! # Features
//!
//! | feature | default | what |
//! |---|---|---|
//! | `parallel` | yes | independent mechanisms are solved, and contacts of many bodies found, on the threads of a rayon pool; not for the web |
//! | `serde` | no | [`State`], [`Options`], [`StepReport`] and what is in them can be written and read |
//! | `study` | no | `taut::study`: inverses, profiles and bare solves, for benchmarks and comparisons with the papers |
//! | `ablate` | no | chosen numbers can be scaled at run time, for studies of what each does |

mod abreast;
mod bounded;
mod close;
mod collide;
mod conflicts;
pub mod constraint;
mod contact;
mod delassus;
mod desk;
mod dynamics;
mod elastic;
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
mod reeve;
mod report;
mod rows;
mod stabilise;
mod state;
mod step;
mod system;
mod topology;
mod tuning;
mod world;

use taut_solve as solve;
use taut_solve::block;

#[cfg(feature = "ablate")]
pub use tuning::numbers;

pub use contact::collider::Collider;
pub use contact::material::Material;
pub use contact::shape::Shape;
pub use error::{Error, Result};
pub use events::Event;
pub use glam::{DMat3 as Mat3, DQuat as Quat, DVec3 as Vec3};
pub use ids::{BodyId, ColliderId, CouplingId, DeformableId, ForceId, HeavyRopeId, JointId, LimitId, MotorId, RopeId};
pub use joints::{
    Axis, Ball, Cable, Command, Cylindrical, Distance, Drive, ForceTorque, Freedom, Friction, Hinge, Joint, JointKind,
    Limit, Locks, Motor, Planar, Prismatic, Range, Rope, SixDof, Softness, SpeedLimit, Strength, TreeRole, Universal,
    Weld, Wheel,
};
pub use mass::MassProperties;
pub use math::pose::{Frame, Frames, Pose};
pub use model::Motion;
pub use model::body::Body;
pub use model::coupling::{Coupling, Gear, Mimic, RackAndPinion, Screw};
pub use model::cut::{Cut, CutReport};
pub use model::force::{Force, MouseSpring, Spring};
pub use model::heavy::{HeavyCut, HeavyRope};
pub use model::reeving::{Edge, Reeving, Sheave};
pub use model::rope_end::{RopeCut, RopeEnd};
pub use model::soft::{Deformable, Tie};
pub use options::{Coordinates, Options, Solver, Stabiliser};
pub use report::{Energy, Ledger, StepReport};
pub use state::{BodyState, State};
pub use world::{
    BodyRef, CouplingRef, DeformableRef, HeavyRopeRef, JointRef, MotorRef, RopeRef, Together, Winch, WinchId, Winding,
    World, Wrench,
};

/// Bringing scattered parts together before a run ([`World::assemble`]), and closing chosen joints and limits ([`World::project`]).
pub mod assembly {
    pub use crate::world::{Assembled, Assembly, Projected, Projection};
}

/// The mechanism in its own freedoms, for controllers ([`World::dynamics`]).
pub mod control {
    pub use crate::dynamics::{Dof, Dynamics, Effort, Efforts, LoopRow, Matrix, Unit};
    pub use crate::error::Shortfall;
}

/// Water and wind ([`World::set_water`], [`World::set_wind`]), and what they see of a body.
pub mod field {
    pub use crate::model::field::{Exposure, Form, GUST_WAVES, Gusts, Surface, Water, Wave, Wind};
    pub use crate::world::Afloat;
}

/// Filtering and changing contacts while they are found ([`World::set_contact_hooks`]).
pub mod hooks {
    pub use crate::contact::hooks::{ContactEdit, ContactHooks, ContactPair};
}

/// What [`Deformable`]s are made of: meshes, materials, elements.
pub mod soft {
    pub use taut_elements::*;
}

/// How much memory a world may take.
pub mod memory {
    pub use crate::world::{memory_limit, set_memory_limit};
}

/// What [`World::add`] and [`World::remove`] take, beyond the parts themselves.
pub mod parts {
    pub use crate::model::coupling::Term;
    pub use crate::model::drum::Layers;
    pub use crate::model::force::{NamedForce, SpringBuilder};
    pub use crate::model::heavy::HeavyMemory;
    pub use crate::model::reeved::{GuideMemory, RideMemory, RopeMemory, SpanMemory, StopMemory, TwistMemory};
    pub use crate::model::reeving::{Hold, Lead, Wound};
    pub use crate::world::{Part, Removable};
}

/// Rays, swept shapes, overlaps and nearest points ([`World::cast_ray`] and others).
pub mod queries {
    pub use crate::world::{PointHit, QueryFilter, RayHit, ShapeHit};
}

/// What is in a [`StepReport`], and what a world tells of its structure.
pub mod reports {
    pub use crate::conflicts::Conflict;
    pub use crate::forest::tree::TreeReport;
    pub use crate::report::{AnytimeReport, BoundedReport};
    pub use crate::world::Size;
}

/// What is in [`Options`].
pub mod settings {
    pub use crate::options::InertialDamping;
    /// How bounded rows are solved. Block principal pivoting finds the same tension as the default: a rope carries m g.
    ///
    /// ```
    /// use taut::{Body, Options, Rope, Vec3, World, settings::BoundedMethod};
    /// let mut world = World::new();
    /// world.set_options(Options { bounded: BoundedMethod::Pivoting, ..Options::default() })?;
    /// let bucket = world.add(Body::particle(10.0).at(-Vec3::Y))?;
    /// let rope = world.add(Rope::between(bucket, world.ground()))?;
    /// world.step(0.01)?;
    /// assert!((world.joint(rope)?.tension() - 98.1).abs() < 1e-9);
    /// # Ok::<(), taut::Error>(())
    /// ```
    ///
    pub use crate::solve::bounded::Method as BoundedMethod;
    /// A budget for [`Solver::Structured`](crate::Solver::Structured).
    ///
    /// ```
    /// use taut::{Options, Solver, World, settings::Budget};
    /// let mut world = World::new();
    /// let budget = Budget { gap: Some(1e-6), ..Budget::iterations(50) };
    /// assert!(budget.is_limited());
    /// world.set_options(Options { solver: Solver::Structured(budget), ..Options::default() })?;
    /// // A budget in time needs a clock that the program hands in.
    /// let timed = Budget { seconds: Some(0.002), ..budget };
    /// assert!(world.set_options(Options { solver: Solver::Structured(timed), ..Options::default() }).is_err());
    /// # Ok::<(), taut::Error>(())
    /// ```
    ///
    pub use crate::solve::structured::Budget;
}

/// What is in a [`Collider`] and a [`MassProperties`], and what a [`Shape`] looks like.
pub mod shapes {
    pub use crate::contact::collider::Groups;
    pub use crate::contact::material::Combine;
    pub use crate::contact::outline::Facets;
    pub use crate::mass::Solid;
}

/// What is read of colliders, contacts, forces, and of the order of a world.
pub mod views {
    pub use crate::world::{ColliderView, ContactView, ForceView, GuideView, RowsOf};
}

/// What most programs need: `use taut::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Ball, Body, BodyId, Cable, Collider, ColliderId, Command, Cylindrical, Distance, Error, Event, Force, Freedom,
        Friction, Hinge, Joint, JointId, Limit, Locks, MassProperties, Material, Motor, Options, Planar, Pose,
        Prismatic, Quat, Range, Result, Rope, Shape, SixDof, Softness, Spring, StepReport, Strength, Universal, Vec3,
        Weld, Wheel, World,
    };
}

/// Research: what benchmarks, figures and comparisons with the papers look at. Behind the feature `study`; may change at any time.
#[cfg(feature = "study")]
pub mod study {
    pub use crate::system::low_rank::{SingularUpdate, SparseInverse};
    pub use crate::world::study::{KktSystem, Study};
}

/// The example of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So does that of the page on control.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/control.md")]
struct Control;

/// The recipes of the guide compile.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/recipes.md")]
struct Recipes;
