//! Groups of colliders and filters of queries.

use crate::builder::builder;
use crate::ids::BodyId;
use pyo3::prelude::*;
use taut::shapes;

builder! {
    /// Who meets whom.
    Groups(shapes::Groups) {}
    rest {
        #[new]
        fn new(member: u32, with_: u32) -> Self {
            Groups(shapes::Groups { member, with: with_ })
        }
        /// Member of all groups, and with all.
        #[classattr]
        const ALL: Groups = Groups(shapes::Groups::ALL);
        /// Whether two colliders with these groups meet.
        fn meets(&self, other: Groups) -> bool {
            self.0.meets(&other.0)
        }
    }
}

/// What a query looks at.
pub fn filter(groups: Option<Groups>, exclude: Option<BodyId>, sensors: bool) -> taut::queries::QueryFilter {
    let groups = groups.map_or(shapes::Groups::ALL, |g| g.0);
    taut::queries::QueryFilter { groups, exclude: exclude.map(|b| b.0), sensors }
}
