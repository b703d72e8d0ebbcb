//! The linear system of a step in reduced coordinates, handed out: to look at, to export, to solve by other means.
//!
//! ```text
//! A y+ - G^T p = b        A = J^T (M + hD - h^2 K) J + hDr - h^2 Kr       symmetric, positive definite
//! G y+ + Sigma p = w      p = h lambda: impulses of the rows that close loops
//! ```
//! The step itself never forms A (`articulated`); here it is formed in the time it takes to write it down.

use super::step::Mechanism;
use crate::articulated::explicit::{LowerColumns, reduced_load, reduced_rows};
use crate::articulated::{Fault, History, Load, LoopReport, Loops, Motion, Rows, Solver, Twist};
use glam::DVec3;
use taut::inner::{Model, OpenState, TreeLink, body_at, joint_at};
use taut::{BodyId, Error, JointId, Result};

/// One unknown of a [`ReducedSystem`]: a rate of a joint, m/s or rad/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReducedFreedom {
    /// The body that the joint carries.
    pub body: BodyId,
    /// The joint; `None` for a body that hangs on nothing and moves freely.
    pub joint: Option<JointId>,
    /// Which freedom of the joint, from 0, in the order of its chart.
    pub index: usize,
}

/// A row G y + Sigma p = w that closes a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducedRow {
    /// The joint it belongs to.
    pub joint: JointId,
    /// Freedom and value of its entries, ascending.
    pub entries: Vec<(usize, f64)>,
    /// Sigma, m/(N s) or rad/(N m s); 0 for a rigid row.
    pub compliance: f64,
    /// w, the wanted rate, m/s or rad/s.
    pub target: f64,
}

/// What a solve of a [`ReducedSystem`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReducedSolution<'a> {
    /// y+, the rates after the step, m/s and rad/s, by freedom.
    pub rates: &'a [f64],
    /// p, impulses of the loop rows, N s and N m s; 0 for a row that follows from the others.
    pub impulses: &'a [f64],
    /// Whether it was found by elimination.
    pub is_direct: bool,
    /// Iterations over all right-hand sides; 0 for the direct path.
    pub iterations: usize,
    /// Whether all iterations reached their tolerance.
    pub converged: bool,
}

/// The linear system of the next step in reduced coordinates; see [`reduced_system`](crate::reduced_system).
///
/// It is a copy: the world goes on without it. Units are SI: a rate in m/s or rad/s makes the rows of the matrix kg, kg m, kg m^2
/// and the right-hand side N s or N m s.
#[derive(Clone, Debug)]
pub struct ReducedSystem {
    freedoms: Vec<ReducedFreedom>,
    right: Vec<f64>,
    loops: Vec<ReducedRow>,
    time: f64,
    /// Names of the links, for errors.
    names: Vec<String>,
    solver: Solver,
    history: History,
    body: Vec<Twist>,
    joint: Vec<f64>,
    rows: Rows,
    start: Vec<f64>,
    motion: Motion,
    work: Loops,
}

impl ReducedSystem {
    /// The unknowns, in order.
    pub fn freedoms(&self) -> &[ReducedFreedom] {
        &self.freedoms
    }

    /// The lower triangle of A with the zeros inside its structure, formed by this call.
    pub fn matrix(&self) -> LowerColumns {
        // The lengths fit: the solver has them from the same structure.
        LowerColumns::new(self.solver.structure(), &self.solver.values).unwrap_or_default()
    }

    /// b, N s and N m s.
    pub fn right_hand_side(&self) -> &[f64] {
        &self.right
    }

    /// The rows that close loops.
    pub fn loops(&self) -> &[ReducedRow] {
        &self.loops
    }

    /// The rates at the start of the step, m/s and rad/s: where iterations begin.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// Factors and solves as the step would: with the solver of the options, from its start, with what the automatic choice knew. Calls
    /// repeat each other to the last bit.
    pub fn solve(&mut self) -> Result<ReducedSolution<'_>> {
        self.solver.recall(self.history);
        let solved = self.solved();
        let report = solved.map_err(|f| {
            let culprit = match f {
                Fault::NotPositive { link, .. } => self.names.get(link).cloned(),
                _ => None,
            };
            Error::step(self.time, culprit.unwrap_or_else(|| "the system".into()), f.to_string())
        })?;
        Ok(ReducedSolution {
            rates: &self.motion.y,
            impulses: &self.work.lambda,
            is_direct: self.solver.is_direct(),
            iterations: report.iterations,
            converged: report.converged,
        })
    }

    fn solved(&mut self) -> std::result::Result<LoopReport, Fault> {
        self.solver.factor()?;
        self.motion.y.copy_from_slice(&self.start);
        let load = Load { joint: &self.joint, body: &self.body };
        self.solver.solve_loops(&load, &self.rows, &mut self.motion, &mut self.work)
    }
}

impl Mechanism {
    /// The system of a step of length `h` from the present state, which stays as it is.
    pub fn system(&mut self, model: &Model, state: &OpenState<'_>, gravity: DVec3, h: f64) -> Result<ReducedSystem> {
        let history = History::from_numbers(state.kept);
        self.solver.recall(history);
        self.gather(model, state, h);
        self.prepare(model, state, h);
        self.fill(model, state, gravity, h);
        let load = Load { joint: &self.joint, body: &self.body };
        let (s, values) = (self.solver.structure(), &self.solver.values);
        let fault = |f: Fault| Error::step(*state.time, "the system", f.to_string());
        let right = reduced_load(s, values, &load).map_err(fault)?;
        let entries = reduced_rows(s, values, &self.rows).map_err(fault)?;
        let mut loops = Vec::with_capacity(entries.len());
        for (k, (row, entries)) in self.loop_rows.iter().zip(entries).enumerate() {
            let Some(joint) = joint_at(model, row.joint) else { continue };
            let (compliance, target) = (self.rows.compliance(k), self.rows.target(k));
            loops.push(ReducedRow { joint, entries, compliance, target });
        }
        let mut freedoms = Vec::with_capacity(self.tree.dofs);
        for l in &self.tree.links {
            freedoms.extend(freedoms_of(model, l));
        }
        Ok(ReducedSystem {
            freedoms,
            right,
            loops,
            time: *state.time,
            names: self.tree.links.iter().map(|l| model.body_name(l.body)).collect(),
            solver: self.solver.clone(),
            history,
            body: self.body.clone(),
            joint: self.joint.clone(),
            rows: self.rows.clone(),
            start: self.kin.y.clone(),
            motion: self.motion.clone(),
            work: Loops::default(),
        })
    }
}

fn freedoms_of(model: &Model, l: &TreeLink) -> impl Iterator<Item = ReducedFreedom> {
    let body = body_at(model, l.body);
    let joint = l.joint.and_then(|slot| joint_at(model, slot));
    let count = l.dofs;
    (0..count).filter_map(move |index| body.map(|body| ReducedFreedom { body, joint, index }))
}
