//! The solves of a step: one, or more at the same pose until the stiffness of the joint reactions fits the forces it was made from.

use super::step::Mechanism;
use super::stiffness;
use crate::articulated::LoopReport;
use crate::tuning::T;
use glam::DVec3;
use taut::Result;
use taut::inner::{Model, OpenState};

/// What they came to.
pub(super) struct Passes {
    /// The last one.
    pub loops: LoopReport,
    pub void: usize,
    pub rows: usize,
    /// How many there were, and the iterations of all.
    pub passes: usize,
    pub iterations: usize,
}

impl Mechanism {
    /// Solves for the velocities and writes the multipliers; on an error they are as before.
    pub(super) fn passes(
        &mut self,
        model: &Model,
        state: &mut OpenState<'_>,
        gravity: DVec3,
        h: f64,
    ) -> Result<Passes> {
        self.lambda.clear();
        self.lambda.extend_from_slice(state.lambda);
        let done = self.try_passes(model, state, gravity, h);
        if done.is_err() {
            state.lambda.copy_from_slice(&self.lambda);
        }
        done
    }

    fn try_passes(&mut self, model: &Model, state: &mut OpenState<'_>, gravity: DVec3, h: f64) -> Result<Passes> {
        let most = match self.settings.aligned {
            false => 1,
            true if state.lambda.iter().all(|&l| l == 0.0) => T.redmax.first,
            true => T.redmax.most,
        };
        self.prepare(model, state, h);
        let (mut passes, mut iterations) = (0, 0);
        loop {
            let (loops, void) = self.pass(model, state, gravity, h)?;
            passes += 1;
            iterations += loops.iterations;
            let again = passes < most && {
                self.stiffen(model, state.lambda, h);
                stiffness::jumped(self, model, &self.added, &self.added_next)
            };
            if !again {
                return Ok(Passes { loops, void, rows: self.rows.len(), passes, iterations });
            }
            std::mem::swap(&mut self.added, &mut self.added_next);
        }
    }

    /// The stiffness with the forces of the last step, where there is one.
    pub(super) fn prepare(&mut self, model: &Model, state: &OpenState<'_>, h: f64) {
        if self.settings.aligned {
            self.stiffen(model, state.lambda, h);
            std::mem::swap(&mut self.added, &mut self.added_next);
        }
    }

    /// One solve. Returns what became of the loop rows, and how many no freedom moves.
    fn pass(
        &mut self,
        model: &Model,
        state: &mut OpenState<'_>,
        gravity: DVec3,
        h: f64,
    ) -> Result<(LoopReport, usize)> {
        let void = self.fill(model, state, gravity, h);
        let loops = self.solve().map_err(|f| self.blame(model, *state.time, f))?;
        self.check_finite(model, *state.time)?;
        self.multipliers(model, state, h);
        Ok((loops, void))
    }

    /// The stiffness with other forces, into `added_next`.
    fn stiffen(&mut self, model: &Model, lambda: &[f64], h: f64) {
        let mut out = std::mem::take(&mut self.added_next);
        stiffness::evaluate(self, model, lambda, h, &mut out);
        self.added_next = out;
    }
}
