//! Trees of bodies in joint coordinates, as matrices: links, blocks, couplings; no bodies and no joints.
//!
//! ```text
//! (J^T H J + A) y = b + J^T w          v = J y:   v_i = X_i v_p + S_i y_i   (p the parent; v_p = 0 at a root)
//! X_i   shift by the arm r = c_i - c_p:  lin_i = lin_p + ang_p x r,  ang_i = ang_p;   X^T: ang_p += ang + r x lin
//! H     = blkdiag(h_i) + sum over pairs (i, j) of g g^T  (g = (g_i, g_j), up to three per pair, weight inside)
//!                      + general couplings H_ij          (their diagonal share is the caller's, in h)
//! A     = blkdiag(k x k) on the joints: joint springs and dampers
//! b, w  right-hand sides in joint space and as wrenches on the bodies
//! ```
//!
//! World axes, linear before angular, everything at the centre of its body, so that X is one arm and S, H need no turning.
//! With Y = the solve, the joint velocities y and the body velocities v come together.
//!
//! The direct path is the leaf-first elimination of `eliminate` in an order of `symbolic` (without couplings: Baxter,
//! RedMax, Alg. 4), the iterative one the conjugate gradients of `pcg`; `choose` takes the cheaper. Loop rows are added on
//! top by `loops`; `mobility` hands the rows of limits and contacts to those who solve them. `explicit` forms the matrix for others.

pub mod choose;
mod dual;
pub mod eliminate;
pub mod explicit;
mod fault;
pub mod loops;
mod mobility;
pub mod pcg;
pub mod product;
mod spatial;
mod sweep;
pub mod symbolic;

pub use choose::{History, Info, Path, Solver};
pub use fault::Fault;
pub use loops::{LoopReport, Loops, Rows};
pub use sweep::Work;

use glam::DVec3;

/// No link: the ground.
pub const NONE: usize = usize::MAX;

/// Six numbers of a body, linear before angular: a velocity (m/s, rad/s), a wrench (N, N m; or an impulse), a row.
pub type Twist = [f64; 6];

/// One body of a tree; parents come before their children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The body it hangs on; [`NONE`] at a root.
    pub parent: usize,
    /// Number of joint velocities, 0 to 6.
    pub dofs: usize,
}

/// Two bodies that something couples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// First body.
    pub i: usize,
    /// Second body; [`NONE`] is the ground.
    pub j: usize,
    /// Number of terms g g^T, 0 to 3. All are positive semi-definite.
    pub rank: usize,
    /// Whether there is a general 6 x 6 coupling H_ij as well.
    pub block: bool,
}

/// Which links there are and what couples them: all that stays the same between steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    links: Vec<Link>,
    pairs: Vec<Pair>,
    dof: Vec<usize>,
    square: Vec<usize>,
    term: Vec<usize>,
    block: Vec<usize>,
    carrier: Vec<usize>,
    fixed: Vec<bool>,
}

impl Structure {
    /// Checks the links and pairs and lays out their values.
    pub fn new(links: Vec<Link>, pairs: Vec<Pair>) -> Result<Self, Fault> {
        let mut s = Structure { dof: vec![0], square: vec![0], term: vec![0], block: vec![0], ..Default::default() };
        for (i, l) in links.iter().enumerate() {
            if l.parent != NONE && l.parent >= i {
                return Err(Fault::Parent { link: i, parent: l.parent });
            }
            if l.dofs > 6 {
                return Err(Fault::Dofs { link: i, dofs: l.dofs });
            }
            s.dof.push(s.dof[i] + l.dofs);
            s.square.push(s.square[i] + l.dofs * l.dofs);
            let on_ground = l.parent == NONE || s.fixed[l.parent];
            s.fixed.push(on_ground && l.dofs == 0);
            s.carrier.push(if on_ground { NONE } else { l.parent });
        }
        let n = links.len();
        for (at, p) in pairs.iter().enumerate() {
            if p.i >= n || (p.j >= n && p.j != NONE) || p.rank > 3 || (p.block && p.j == p.i) {
                return Err(Fault::Pair { pair: at, i: p.i, j: p.j, rank: p.rank, links: n });
            }
            s.term.push(s.term[at] + p.rank);
            s.block.push(s.block[at] + usize::from(p.block));
        }
        s.links = links;
        s.pairs = pairs;
        Ok(s)
    }

    /// The links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The pairs.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Number of links.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether there are no links.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Number of joint velocities.
    pub fn dofs(&self) -> usize {
        self.dof[self.len()]
    }

    /// Joint velocities of link i: `y[dof(i)..dof(i) + k]`, and its columns of S in [`Values::s`].
    #[inline]
    pub fn dof(&self, i: usize) -> usize {
        self.dof[i]
    }

    /// First entry of the k x k joint matrix of link i in [`Values::joint`], row-major.
    #[inline]
    pub fn square(&self, i: usize) -> usize {
        self.square[i]
    }

    /// First term of a pair in [`Values::terms`].
    #[inline]
    pub fn term(&self, pair: usize) -> usize {
        self.term[pair]
    }

    /// The general coupling of a pair in [`Values::blocks`] (if it has one).
    #[inline]
    pub fn block(&self, pair: usize) -> usize {
        self.block[pair]
    }

    /// Parent of link i, [`NONE`] where that is the ground or a link that cannot move.
    #[inline]
    pub(crate) fn carrier(&self, i: usize) -> usize {
        self.carrier[i]
    }

    /// Whether link i cannot move: only joints without freedom between it and the ground.
    #[inline]
    pub fn fixed(&self, i: usize) -> bool {
        self.fixed[i]
    }

    /// The two bodies of a pair as far as they move.
    pub(crate) fn ends(&self, pair: usize) -> (usize, usize) {
        let moving = |b: usize| if b == NONE || self.fixed[b] { NONE } else { b };
        (moving(self.pairs[pair].i), moving(self.pairs[pair].j))
    }
}

/// The numbers of a problem; refilled every step, with lengths fixed by the structure ([`Values::new`]).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Arm c_i - c_p of each link, m. Not read at a root.
    pub arm: Vec<DVec3>,
    /// Columns of S, each a twist at the centre of its body: link i has `s[dof(i)..dof(i + 1)]`.
    pub s: Vec<Twist>,
    /// Block of each body, 6 x 6, row-major, symmetric (only the upper triangle is read), kg, kg m, kg m^2.
    pub h: Vec<[f64; 36]>,
    /// Joint matrices, k x k each, row-major, symmetric (only the lower triangle is read).
    pub joint: Vec<f64>,
    /// Terms g = (g_i, g_j) of the pairs, weight inside: g g^T is added to H.
    pub terms: Vec<[f64; 12]>,
    /// General couplings H_ij, row-major, rows of body i: H_ij and its transpose H_ji are added to H.
    pub blocks: Vec<[f64; 36]>,
}

impl Values {
    /// All zero, with the lengths of a structure.
    pub fn new(s: &Structure) -> Self {
        let n = s.len();
        Values {
            arm: vec![DVec3::ZERO; n],
            s: vec![[0.0; 6]; s.dofs()],
            h: vec![[0.0; 36]; n],
            joint: vec![0.0; s.square[n]],
            terms: vec![[0.0; 12]; s.term[s.pairs.len()]],
            blocks: vec![[0.0; 36]; s.block[s.pairs.len()]],
        }
    }

    /// Lengths as the structure asks.
    pub(crate) fn check(&self, s: &Structure) -> Result<(), Fault> {
        let (n, pairs) = (s.len(), s.pairs.len());
        fault::length("arm", self.arm.len(), n)?;
        fault::length("s", self.s.len(), s.dofs())?;
        fault::length("h", self.h.len(), n)?;
        fault::length("joint", self.joint.len(), s.square[n])?;
        fault::length("terms", self.terms.len(), s.term[pairs])?;
        fault::length("blocks", self.blocks.len(), s.block[pairs])
    }
}

/// A right-hand side b + J^T w; an empty slice is zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load<'a> {
    /// b, one number per joint velocity.
    pub joint: &'a [f64],
    /// w, one wrench per body, at its centre.
    pub body: &'a [Twist],
}

impl Load<'_> {
    pub(crate) fn check(&self, s: &Structure) -> Result<(), Fault> {
        if !self.joint.is_empty() {
            fault::length("load.joint", self.joint.len(), s.dofs())?;
        }
        if !self.body.is_empty() {
            fault::length("load.body", self.body.len(), s.len())?;
        }
        Ok(())
    }
}

/// A solution; its memory is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Joint velocities.
    pub y: Vec<f64>,
    /// Velocity of each body at its centre, v = J y.
    pub v: Vec<Twist>,
}

impl Motion {
    /// Lengths of a structure; new entries are zero.
    pub fn resize(&mut self, s: &Structure) {
        self.y.resize(s.dofs(), 0.0);
        self.v.resize(s.len(), [0.0; 6]);
    }
}

/// What becomes of the couplings of a pair in a matrix. All three keep it positive definite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Treatment {
    /// All of it.
    #[default]
    Exact,
    /// The diagonal blocks g_i g_i^T and g_j g_j^T alone.
    Diagonal,
    /// Nothing.
    Out,
}
