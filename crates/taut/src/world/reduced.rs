//! Reduced coordinates of a world: which forest they stand on, and RedMax's own step.

use super::World;
use crate::error::{Error, Result, positive};
use crate::ids::JointId;
use crate::options::{Options, Solver};
use crate::plan::RedMax;
use crate::redmax::explicit::ReducedSystem;
use crate::redmax::step::{Mechanism, Settings};
use crate::report::{BoundedReport, StepReport};
use crate::solve::articulated::Path;
use crate::tuning::T;
use glam::DVec3;

/// What the reduced step was made for: structure and sleepers, settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Made {
    edition: u64,
    stamp: u64,
    settings: Settings,
}

impl World {
    /// The linear system that the next step of `h` seconds would solve in reduced coordinates, formed: its freedoms by body and joint,
    /// the sparse matrix, the right-hand side and the rows of closed loops. Forces applied for one step are in it. The world stays as
    /// it is. For `Coordinates::Reduced` with `Stabiliser::None` (RedMax's own step), which never forms this matrix itself.
    pub fn reduced_system(&mut self, h: f64) -> Result<ReducedSystem> {
        positive("time step", h, "s")?;
        let Some(plan) = self.plan.redmax else {
            let Options { coordinates, stabiliser, .. } = &self.options;
            let value = format!("{}, stabiliser {}", coordinates.name(), stabiliser.name());
            return Err(Error::input("coordinates", value, "reduced, stabiliser none: RedMax's own step"));
        };
        self.refuse_redmax()?;
        let mut mechanism = self.take_mechanism(plan)?;
        let made = mechanism.1.system(&self.model, &self.state, self.options.gravity, h);
        self.mechanism = Some(mechanism);
        made
    }

    /// The reduced step of the present structure and settings.
    fn take_mechanism(&mut self, plan: RedMax) -> Result<Box<(Made, Mechanism)>> {
        let form = if plan.published { Settings::default() } else { Settings::stable() };
        let settings = Settings { path: plan.path, closing: T.redmax.closing, ..form };
        let made = Made { edition: self.model.edition, stamp: self.state.stamp, settings };
        match self.mechanism.take() {
            Some(m) if m.0 == made => Ok(m),
            _ => {
                self.refuse_bounds()?;
                Ok(Box::new((made, Mechanism::new(&self.model, |_| true, settings)?)))
            }
        }
    }

    /// RedMax's step.
    pub(super) fn step_redmax(&mut self, plan: RedMax, h: f64) -> Result<StepReport> {
        self.refuse_redmax()?;
        self.wake_all();
        let mut mechanism = self.take_mechanism(plan)?;
        let done = mechanism.1.step(&self.model, &mut self.state, self.options.gravity, h);
        let is_tree = mechanism.1.tree.loops.is_empty();
        let path = match mechanism.1.running() {
            Path::BlockJacobi => Solver::Pcg,
            Path::PartialExact => Solver::PartialPcg,
            Path::Auto | Path::Direct => Solver::Elimination,
        };
        self.mechanism = Some(mechanism);
        let outcome = done?;
        self.unload();
        let mut report = StepReport {
            time: self.state.time,
            energy: outcome.energy,
            ledger: outcome.ledger,
            max_gap: outcome.gaps.max,
            max_gap_joint: outcome.gaps.joint.and_then(|slot| self.model.joints.key_at(slot)).map(JointId),
            sum_gap: outcome.gaps.sum,
            max_angle: outcome.gaps.angle,
            solves: outcome.passes,
            factorisations: outcome.passes,
            right_hand_sides: outcome.columns,
            refinements: 0,
            iterations: outcome.iterations,
            residual: outcome.loops.residual,
            path,
            is_tree,
            panels: 0,
            islands: 1,
            resolved_islands: 0,
            snapped_islands: 0,
            dropped_rows: outcome.loops.redundant + outcome.void,
            redundant_joints: 0,
            smallest_pivot: f64::INFINITY,
            bounded: BoundedReport::default(),
            anytime: None,
            conflicts: Vec::new(),
            events: Vec::new(),
        };
        if outcome.loops.contradicting > 0
            && let Some(joint) = outcome.worst_joint
        {
            report.max_gap_joint = self.model.joints.key_at(joint).map(JointId);
        }
        self.break_joints(&mut report)?;
        Ok(report)
    }

    /// The step in reduced coordinates alone needs a body that moves, and has no contacts.
    fn refuse_redmax(&self) -> Result<()> {
        if self.model.colliders.len() > 0 {
            return Err(self.unbounded("colliders"));
        }
        if self.model.bodies.iter().any(|(_, b)| b.is_node()) { Ok(()) } else { Err(super::empty()) }
    }

    /// Nor rows with bounds.
    fn refuse_bounds(&self) -> Result<()> {
        let Some((key, _)) = self.model.joints.iter().find(|(_, j)| !j.bounds.is_empty()) else { return Ok(()) };
        Err(self.unbounded(&self.model.joint_name(key.slot as usize)))
    }

    fn unbounded(&self, what: &str) -> Error {
        let given = format!("{}, {}, with {what}", self.options.stabiliser.name(), self.options.solver.name());
        let expected = "stabiliser aligned and solver auto, the defaults: the solvers of reduced coordinates alone know no limits, \
                        ropes, bounded motors, friction or contacts";
        Error::input("stabiliser and solver in reduced coordinates", given, expected)
    }

    /// Forces and targets hold for one step, and what the user has changed has been looked at.
    pub(super) fn unload(&mut self) {
        self.state.stirred.clear();
        if std::mem::take(&mut self.model.is_loaded) {
            for (_, b) in self.model.bodies.iter_mut() {
                b.load = (DVec3::ZERO, DVec3::ZERO);
                b.target = None;
            }
        }
    }
}
