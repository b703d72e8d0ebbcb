//! A free box spinning near its middle axis, without gravity: it tumbles (the tennis-racket effect), and keeps its energy and angular
//! momentum.

use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, MassProperties, Options, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "spinning-body",
        summary: "a free box spinning near its middle axis: energy and angular momentum must be kept",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("spin", "rad/s", 10.0, (0.0, 1e4), "spin about the middle axis"),
            Parameter::number("tilt", "rad/s", 0.1, (0.0, 1e3), "spin about the other axes"),
            Parameter::number("mass", "kg", 1.0, (1e-9, 1e12), "mass"),
        ],
        dt: 1.0 / 60.0,
        time: 20.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() })?;
    let mass = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.2, 0.1))?.with_mass(p.number("mass"))?;
    let (spin, tilt) = (p.number("spin"), p.number("tilt"));
    let b = world.add(Body::dynamic(mass).moving(Vec3::ZERO, Vec3::new(tilt, spin, tilt)).named("box"))?;
    let start = world.energy()?.total();
    Ok(Scene {
        world,
        length: 1.0,
        energy_scale: start.max(1e-9),
        follow: b,
        window: 5.0,
        edges: Vec::new(),
        drive: None,
    })
}
