//! The world: model, state and memory behind one small interface.

mod assemble;
mod attach;
mod bodies;
mod body_ref;
mod breaks;
mod collider_edits;
mod colliders;
mod couplings;
mod cut;
mod definition;
mod dynamics;
mod edit_bodies;
mod edit_joints;
mod energy;
mod field;
mod forces;
mod grips;
mod guides;
mod heavy;
mod heavy_ends;
mod hooks;
mod joint_ref;
mod joints;
mod layout;
mod look;
mod memory;
mod motors;
mod obstacles;
mod part;
mod project;
mod queries;
mod rooms;
mod rope_ends;
mod rope_memory;
mod rope_part;
mod rope_ref;
mod rope_run;
mod rope_splice;
mod rope_twist;
mod rope_view;
mod rope_way;
mod ropes;
mod run_out;
mod sleep;
mod snapshot;
mod soft;
mod step;
#[cfg(feature = "study")]
pub(crate) mod study;
mod together;
mod winch;

pub use assemble::{Assembled, Assembly};
pub use body_ref::BodyRef;
pub use colliders::{ColliderView, ContactView};
pub use couplings::CouplingRef;
pub use definition::RowsOf;
pub use field::Afloat;
pub use heavy::HeavyRopeRef;
pub use joint_ref::{JointRef, Wrench};
pub use look::ForceView;
pub use memory::{memory_limit, set_memory_limit};
pub use motors::MotorRef;
pub use part::{Part, Removable};
pub use project::{Projected, Projection};
pub use queries::{PointHit, QueryFilter, RayHit, ShapeHit};
pub use rope_ref::RopeRef;
pub use rope_view::GuideView;
pub use soft::DeformableRef;
pub use together::Together;
pub use winch::{Winch, WinchId, Winding};

use crate::collide::cell::SceneCell;
use crate::contact::hooks::Hooks;
use crate::desk::Desk;
use crate::desk::inputs::Inputs;
use crate::error::{Error, Result};
use crate::fingerprint::Fingerprint;
use crate::forest::placed::Forest;
use crate::ids::BodyId;
use crate::method::{self, Method};
use crate::model::{BodyEntry, Model};
use crate::options::Options;
use crate::plan::Plan;
use crate::state::{BodyState, State};
use crate::topology::Topology;
use glam::DVec3;
use layout::Worn;

/// The model laid out for steps, with the memory they need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub t: Topology,
    pub inputs: Inputs,
    pub desk: Desk,
    /// One desk per thread, made when systems are first solved side by side (`passes::islands`).
    pub threads: Vec<Desk>,
    /// Coordinates, where they are reduced.
    pub forest: Option<Box<Forest>>,
    /// Numbers of the model have changed since.
    pub stale: bool,
    /// Joints in it that were cut (`model::buried`).
    pub buried: usize,
}

/// Changes of structure. They go, with what was changed, into the edition of a world: worlds that were built in the same way have the
/// same edition, and take each other's snapshots.
#[derive(Clone, Copy, Debug)]
enum Edit {
    AddBody = 1,
    AddJoint,
    RemoveBody,
    RemoveJoint,
    AddForce,
    RemoveForce,
    AddCollider,
    RemoveCollider,
    ChangeJoint,
    AddCoupling,
    SetCoupling,
    RemoveCoupling,
    AddDeformable,
    RemoveDeformable,
    CutDeformable,
    AddRope,
    RemoveRope,
    AddHeavyRope,
    ChangeRope,
}

/// A simulated world.
///
/// ```
/// use taut::{Ball, Body, MassProperties, Vec3, World};
/// let mut world = World::new();
/// let ball = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(Vec3::X))?;
/// world.add(Ball::between(ball, world.ground()).at(Vec3::ZERO))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(ball)?.position().length() - 1.0).abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    model: Model,
    state: State,
    options: Options,
    plan: Plan,
    ground: BodyId,
    /// Layout of the present edition; `None` after an edit.
    layout: Option<Box<Layout>>,
    /// One that does not fit any more: the next one takes its memory, and islands that have not changed.
    worn: Worn,
    /// The step that another crate has plugged in.
    method: Option<Box<dyn Method>>,
    /// Bounding boxes and filters; none after an edit or when poses were exchanged.
    scene: SceneCell,
    /// What the user has to say to contacts.
    hooks: Hooks,
    /// Counts seconds, for budgets in time.
    clock: Option<fn() -> f64>,
    /// Memory of steps in parts: the state before, and where kinematic bodies must be after all of them.
    spare: (Option<Box<State>>, Vec<(BodyId, crate::math::pose::Pose)>),
    /// Memory to look after ropes with.
    ropes_laid: guides::Scratch,
    /// What changes of ropes between steps have done to the energy, for the ledger of the next step.
    owed: rope_ends::Owed,
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl World {
    /// An empty world with default options and a fixed ground body at the origin.
    pub fn new() -> Self {
        let mut model = Model::new();
        let ground = BodyEntry::standing("ground".into());
        let ground = BodyId(model.bodies.insert(ground));
        let mut state = State::default();
        state.bodies.push(BodyState::new(DVec3::ZERO, glam::DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO));
        World {
            model,
            state,
            options: Options::default(),
            plan: Plan::default(),
            ground,
            layout: None,
            worn: Worn::default(),
            method: None,
            scene: SceneCell::default(),
            hooks: Hooks::default(),
            clock: None,
            spare: (None, Vec::new()),
            ropes_laid: guides::Scratch::default(),
            owed: rope_ends::Owed::default(),
        }
    }

    /// The fixed body at the origin that every world has.
    pub fn ground(&self) -> BodyId {
        self.ground
    }

    /// The settings.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the settings; refuses a stabiliser with a solver that cannot take its matrix, and a step in reduced coordinates alone
    /// where no crate has plugged it in ([`World::attach`]).
    pub fn set_options(&mut self, options: Options) -> Result<()> {
        let plan = Plan::of(&options)?;
        if plan.alone && self.method.is_none() {
            return Err(method::missing(&options));
        }
        if let Some(seconds) = plan.budget().and_then(|b| b.seconds)
            && self.clock.is_none()
        {
            return Err(Error::input(
                "seconds of the budget",
                seconds,
                "none, or a clock: call World::set_clock first",
            ));
        }
        if plan.is_structured() != self.plan.is_structured() || plan.reduced != self.plan.reduced {
            self.wear_out();
            self.model.buried.clear();
        }
        if options.gravity != self.options.gravity || !options.sleep {
            self.wake_all();
        }
        (self.options, self.plan) = (options, plan);
        Ok(())
    }

    /// Hands in a clock that counts seconds from any moment on, for a budget in time ([`crate::settings::Budget::seconds`]). The engine has none of
    /// its own: without such a budget a step depends on its inputs alone.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.clock = Some(clock);
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Rows, unknowns and memory of the present structure. After a change of structure it costs as much as laying the world out for a
    /// step, until a step has done so.
    pub fn size(&self) -> Result<Size> {
        match &self.layout {
            Some(layout) => Ok(layout.size(&self.state)),
            None => Ok(self.new_layout(None)?.size(&self.state)),
        }
    }

    /// Model and state.
    #[cfg(test)]
    pub(crate) fn parts(&self) -> (&Model, &State) {
        (&self.model, &self.state)
    }

    /// The same, to change them.
    pub(crate) fn parts_mut(&mut self) -> (&mut Model, &mut State) {
        self.scene.forget();
        (&mut self.model, &mut self.state)
    }

    /// The structure has changed. The edition is a fingerprint of all changes and of what was added: a state fits only worlds
    /// built from the same definition.
    fn edited(&mut self, operation: Edit, slot: u32, what: u64) {
        self.note(operation, slot, what);
        self.restructured();
    }

    /// The edition after a change of structure.
    fn note(&mut self, operation: Edit, slot: u32, what: u64) {
        let mut edition = Fingerprint(self.model.edition);
        [operation as u64, u64::from(slot), what].into_iter().for_each(|x| edition.word(x));
        self.model.edition = edition.0;
        self.state.edition = self.model.edition;
    }

    /// The structure has changed at some bodies, and nowhere else.
    fn edited_at(&mut self, (operation, slot, what): (Edit, u32, u64), bodies: impl IntoIterator<Item = BodyId>) {
        self.note(operation, slot, what);
        self.model.buried.clear();
        match operation {
            Edit::AddBody | Edit::RemoveBody => self.worn.note_body(slot as usize),
            _ => self.worn.note_joint(slot as usize),
        }
        self.wear_at(bodies.into_iter().map(|b| b.0.slot as usize));
        self.scene.forget();
        self.forget();
    }

    /// What is laid out has another structure now; the state fits it all the same.
    fn restructured(&mut self) {
        // What was cut before is not laid out any more.
        self.model.buried.clear();
        self.wear_out();
        self.scene.forget();
        self.forget();
    }

    /// Numbers of parts have changed: the layout stands and takes them before it is used again. Coordinates are made anew.
    fn renumbered(&mut self) {
        match &mut self.layout {
            Some(layout) if !self.plan.reduced => layout.stale = true,
            _ => self.wear_out(),
        }
        self.forget();
    }
}

impl Layout {
    /// How large it is, with the state that goes with it.
    fn size(&self, state: &State) -> Size {
        let Layout { t, inputs, desk, threads, .. } = self;
        Size {
            bodies: t.nodes.len(),
            rows: t.row_count,
            bounded: t.bounds.len() + t.couplings.len(),
            unknowns: t.pattern.size(),
            islands: t.islands.len(),
            fill_blocks: t.pattern.fill_blocks,
            factor_values: t.block_values() + desk.factor.panel_values(),
            operations: t.operations(),
            bytes: inputs.bytes()
                + desk.bytes()
                + threads.iter().map(Desk::bytes).sum::<usize>()
                + t.bytes()
                + state.bytes(),
        }
    }
}

/// There is nothing that moves.
pub fn empty() -> Error {
    Error::input("world", "empty", "at least one body or particle that moves freely")
}

/// How large a world is.
///
/// An arm of two links has two bodies and two hinges of five rows: 2 * 6 + 2 * 5 unknowns.
/// ```
/// # use taut::{Body, Hinge, MassProperties, Vec3, World};
/// # let mut world = World::new();
/// # let link = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// # let upper = world.add(Body::dynamic(link).at(0.5 * Vec3::X))?;
/// # let fore = world.add(Body::dynamic(link).at(1.5 * Vec3::X))?;
/// world.add(Hinge::between(upper, world.ground()).at(Vec3::ZERO).axis(Vec3::Z))?;
/// world.add(Hinge::between(fore, upper).at(Vec3::X).axis(Vec3::Z))?;
/// let size = world.size()?;
/// assert_eq!((size.bodies, size.rows, size.unknowns, size.islands), (2, 10, 22, 1));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Bodies and particles with unknowns.
    pub bodies: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Bounded rows of joints (limits, ropes, friction, bounded motors) and couplings; contacts come and go.
    pub bounded: usize,
    /// Unknowns of the linear system.
    pub unknowns: usize,
    /// Independent systems.
    pub islands: usize,
    /// Blocks of the factor that are fill.
    pub fill_blocks: usize,
    /// Values of the factor that are stored: entries, fill and the zeros of dense panels.
    pub factor_values: usize,
    /// Multiplications and additions of one factorisation.
    pub operations: f64,
    /// Bytes of state, layout and desk.
    pub bytes: usize,
}

#[cfg(test)]
mod arc_tests;
#[cfg(test)]
mod energy_tests;
#[cfg(test)]
mod jointed_tests;
#[cfg(test)]
mod mobility_tests;
#[cfg(test)]
mod splice_tests;
