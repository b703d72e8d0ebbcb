//! The alternate tree of Baxter's thesis: no springs between siblings, but every leaf is tied to its neighbours on the grid of all leaves
//! (see `spring_tree`).

use super::spring_tree::{self, Kind};
use crate::parameters::Parameters;
use crate::scene::{Scene, SceneInfo};
use taut::Result;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "tree-springs-alternate",
        summary: "the same tree with springs between neighbouring leaves instead: loops through the whole tree (cm, g, s)",
        source: "Baxter (RedMax) section 4.3",
        parameters: spring_tree::parameters(),
        dt: 0.01,
        time: 5.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    spring_tree::build(p, &Kind { cross: 10.0, shrink: 0.8, offset: 4.9, grid: true })
}
