//! A sheet of triangles with the law of Saint Venant and Kirchhoff, 1 GPa, with up to hundreds of kilograms on it.
//!
//! From the paper: 1 GPa, Poisson's ratio 0.49, several hundred kilograms at the bottom. Chosen here: 1 m square, 10 x 10 cells with
//! alternating diagonals, 1 mm thick, 0.01 kg a node, no bending stiffness, the upper edge held, 1e-4 m of noise across the sheet,
//! the load along the lower edge or on its two corners. Along the edge it stretches by W g/(E t b).

use super::soft_parts::{made, nodes, particles, weigh};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::soft::{Law, Material};
use taut::{Deformable, Result, Vec3, World};
use taut_mesh::SheetCells;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "stvk-cloth",
        summary: "a sheet of triangles of 1 GPa carries up to hundreds of kilograms",
        source: "Tournier 2015 section 3.3: Saint Venant-Kirchhoff triangles",
        parameters: vec![
            Parameter::number("load", "kg", 50.0, (0.0, 1e6), "mass along the lower edge"),
            Parameter::choice("on", &["edge", "corners"], "where the load is"),
            Parameter::choice("start", &["hanging", "horizontal"], "plane of the sheet at the start"),
            Parameter::count("cells", 10, (1, 200), "cells along a side"),
            Parameter::number("young", "Pa", 1e9, (1.0, 1e13), "modulus"),
        ],
        dt: 0.01,
        time: 6.0,
        build,
    }
}

/// Thickness, m, and mass of the sheet, kg.
pub(crate) const THICK: f64 = 1e-3;
pub(crate) const MASS: f64 = 1.21;
const NOISE: f64 = 1e-4;

fn build(p: &Parameters) -> Result<Scene> {
    let (n, load) = (p.count("cells"), p.number("load"));
    let mesh = made(taut_mesh::sheet([1.0, 1.0], [n, n], SheetCells::Triangles))?;
    let material =
        Material::new(MASS / THICK, p.number("young"), 0.49).law(Law::StVenantKirchhoff).thickness(THICK).bending(0.0);
    let hanging = p.choice("start") == "hanging";
    let mut random = Random::new(1);
    let place = |x: &Vec3| {
        let across = random.uniform(-NOISE, NOISE);
        if hanging { Vec3::new(x.x, -x.y, across) } else { Vec3::new(x.x, across, x.y) }
    };
    let shape = mesh.nodes.iter().map(place).collect();
    let sheet = Deformable::new(&mesh, &material)?.shaped(shape).held(|x| x.y == 0.0).named("sheet");
    let mut world = World::new();
    let id = world.add(sheet)?;
    let corners = p.choice("on") == "corners";
    let far = 1.0 - 1e-9;
    let low = nodes(&world, id, |x| x.y > far && (!corners || x.x < 1e-9 || x.x > far))?;
    weigh(&mut world, id, &low, load)?;
    let follow = particles(&world, id, &low)?[0];
    let energy_scale = (load + MASS) * 9.81;
    Ok(Scene { world, length: 1.0, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: None })
}
