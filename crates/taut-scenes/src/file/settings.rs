//! Settings of the world and of the run.

use super::error::{At, FileError, Path};
use super::follow::Follow;
use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taut::{Options, settings::BoundedMethod, settings::Budget, settings::InertialDamping};

/// Settings of the world; every default is the engine's.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Acceleration of gravity, m/s^2. Default: [0, -9.81, 0].
    #[serde(default)]
    pub gravity: Option<Triple<MetrePerSecond2>>,
    /// In which coordinates the world moves. Default: maximal.
    #[serde(default)]
    pub coordinates: Option<Coordinates>,
    /// What keeps heavy loads on light bodies stable: a name, or an object with `type` and options. Default: aligned.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::stabiliser"))]
    pub stabiliser: Stabiliser,
    /// Linear solver: a name, or an object with `type` and options. Default: auto.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::solver"))]
    pub solver: Solver,
    /// Whether islands that resolve their own motion are integrated with second order (stabiliser aligned). Default: true.
    #[serde(default)]
    pub resolved: Option<bool>,
    /// Most iterations of solver minres in one solve.
    #[serde(default)]
    pub minres_iterations: Option<usize>,
    /// Relative residual at which solver minres stops.
    #[serde(default)]
    pub minres_tolerance: Option<Number<One>>,
    /// How rows with bounds (limits, ropes, friction) are solved: a name, or an object with `type` and options. Default: auto.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::bounded"))]
    pub bounded: Bounded,
    /// Residual of rows with bounds at which that stops, m/s (rad/s). Default: 1e-9.
    #[serde(default)]
    pub bounded_tolerance: Option<Number<MetrePerSecond>>,
    /// Whether bodies that rest on contacts sleep until they are woken. Default: true.
    #[serde(default)]
    pub sleep: Option<bool>,
    /// Whether independent mechanisms are solved side by side on several threads; the result is the same. Default: true.
    #[serde(default)]
    pub parallel: Option<bool>,
}

/// Coordinates.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum Coordinates {
    /// Every body has its own; joints are rows.
    Maximal,
    /// A spanning tree of the joints has its own and never opens.
    Reduced,
}

impl Coordinates {
    fn engine(self) -> taut::Coordinates {
        match self {
            Coordinates::Maximal => taut::Coordinates::Maximal,
            Coordinates::Reduced => taut::Coordinates::Reduced,
        }
    }
}

/// A stabiliser with its options.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Stabiliser {
    /// Nothing.
    None(Nothing),
    /// Full geometric stiffness; needs solver dense-lu or auto.
    Full(Nothing),
    /// Symmetric part of the geometric stiffness; needs solver dense-lu, minres or auto.
    Symmetric(Nothing),
    /// Full geometric stiffness through its low-rank inverse; needs solver dense-lu or auto.
    LowRank(Nothing),
    /// Adaptive inertial damping.
    Inertial(Inertial),
    /// Adaptive damping of the constraint rows.
    ConstraintSpace(ConstraintSpace),
    /// Aligned stiffness: the default.
    Aligned(Nothing),
}

/// No options.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Nothing {}

/// Options of inertial damping.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Inertial {
    /// Distance from the stability boundary, no unit. Default: 1.
    #[serde(default)]
    pub alpha: Option<Number<One>>,
    /// Weight of the stiffness, 0.5 to 1, no unit. Default: 0.5.
    #[serde(default)]
    pub theta: Option<Number<One>>,
    /// Whether only rotations are damped. Default: true.
    #[serde(default)]
    pub angular_only: Option<bool>,
}

/// Options of constraint-space damping.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct ConstraintSpace {
    /// Distance from the stability boundary, no unit. Default: 1.
    #[serde(default)]
    pub alpha: Option<Number<One>>,
}

/// A linear solver.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Solver {
    /// The best one that can take the stabiliser's matrix.
    Auto(Nothing),
    /// Block LDL^T: linear time on trees.
    BlockLdlt(Nothing),
    /// Dense LU, a reference.
    DenseLu(Nothing),
    /// Dense Cholesky of the reduced system, a reference.
    DenseCholesky(Nothing),
    /// Matrix-free MINRES.
    Minres(Nothing),
    /// The step in reduced coordinates alone, by the cheapest of the next three; needs them and stabiliser aligned or none, as they do.
    Articulated(Nothing),
    /// Elimination of reduced coordinates.
    Elimination(Nothing),
    /// Conjugate gradients on reduced coordinates.
    Pcg(Nothing),
    /// The same with some springs exact in the preconditioner.
    PartialPcg(Nothing),
    /// Projected Gauss-Seidel on all rows, for comparison.
    Pgs(Pgs),
    /// Acyclic part in linear time, loops by iterations within a budget.
    Structured(Structured),
}

/// The budget of the structured solver.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Structured {
    /// Most iterations in one step. Default: no limit.
    #[serde(default)]
    pub iterations: Option<usize>,
    /// Most time for the iterations of one step, s. Default: no limit.
    #[serde(default)]
    pub seconds: Option<Number<Second>>,
    /// Relative residual of the loop rows that is good enough. Default: 1e-10.
    #[serde(default)]
    pub tolerance: Option<Number<One>>,
    /// Openings of joints above this are closed with what is left of the budget, m (rad). Default: never.
    #[serde(default)]
    pub gap: Option<Number<Metre>>,
}

impl Structured {
    fn budget(&self) -> Budget {
        Budget {
            iterations: self.iterations,
            seconds: self.seconds.map(|x| x.value),
            tolerance: self.tolerance.map_or(Budget::default().tolerance, |x| x.value),
            gap: self.gap.map(|x| x.value),
        }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Solver::Auto(Nothing {})
    }
}

impl Solver {
    fn engine(&self) -> taut::Solver {
        match self {
            Solver::Auto(_) => taut::Solver::Auto,
            Solver::BlockLdlt(_) => taut::Solver::BlockLdlt,
            Solver::DenseLu(_) => taut::Solver::DenseLu,
            Solver::DenseCholesky(_) => taut::Solver::DenseCholesky,
            Solver::Minres(_) => taut::Solver::Minres,
            Solver::Articulated(_) => taut::Solver::Articulated,
            Solver::Elimination(_) => taut::Solver::Elimination,
            Solver::Pcg(_) => taut::Solver::Pcg,
            Solver::PartialPcg(_) => taut::Solver::PartialPcg,
            Solver::Pgs(p) => taut::Solver::Pgs { sweeps: p.sweeps() },
            Solver::Structured(s) => taut::Solver::Structured(s.budget()),
        }
    }
}

/// How rows with bounds are solved.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Bounded {
    /// By the kind of problem.
    Auto(Nothing),
    /// Block sweeps, Newton on the natural map, proximal Newton.
    Newton(Nothing),
    /// Block principal pivoting, where there is no friction of contacts.
    Pivoting(Nothing),
    /// Conjugate gradients with the bounds checked inside the iteration, where there is no friction of contacts.
    ActiveSet(Nothing),
    /// Projected Gauss-Seidel, for comparison.
    Pgs(Pgs),
    /// The associated cone problem: sliding contacts are lifted.
    Convex(Nothing),
}

/// Options of projected Gauss-Seidel.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Pgs {
    /// Sweeps over all rows. Default: 100.
    #[serde(default)]
    pub sweeps: Option<usize>,
}

impl Pgs {
    fn sweeps(&self) -> usize {
        self.sweeps.unwrap_or(100)
    }
}

impl Default for Bounded {
    fn default() -> Self {
        Bounded::Auto(Nothing {})
    }
}

impl Bounded {
    fn engine(&self) -> BoundedMethod {
        match self {
            Bounded::Auto(_) => BoundedMethod::Auto,
            Bounded::Newton(_) => BoundedMethod::Newton,
            Bounded::Pivoting(_) => BoundedMethod::Pivoting,
            Bounded::ActiveSet(_) => BoundedMethod::ActiveSet,
            Bounded::Pgs(p) => BoundedMethod::Pgs { sweeps: p.sweeps() },
            Bounded::Convex(_) => BoundedMethod::Convex,
        }
    }
}

/// How long to run, and what the run is measured by.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// Time step, s. Default: 1/60.
    #[serde(default)]
    pub dt: Option<Number<Second>>,
    /// Simulated time, s. Default: 10.
    #[serde(default)]
    pub time: Option<Number<Second>>,
    /// Body to follow in tables and plots, or a list of bodies and joints, by name. Default: the heaviest body.
    #[serde(default)]
    pub follow: Option<Follow>,
    /// Length that gaps are measured against, m. Default: the largest extent of the scene.
    #[serde(default)]
    pub length: Option<Number<Metre>>,
    /// Energy that rises and losses are measured against, J. Default: the weight of all bodies times the length, or the kinetic
    /// and elastic energy at the start when that is more.
    #[serde(default)]
    pub energy_scale: Option<Number<Joule>>,
    /// Time at the start and at the end in which the kinetic peak is looked for, s. Default: a quarter of the time.
    #[serde(default)]
    pub window: Option<Number<Second>>,
}

impl Outputs {
    /// The time step, s.
    pub fn dt(&self) -> f64 {
        self.dt.map_or(1.0 / 60.0, |x| x.value)
    }

    /// The simulated time, s.
    pub fn time(&self) -> f64 {
        self.time.map_or(10.0, |x| x.value)
    }
}

impl Default for Stabiliser {
    fn default() -> Self {
        Stabiliser::Aligned(Nothing {})
    }
}

impl Settings {
    /// The engine's options.
    pub(super) fn options(&self) -> Result<Options, FileError> {
        let path = Path::of("settings");
        let d = Options::default();
        let options = Options {
            gravity: self.gravity.map_or(d.gravity, |g| g.value),
            coordinates: self.coordinates.map_or(d.coordinates, Coordinates::engine),
            stabiliser: self.stabiliser.engine(),
            solver: self.solver.engine(),
            resolved: self.resolved.unwrap_or(d.resolved),
            minres_iterations: self.minres_iterations.unwrap_or(d.minres_iterations),
            minres_tolerance: self.minres_tolerance.map_or(d.minres_tolerance, |x| x.value),
            bounded: self.bounded.engine(),
            bounded_tolerance: self.bounded_tolerance.map_or(d.bounded_tolerance, |x| x.value),
            sleep: self.sleep.unwrap_or(d.sleep),
            parallel: self.parallel.unwrap_or(d.parallel),
        };
        let fields = [
            ("bounded_tolerance", "bounded_tolerance"),
            ("sweeps", if matches!(self.solver, Solver::Pgs(Pgs { sweeps: Some(0) })) { "solver" } else { "bounded" }),
            ("of the budget", "solver"),
            ("minres_iterations", "minres_iterations"),
            ("minres_tolerance", "minres_tolerance"),
            ("alpha", "stabiliser"),
            ("theta", "stabiliser"),
        ];
        match options.validate() {
            Err(e @ taut::Error::Pairing { .. }) => Err(e).at(&path.key("solver")),
            checked => checked.among(&path, &fields).map(|()| options),
        }
    }
}

impl Stabiliser {
    fn engine(&self) -> taut::Stabiliser {
        match self {
            Stabiliser::None(_) => taut::Stabiliser::None,
            Stabiliser::Full(_) => taut::Stabiliser::Full,
            Stabiliser::Symmetric(_) => taut::Stabiliser::Symmetric,
            Stabiliser::LowRank(_) => taut::Stabiliser::LowRank,
            Stabiliser::Inertial(i) => {
                let d = InertialDamping::default();
                taut::Stabiliser::Inertial(InertialDamping {
                    alpha: i.alpha.map_or(d.alpha, |x| x.value),
                    theta: i.theta.map_or(d.theta, |x| x.value),
                    angular_only: i.angular_only.unwrap_or(d.angular_only),
                })
            }
            Stabiliser::ConstraintSpace(c) => {
                taut::Stabiliser::ConstraintSpace { alpha: c.alpha.map_or(1.0, |x| x.value) }
            }
            Stabiliser::Aligned(_) => taut::Stabiliser::Aligned,
        }
    }
}
