//! RedMax's step as a method of a world: what it refuses, when it is made anew, what it reports.

use crate::articulated::Path;
use crate::explicit::ReducedSystem;
use crate::step::{Mechanism, Outcome, Settings};
use crate::tuning::T;
use std::any::Any;
use taut::inner::{Model, attached, empty, joint_at, open, positive};
use taut::method::Method;
use taut::{Error, Options, Result, Solver, Stabiliser, State, StepReport, World, reports::BoundedReport};

/// RedMax's step, laid out for a world when it first takes one.
#[derive(Clone, Debug, Default)]
struct RedMax {
    mechanism: Option<Box<Mechanism>>,
}

/// Plugs RedMax's step into a world, which takes it whenever its options ask for it.
pub fn attach(world: &mut World) {
    world.attach(RedMax::default());
}

/// The linear system that the next step of `h` seconds would solve in reduced coordinates, formed: its freedoms by body and joint,
/// the sparse matrix, the right-hand side and the rows of closed loops. Forces applied for one step are in it. The world stays as it
/// is. For a world whose options ask for RedMax's step, which never forms this matrix itself.
pub fn reduced_system(world: &mut World, h: f64) -> Result<ReducedSystem> {
    positive("time step", h, "s")?;
    let options = *world.options();
    if !options.is_reduced_alone() {
        let value = format!("{}, stabiliser {}", options.coordinates.name(), options.stabiliser.name());
        return Err(Error::input("coordinates", value, "reduced, stabiliser none: RedMax's own step"));
    }
    let (method, model, state) = attached(world)?;
    let method: &mut dyn Any = method;
    let Some(redmax) = method.downcast_mut::<RedMax>() else {
        return Err(Error::input("method of the world", "another", "RedMax's: call taut_redmax::attach first"));
    };
    redmax.mechanism(&options, model)?.system(model, &open(state), options.gravity, h)
}

/// How the options want the step.
fn settings(options: &Options) -> Settings {
    let form = if options.stabiliser == Stabiliser::None { Settings::default() } else { Settings::stable() };
    let path = match options.solver {
        Solver::Elimination => Path::Direct,
        Solver::Pcg => Path::BlockJacobi,
        Solver::PartialPcg => Path::PartialExact,
        _ => Path::Auto,
    };
    Settings { path, closing: T.redmax.closing, ..form }
}

impl RedMax {
    /// The mechanism of the present structure and settings. What has colliders or bounded rows, or nothing that moves, is refused.
    fn mechanism(&mut self, options: &Options, model: &Model) -> Result<&mut Mechanism> {
        let settings = settings(options);
        let mechanism = match self.mechanism.take() {
            Some(mechanism) if mechanism.settings == settings => mechanism,
            _ => {
                refuse(options, model)?;
                Box::new(Mechanism::new(model, |_| true, settings)?)
            }
        };
        Ok(self.mechanism.insert(mechanism))
    }
}

/// The step in reduced coordinates alone needs a body that moves, and has neither contacts nor rows with bounds nor couplings.
fn refuse(options: &Options, model: &Model) -> Result<()> {
    let unbounded = |what: &str| {
        let given = format!("{}, {}, with {what}", options.stabiliser.name(), options.solver.name());
        let expected = "stabiliser aligned and solver auto, the defaults: the solvers of reduced coordinates alone know no limits, \
                        ropes, bounded motors, friction, couplings or contacts";
        Err(Error::input("stabiliser and solver in reduced coordinates", given, expected))
    };
    if model.has_colliders() {
        return unbounded("colliders");
    }
    if !model.bodies.iter().any(|(_, b)| b.is_node()) {
        return Err(empty());
    }
    if model.joints.iter().any(|(_, j)| !model.is_active(j)) || model.bodies.iter().any(|(_, b)| b.is_off()) {
        return unbounded("bodies or joints that are switched off");
    }
    let part = model.first_coupling().or_else(|| model.first_rope()).or_else(|| model.first_deformable());
    if let Some(part) = part {
        return unbounded(&part);
    }
    match model.joints.iter().find(|(_, j)| j.is_bounded()) {
        Some((key, _)) => unbounded(&model.joint_name(key.slot as usize)),
        None => Ok(()),
    }
}

/// What a step tells.
fn report(mechanism: &Mechanism, model: &Model, time: f64, outcome: &Outcome) -> StepReport {
    // Rows that contradict each other are told before a gap.
    let worst = outcome.worst_joint.filter(|_| outcome.loops.contradicting > 0);
    StepReport {
        time,
        energy: outcome.energy,
        ledger: outcome.ledger,
        max_gap: outcome.gaps.max,
        max_gap_joint: worst.or(outcome.gaps.joint).and_then(|slot| joint_at(model, slot)),
        sum_gap: outcome.gaps.sum,
        max_angle: outcome.gaps.angle,
        solves: outcome.passes,
        factorisations: outcome.passes,
        right_hand_sides: outcome.columns,
        refinements: 0,
        iterations: outcome.iterations,
        residual: outcome.loops.residual,
        path: match mechanism.running() {
            Path::BlockJacobi => Solver::Pcg,
            Path::PartialExact => Solver::PartialPcg,
            Path::Auto | Path::Direct => Solver::Elimination,
        },
        is_tree: mechanism.tree.loops.is_empty(),
        panels: 0,
        islands: 1,
        resolved_islands: 0,
        snapped_islands: 0,
        dropped_rows: outcome.loops.redundant + outcome.void,
        redundant_joints: 0,
        smallest_pivot: f64::INFINITY,
        parts: 1,
        soft_error: 0.0,
        guarded_islands: 0,
        bounded: BoundedReport::default(),
        anytime: None,
        conflicts: Vec::new(),
        events: Vec::new(),
    }
}

impl Method for RedMax {
    fn prepare(&mut self, options: &Options, model: &Model) -> Result<()> {
        self.mechanism(options, model).map(|_| ())
    }

    fn step(&mut self, options: &Options, model: &Model, state: &mut State, h: f64) -> Result<StepReport> {
        let mechanism = self.mechanism(options, model)?;
        let outcome = mechanism.step(model, &mut open(state), options.gravity, h)?;
        Ok(report(mechanism, model, state.time(), &outcome))
    }

    fn forget(&mut self) {
        self.mechanism = None;
    }

    fn boxed(&self) -> Box<dyn Method> {
        Box::new(self.clone())
    }
}
