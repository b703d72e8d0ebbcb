//! In which coordinates and with which solver a scene is run.

use taut::{Coordinates, Options, Result, Solver, World};

/// A way to run a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Every body with its six velocities, joints as rows: one block factorisation.
    Maximal,
    /// The step in reduced coordinates alone, solved by the path that the cost model takes.
    Auto,
    /// The same by elimination alone.
    Elimination,
    /// The same by conjugate gradients with the preconditioner of the thesis.
    Pcg,
    /// The same with some springs exact in the preconditioner.
    PartialPcg,
}

impl Way {
    /// All of them, in the order of the table.
    pub const ALL: [Way; 5] = [Way::Maximal, Way::Auto, Way::Elimination, Way::Pcg, Way::PartialPcg];
    /// The paths that `Auto` may take.
    pub const PATHS: [Way; 3] = [Way::Elimination, Way::Pcg, Way::PartialPcg];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Way::Maximal => "maximal",
            Way::Auto => "auto",
            Way::Elimination => "elimination",
            Way::Pcg => "pcg",
            Way::PartialPcg => "partial-pcg",
        }
    }

    /// Sets a world to run this way.
    pub fn apply(self, world: &mut World) -> Result<()> {
        let options = *world.options();
        let reduced = |solver| Options { coordinates: Coordinates::Reduced, solver, ..options };
        world.set_options(match self {
            Way::Maximal => Options { solver: Solver::Auto, ..options },
            Way::Auto => reduced(Solver::Articulated),
            Way::Elimination => reduced(Solver::Elimination),
            Way::Pcg => reduced(Solver::Pcg),
            Way::PartialPcg => reduced(Solver::PartialPcg),
        })
    }
}
