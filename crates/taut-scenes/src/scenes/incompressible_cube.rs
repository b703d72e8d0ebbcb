//! A cube of rubber that hardly changes its volume, pressed from above.
//!
//! 0.2 m, 0.1 MPa, stable Neo-Hookean, the lower face held, 981 N on the upper face, spread by area; near Poisson's ratio 0.5 elements without
//! a volume patch lock.

use super::soft_parts::{gravity, nodes, particles, push};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::{Law, Material};
use taut::{Deformable, Result, Vec3, World};
use taut_mesh::Filling;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "incompressible-cube",
        summary: "a cube of rubber that keeps its volume sinks and bulges under 100 kg",
        source: "Taut",
        parameters: vec![
            Parameter::number("poisson", "", 0.499, (0.0, 0.5), "Poisson's ratio"),
            Parameter::count("cells", 4, (1, 24), "cells along an edge"),
            Parameter::choice("of", &["hexahedra", "tetrahedra"], "what the cells are made of"),
            Parameter::number("load", "N", 981.0, (0.0, 1e5), "force on the upper face"),
            Parameter::number("damping", "1/s", 5.0, (0.0, 100.0), "rate at which velocities decay"),
        ],
        dt: 0.01,
        time: 5.0,
        build,
    }
}

/// Edge, m; modulus, Pa.
pub(crate) const EDGE: f64 = 0.2;
const YOUNG: f64 = 1e5;

fn build(p: &Parameters) -> Result<Scene> {
    let n = p.count("cells");
    let filling = if p.choice("of") == "hexahedra" { Filling::Hexahedra } else { Filling::SixTets };
    let made = super::soft_parts::made(taut_mesh::bar(Vec3::splat(EDGE), [n; 3], filling))?;
    let material = Material::new(1000.0, YOUNG, p.number("poisson"))
        .law(Law::StableNeoHookeanNoLog)
        .mass_damping(p.number("damping"));
    let options = taut::soft::Options { groups: Some(made.patches), ..Default::default() };
    let elements = taut::soft::Elements::with(&made.mesh, &material, &options)
        .map_err(|e| taut::Error::input("cube", e, "a mesh and a material that go together"))?;
    let mut world = World::new();
    gravity(&mut world, Vec3::ZERO)?;
    let id = world.add(Deformable::of(elements).held(|x| x.y == 0.0).named("cube"))?;
    let top = nodes(&world, id, |x| x.y > EDGE * (1.0 - 1e-9))?;
    let each = p.number("load") / (n * n) as f64;
    for &k in &top {
        let share = share(made.mesh.nodes[k]);
        push(&mut world, id, &[k], -each * share * Vec3::Y)?;
    }
    let follow = particles(&world, id, &top)?[top.len() / 2];
    let energy_scale = (p.number("load") * EDGE).max(1.0);
    Ok(Scene { world, length: EDGE, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: None })
}

/// The part of a cell's face that belongs to a node of the upper face: all, a half at edges, a quarter at corners.
pub(crate) fn share(x: Vec3) -> f64 {
    let at = |c: f64| if (1e-9..=EDGE * (1.0 - 1e-9)).contains(&c) { 1.0 } else { 0.5 };
    at(x.x) * at(x.z)
}
