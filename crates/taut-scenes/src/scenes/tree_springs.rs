//! The tree of Baxter's thesis: a spring of 1e5 between the centres of every pair of siblings (see `spring_tree`).

use super::spring_tree::{self, Kind};
use crate::parameters::Parameters;
use crate::scene::{Scene, SceneInfo};
use taut::Result;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "tree-springs",
        summary: "a hanging tree of hinged bars with a stiff spring between siblings, pulled at four corners (cm, g, s)",
        source: "Baxter (RedMax) section 4.3",
        parameters: spring_tree::parameters(),
        dt: 0.01,
        time: 5.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    spring_tree::build(p, &Kind { cross: 12.0, shrink: 0.75, offset: 5.9, grid: false })
}
