//! Reduced coordinates of a world: which forest they stand on, and RedMax's own step.

use super::World;
use crate::bounded::Bounded;
use crate::error::{Error, Result};
use crate::model::JointId;
use crate::options::{Coordinates, Solver, Stabiliser};
use crate::reduced::redmax::{Mechanism, Settings};
use crate::report::{BoundedReport, StepReport};
use crate::solve::articulated::Path;
use glam::DVec3;

/// Passes that close loops at the end of a step.
const CLOSING: usize = 4;

/// What the reduced step was made for: structure and sleepers, settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Made {
    edition: u64,
    stamp: u64,
    settings: Settings,
}

impl World {
    /// Whether the step in reduced coordinates alone is asked for: RedMax's, or its stable form.
    pub(super) fn is_redmax(&self) -> bool {
        let o = &self.options;
        o.coordinates == Coordinates::Reduced && (o.stabiliser == Stabiliser::None || o.solver.is_articulated())
    }

    /// The step in reduced coordinates alone.
    pub(super) fn step_redmax(&mut self, h: f64) -> Result<StepReport> {
        self.refuse_bounds()?;
        if !self.model.bodies.iter().any(|(_, b)| b.is_node()) {
            return Err(super::empty());
        }
        self.wake_all();
        let form = if self.options.stabiliser == Stabiliser::None { Settings::default() } else { Settings::stable() };
        let settings = Settings { path: path(self.options.solver), closing: CLOSING, ..form };
        let made = Made { edition: self.model.edition, stamp: self.state.stamp, settings };
        let mut mechanism = match self.mechanism.take() {
            Some(m) if m.0 == made => m,
            _ => Box::new((made, Mechanism::new(&self.model, |_| true, settings)?)),
        };
        let done = mechanism.1.step(&self.model, &mut self.state, self.options.gravity, h);
        let is_tree = mechanism.1.tree.loops.is_empty();
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
            path: self.options.solver,
            is_tree,
            panels: 0,
            islands: 1,
            resolved_islands: 0,
            dropped_rows: outcome.loops.redundant + outcome.void,
            redundant_joints: 0,
            smallest_pivot: f64::INFINITY,
            bounded: BoundedReport::new(&Bounded::default(), &[], [0.0; 2]),
            anytime: None,
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

    /// That step has no rows with bounds.
    fn refuse_bounds(&self) -> Result<()> {
        let expected = "stabiliser aligned and solver auto, the defaults: the solvers of reduced coordinates alone know no limits, \
                        ropes, bounded motors, friction or contacts";
        let given = format!("{}, {}", self.options.stabiliser.name(), self.options.solver.name());
        if let Some((key, _)) = self.model.joints.iter().find(|(_, j)| !j.bounds.is_empty()) {
            let name = self.model.joint_name(key.slot as usize);
            return Err(Error::input(
                "stabiliser and solver in reduced coordinates",
                format!("{given}, with {name}"),
                expected,
            ));
        }
        if self.model.colliders.iter().next().is_some() {
            return Err(Error::input(
                "stabiliser and solver in reduced coordinates",
                format!("{given}, with colliders"),
                expected,
            ));
        }
        Ok(())
    }

    /// Forces and targets hold for one step.
    pub(super) fn unload(&mut self) {
        if std::mem::take(&mut self.model.is_loaded) {
            for (_, b) in self.model.bodies.iter_mut() {
                b.load = (DVec3::ZERO, DVec3::ZERO);
                b.target = None;
            }
        }
    }
}

fn path(solver: Solver) -> Path {
    match solver {
        Solver::Elimination => Path::Direct,
        Solver::Pcg => Path::BlockJacobi,
        Solver::PartialPcg => Path::PartialExact,
        _ => Path::Auto,
    }
}
