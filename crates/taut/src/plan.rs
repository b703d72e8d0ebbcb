//! What a world does in a step, resolved once from its options. Nobody below the world sees the options, and pairs of a stiffness and
//! a solver that do not go together cannot be written here.

use crate::error::{Error, Result, finite_vec, non_negative, positive};
use crate::options::{Coordinates, InertialDamping, Options, Solver, Stabiliser};
use crate::solve::bounded::Method;
use crate::solve::structured::Budget;
use glam::DVec3;

/// The settings of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    /// m/s^2.
    pub gravity: DVec3,
    pub matrix: Matrix,
    /// Coordinates of the tree are read off the new poses, and loops closed there.
    pub reduced: bool,
    /// A step in reduced coordinates alone, by the method that is plugged in, in place of the one equation.
    pub alone: bool,
    pub bounded: Method,
    /// m/s (rad/s).
    pub bounded_tolerance: f64,
    pub parallel: bool,
}

/// The matrix of the one equation, with what can solve it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Matrix {
    /// Symmetric and quasi-definite.
    Definite(Added, Linear),
    /// With the geometric stiffness of the joints in it, neither.
    Geometric(Geometric),
}

/// What is added to the masses and the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Added {
    /// Nothing.
    Nothing,
    /// Adaptive inertial damping.
    Inertial(InertialDamping),
    /// Adaptive damping of compliant rows, with the distance from the stability boundary.
    ConstraintSpace(f64),
    /// Aligned stiffness with memory; whether resolved islands are of second order.
    Aligned { resolves: bool },
}

/// Which geometric stiffness, and how it is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Geometric {
    Full,
    LowRank,
    Symmetric(Indefinite),
}

/// Solvers of a symmetric matrix that may be indefinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Indefinite {
    DenseLu,
    Minres(Iterations),
}

/// How a quasi-definite matrix is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Linear {
    BlockLdlt,
    DenseLu,
    DenseCholesky,
    Minres(Iterations),
    /// Projected Gauss-Seidel on all rows, with its sweeps.
    Sweeps(usize),
    Structured(Budget),
}

/// When MINRES stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Iterations {
    pub most: usize,
    /// Relative true residual.
    pub tolerance: f64,
}

impl Options {
    /// Refuses values outside their range and stabilisers whose matrix the solver cannot take.
    pub fn validate(&self) -> Result<()> {
        Plan::of(self).map(|_| ())
    }
}

impl Default for Plan {
    /// That of the default options.
    fn default() -> Self {
        let Options { gravity, bounded, bounded_tolerance, parallel, .. } = Options::default();
        let matrix = Matrix::Definite(Added::Aligned { resolves: true }, Linear::BlockLdlt);
        Plan { gravity, matrix, reduced: false, alone: false, bounded, bounded_tolerance, parallel }
    }
}

impl Plan {
    /// Refuses values outside their range and pairs that do not go together.
    pub fn of(o: &Options) -> Result<Plan> {
        finite_vec("gravity", o.gravity, "m/s^2")?;
        let minres = iterations(o)?;
        let part = |name: &str, value: f64, expected: &str| match value > 0.0 && value < 1.0 {
            true => Ok(()),
            false => Err(Error::input(name, value, expected)),
        };
        part("bounded_tolerance", o.bounded_tolerance, "a number between 0 and 1, in m/s")?;
        if o.bounded == (Method::Pgs { sweeps: 0 }) || o.solver == (Solver::Pgs { sweeps: 0 }) {
            return Err(Error::input("sweeps of the bounded solver", 0, "at least 1"));
        }
        if let Solver::Structured(budget) = &o.solver {
            check_budget(budget)?;
        }
        let added = added(o)?;
        check_alone(o)?;
        let alone = o.is_reduced_alone();
        let matrix = match (added, alone) {
            // Only the layout and the energy at rest are asked for.
            (Ok(added), true) => Matrix::Definite(added, Linear::BlockLdlt),
            (Ok(added), false) => Matrix::Definite(added, linear(o.solver, minres)),
            (Err(stiffness), _) => Matrix::Geometric(geometric(o, stiffness, minres)?),
        };
        Ok(Plan {
            gravity: o.gravity,
            matrix,
            reduced: o.coordinates == Coordinates::Reduced,
            alone,
            bounded: o.bounded,
            bounded_tolerance: o.bounded_tolerance,
            parallel: o.parallel,
        })
    }

    /// Whether the default stabiliser runs.
    pub fn is_aligned(&self) -> bool {
        matches!(self.matrix, Matrix::Definite(Added::Aligned { .. }, _))
    }

    /// Whether the second order of resolved islands is looked at.
    pub fn resolves(&self) -> bool {
        matches!(self.matrix, Matrix::Definite(Added::Aligned { resolves: true }, _))
    }

    /// Whether anything is added to the masses and the rows.
    pub fn is_stabilised(&self) -> bool {
        !matches!(self.matrix, Matrix::Definite(Added::Nothing, _))
    }

    /// The geometric stiffness in the matrix, if any: whether its symmetric part.
    pub fn geometric(&self) -> Option<bool> {
        match self.matrix {
            Matrix::Geometric(g) => Some(matches!(g, Geometric::Symmetric(_))),
            Matrix::Definite(..) => None,
        }
    }

    /// Whether the matrix is factorised by blocks.
    pub fn is_direct(&self) -> bool {
        matches!(self.matrix, Matrix::Definite(_, Linear::BlockLdlt))
    }

    /// Whether sweeps run over all rows, and how many.
    pub fn sweeps(&self) -> Option<usize> {
        if let Matrix::Definite(_, Linear::Sweeps(n)) = self.matrix { Some(n) } else { None }
    }

    /// The budget of the structured solver, when that is the one that runs. The matrix then holds the acyclic part alone.
    pub fn budget(&self) -> Option<&Budget> {
        if let Matrix::Definite(_, Linear::Structured(budget)) = &self.matrix { Some(budget) } else { None }
    }

    /// Whether the matrix holds the acyclic part alone.
    pub fn is_structured(&self) -> bool {
        self.budget().is_some()
    }

    /// The solver that runs, by its public name.
    pub fn path(&self) -> Solver {
        match self.matrix {
            Matrix::Definite(_, Linear::BlockLdlt) => Solver::BlockLdlt,
            Matrix::Definite(_, Linear::DenseCholesky) => Solver::DenseCholesky,
            Matrix::Definite(_, Linear::Sweeps(sweeps)) => Solver::Pgs { sweeps },
            Matrix::Definite(_, Linear::Structured(budget)) => Solver::Structured(budget),
            Matrix::Definite(_, Linear::Minres(_)) | Matrix::Geometric(Geometric::Symmetric(Indefinite::Minres(_))) => {
                Solver::Minres
            }
            Matrix::Definite(_, Linear::DenseLu) | Matrix::Geometric(_) => Solver::DenseLu,
        }
    }
}

fn iterations(o: &Options) -> Result<Iterations> {
    if o.minres_iterations == 0 {
        return Err(Error::input("minres_iterations", 0, "at least 1"));
    }
    if !(o.minres_tolerance > 0.0 && o.minres_tolerance < 1.0) {
        return Err(Error::input("minres_tolerance", o.minres_tolerance, "a number between 0 and 1"));
    }
    Ok(Iterations { most: o.minres_iterations, tolerance: o.minres_tolerance })
}

/// Kinds of geometric stiffness before a solver is found for them.
#[derive(Clone, Copy, PartialEq)]
enum Stiffness {
    Full,
    LowRank,
    Symmetric,
}

/// What is added to a matrix that stays quasi-definite, or the stiffness that makes it another.
fn added(o: &Options) -> Result<std::result::Result<Added, Stiffness>> {
    // The probes of the second order would eat up a budget.
    let limited = matches!(&o.solver, Solver::Structured(b) if b.is_limited());
    Ok(match o.stabiliser {
        Stabiliser::None => Ok(Added::Nothing),
        Stabiliser::Full => Err(Stiffness::Full),
        Stabiliser::LowRank => Err(Stiffness::LowRank),
        Stabiliser::Symmetric => Err(Stiffness::Symmetric),
        Stabiliser::Inertial(d) => {
            non_negative("alpha", d.alpha, "")?;
            if !(0.5..=1.0).contains(&d.theta) {
                return Err(Error::input("theta", d.theta, "a number from 0.5 to 1"));
            }
            Ok(Added::Inertial(d))
        }
        Stabiliser::ConstraintSpace { alpha } => {
            non_negative("alpha", alpha, "")?;
            Ok(Added::ConstraintSpace(alpha))
        }
        Stabiliser::Aligned => Ok(Added::Aligned { resolves: o.resolved && !limited }),
    })
}

/// Refuses solvers that do not go with a step in reduced coordinates alone, and those of that step with any other.
fn check_alone(o: &Options) -> Result<()> {
    let reduced = o.coordinates == Coordinates::Reduced;
    let fits = matches!(o.stabiliser, Stabiliser::None | Stabiliser::Aligned);
    let expected = match o.solver {
        s if s.is_articulated() && !(reduced && fits) => {
            "reduced coordinates and stabiliser aligned or none, or another solver"
        }
        s if o.is_reduced_alone() && !s.is_articulated() && s != Solver::Auto => {
            "auto, articulated, elimination, pcg or partial-pcg"
        }
        _ => return Ok(()),
    };
    let names = [o.solver.name(), o.coordinates.name(), o.stabiliser.name()];
    let given = format!("{} with {} coordinates and stabiliser {}", names[0], names[1], names[2]);
    Err(Error::input("solver", given, expected))
}

fn linear(solver: Solver, minres: Iterations) -> Linear {
    match solver {
        Solver::DenseLu => Linear::DenseLu,
        Solver::DenseCholesky => Linear::DenseCholesky,
        Solver::Minres => Linear::Minres(minres),
        Solver::Pgs { sweeps } => Linear::Sweeps(sweeps),
        Solver::Structured(budget) => Linear::Structured(budget),
        // Those of reduced coordinates alone are another step's.
        Solver::Auto
        | Solver::BlockLdlt
        | Solver::Articulated
        | Solver::Elimination
        | Solver::Pcg
        | Solver::PartialPcg => Linear::BlockLdlt,
    }
}

fn geometric(o: &Options, stiffness: Stiffness, minres: Iterations) -> Result<Geometric> {
    let dense = matches!(o.solver, Solver::Auto | Solver::DenseLu);
    let expected = match (stiffness, o.solver) {
        (Stiffness::Full, _) if dense => return Ok(Geometric::Full),
        (Stiffness::LowRank, _) if dense => return Ok(Geometric::LowRank),
        (Stiffness::Symmetric, _) if dense => return Ok(Geometric::Symmetric(Indefinite::DenseLu)),
        (Stiffness::Symmetric, Solver::Minres) => return Ok(Geometric::Symmetric(Indefinite::Minres(minres))),
        (Stiffness::Symmetric, _) => "dense-lu (or auto) or minres: its matrix can be indefinite",
        _ => "dense-lu (or auto): its matrix is not symmetric",
    };
    Err(Error::Pairing { stabiliser: o.stabiliser.name(), solver: o.solver.name(), expected })
}

/// Refuses a budget that buys nothing or means nothing.
fn check_budget(b: &Budget) -> Result<()> {
    if b.iterations == Some(0) {
        return Err(Error::input("iterations of the budget", 0, "at least 1, or none for no limit"));
    }
    if let Some(seconds) = b.seconds {
        positive("seconds of the budget", seconds, "s")?;
    }
    if let Some(gap) = b.gap {
        positive("gap of the budget", gap, "m")?;
    }
    if !(b.tolerance > 0.0 && b.tolerance < 1.0) {
        return Err(Error::input("tolerance of the budget", b.tolerance, "a number between 0 and 1"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_plan_is_that_of_the_default_options() {
        assert_eq!(Plan::of(&Options::default()).unwrap(), Plan::default());
    }
}
