//! A bar of elements, held at one end, let go from straight: it falls and swings under its own weight.
//!
//! `rubber` is the bar that the elements are measured with: 1 x 0.1 x 0.1 m, 1000 kg/m^3, 10 MPa, one layer of hexahedra; beam theory
//! has a sag of rho g A L^4/(8 E I) = 0.147 m for small angles. `tournier` is the beam of the authors' example scene
//! (CantileverBeam_4_4_20): 4 x 4 x 20 nodes 1 m apart, 1 kg each, 4 kPa, Poisson's ratio 0.3, gravity 10 m/s^2.

use super::soft_parts::{bricks, gravity, nodes, particles};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::Material;
use taut::{Deformable, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "soft-cantilever",
        summary: "a bar of elements, held at one end, falls and swings under its own weight",
        source: "Tournier 2015 Fig. 6 (elements); the authors' scene CantileverBeam_4_4_20",
        parameters: vec![
            Parameter::choice("bar", &["rubber", "tournier"], "which bar"),
            Parameter::count("layers", 1, (1, 32), "elements across the rubber bar; ten times as many along it"),
            Parameter::number("young", "Pa", 1e7, (1.0, 1e12), "modulus of the rubber bar"),
            Parameter::number("poisson", "", 0.3, (-0.9, 0.5), "Poisson's ratio"),
            Parameter::number("damping", "s", 0.0, (0.0, 10.0), "damping force over elastic force per second"),
        ],
        dt: 0.01,
        time: 5.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let (size, cells, density, young, g) = if p.choice("bar") == "tournier" {
        // 320 nodes of 1 kg over 171 m^3.
        (Vec3::new(19.0, 3.0, 3.0), [19, 3, 3], 320.0 / 171.0, 4000.0, 10.0)
    } else {
        let n = p.count("layers");
        (Vec3::new(1.0, 0.1, 0.1), [10 * n, n, n], 1000.0, p.number("young"), 9.81)
    };
    gravity(&mut world, -g * Vec3::Y)?;
    let material = Material::new(density, young, p.number("poisson")).damping(p.number("damping"));
    let bar = Deformable::new(&bricks(size, cells)?, &material)?.held(|x| x.x == 0.0).named("bar");
    let id = world.add(bar)?;
    let end = nodes(&world, id, |x| x.x > size.x * (1.0 - 1e-9))?;
    let follow = particles(&world, id, &end)?[0];
    let energy_scale = density * size.x * size.y * size.z * g * size.x;
    Ok(Scene { world, length: size.x, energy_scale, follow, window: 2.0, edges: Vec::new(), drive: None })
}
