//! The world: model, state and memory behind one small interface.

mod assemble;
mod attach;
mod bodies;
mod colliders;
mod forces;
mod joints;
mod look;
mod memory;
mod motors;
mod queries;
mod sleep;
mod snapshot;
mod step;
mod study;

pub use assemble::{Assembled, Assembly};
pub use bodies::BodyView;
pub use colliders::{ColliderView, ContactView};
pub use joints::JointView;
pub use look::ForceView;
pub use memory::{memory_limit, set_memory_limit};
pub use motors::MotorView;
pub use queries::{PointHit, QueryFilter, RayHit, ShapeHit};
pub use study::KktSystem;

use crate::collide::scene::Scene;
use crate::desk::Desk;
use crate::desk::inputs::{Given, Inputs};
use crate::error::{Error, Result};
use crate::fingerprint::Fingerprint;
use crate::forest::placed::Forest;
use crate::ids::BodyId;
use crate::method::{self, Method};
use crate::model::{Body, Model, Motion};
use crate::options::Options;
use crate::plan::Plan;
use crate::report::{self, Energy};
use crate::rows::evaluate_phi;
use crate::state::{BodyState, State};
use crate::topology::Topology;
use glam::DVec3;

/// The model laid out for steps, with the memory they need.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub t: Topology,
    pub inputs: Inputs,
    pub desk: Desk,
    /// One desk per thread, made when systems are first solved side by side (`passes::islands`).
    pub threads: Vec<Desk>,
    /// Coordinates, where they are reduced.
    pub forest: Option<Box<Forest>>,
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
}

/// A simulated world.
///
/// ```
/// use taut::{Ball, BodyDef, MassProperties, Vec3, World};
/// let mut world = World::new();
/// let ball = world.add_body(BodyDef::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(Vec3::new(1.0, 0.0, 0.0)))?;
/// let frames = world.frames_at(ball, world.ground(), Vec3::ZERO, Vec3::Y)?;
/// world.add_joint(ball, world.ground(), &Ball::default(), frames)?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(ball)?.pose.pos.length() - 1.0).abs() < 1e-3);
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
    /// The step that another crate has plugged in.
    method: Option<Box<dyn Method>>,
    /// Bounding boxes and filters; `None` after an edit or when poses were exchanged.
    scene: Option<Box<Scene>>,
    /// Counts seconds, for budgets in time.
    clock: Option<fn() -> f64>,
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
        let ground = Body {
            motion: Motion::Fixed,
            mass: 0.0,
            inertia: glam::DMat3::ZERO,
            solid: None,
            linear_damping: 0.0,
            angular_damping: 0.0,
            name: "ground".into(),
            target: None,
            load: (DVec3::ZERO, DVec3::ZERO),
            colliders: Vec::new(),
        };
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
            method: None,
            scene: None,
            clock: None,
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
            self.layout = None;
        }
        if options.gravity != self.options.gravity || !options.sleep {
            self.wake_all();
        }
        (self.options, self.plan) = (options, plan);
        Ok(())
    }

    /// Hands in a clock that counts seconds from any moment on, for a budget in time ([`crate::Budget::seconds`]). The engine has none of
    /// its own: without such a budget a step depends on its inputs alone.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.clock = Some(clock);
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Energies now, centred in time like those of the step report.
    pub fn energy(&mut self) -> Result<Energy> {
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, .. } = &mut **layout;
        // The step length does not matter for energies.
        crate::step::gather::gather(&self.model, t, (&self.plan, 1.0), &self.state, inputs);
        evaluate_phi(t, 0..t.groups.len(), &inputs.kin, &mut inputs.rows.phi);
        crate::bounded::evaluate(t, &inputs.kin, &mut inputs.rows.phi);
        let given = Given { t, inputs };
        let mut energy = report::energy_now(&self.model, &given, self.plan.gravity, self.state.potential_lag);
        energy.elastic += report::in_contacts(&self.state.contacts);
        Ok(energy)
    }

    /// Rows, unknowns and memory of the present structure.
    pub fn size(&mut self) -> Result<Size> {
        self.lay_out()?;
        let Some(layout) = self.layout.as_ref() else { return Err(empty()) };
        let Layout { t, inputs, desk, threads, .. } = &**layout;
        Ok(Size {
            bodies: t.nodes.len(),
            rows: t.row_count,
            bounded: t.bounds.len(),
            unknowns: t.pattern.size(),
            islands: t.islands.len(),
            fill_blocks: t.pattern.fill_blocks,
            factor_values: t.block_values() + desk.factor.panels.values(),
            operations: t.operations(),
            bytes: inputs.bytes()
                + desk.bytes()
                + threads.iter().map(Desk::bytes).sum::<usize>()
                + t.bytes()
                + self.state.bytes(),
        })
    }

    /// Model and state.
    #[cfg(test)]
    pub(crate) fn parts(&self) -> (&Model, &State) {
        (&self.model, &self.state)
    }

    /// The same, to change them.
    pub(crate) fn parts_mut(&mut self) -> (&mut Model, &mut State) {
        (&mut self.model, &mut self.state)
    }

    /// The structure has changed. The edition is a fingerprint of all changes and of what was added: a state fits only worlds
    /// built from the same definition.
    fn edited(&mut self, operation: Edit, slot: u32, what: u64) {
        let mut edition = Fingerprint(self.model.edition);
        [operation as u64, u64::from(slot), what].into_iter().for_each(|x| edition.word(x));
        self.model.edition = edition.0;
        self.state.edition = self.model.edition;
        self.layout = None;
        self.scene = None;
        self.forget();
    }

    fn lay_out(&mut self) -> Result<()> {
        if self.layout.is_none() {
            if !self.model.bodies.iter().any(|(_, b)| b.is_node()) {
                return Err(empty());
            }
            let mut t =
                Topology::new(&self.model, self.plan.is_structured(), |slot| self.state.bodies[slot].group == 0);
            t.asleep = self.potential_asleep()?;
            // Offsets are kept in 32 bits.
            let values = t.pattern.off_len.max(t.pattern.diag_len).max(t.jac_len).max(t.row_count);
            if values >= u32::MAX as usize {
                return Err(Error::input(
                    "size of the world",
                    format!("{values} matrix values"),
                    "fewer than 4294967295; split it into islands of their own worlds",
                ));
            }
            World::check_memory(&t)?;
            let (desk, mut forest) = (Desk::new(&t), None);
            let inputs = Inputs::new(&t);
            if self.plan.reduced {
                let awake = |slot: usize| self.state.bodies[slot].group == 0;
                forest = Some(Box::new(Forest::new(&self.model, &t, &inputs.rows, awake)?));
            }
            self.layout = Some(Box::new(Layout { t, inputs, desk, threads: Vec::new(), forest }));
        }
        Ok(())
    }
}

/// There is nothing that moves.
pub fn empty() -> Error {
    Error::input("world", "empty", "at least one body or particle that moves freely")
}

/// How large a world is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Bodies and particles with unknowns.
    pub bodies: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Bounded rows of joints (limits, ropes, friction, bounded motors); contacts come and go.
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
mod mobility_tests;
