//! Bounded rows with a dense matrix: limits, motors, ropes (boxes) and contacts with Coulomb friction (elliptic cones).
//!
//! ```text
//! w = W z + q        W symmetric, positive semi-definite, often singular
//! box      lo <= z <= hi,   z = lo => w >= 0,   z = hi => w <= 0,   between => w = 0
//! contact  0 <= zn _|_ wn >= 0,   zt minimises zt . wt over (zt1 / mu1)^2 + (zt2 / mu2)^2 <= zn^2
//! rope     tensions T = -z of spans in a row, T' <= kappa T and T <= kappa' T' at the guides between them (`chain`)
//! ```
//!
//! z are impulses, w velocities. The residual is the natural map in units that the caller gives for each row (1 m/s, 1 rad/s), largest entry
//! (`canon`).
//! With friction there may be several solutions; the warm start and the order of the rows choose among them.

mod active_set;
mod block3;
mod canon;
mod chain;
mod convex;
mod driver;
pub mod heap;
mod law;
mod mprgp;
mod newton;
mod pivoting;
mod polish;
mod prox;
mod reduced;
pub mod sparse;
mod sweep;

use canon::Canon;
use driver::{Count, Hybrid};

/// One or three consecutive rows with their law. Blocks cover the rows of a problem in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Block {
    /// One row, lo <= z <= hi (N s); bounds may be infinite.
    Box {
        /// Smallest impulse, N s.
        lo: f64,
        /// Largest impulse, N s.
        hi: f64,
    },
    /// Three rows: normal, two tangents; the friction stays in an ellipse with the half axes mu zn.
    Contact {
        /// Friction coefficient along each tangent; 0 is no friction along it.
        mu: [f64; 2],
    },
    /// One row: a span of a rope with friction at its guides, z <= 0. It can only pull, with its tension T = -z. Consecutive blocks with a
    /// guide before them belong to one rope.
    Span {
        /// How much tighter the rope may be after the guide before this span than before it, and before it than after it, both at least 1;
        /// none for the first span of a rope.
        over: Option<[f64; 2]>,
    },
}

impl Block {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Block::Box { .. } | Block::Span { .. } => 1,
            Block::Contact { .. } => 3,
        }
    }
}

/// A problem w(z) = W z + q with the laws of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// W, n * n, row-major, symmetric positive semi-definite, (m/s)/(N s).
    pub w: &'a [f64],
    /// Velocities without impulses, m/s.
    pub q: &'a [f64],
    /// The laws, covering the n rows in order.
    pub blocks: &'a [Block],
    /// Velocity of each row that counts as one in residuals, m/s or rad/s; all one when empty.
    pub unit: &'a [f64],
}

/// Which algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Method {
    /// Pivoting, convex Newton or the hybrid, by the kind of problem.
    #[default]
    Auto,
    /// The hybrid: exact block sweeps, Newton on the natural map, proximal Newton.
    Newton,
    /// Block principal pivoting; problems with friction and problems it cannot solve go to the hybrid.
    Pivoting,
    /// Conjugate gradients with the bounds checked inside the iteration, MPRGP behind it; friction goes to the hybrid.
    ActiveSet,
    /// Projected Gauss-Seidel with exact blocks, for comparison.
    Pgs {
        /// Sweeps over all rows.
        sweeps: usize,
    },
    /// The associated cone problem by proximal Newton: always solvable, but sliding contacts are lifted.
    Convex,
}

impl Method {
    /// Name as used on the command line and in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Newton => "newton",
            Method::Pivoting => "pivoting",
            Method::ActiveSet => "active-set",
            Method::Pgs { .. } => "pgs",
            Method::Convex => "convex",
        }
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// The algorithm.
    pub method: Method,
    /// Accepted residual, natural map, in the units of the rows.
    pub tolerance: f64,
    /// Above this residual the convex solution, if it is found to this residual of its own, replaces the best point
    /// of the hybrid.
    pub accept: f64,
    /// Most Newton steps, pivots or conjugate gradient steps.
    pub max_iterations: usize,
}

impl Default for Params {
    fn default() -> Self {
        Self { method: Method::Auto, tolerance: 1e-9, accept: 1e-4, max_iterations: 1000 }
    }
}

/// What a solve did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
    /// Natural map of the law with Coulomb friction at the returned point, in the units of the rows; infinite for input that is not finite.
    pub residual: f64,
    /// Newton steps, pivots or conjugate gradient steps.
    pub iterations: usize,
    /// Sweeps over all rows.
    pub sweeps: usize,
    /// The residual is within the tolerance or within rounding.
    pub converged: bool,
    /// The returned point is the solution of the associated cone problem.
    pub convex: bool,
    /// The method that gave the returned point.
    pub method: Method,
}

/// Memory of a solve, kept between solves.
#[derive(Clone, Debug, Default)]
pub struct Work {
    canon: Canon,
    hybrid: Hybrid,
    boxes: pivoting::BoxWork,
    active: active_set::ActiveSet,
    unfolded: chain::Unfolded,
    reduced: reduced::Reduced,
    count: Count,
}

impl Work {
    /// Floating-point operations of the last solve: 2 n^2 for a product or a sweep, 2/3 m^3 for a factorisation.
    pub fn flops(&self) -> f64 {
        self.count.flops
    }
}

/// Solves the problem. `z` is the warm start (N s; entries that are not finite count as 0) and becomes the solution,
/// which is always within its bounds and cones. Slices of wrong length and entries that are not finite give the impulse
/// nearest to zero and an infinite residual.
pub fn solve(p: &Problem<'_>, params: &Params, z: &mut [f64], work: &mut Work) -> Info {
    driver::solve(p, params, z, work)
}

/// The natural-map residual at `z`, in the units of the rows; infinite for slices of wrong length and entries that are not finite.
pub fn residual(p: &Problem<'_>, z: &[f64], work: &mut Work) -> f64 {
    chain::residual(p, z, work)
}
