//! The bounded rows of a step, and the memory to solve them.

use crate::delassus::{Mobility, Row};
use crate::solve::bounded::sparse::{self, Coupling};
use crate::solve::bounded::{self as solver, Block};
use std::ops::Range;

/// What a block of bounded rows belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Origin {
    /// `Topology::bounds`; a limit has one block for each side that is near.
    Joint { bound: usize, upper: bool },
    /// The contacts of the step.
    Contact(usize),
    /// A row of a joint's block, when sweeps run over all rows.
    Block { group: usize, row: usize },
}

/// A block of one row, or the three rows of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub origin: Origin,
    /// Bounds in N s or N m s.
    pub law: Block,
    /// First row.
    pub row: usize,
    pub restitution: f64,
    pub active: bool,
    pub cluster: usize,
}

impl Candidate {
    pub fn rows(&self) -> Range<usize> {
        self.row..self.row + if matches!(self.law, Block::Contact { .. }) { 3 } else { 1 }
    }
}

/// Islands that share bounded rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster {
    pub islands: Vec<usize>,
    /// Its candidates, in the order of their ids.
    pub candidates: Range<usize>,
}

/// What the bounded solve of a step did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Largest natural-map residual, m/s.
    pub residual: f64,
    pub iterations: usize,
    pub sweeps: usize,
    pub solves: usize,
    /// Clusters that did not reach the tolerance, and those where the convex law stood in.
    pub unconverged: usize,
    pub convex: usize,
    /// Largest velocity by which rows of joints miss their aim, m/s (rad/s).
    pub joints: f64,
    /// Active rows of all clusters, and of the largest one.
    pub rows: usize,
    pub largest: usize,
}

/// The bounded rows of a step and the memory to solve them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounded {
    pub candidates: Vec<Candidate>,
    pub rows: Vec<Row>,
    /// Of these the first `cluster_count` are in use.
    pub clusters: Vec<Cluster>,
    pub cluster_count: usize,
    /// Cluster of each island, or NONE.
    pub cluster_of: Vec<usize>,
    pub number: Vec<usize>,
    /// Active rows of the cluster at hand.
    pub active: Vec<usize>,
    pub w: Vec<f64>,
    pub q: Vec<f64>,
    pub z: Vec<f64>,
    pub blocks: Vec<Block>,
    pub work: solver::Work,
    pub mobility: Mobility,
    pub large: Large,
    /// Whether the cluster at hand is solved without W.
    pub is_large: bool,
    /// Result of the last solve.
    pub last: Option<solver::Info>,
    /// Right-hand sides of the rows of joints in the last solve, and before a closing; by unknown.
    pub wanted: Vec<f64>,
    pub wanted_before: Vec<f64>,
    /// Impulses and aims before a closing.
    pub before: Vec<(f64, f64)>,
    /// Impacts of the active rows, and the share of the step after which the first of them happens.
    pub impact: Vec<Impact>,
    pub moment: f64,
    /// Active rows of closed contacts with the distance to be made up, m; their W and laws.
    pub touching: Vec<Touch>,
    /// Active rows that meet in a round of impacts, with the speed to be made up, m/s.
    pub approaching: Vec<(usize, f64)>,
    pub push_w: Vec<f64>,
    pub blocks_push: Vec<Block>,
    /// x without the bounded rows, of the cluster at hand.
    pub free: Vec<f64>,
    /// Velocity that restitution adds after the poses, and position change (m, rad) that removes penetration; by unknown.
    pub bounce: Vec<f64>,
    pub push: Vec<f64>,
    /// One round of the push.
    pub shift: Vec<f64>,
    /// Limits whose rows were turned for it, with their Jacobians in the step.
    pub turned: Vec<(usize, [f64; 6], [f64; 6])>,
    /// Openings of the joints before it.
    pub phi_base: Vec<f64>,
    /// Jacobians of the step, while those of the new poses are in their place.
    pub jac: Vec<f64>,
    /// Islands on which bounded rows push.
    pub acting: Vec<bool>,
    /// Whether each island has them.
    pub bounced: Vec<bool>,
    pub pushed: Vec<bool>,
    pub tally: Tally,
}

/// What is handed to the sparse solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Large {
    pub dims: Vec<usize>,
    pub is_row: Vec<bool>,
    pub diag: Vec<f64>,
    pub couplings: Vec<Coupling>,
    pub off: Vec<f64>,
    pub b: Vec<f64>,
    /// Zeros, or the right-hand side while it is set aside.
    pub aside: Vec<f64>,
    pub x: Vec<f64>,
    pub sides: Vec<[usize; 2]>,
    pub jac: Vec<f64>,
    pub sigma: Vec<f64>,
    pub c: Vec<f64>,
    pub z: Vec<f64>,
    pub blocks: Vec<Block>,
    /// Of an island: its first block here less its first block in the pattern.
    pub place: Vec<usize>,
    pub work: sparse::Work,
}

/// What an active row does in an impact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Impact {
    /// Normals of contacts and limits; friction and motors do not rebound.
    pub takes_part: bool,
    /// +1 for rows that push up, -1 for those that push down.
    pub sign: f64,
    pub e: f64,
    /// Speed in the sense of the row, m/s (rad/s): that at contact if it meets with speed, else what the law of the step would mend.
    pub u: f64,
    /// Speed that the forces give in a step.
    pub kick: f64,
    /// It met with speed; and it has been thrown back.
    pub meets: bool,
    pub rebounds: bool,
}

/// A contact or limit that is closed after a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Its place among the active rows.
    pub at: usize,
    /// Distance to be made up, m or rad, with the sign of the row.
    pub phi: f64,
    pub law: Block,
}
