//! A swinging cable of particles (Tournier 2015 Fig. 3).
//!
//! From the paper: 10 and 100 distance constraints, load to cable mass 1 to 100, step 0.04 s, horizontal start. From the authors'
//! example scenes: 2 m, 1 kg in total, compliance 0. Chosen here: the ratio is the load's mass over that of the cable; 20 s; the
//! sideways kick.

use super::parts::{G, Strand, strand};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "particle-cable",
        summary: "an inextensible cable of particles with a load at its end, swinging from the horizontal at 0.04 s",
        source: "Tournier 2015 Fig. 3",
        parameters: vec![
            Parameter::count("segments", 10, (1, 100_000), "distance constraints"),
            Parameter::number("ratio", "", 1.0, (0.0, 1e15), "mass of the load over that of the cable"),
            Parameter::number("mass", "kg", 1.0, (1e-9, 1e9), "mass of the cable"),
            Parameter::number("length", "m", 2.0, (1e-3, 1e6), "length of the cable"),
            Parameter::number("compliance", "m/N", 0.0, (0.0, 1.0), "compliance of a constraint"),
            Parameter::number("kick", "m/s", 1e-3, (0.0, 10.0), "random sideways speed of the particles at the start"),
        ],
        dt: 0.04,
        time: 20.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, mass, length) = (p.count("segments"), p.number("mass"), p.number("length"));
    let load = p.number("ratio") * mass;
    let mut world = World::new();
    let line =
        Strand { along: Vec3::X, n, length, mass, load, compliance: p.number("compliance"), kick: p.number("kick") };
    let (last, edges) = strand(&mut world, &line)?;
    Ok(Scene {
        world,
        length,
        energy_scale: G * (load + 0.5 * mass) * length,
        follow: last,
        window: 3.0,
        edges,
        drive: None,
    })
}
