//! The method of a run: what is asked for over the settings of a scene, and what is in force, in the words of the command line.

use crate::choices::{self, Choice};
use taut::{Coordinates, Error, Options, Result, Solver, Stabiliser, World, settings::BoundedMethod};

/// Most unknowns of a dense solver: the matrix of more does not fit into the memory of most machines.
const MOST_DENSE: usize = 20_000;

/// What to change in the settings of a world; what is `None` stays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Coordinates.
    pub coordinates: Option<Coordinates>,
    /// Stabiliser.
    pub stabiliser: Option<Choice>,
    /// Linear solver.
    pub solver: Option<Solver>,
    /// Solver of rows with bounds.
    pub bounded: Option<BoundedMethod>,
    /// Residual at which that stops, m/s.
    pub bounded_tolerance: Option<f64>,
    /// Keeps all bodies awake.
    pub no_sleep: bool,
}

impl Wanted {
    /// Puts it over the settings of a world, which stay as they were when it is refused.
    pub fn apply(&self, world: &mut World) -> Result<()> {
        let before = *world.options();
        let mut o = before;
        if let Some(choice) = self.stabiliser {
            o.stabiliser = choice.stabiliser;
            o.resolved = choice.resolved.unwrap_or(o.resolved);
        }
        o.coordinates = self.coordinates.unwrap_or(o.coordinates);
        o.solver = self.solver.unwrap_or(o.solver);
        o.bounded = self.bounded.unwrap_or(o.bounded);
        o.bounded_tolerance = self.bounded_tolerance.unwrap_or(o.bounded_tolerance);
        o.sleep &= !self.no_sleep;
        world.set_options(o)?;
        let unknowns = world.size()?.unknowns;
        let dense = matches!(o.path(), Solver::DenseLu | Solver::DenseCholesky | Solver::Pgs { .. });
        if dense && unknowns > MOST_DENSE {
            world.set_options(before)?;
            let given = format!("{} with {unknowns} unknowns", o.path().name());
            let expected = format!("at most {MOST_DENSE} for a dense matrix, or block-ldlt or minres");
            return Err(Error::input("solver", given, expected));
        }
        Ok(())
    }
}

/// Coordinates, stabiliser and solvers of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// As on the command line.
    pub coordinates: &'static str,
    /// With its options, as on the command line.
    pub stabiliser: String,
    /// The solver that runs.
    pub solver: String,
    /// How bounded rows are solved, as on the command line.
    pub bounded: String,
    /// The residual at which that stops, m/s.
    pub tolerance: f64,
}

impl Method {
    /// What a world runs with.
    pub fn of(o: &Options) -> Self {
        let stabiliser = match o.stabiliser {
            Stabiliser::Inertial(d) => {
                let all = if d.angular_only { "" } else { ",all" };
                format!("inertial:alpha={},theta={}{all}", d.alpha, d.theta)
            }
            Stabiliser::ConstraintSpace { alpha } => format!("constraint-space:alpha={alpha}"),
            Stabiliser::Aligned if !o.resolved => "aligned:base".into(),
            s => s.name().into(),
        };
        let swept = |name: &str, sweeps: usize| format!("{name}:sweeps={sweeps}");
        let solver = match o.path() {
            Solver::Pgs { sweeps } => swept("pgs", sweeps),
            Solver::Structured(b) => choices::structured(&b),
            s => s.name().into(),
        };
        let bounded = match o.bounded {
            BoundedMethod::Pgs { sweeps } => swept("pgs", sweeps),
            m => m.name().into(),
        };
        Method { coordinates: o.coordinates.name(), stabiliser, solver, bounded, tolerance: o.bounded_tolerance }
    }
}
