//! Rows whose force is bounded: limits, motors with a force limit, joint friction, ropes, contacts with friction.
//!
//! They do not enter the factorised matrix. With K = [A J^T; J -Sigma] factorised island by island, Ju the bounded rows and z their
//! impulses,
//! ```text
//! x = x_free + K^-1 Ju^T z,     w = Ju v+ + Sigma z - b = W z + q,     W = Ju K^-1 Ju^T + Sigma,     q = Ju v_free - b
//! box row     lo <= z <= hi, w = 0 between, w >= 0 at lo, w <= 0 at hi
//! contact     0 <= zn _|_ wn >= 0,  zt minimises zt.wt over the ellipse (zt1/mu1)^2 + (zt2/mu2)^2 <= zn^2
//! ```
//! so joints stay exact however the bounded rows converge (Andrews 2017 Eq. 3; spec of the laws: Tournier 2015 section 3.3).
//! Islands that share a bounded row are a cluster; the rest run as if there were none.
//!
//! A row is a candidate when it could act within the step, and active when it does: candidates that the solution without them would
//! break are taken in and the solve repeated, so that W stays small.

pub(crate) mod accuracy;
pub(crate) mod all_rows;
pub(crate) mod bounce;
pub(crate) mod gather;
pub(crate) mod impacts;
pub(crate) mod large;
pub(crate) mod mobility;
pub(crate) mod push;

use crate::constraint::{Primitive, Side};
use crate::joints::{Bound, BoundSpec};
use crate::math::so3::outer;

use crate::solve::bounded::{self as solver, Block};
use crate::topology::{KAPPA, NONE, Topology};
use crate::workspace::{Kin, Workspace};
use glam::DMat3;
use std::ops::Range;

/// Below this slope the position of a leaning or swinging angle has no useful direction.
const STEEP: f64 = 1e-3;

/// Where a bounded row of a joint is: its position (m, rad) and the Jacobian of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub q: f64,
    pub ji: [f64; 6],
    pub jj: [f64; 6],
}

/// Position and Jacobian of a bounded row of a joint.
pub(crate) fn measure(spec: &BoundSpec, i: &Side, j: &Side) -> Measured {
    let e = spec.primitive.eval(i, j);
    // The ends of a rope that meet have no direction between them.
    if !e.ji[0].iter().chain(&e.jj[0]).all(|x| x.is_finite()) {
        return Measured { q: spec.freedom.position(e.phi[0]), ji: [0.0; 6], jj: [0.0; 6] };
    }
    let slope = spec.freedom.slope(e.phi[0]);
    let per = if slope.abs() < STEEP { 0.0 } else { 1.0 / slope };
    Measured { q: spec.freedom.position(e.phi[0]), ji: e.ji[0].map(|x| per * x), jj: e.jj[0].map(|x| per * x) }
}

/// How far a position is beyond a limit: negative below the lower one, positive above the upper one. Angles are taken nearest to the
/// middle of their range.
pub(crate) fn beyond(spec: &BoundSpec, q: f64) -> f64 {
    let Bound::Limit { lower, upper, .. } = spec.bound else { return 0.0 };
    let q = unwind(spec, q);
    (q - upper).max(0.0) + (q - lower).min(0.0)
}

/// A turn nearest to the middle of its limits.
pub(crate) fn unwind(spec: &BoundSpec, q: f64) -> f64 {
    use crate::joints::Freedom;
    let Bound::Limit { lower, upper, .. } = spec.bound else { return q };
    if !matches!(spec.freedom, Freedom::Turn | Freedom::Twist) {
        return q;
    }
    let middle = 0.5 * (lower + upper);
    q + std::f64::consts::TAU * ((middle - q) / std::f64::consts::TAU).round()
}

/// Energy stored in the compliance of a limit, J.
pub(crate) fn stored(spec: &BoundSpec, q: f64, stretch: f64) -> f64 {
    match spec.bound {
        Bound::Limit { soft, .. } if soft.compliance > 0.0 && soft.compliance.is_finite() => {
            crate::report::stored(soft.compliance, beyond(spec, q), stretch)
        }
        _ => 0.0,
    }
}

/// Adds the stiffness of swing and lean limits, like that of the moments of joints.
pub(crate) fn stiffen(t: &Topology, candidates: Range<usize>, h: f64, ws: &mut Workspace) {
    for c in &ws.bounded.candidates[candidates] {
        let Origin::Joint { bound, .. } = c.origin else { continue };
        let b = &t.bounds[bound];
        let leans = matches!(b.spec.primitive, Primitive::Dot1 { .. });
        let row = &ws.bounded.rows[c.row];
        let moment = ws.rows.lambda[t.row_count + bound];
        if !leans || moment == 0.0 {
            continue;
        }
        let axis = crate::system::kkt::vec3(if row.i != NONE { &row.ji } else { &row.jj }, 3);
        let n = axis.normalize_or_zero();
        let s = (DMat3::IDENTITY - outer(n, n)) * (h * h * KAPPA * moment.abs());
        for (node, _) in row.sides() {
            if t.nodes[node].dim == 6 {
                ws.added[node] += s;
            }
        }
    }
}

/// Positions of all bounded rows of joints at some poses, into the places after the rows of blocks.
pub(crate) fn evaluate(t: &Topology, kin: &[Kin], phi: &mut [f64]) {
    for (k, b) in t.bounds.iter().enumerate() {
        let e = b.spec.primitive.phi(&kin[b.i].side(), &kin[b.j].side());
        phi[t.row_count + k] = b.spec.freedom.position(e[0]);
    }
}

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

/// One bounded row: w = J x + drive + sigma z - b.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Nodes, or NONE.
    pub i: usize,
    pub j: usize,
    pub ji: [f64; 6],
    pub jj: [f64; 6],
    /// Velocity by bodies without unknowns, m/s or rad/s.
    pub drive: f64,
    pub sigma: f64,
    /// Wanted velocity without the second order, m/s or rad/s, and the part of it that the closing adds.
    pub b: f64,
    pub aim: f64,
    /// Distance or position beyond its bound, m or rad, with the sign of the row.
    pub phi: f64,
    /// Impulse, N s or N m s.
    pub z: f64,
    /// Place among the active rows of its cluster, or NONE.
    pub at: usize,
}

impl Default for Row {
    fn default() -> Self {
        Row {
            i: NONE,
            j: NONE,
            ji: [0.0; 6],
            jj: [0.0; 6],
            drive: 0.0,
            sigma: 0.0,
            b: 0.0,
            aim: 0.0,
            phi: 0.0,
            z: 0.0,
            at: NONE,
        }
    }
}

impl Row {
    /// Nodes it acts on, with their Jacobians.
    #[inline]
    pub fn sides(&self) -> impl Iterator<Item = (usize, &[f64; 6])> {
        [(self.i, &self.ji), (self.j, &self.jj)].into_iter().filter(|s| s.0 != NONE)
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
    pub mobility: mobility::Mobility,
    pub large: large::Large,
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
    pub impact: Vec<impacts::Impact>,
    pub moment: f64,
    /// Active rows of closed contacts with the distance to be made up, m; their W and laws.
    pub touching: Vec<push::Touch>,
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
