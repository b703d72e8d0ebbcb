//! Options of a world.

use crate::file::error::{FileError, Path};
use crate::file::settings::{
    Bounded, ConstraintSpace, Coordinates, Inertial, Nothing, Pgs, Settings, Solver, Stabiliser, Structured,
};
use taut::{Options, settings::BoundedMethod, settings::Budget};

/// The settings, as far as they are not the engine's defaults.
pub(super) fn settings(o: &Options) -> Result<Settings, FileError> {
    let d = Options::default();
    let given = |x: f64, default: f64| (x != default).then_some(x);
    Ok(Settings {
        gravity: (o.gravity != d.gravity).then(|| o.gravity.into()),
        coordinates: (o.coordinates != d.coordinates).then(|| coordinates(o.coordinates)).transpose()?,
        stabiliser: stabiliser(o.stabiliser)?,
        solver: solver(o.solver)?,
        resolved: (o.resolved != d.resolved).then_some(o.resolved),
        minres_iterations: (o.minres_iterations != d.minres_iterations).then_some(o.minres_iterations),
        minres_tolerance: given(o.minres_tolerance, d.minres_tolerance).map(Into::into),
        bounded: bounded(o.bounded),
        bounded_tolerance: given(o.bounded_tolerance, d.bounded_tolerance).map(Into::into),
        sleep: (o.sleep != d.sleep).then_some(o.sleep),
        parallel: (o.parallel != d.parallel).then_some(o.parallel),
    })
}

/// Something of the engine that this format has no word for.
fn unknown<T>(field: &str, what: &str) -> Result<T, FileError> {
    Err(FileError::new(Path::of("settings").key(field), format!("{what}: expected one that the format knows")))
}

fn coordinates(c: taut::Coordinates) -> Result<Coordinates, FileError> {
    match c {
        taut::Coordinates::Maximal => Ok(Coordinates::Maximal),
        taut::Coordinates::Reduced => Ok(Coordinates::Reduced),
        other => unknown("coordinates", other.name()),
    }
}

fn stabiliser(s: taut::Stabiliser) -> Result<Stabiliser, FileError> {
    let none = Nothing {};
    Ok(match s {
        taut::Stabiliser::None => Stabiliser::None(none),
        taut::Stabiliser::Full => Stabiliser::Full(none),
        taut::Stabiliser::Symmetric => Stabiliser::Symmetric(none),
        taut::Stabiliser::LowRank => Stabiliser::LowRank(none),
        taut::Stabiliser::Inertial(d) => Stabiliser::Inertial(Inertial {
            alpha: Some(d.alpha.into()),
            theta: Some(d.theta.into()),
            angular_only: Some(d.angular_only),
        }),
        taut::Stabiliser::ConstraintSpace { alpha } => {
            Stabiliser::ConstraintSpace(ConstraintSpace { alpha: Some(alpha.into()) })
        }
        taut::Stabiliser::Aligned => Stabiliser::Aligned(none),
        other => return unknown("stabiliser", other.name()),
    })
}

fn solver(s: taut::Solver) -> Result<Solver, FileError> {
    let none = Nothing {};
    Ok(match s {
        taut::Solver::Auto => Solver::Auto(none),
        taut::Solver::BlockLdlt => Solver::BlockLdlt(none),
        taut::Solver::DenseLu => Solver::DenseLu(none),
        taut::Solver::DenseCholesky => Solver::DenseCholesky(none),
        taut::Solver::Minres => Solver::Minres(none),
        taut::Solver::Articulated => Solver::Articulated(none),
        taut::Solver::Elimination => Solver::Elimination(none),
        taut::Solver::Pcg => Solver::Pcg(none),
        taut::Solver::PartialPcg => Solver::PartialPcg(none),
        taut::Solver::Pgs { sweeps } => Solver::Pgs(Pgs { sweeps: Some(sweeps) }),
        taut::Solver::Structured(b) => Solver::Structured(budget(b)),
        other => return unknown("solver", other.name()),
    })
}

fn budget(b: Budget) -> Structured {
    let d = Budget::default();
    Structured {
        iterations: b.iterations,
        seconds: b.seconds.map(Into::into),
        tolerance: (b.tolerance != d.tolerance).then(|| b.tolerance.into()),
        gap: b.gap.map(Into::into),
    }
}

fn bounded(m: BoundedMethod) -> Bounded {
    let none = Nothing {};
    match m {
        BoundedMethod::Auto => Bounded::Auto(none),
        BoundedMethod::Newton => Bounded::Newton(none),
        BoundedMethod::Pivoting => Bounded::Pivoting(none),
        BoundedMethod::ActiveSet => Bounded::ActiveSet(none),
        BoundedMethod::Pgs { sweeps } => Bounded::Pgs(Pgs { sweeps: Some(sweeps) }),
        BoundedMethod::Convex => Bounded::Convex(none),
    }
}
