//! Four creatures fall on the ground: rigid, of clay, of flesh, and of twelve affine frames (Tournier 2015 Fig. 6, right).
//!
//! From the authors' scenes: rigid; plastic tetrahedra; Neo-Hookean hexahedra; Saint Venant-Kirchhoff. Chosen here: a creature of eleven balls, 1 m tall, voxelised,
//! 1000 kg/m^3; clay of 20 kPa, Poisson's ratio 0.4, yield strain 0.05, at most 0.35; flesh of 30 kPa and 0.3; twelve frames of
//! 30 kPa and 0.3, one in each ball and two in the trunk, that carry the nodes of the same cells; friction 0.3, 0.01 s.

use super::soft_parts::{made, nodes, particles};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::{Elements, Frames, Law, Material, Mesh, Plasticity};
use taut::{Body, Collider, Deformable, Error, MassProperties, Mat3, Result, Shape, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "creatures",
        summary: "four creatures fall on the ground: rigid, of clay, of flesh, of twelve frames",
        source: "Tournier 2015 Fig. 6, right",
        parameters: vec![
            Parameter::choice("which", &["all", "rigid", "clay", "flesh", "frames"], "which of them"),
            Parameter::number("size", "m", 0.12, (0.05, 0.3), "edge of a cell"),
            Parameter::number("height", "m", 1.0, (0.0, 10.0), "of the drop"),
        ],
        dt: 0.01,
        time: 4.0,
        build,
    }
}

/// Density, kg/m^3; friction; half thickness of the skins, m; distance between the creatures, m.
const DENSITY: f64 = 1000.0;
const FRICTION: f64 = 0.3;
const SKIN: f64 = 0.01;
const APART: f64 = 1.3;

fn build(p: &Parameters) -> Result<Scene> {
    let (size, height, which) = (p.number("size"), p.number("height"), p.choice("which"));
    let mut world = World::new();
    let ground = world.ground();
    world.add(Collider::new(Shape::ground()).friction(FRICTION).named("floor").on(ground))?;
    let mut follow = ground;
    let (mut mass, mut k) = (0.0, 0.0);
    for kind in ["rigid", "clay", "flesh", "frames"].into_iter().filter(|kind| which == "all" || which == *kind) {
        let at = Vec3::new(APART * k, height + SKIN, 0.0);
        k += 1.0;
        follow = if kind == "rigid" { rigid(&mut world, at)? } else { soft(&mut world, kind, size, at)? };
    }
    for b in world.bodies() {
        mass += b.mass();
    }
    let energy_scale = mass.max(1.0) * 9.81 * (height + 1.0);
    Ok(Scene { world, length: 1.0, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: None })
}

/// Balls with the mass and inertia of all of them.
fn rigid(world: &mut World, at: Vec3) -> Result<taut::BodyId> {
    let balls = taut_mesh::creature_balls();
    let weight = |r: f64| DENSITY * 4.0 / 3.0 * std::f64::consts::PI * r * r * r;
    let mass: f64 = balls.iter().map(|b| weight(b.1)).sum();
    let centre = balls.iter().map(|(c, r)| weight(*r) * *c).sum::<Vec3>() / mass;
    let mut inertia = Mat3::ZERO;
    for (c, r) in &balls {
        let (d, m) = (*c - centre, weight(*r));
        let outer = Mat3::from_cols(d * d.x, d * d.y, d * d.z);
        inertia += m * ((0.4 * r * r + d.length_squared()) * Mat3::IDENTITY - outer);
    }
    let body = world.add(Body::dynamic(MassProperties::new(mass, inertia)?).at(at + centre).named("rigid"))?;
    for (c, r) in balls {
        world.add(Collider::new(Shape::ball(r)).at(c - centre).friction(FRICTION).on(body))?;
    }
    Ok(body)
}

fn soft(world: &mut World, kind: &str, size: f64, at: Vec3) -> Result<taut::BodyId> {
    let cubes = |size: f64| -> Result<Mesh> { made(taut_mesh::creature(size)).map(|c| c.solid.mesh) };
    let (mesh, groups, material) = match kind {
        "clay" => {
            let tets = made(taut_mesh::split(&cubes(size)?, taut_mesh::Split::Six))?;
            let clay = Plasticity { yield_strain: 0.05, creep_time: 0.0, max_strain: 0.35 };
            (tets.mesh, Some(tets.patches), Material::new(DENSITY, 2e4, 0.4).plasticity(clay))
        }
        "flesh" => (cubes(size)?, None, Material::new(DENSITY, 3e4, 0.3).law(Law::StableNeoHookean)),
        _ => (cubes(size)?, None, Material::new(DENSITY, 3e4, 0.3).law(Law::StVenantKirchhoff)),
    };
    let material = material.damping(0.01);
    let options = taut::soft::Options { groups, ..Default::default() };
    let elements = match kind {
        "frames" => Elements::frames_over(&mesh, &frames(), &material, &options),
        _ => Elements::with(&mesh, &material, &options),
    };
    let elements = elements.map_err(|e| Error::input("creature", e, "a mesh and a material that go together"))?;
    let low = mesh.nodes.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let body = Deformable::of(elements).at(at - low * Vec3::Y).named(kind);
    let id = world.add(body.skin(SKIN).surface(taut::Material::new(FRICTION, 0.0)))?;
    let top = mesh.nodes.iter().map(|x| x.y).fold(0.0, f64::max);
    let head = nodes(world, id, |x| x.y > top - 1e-9)?;
    Ok(particles(world, id, &head)?[0])
}

/// How far a frame reaches, m: every part of the cubes is within it of one frame at least, and none of more than eight.
const REACH: f64 = 0.32;

/// A frame in each ball of the creature, two in its trunk.
fn frames() -> Frames {
    let balls = taut_mesh::creature_balls();
    let trunk = balls[0].0;
    let mut centres = vec![trunk + 0.15 * Vec3::Z, trunk + Vec3::new(0.0, 0.05, -0.12)];
    centres.extend(balls[1..].iter().map(|b| b.0));
    Frames { centres, radius: REACH }
}
