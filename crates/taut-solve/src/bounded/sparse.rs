//! Bounded rows of large clusters: the problem of the dense solvers beside this module, without ever forming W.
//!
//! ```text
//! K x = b + Ju^T z,    w = Ju x + Sigma z - c,    z and w bound by the laws of their blocks (box, contact)
//! K = [ A  Jb^T; Jb  -Sigma_b ]    nodes (3 or 6 wide) and joint rows, symmetric quasi-definite; x = (v, -impulses of the joints)
//! ```
//! In the canonical coordinates of `canon`, with J the scaled rows of Ju, W = J K^-1 J^T + Sigma is only ever multiplied: one
//! solve with the factor of K, whose islands are the joint islands (free bodies: the inverse of their mass). A Newton step
//! `(I + D (k W + m I)) d = g` of the laws with derivative D is a sparse system over nodes and joint rows (`newton`).
//!
//! | file | what |
//! |---|---|
//! | `degree`, `order`, `layout` | elimination order with the bounded rows as edges, pattern, places; kept while the pairs stay |
//! | `system` | canonical rows, the factor of K, products with W, the residual |
//! | `inverse` | the diagonal blocks of W |
//! | `sweep` | exact block sweeps in velocity space |
//! | `newton` | the sparse Newton step |
//! | `driver` | which of them when |

mod assemble;
mod degree;
mod driver;
mod inverse;
mod layout;
mod lent;
mod newton;
mod order;
mod sweep;
mod system;

use super::Block;
pub(super) use newton::SparseNewton;
pub(super) use system::System;

/// A side of a bounded row that has no unknowns.
pub const GROUND: usize = usize::MAX;

/// A coupling of two blocks of the base matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// Its rows, a block.
    pub a: usize,
    /// Its columns, another block.
    pub b: usize,
    /// First of its values in [`Matrix::off`], row-major over the scalars of `a` and `b`.
    pub at: usize,
}

/// The base matrix K, in any order of blocks, as it is before the factorisation.
///
/// To fill it from joint islands laid out by `Pattern` and assembled into `BlockLdlt`: append the `dims`, signs and slices of
/// `diag` and `off` of each island as they are (both are contiguous), and one coupling for each entry of the pattern that is
/// no fill, with `at` moved by the island's start. The list of couplings changes with the topology only and can be kept.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    /// Scalars of each block: 3 or 6 for a node, at most 12 for the rows of a joint.
    pub dims: &'a [usize],
    /// Whether a block is the rows of a joint.
    pub is_row: &'a [bool],
    /// Diagonal blocks one after another, row-major, symmetric.
    pub diag: &'a [f64],
    /// Couplings, each pair of blocks at most once.
    pub couplings: &'a [Coupling],
    /// Their values.
    pub off: &'a [f64],
}

/// A problem with its laws.
#[derive(Clone, Copy, Debug)]
pub struct SparseProblem<'a> {
    /// The base matrix.
    pub matrix: Matrix<'a>,
    /// Right-hand side without bounded impulses, block after block.
    pub b: &'a [f64],
    /// Laws, in the order of the rows.
    pub blocks: &'a [Block],
    /// The two nodes of each law, or [`GROUND`].
    pub sides: &'a [[usize; 2]],
    /// Twelve values per row: six over the first side, six over the second; those beyond a side's width are not read.
    pub jac: &'a [f64],
    /// Compliance of each row, (m/s)/(N s), not negative.
    pub sigma: &'a [f64],
    /// Wanted velocity of each row, m/s.
    pub c: &'a [f64],
    /// Velocity of each row that counts as one in residuals, m/s or rad/s; all one when empty.
    pub unit: &'a [f64],
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseParams {
    /// Accepted residual, natural map, in the units of the rows.
    pub tolerance: f64,
    /// Above this residual the solution of the associated cone problem replaces the best point. It lifts every sliding
    /// contact by its friction times its speed, which is mostly worse than a residual of millimetres per second.
    pub accept: f64,
    /// Most Newton steps.
    pub max_iterations: usize,
    /// After so many Newton steps such a residual is good enough; the result then says that it has not converged.
    pub easier: [(usize, f64); 4],
}

impl Default for SparseParams {
    fn default() -> Self {
        SparseParams { tolerance: 1e-9, accept: 1e-2, max_iterations: 400, easier: [(usize::MAX, 0.0); 4] }
    }
}

/// What a solve did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SparseInfo {
    /// Natural map at the returned point, in the units of the rows; infinite for input that cannot be used.
    pub residual: f64,
    /// The residual is within the tolerance or within rounding.
    pub converged: bool,
    /// The returned point is the solution of the associated cone problem.
    pub convex: bool,
    /// Newton steps.
    pub iterations: usize,
    /// Sweeps over all rows.
    pub sweeps: usize,
    /// Sparse factorisations, symmetric and unsymmetric.
    pub factors: [usize; 2],
    /// Products with W.
    pub products: usize,
    /// Products of blocks in all factorisations; a measure of cost that does not depend on the machine.
    pub block_products: usize,
    /// Whether the order and the pattern were found anew.
    pub new_layout: bool,
}

pub use driver::Work;

/// Solves the problem. `z` is the warm start (N s; entries that are not finite count as 0) and becomes the solution, always within
/// its bounds and cones; `x` becomes the velocities and (negative) joint impulses that belong to it. Input that cannot be
/// used (lengths that do not fit, entries that are not finite, a base matrix that is not quasi-definite) gives the impulse nearest
/// to zero, x = 0 and an infinite residual.
pub fn solve(
    p: &SparseProblem<'_>,
    params: &SparseParams,
    z: &mut [f64],
    x: &mut [f64],
    work: &mut Work,
) -> SparseInfo {
    driver::solve(p, params, z, x, work)
}
