//! A vehicle dropped from the end of a crane (Andrews 2017 Fig. 1).
//!
//! From the paper: boom 100,000 kg, vehicle 15,000 kg, cable segments 0.2 kg, axial stiffness 1e10, step 1/60 s. Chosen here: the
//! shape of the crane (`crane_parts`), 40 segments of 0.4 m; the vehicle starts out and up from hanging by 30 degrees, 10 % nearer
//! to the tip than the cable is long: it falls freely, snaps the cable taut and swings.

use super::crane_parts::{self, Stance};
use crate::parameters::Parameters;
use crate::scene::{Scene, SceneInfo};
use taut::Result;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "crane",
        summary: "15 t dropped on a cable of 0.2 kg segments from a boom of 100 t with hinges and cylinders",
        source: "Andrews 2017 Fig. 1",
        parameters: crane_parts::parameters(0.1, 30.0),
        dt: 1.0 / 60.0,
        time: 60.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    crane_parts::build(p, &Stance { elevation: [50.0, 10.0], held: true })
}
