//! The bounded rows of a step, and the memory to solve them.

use crate::delassus::{Acted, Mobility, RowList};
use crate::solve::bounded::heap::Heap;
use crate::solve::bounded::sparse::{self, Coupling};
use crate::solve::bounded::{self as solver, Block};
use crate::solve::paths::Paths;
use crate::topology::Topology;
use glam::DMat3;
use std::ops::Range;

/// What a block of bounded rows belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Origin {
    /// `Topology::bounds`; a limit has one block for each side that is near.
    Joint { bound: usize, upper: bool },
    /// `Topology::couplings`.
    Coupling(usize),
    /// `Topology::segments`.
    Rope(usize),
    /// `Topology::twists`.
    Twist(usize),
    /// `Topology::spans`, whose guides must not come nearer: along the rope, or because their centres would.
    Blocked { span: usize, centres: bool },
    /// `Topology::segments`, one of whose drums winds no more.
    Full(usize),
    /// The contacts of the step.
    Contact(usize),
    /// The top speed of a node.
    Speed { node: usize },
    /// A row of a joint's block, when sweeps run over all rows.
    Block { group: usize, row: usize },
}

impl Origin {
    /// Its row in the row arrays; none for contacts, and for rows of blocks, which are there by themselves.
    #[inline]
    pub fn row(self, t: &Topology) -> Option<usize> {
        match self {
            Origin::Joint { bound, .. } => Some(t.row_count + bound),
            Origin::Coupling(k) => Some(t.coupling_row(k)),
            Origin::Rope(k) => Some(t.segment_row(k)),
            Origin::Twist(k) => Some(t.twist_row(k)),
            Origin::Blocked { .. } | Origin::Full(_) | Origin::Contact(_) => None,
            Origin::Speed { .. } | Origin::Block { .. } => None,
        }
    }
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
        self.row..self.row + self.law.rows()
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
    /// Clusters in motion that were swept within a budget.
    pub hurried: usize,
    /// Largest velocity by which rows of joints miss their aim, m/s (rad/s).
    pub joints: f64,
    /// Active rows of all clusters, and of the largest one.
    pub rows: usize,
    pub largest: usize,
}

#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
impl Tally {
    /// Takes in that of other systems; the order does not matter.
    pub fn add(&mut self, t: &Tally) {
        // All fields by name: a new one must be added here too.
        let Tally { residual, iterations, sweeps, solves, unconverged, convex, hurried, joints, rows, largest } = *t;
        self.residual = self.residual.max(residual);
        self.iterations += iterations;
        self.sweeps += sweeps;
        self.solves += solves;
        self.unconverged += unconverged;
        self.convex += convex;
        self.hurried += hurried;
        self.joints = self.joints.max(joints);
        self.rows += rows;
        self.largest = self.largest.max(largest);
    }
}

/// The bounded rows that could act in a step, and the clusters they make of the islands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// By cluster, and inside a cluster in the order of their ids.
    pub list: Vec<Candidate>,
    pub rows: RowList,
    /// Of these the first `cluster_count` are in use.
    pub clusters: Vec<Cluster>,
    pub cluster_count: usize,
    /// Cluster of each island, or NONE.
    pub cluster_of: Vec<usize>,
    /// Scratch of `bounded::gather`.
    pub number: Vec<usize>,
    pub acted: Vec<Acted>,
}

impl Candidates {
    /// Clusters in use.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters[..self.cluster_count]
    }
}

/// The bounded rows of a step as they are solved, and the memory to solve them. Written by `passes::cluster` and `bounded`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounded {
    pub set: Set,
    pub active: Active,
    pub delassus: Delassus,
    pub large: Large,
    pub aims: Aims,
    pub bounce: Bounce,
    pub push: Push,
    pub crowd: Crowd,
    /// Result of the last solve.
    pub last: Option<solver::Info>,
    /// Islands on which bounded rows push.
    pub acting: Vec<bool>,
    pub tally: Tally,
}

/// Those of the step (`Candidates`), with what the solve has made of them: impulses, bounds, which are active.
#[derive(Clone, Debug, Default)]
pub(crate) struct Set {
    pub candidates: Vec<Candidate>,
    pub rows: RowList,
}

/// The active set of the cluster at hand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Active {
    /// Rows, and the laws of their blocks.
    pub rows: Vec<usize>,
    pub blocks: Vec<Block>,
    /// Whether the cluster is solved without W.
    pub is_large: bool,
}

/// The Delassus operator W of the active rows, and the problem 0 <= z _|_ W z + q >= 0 in their cones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delassus {
    pub w: Vec<f64>,
    pub q: Vec<f64>,
    pub unit: Vec<f64>,
    pub z: Vec<f64>,
    pub work: solver::Work,
    pub mobility: Mobility,
    /// W of some of the active rows, and their laws.
    pub part: Vec<f64>,
    pub blocks: Vec<Block>,
}

/// What the rows aim at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aims {
    /// Right-hand sides of the rows of joints in the last solve, and before a closing; by unknown.
    pub wanted: Vec<f64>,
    pub wanted_before: Vec<f64>,
    /// Impulses and aims of the bounded rows before a closing.
    pub before: Vec<(f64, f64)>,
}

/// Restitution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounce {
    /// x without the bounded rows, of the cluster at hand.
    pub free: Vec<f64>,
    /// Impacts of the active rows, and the share of the step after which the first of them happens.
    pub impact: Vec<Impact>,
    pub moment: f64,
    /// Speed that couplings add to each active row, m/s (rad/s), and W with them held; empty without couplings.
    pub held: Vec<f64>,
    pub w: Vec<f64>,
    /// Active rows that meet in a round of impacts, with the speed to be made up, m/s.
    pub approaching: Vec<(usize, f64)>,
    /// Change of the velocities by one round of impacts without W; by unknown.
    pub round: Vec<f64>,
    /// Velocity that restitution adds after the poses, by unknown, and whether each island has any.
    pub velocity: Vec<f64>,
    pub bounced: Vec<bool>,
}

/// Changes of positions that remove penetration and close joints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Push {
    /// By unknown, m/s and rad/s for a step, and whether each island has any.
    pub velocity: Vec<f64>,
    pub pushed: Vec<bool>,
    /// One round of it.
    pub shift: Vec<f64>,
    /// Active rows of closed contacts with the distance to be made up, m.
    pub touching: Vec<Touch>,
    /// Limits whose rows were turned for it, with their Jacobians in the step.
    pub turned: Vec<(usize, [f64; 6], [f64; 6])>,
    /// Openings of the joints before it.
    pub phi_base: Vec<f64>,
}

impl Bounded {
    /// Starts a step of a layout with so many islands.
    pub fn begin(&mut self, islands: usize, unknowns: usize, of: &Candidates) {
        for flags in [&mut self.acting, &mut self.bounce.bounced, &mut self.push.pushed] {
            flags.clear();
            flags.resize(islands, false);
        }
        self.tally = Tally::default();
        self.set.candidates.clone_from(&of.list);
        self.set.rows.copy(&of.rows);
        if of.list.is_empty() {
            return;
        }
        for v in [&mut self.bounce.velocity, &mut self.bounce.free, &mut self.push.velocity, &mut self.push.shift] {
            v.resize(unknowns, 0.0);
        }
    }
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
    pub unit: Vec<f64>,
    pub z: Vec<f64>,
    pub blocks: Vec<Block>,
    /// Rows that were added, and those that are in the matrix.
    pub listed: Vec<usize>,
    pub held: Vec<usize>,
    /// Of an island: its first block here less its first block in the pattern.
    pub place: Vec<usize>,
    pub work: sparse::Work,
}

/// A large cluster in motion, for sweeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    pub heap: Heap,
    /// Number of each node in the heap, or `GROUND`; island and node of those that have one.
    pub local: Vec<u32>,
    pub touched: Vec<(usize, usize)>,
    /// One over the mass of each node without joints, and the inverse of its inertia; zero for the others.
    pub inverse: Vec<(f64, DMat3)>,
    /// Height and candidates of the pairs in contact.
    pub order: Vec<(f64, usize, usize)>,
    pub laws: Vec<Block>,
    pub paths: Paths,
    /// Islands whose stiffness is to be found, by forces that have jumped.
    pub stale: Vec<bool>,
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
    /// Speed that counts as one.
    pub unit: f64,
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
