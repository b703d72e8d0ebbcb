//! The solve of a step, system by system. A system is a cluster of islands that share bounded rows; mostly one island with none.
//!
//! `rounds` is the loop: load first, again when the forces jump, corrected when resolved. `system` is what a system goes through from
//! its inputs to its new poses, on one thread or another by the same code.

pub(crate) mod anytime;
mod bounded_rows;
mod closing;
mod coordinates;
mod factors;
mod heap;
pub(crate) mod islands;
mod papers;
mod rounds;
mod second_order;
pub(crate) mod smooth;
pub(crate) mod snap;
mod stall;
mod system;
mod volume;

use crate::desk::bounded::Cluster;
use crate::desk::inputs::Given;
use crate::desk::{Desk, Scales};
use crate::forest::placed::Forest;
use crate::model::Model;
use crate::plan::Plan;
use crate::state::State;
use crate::system::kkt::Equations;
use crate::system::linear::Failure;
use crate::topology::Island;

/// What solving a step did.
pub(crate) struct Solved {
    pub counts: Counts,
    pub reached: Option<anytime::Reached>,
}

/// What a solve reads.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub t: &'a Given<'a>,
    /// What it is made of: elements of deformables are evaluated at trial poses.
    pub model: &'a Model,
    pub plan: &'a Plan,
    pub state: &'a State,
    /// In reduced coordinates: the forest of the joints.
    pub forest: Option<&'a Forest>,
    /// Step, s.
    pub h: f64,
}

/// Solves all systems and finds their new poses. `threads` has a desk for each thread, made when it is first needed.
pub(crate) fn solve(task: &Task<'_>, desk: &mut Desk, threads: &mut Vec<Desk>) -> Result<Solved, Failure> {
    desk.begin(task.t, task.h);
    anytime::begin(task, &mut desk.factor.loops, &mut desk.next);
    let counts = islands::solve(task, desk, threads)?;
    let reached = anytime::finish(task, desk)?;
    Ok(Solved { counts, reached })
}

/// Islands that are solved together, with their bounded rows.
#[derive(Clone, Copy)]
pub(crate) struct System<'a> {
    pub task: &'a Task<'a>,
    pub islands: &'a [usize],
    /// None for an island that shares no bounded rows.
    pub cluster: Option<&'a Cluster>,
}

impl<'a> System<'a> {
    /// The islands, each with its number.
    fn islands(&self) -> impl Iterator<Item = &'a Island> + use<'a> {
        let t = self.task.t;
        self.islands.iter().map(move |&k| &t.islands[k])
    }
}

impl<'a> Task<'a> {
    /// The equations of an island.
    fn equations<'w>(&'w self, k: usize, desk: &'w Desk) -> Equations<'w> {
        Equations::of(self.t, k, &desk.law, &desk.stiff, &desk.force, &desk.sol.saved)
    }

    /// The scalars of the matrix of an island, with this share of A switched off.
    fn scales(&self, k: usize, share: f64) -> Scales {
        let (aligned, geometric) = (self.plan.is_aligned(), self.plan.geometric());
        Scales {
            keep: if aligned { 1.0 - share } else { 0.0 },
            sigma: self.h / self.t.inputs.hk[k],
            geo: if geometric.is_some() { self.h * self.h } else { 0.0 },
            symmetric: geometric == Some(true),
        }
    }
}

/// Counters of one system's solve, or of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub factorisations: usize,
    pub right_hand_sides: usize,
    pub refinements: usize,
    pub iterations: usize,
    /// Of the last factor of each island.
    pub dropped: usize,
    pub smallest_pivot: f64,
    pub residual: f64,
    /// Passes of the system.
    pub deepest: usize,
}

impl Default for Counts {
    fn default() -> Self {
        Counts {
            factorisations: 0,
            right_hand_sides: 0,
            refinements: 0,
            iterations: 0,
            dropped: 0,
            smallest_pivot: f64::INFINITY,
            residual: 0.0,
            deepest: 0,
        }
    }
}

impl Counts {
    /// Takes in those of another system; the order does not matter.
    pub fn add(&mut self, c: &Counts) {
        self.factorisations += c.factorisations;
        self.right_hand_sides += c.right_hand_sides;
        self.refinements += c.refinements;
        self.iterations += c.iterations;
        self.dropped += c.dropped;
        self.smallest_pivot = self.smallest_pivot.min(c.smallest_pivot);
        self.residual = self.residual.max(c.residual);
        self.deepest = self.deepest.max(c.deepest);
    }

    /// Starts another pass: what is said of the last factors is forgotten, the work is not.
    fn pass(&mut self) {
        let fresh = Counts::default();
        (self.dropped, self.smallest_pivot, self.residual) = (fresh.dropped, fresh.smallest_pivot, fresh.residual);
        self.deepest += 1;
    }
}
