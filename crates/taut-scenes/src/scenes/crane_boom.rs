//! The boom of the crane, elevated by 20 degrees and dropped (Andrews 2017 Fig. 11).
//!
//! From the paper: boom 100,000 kg at 20 degrees of elevation, steps of 0.1, 0.01 and 0.001 s. Chosen here: the crane of
//! `crane_parts`; "dropped" means that the cylinder at the foot of the boom slides freely, while that of the jib holds. The vehicle
//! hangs on a taut cable. Nothing is in the way: the boom swings down past its foot.

use super::crane_parts::{self, Stance};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::Result;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    let mut parameters = crane_parts::parameters(0.0, 0.0);
    parameters.push(Parameter::number(
        "elevation",
        "deg",
        20.0,
        (-60.0, 80.0),
        "elevation of the main boom at the start; the jib is 20 deg flatter",
    ));
    SceneInfo {
        name: "crane-boom",
        summary: "a boom of 100 t with 15 t on its cable, elevated 20 degrees and dropped",
        source: "Andrews 2017 Fig. 11",
        parameters,
        dt: 0.01,
        time: 60.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let e = p.number("elevation");
    crane_parts::build(p, &Stance { elevation: [e, e - 20.0], held: false })
}
