//! Settings of a world, with defaults that need no tuning.

use crate::solve::bounded::Method;
use crate::solve::structured::Budget;
use glam::DVec3;

/// What keeps heavy loads on light bodies stable.
///
/// The default needs no thought. Others are for comparison, and are refused with solvers that cannot take their matrix.
/// ```
/// use taut::{Error, Options, Solver, Stabiliser, World};
/// let mut world = World::new();
/// assert_eq!(world.options().stabiliser, Stabiliser::Aligned);
/// let full = Options { stabiliser: Stabiliser::Full, solver: Solver::BlockLdlt, ..Options::default() };
/// assert!(matches!(world.set_options(full), Err(Error::Pairing { stabiliser: "full", .. })));
/// world.set_options(Options { solver: Solver::DenseLu, ..full })?;
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stabiliser {
    /// Nothing: symplectic Euler with linearised constraints.
    None,
    /// Full geometric stiffness, M - h^2 K~ (Tournier 2015; not symmetric). Needs `Solver::DenseLu`.
    Full,
    /// Symmetric part of the geometric stiffness. May be indefinite: needs `Solver::DenseLu` or `Solver::Minres`.
    Symmetric,
    /// The same matrix as `Full`, through its low-rank inverse (Andrews 2017 section 3). Needs `Solver::DenseLu`.
    LowRank,
    /// Adaptive inertial damping (Andrews 2017 section 4.2).
    Inertial(InertialDamping),
    /// Adaptive damping of the constraint rows (Andrews 2017 section 4.3, 4.4); acts on compliant rows only.
    ConstraintSpace {
        /// Distance from the stability boundary, 1 in the paper.
        alpha: f64,
    },
    /// The default: aligned stiffness with memory, energy cap and re-solve.
    Aligned,
}

/// Settings of [`Stabiliser::Inertial`].
///
/// The damping of the paper with a margin, on a light link that holds a ton: the top joint still carries all of it.
/// ```
/// use taut::{Ball, Body, MassProperties, Options, Stabiliser, Vec3, World, settings::InertialDamping};
/// let mut world = World::new();
/// let stabiliser = Stabiliser::Inertial(InertialDamping { theta: 1.0, ..InertialDamping::default() });
/// world.set_options(Options { stabiliser, ..Options::default() })?;
/// let link = MassProperties::cuboid(1000.0, Vec3::new(0.05, 0.1, 0.05))?;
/// let link = world.add(Body::dynamic(link).at(-0.1 * Vec3::Y))?;
/// let load = world.add(Body::particle(1000.0).at(-0.2 * Vec3::Y))?;
/// let top = world.add(Ball::between(link, world.ground()).at(Vec3::ZERO))?;
/// world.add(Ball::between(load, link).at(-0.2 * Vec3::Y))?;
/// world.step(0.01)?;
/// assert!((world.joint(top)?.force().y - 1002.0 * 9.81).abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InertialDamping {
    /// Where damping starts: h^2 k <= 4 alpha m needs none. 1 is the boundary.
    pub alpha: f64,
    /// b = max(0, theta h k - 2 alpha m / h). The paper has 1/2, where the fastest modes sit on the stability
    /// boundary; up to 1 gives a margin.
    pub theta: f64,
    /// Damp rotations only (Andrews 2017 section 5.4).
    pub angular_only: bool,
}

impl Default for InertialDamping {
    fn default() -> Self {
        InertialDamping { alpha: 1.0, theta: 0.5, angular_only: true }
    }
}

/// In which coordinates a world moves. The state is the same in both, so that they can be exchanged between any two steps.
///
/// In reduced coordinates the pivot of a pendulum never opens, to rounding.
/// ```
/// use taut::{Ball, Body, Coordinates, MassProperties, Options, Vec3, World};
/// let mut world = World::new();
/// world.set_options(Options { coordinates: Coordinates::Reduced, ..Options::default() })?;
/// let bob = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(Vec3::X))?;
/// world.add(Ball::between(bob, world.ground()).at(Vec3::ZERO))?;
/// for _ in 0..60 {
///     assert!(world.step(1.0 / 60.0)?.max_gap < 1e-12);
/// }
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Coordinates {
    /// Every body has its own; joints are rows and may open by what one step leaves of them.
    #[default]
    Maximal,
    /// A spanning tree of the joints has coordinates of its own and never opens; joints that close loops stay rows, and are closed at
    /// the end of every step.
    Reduced,
}

impl Coordinates {
    /// Name as used on the command line and in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Coordinates::Maximal => "maximal",
            Coordinates::Reduced => "reduced",
        }
    }
}

/// How the one linear system of a step is solved.
///
/// Another solver gives the same tension of 98.1 N; the report says which one ran.
/// ```
/// use taut::{Body, Distance, Options, Solver, Vec3, World};
/// for (solver, path) in [(Solver::Auto, Solver::BlockLdlt), (Solver::DenseLu, Solver::DenseLu)] {
///     let mut world = World::new();
///     world.set_options(Options { solver, ..Options::default() })?;
///     let load = world.add(Body::particle(10.0).at(-Vec3::Y))?;
///     let rod = world.add(Distance::between(load, world.ground()))?;
///     assert_eq!(world.step(0.01)?.path, path);
///     assert!((world.joint(rod)?.tension() - 98.1).abs() < 1e-9);
/// }
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Solver {
    /// `BlockLdlt` where the matrix allows it, else `DenseLu`.
    #[default]
    Auto,
    /// Block LDL^T of the symmetric system: linear time on trees.
    BlockLdlt,
    /// Dense LU of the whole system (Andrews 2017 Eq. 2): a reference, cubic in time.
    DenseLu,
    /// Dense Cholesky of the reduced system (Andrews 2017 Eq. 3): a reference, cubic in time.
    DenseCholesky,
    /// Matrix-free MINRES with block-diagonal preconditioning.
    Minres,
    /// The step in reduced coordinates alone, solved by the cheapest of the next three, for `Coordinates::Reduced` like them. With
    /// `Stabiliser::Aligned` momentum is carried and joint reactions are stiff, so that it stays stable, and loses energy at large
    /// steps; with `Stabiliser::None` it is RedMax's own step as published, which diverges on light and on taut links. The crate
    /// `taut-redmax` plugs that step in.
    Articulated,
    /// Elimination of reduced coordinates from the leaves to the roots, with the springs between branches: linear time where they
    /// do not fill it.
    Elimination,
    /// Conjugate gradients on reduced coordinates, preconditioned with the projected block diagonal (Baxter 2019).
    Pcg,
    /// The same with as many springs exact in the preconditioner as stay cheap.
    PartialPcg,
    /// Projected Gauss-Seidel on all rows, joints too, as other engines do: for comparison. Dense, so for small scenes.
    Pgs {
        /// Sweeps per solve.
        sweeps: usize,
    },
    /// Faure's structured solution: the acyclic part in linear time, the loops by iterations within a budget per step. With a limit in
    /// iterations or time the step runs without the second order of `Options::resolved`; what was reached is in the report.
    Structured(Budget),
}

/// Settings of a world.
///
/// On the Moon a stone falls by g t^2/2 = 0.81 m in the first second.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// world.set_options(Options { gravity: -1.62 * Vec3::Y, ..Options::default() })?;
/// let stone = world.add(Body::particle(1.0))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(stone)?.position().y + 0.81).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Options {
    /// Acceleration of gravity, m/s^2.
    pub gravity: DVec3,
    /// Coordinates.
    pub coordinates: Coordinates,
    /// Stabiliser.
    pub stabiliser: Stabiliser,
    /// Linear solver.
    pub solver: Solver,
    /// Integrate resolved islands with second order (only with `Aligned`). On by default.
    pub resolved: bool,
    /// Most iterations of `Minres` in one solve.
    pub minres_iterations: usize,
    /// Relative true residual at which `Minres` stops.
    pub minres_tolerance: f64,
    /// How bounded rows (limits, ropes, contacts) are solved.
    pub bounded: Method,
    /// Residual of bounded rows at which that stops, rad/s, and for lengths as a part of the speed that gravity gives in 1/9.81 s: 1 m/s
    /// on Earth. Where a tenth of the size of the smaller body per second is more, that is the speed. 1e-9 is exact for all purposes,
    /// 1e-6 leaves a creep of 1 um/s.
    pub bounded_tolerance: f64,
    /// Bodies that rest on contacts sleep until they are woken. On by default.
    pub sleep: bool,
    /// Independent mechanisms are solved side by side, and contacts of many bodies found, on the threads of the rayon pool that
    /// `World::step` is called in, where that pays; the result is the same to the last bit on any number of threads. Outside a
    /// pool that is rayon's global one, and `ThreadPool::install` limits the threads. On by default; without the crate feature `parallel` it does nothing.
    pub parallel: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            gravity: DVec3::new(0.0, -9.81, 0.0),
            coordinates: Coordinates::Maximal,
            stabiliser: Stabiliser::Aligned,
            solver: Solver::Auto,
            resolved: true,
            minres_iterations: 20_000,
            minres_tolerance: 1e-10,
            bounded: Method::Auto,
            bounded_tolerance: 1e-9,
            sleep: true,
            parallel: true,
        }
    }
}

impl Stabiliser {
    /// Name as used on the command line and in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Stabiliser::None => "none",
            Stabiliser::Full => "full",
            Stabiliser::Symmetric => "symmetric",
            Stabiliser::LowRank => "low-rank",
            Stabiliser::Inertial(_) => "inertial",
            Stabiliser::ConstraintSpace { .. } => "constraint-space",
            Stabiliser::Aligned => "aligned",
        }
    }

    /// Whether M + A can be indefinite or not symmetric.
    pub(crate) fn is_indefinite(&self) -> bool {
        matches!(self, Stabiliser::Full | Stabiliser::Symmetric | Stabiliser::LowRank)
    }
}

impl Solver {
    /// Whether it solves reduced coordinates alone.
    pub fn is_articulated(&self) -> bool {
        matches!(self, Solver::Articulated | Solver::Elimination | Solver::Pcg | Solver::PartialPcg)
    }

    /// Name as used on the command line and in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Solver::Auto => "auto",
            Solver::BlockLdlt => "block-ldlt",
            Solver::DenseLu => "dense-lu",
            Solver::DenseCholesky => "dense-cholesky",
            Solver::Minres => "minres",
            Solver::Articulated => "articulated",
            Solver::Elimination => "elimination",
            Solver::Pcg => "pcg",
            Solver::PartialPcg => "partial-pcg",
            Solver::Pgs { .. } => "pgs",
            Solver::Structured(_) => "structured",
        }
    }
}

impl Options {
    /// Whether they ask for a step in reduced coordinates alone: RedMax's own, as published or in its stable form. The crate
    /// `taut-redmax` plugs it into a world ([`crate::World::attach`]).
    pub fn is_reduced_alone(&self) -> bool {
        let alone = self.stabiliser == Stabiliser::None || self.solver.is_articulated();
        self.coordinates == Coordinates::Reduced && alone
    }

    /// The solver that will run; for a step in reduced coordinates alone the setting, whose choice only the report knows.
    pub fn path(&self) -> Solver {
        match self.solver {
            s if self.is_reduced_alone() => s,
            Solver::Auto if self.stabiliser.is_indefinite() => Solver::DenseLu,
            Solver::Auto => Solver::BlockLdlt,
            s => s,
        }
    }
}
