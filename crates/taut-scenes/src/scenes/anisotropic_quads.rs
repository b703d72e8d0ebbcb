//! A square of quadrilaterals with fibres, pulled outward on its four sides (Tournier 2015 Fig. 6, left).
//!
//! From the authors' example scene (anisotropic2DFEM): 11 x 11 nodes, 1 m, 100 kg, 10 N outward on each node of the boundary, fibres
//! at 25 deg, 200 N/m along them and 20 N/m across, Poisson's ratio 0.4, shear 3.6 N/m, Green-Lagrange strain, no gravity, 0.02 s. Chosen
//! here: the corners get both pushes, damping of 1 1/s, so that it comes to rest.

use super::soft_parts::{gravity, made, nodes, particles, push};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::{Law, Material, Orthotropic};
use taut::{Deformable, Result, Vec3, World};
use taut_mesh::SheetCells;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "anisotropic-quads",
        summary: "a square of quadrilaterals with fibres at an angle, pulled outward on its four sides",
        source: "Tournier 2015 Fig. 6, left; the authors' scene anisotropic2DFEM",
        parameters: vec![
            Parameter::number("force", "N", 10.0, (0.0, 1e3), "outward on each node of a side"),
            Parameter::number("angle", "deg", 25.0, (-360.0, 360.0), "of the fibres from x"),
            Parameter::count("cells", 10, (1, 100), "quadrilaterals along a side"),
            Parameter::number("damping", "1/s", 1.0, (0.0, 100.0), "rate at which velocities decay"),
        ],
        dt: 0.02,
        time: 40.0,
        build,
    }
}

/// Mass, kg; moduli times thickness along and across the fibres and of shear, N/m; Poisson's ratio.
const MASS: f64 = 100.0;
const ALONG: f64 = 200.0;
const ACROSS: f64 = 20.0;
const SHEAR: f64 = 3.6;
const POISSON: f64 = 0.4;

fn build(p: &Parameters) -> Result<Scene> {
    let (n, force) = (p.count("cells"), p.number("force"));
    let fibres = Orthotropic { young_1: ALONG, young_2: ACROSS, poisson_12: POISSON, shear: SHEAR, axis: Vec3::X };
    // One metre thick, so that moduli are resultants.
    let material = Material::new(MASS, ALONG, POISSON)
        .law(Law::Orthotropic(fibres.angle(p.number("angle").to_radians())))
        .thickness(1.0)
        .bending(0.0)
        .mass_damping(p.number("damping"));
    let mesh = made(taut_mesh::sheet([1.0, 1.0], [n, n], SheetCells::Quads))?;
    let mut world = World::new();
    gravity(&mut world, Vec3::ZERO)?;
    let id = world.add(Deformable::new(&mesh, &material)?.named("square"))?;
    for out in [-Vec3::X, Vec3::X, -Vec3::Y, Vec3::Y] {
        let side = nodes(&world, id, |x| (x - 0.5 * Vec3::ONE).dot(out) > 0.5 - 1e-9)?;
        push(&mut world, id, &side, force * out)?;
    }
    let corner = nodes(&world, id, |x| x.x > 1.0 - 1e-9 && x.y < 1e-9)?;
    let follow = particles(&world, id, &corner)?[0];
    let energy_scale = 4.0 * (n + 1) as f64 * force.max(0.01);
    Ok(Scene { world, length: 1.0, energy_scale, follow, window: 5.0, edges: Vec::new(), drive: None })
}
