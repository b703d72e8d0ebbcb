//! In which coordinates and with which solver a scene is run.

use taut::{Options, Result, Solver, World};

/// A way to run a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Every body with its six velocities, joints as rows: one block factorisation.
    Maximal,
}

impl Way {
    /// All of them, in the order of the table.
    pub const ALL: [Way; 1] = [Way::Maximal];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Way::Maximal => "maximal",
        }
    }

    /// Sets a world to run this way.
    pub fn apply(self, world: &mut World) -> Result<()> {
        let options = *world.options();
        world.set_options(match self {
            Way::Maximal => Options { solver: Solver::Auto, ..options },
        })
    }
}
