//! A bar of elements, bent by a force at its end, let go without gravity: it swings at its lowest frequency.
//!
//! 1 x 0.1 x 0.1 m, 10 MPa, 1000 kg/m^3, Poisson's ratio 0.3, stable Neo-Hookean, 10 hexahedra in one layer. Beam theory has
//! 1.8751^2/(2 pi) sqrt(E I/(rho A L^4)) = 1.615 Hz; this mesh, with shear and lumped masses, 1.590 Hz. The force is that for which
//! beam theory has the given bend.

use super::soft_parts::{bricks, gravity, nodes, particles, push, settle};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::{Law, Material};
use taut::{Deformable, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "beam-vibration",
        summary: "a bent bar of elements is let go and swings at its lowest frequency",
        source: "Euler-Bernoulli: 1.8751^2/(2 pi) sqrt(E I/(rho A L^4))",
        parameters: vec![
            Parameter::number("bend", "m", 0.02, (1e-6, 0.8), "bend of the end by beam theory"),
            Parameter::count("layers", 1, (1, 16), "elements across; ten times as many along it"),
            Parameter::number("young", "Pa", YOUNG, (1e3, 1e12), "modulus"),
            Parameter::number("damping", "s", 0.0, (0.0, 10.0), "damping force over elastic force per second"),
        ],
        dt: 0.01,
        time: 3.2,
        build,
    }
}

const YOUNG: f64 = 1e7;
/// Length and width, m; density, kg/m^3.
pub(crate) const LENGTH: f64 = 1.0;
pub(crate) const WIDTH: f64 = 0.1;
pub(crate) const DENSITY: f64 = 1000.0;

fn build(p: &Parameters) -> Result<Scene> {
    let (n, young) = (p.count("layers"), p.number("young"));
    let mesh = bricks(Vec3::new(LENGTH, WIDTH, WIDTH), [10 * n, n, n])?;
    let material = Material::new(DENSITY, young, 0.3).law(Law::StableNeoHookeanNoLog).damping(p.number("damping"));
    let bar = Deformable::new(&mesh, &material)?.held(|x| x.x == 0.0).named("bar");
    // Bent first in a world of its own.
    let mut bent = World::new();
    gravity(&mut bent, Vec3::ZERO)?;
    let id = bent.add(bar.clone())?;
    let end = nodes(&bent, id, |x| x.x > LENGTH * (1.0 - 1e-9))?;
    let force = 3.0 * young * (WIDTH * WIDTH * WIDTH * WIDTH / 12.0) * p.number("bend") / (LENGTH * LENGTH * LENGTH);
    push(&mut bent, id, &end, -force / end.len() as f64 * Vec3::Y)?;
    settle(&mut bent, 0.2, 60)?;
    let shape = bent.deformable(id)?.positions().collect();
    let mut world = World::new();
    gravity(&mut world, Vec3::ZERO)?;
    let id = world.add(bar.shaped(shape))?;
    let follow = particles(&world, id, &end)?[0];
    let energy_scale = world.deformable(id)?.energy();
    Ok(Scene { world, length: LENGTH, energy_scale, follow, window: 0.8, edges: Vec::new(), drive: None })
}
