//! A thin wire of particles: one gram, inextensible (an example scene by the authors of Tournier 2015).
//!
//! From that scene: 20 particles, 1 m, 1 g in total, step 0.01 s, gravity 10 m/s^2, no compliance. Chosen here: 19 constraints from
//! a particle held fixed, horizontal start, 10 s, the sideways kick.

use super::parts::{Strand, strand};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Options, Result, Vec3, World};

/// Gravity of the original scene, m/s^2.
const GRAVITY: f64 = 10.0;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "thin-wire",
        summary: "a wire of one gram and 20 particles, inextensible, released from the horizontal",
        source: "Tournier 2015, example scene",
        parameters: vec![
            Parameter::count("particles", 20, (2, 100_000), "particles, the fixed one included"),
            Parameter::number("mass", "kg", 1e-3, (1e-12, 1e9), "mass of the wire"),
            Parameter::number("length", "m", 1.0, (1e-3, 1e6), "length of the wire"),
            Parameter::number("kick", "m/s", 1e-3, (0.0, 10.0), "random sideways speed of the particles at the start"),
        ],
        dt: 0.01,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (count, mass, length) = (p.count("particles"), p.number("mass"), p.number("length"));
    let n = count - 1;
    let mut world = World::new();
    world.set_options(Options { gravity: -GRAVITY * Vec3::Y, ..Options::default() })?;
    let moving = mass * n as f64 / count as f64;
    let line = Strand { along: Vec3::X, n, length, mass: moving, load: 0.0, compliance: 0.0, kick: p.number("kick") };
    let (last, edges) = strand(&mut world, &line)?;
    Ok(Scene {
        world,
        length,
        energy_scale: 0.5 * GRAVITY * moving * length,
        follow: last,
        window: 2.0,
        edges,
        drive: None,
    })
}
