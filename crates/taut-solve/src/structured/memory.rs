//! What the structured solver keeps between solves: the budget of the step, the blocks of the preconditioner, its vectors.

use super::{Krylov, Meter};
use crate::paths::Paths;

/// What a solve is for, which says where it starts from and what it may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// An answer to a unit right-hand side, such as a response of bounded rows: to full accuracy, outside the budget.
    #[default]
    Response,
    /// The solve of a pass: within the budget, from the forces of the last step or pass.
    Pass,
    /// Another right-hand side of the same pass: within the budget, from the present solution.
    Correction,
}

/// What a step leaves open in one island.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// Largest residual of a loop row, m/s (rad/s), and its group.
    pub velocity: (f64, usize),
    /// Their size over that of bhat.
    pub relative: f64,
    /// Whether a row contradicts others.
    pub contradicts: bool,
    /// Largest opening of a joint, m (rad), and its group.
    pub gap: (f64, usize),
    /// Whether another correction of velocities, or of poses, may help.
    pub open: [bool; 2],
}

/// Memory and counters, all in the order of the loop unknowns.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// A clock that counts seconds, when one was handed in.
    pub clock: Option<fn() -> f64>,
    /// Part of its gap that a loop row closes in a step.
    pub closing: f64,
    /// The budget of the step.
    pub meter: Meter,
    /// Iterations each island may use, and has used, in its passes.
    pub allowance: Vec<usize>,
    /// See `allowance`.
    pub used: Vec<usize>,
    /// sqrt(bhat . P bhat) of each island in its last pass: what its residual is measured by.
    pub scale: Vec<f64>,
    /// Iterations outside the budget, for responses.
    pub responses: usize,
    /// What the step leaves open, by island.
    pub errors: Vec<Errors>,
    /// Whether a solve of the step found rows that contradict each other.
    pub stalled: bool,
    /// What the next solve is for; every solve sets it back.
    pub purpose: Purpose,
    /// Cholesky factors of the blocks of the operator, row-major; zero rows for those that are dropped.
    pub blocks: Vec<f64>,
    /// Right-hand sides of the loop rows in the last solve of the island, and in the one before.
    pub wanted: Vec<f64>,
    /// See `wanted`.
    pub wanted_before: Vec<f64>,
    /// Those of the solve at hand.
    pub target: Vec<f64>,
    /// Loop impulses.
    pub z: Vec<f64>,
    /// bhat.
    pub b: Vec<f64>,
    /// The true residual.
    pub residual: Vec<f64>,
    /// A right-hand side and a solution over all unknowns of the matrix.
    pub rhs: Vec<f64>,
    /// See `rhs`.
    pub u: Vec<f64>,
    /// Vectors of the iteration.
    pub krylov: Krylov,
    /// Columns of the blocks.
    pub paths: Paths,
}

impl Loops {
    /// Memory for so many loop unknowns, block values and unknowns of the matrix.
    pub fn resize(&mut self, (unknowns, values): (usize, usize), size: usize) {
        let Loops { wanted, wanted_before, target, z, b, residual, .. } = self;
        for v in [wanted, wanted_before, target, z, b, residual] {
            v.resize(unknowns, 0.0);
        }
        self.blocks.resize(values, 0.0);
        self.rhs.resize(size, 0.0);
        self.u.resize(size, 0.0);
    }

    /// Bytes held, without those of the iteration.
    pub fn bytes(&self) -> usize {
        let vectors = [&self.blocks, &self.wanted, &self.wanted_before, &self.target, &self.z, &self.b, &self.residual];
        let matrix = [&self.rhs, &self.u];
        8 * vectors.into_iter().chain(matrix).map(Vec::capacity).sum::<usize>()
    }

    /// Iterations that the next solve of an island may take within the budget. Some are kept for what comes after it: most of them
    /// when gaps are to be closed with what is left.
    pub fn allowed(&self, island: usize, keep_half: bool) -> usize {
        let left = self.allowance[island].saturating_sub(self.used[island]);
        if left == usize::MAX {
            left
        } else if keep_half {
            left.div_ceil(2)
        } else {
            left - left / 4
        }
    }
}
