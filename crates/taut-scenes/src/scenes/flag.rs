//! A flag in the wind: a sheet of triangles on a pole, pushed by the air on each of its triangles.
//!
//! 1.5 x 1 m of cloth, 0.15 kg/m^2, 1 MPa and 0.3 mm, held along the pole. The air pushes a triangle by rho/2 c A |u| u along its normal, u the part of the
//! wind against it along that normal; a third goes to each node. The wind has 8 m/s and turns by 10 deg to either side once in two seconds.

use super::soft_parts::{made, nodes, particles};
use crate::drive::Drive;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::Material;
use taut::{Deformable, DeformableId, Result, Vec3, World};
use taut_mesh::SheetCells;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "flag",
        summary: "a flag flutters on its pole, pushed by the air on each of its triangles",
        source: "Taut",
        parameters: vec![
            Parameter::number("wind", "m/s", WIND, (0.0, 50.0), "speed of the wind"),
            Parameter::count("cells", 16, (2, 100), "cells along the flag; two thirds of that across"),
            Parameter::number("mass", "kg/m^2", 0.15, (0.01, 10.0), "of the cloth"),
        ],
        dt: 0.005,
        time: 10.0,
        build,
    }
}

/// Length and height, m; thickness, m; modulus, Pa; bending stiffness, N m.
pub(crate) const SIZE: [f64; 2] = [1.5, 1.0];
pub(crate) const THICK: f64 = 3e-4;
pub(crate) const YOUNG: f64 = 1e6;
const BENDING: f64 = 1e-5;
/// Speed of the wind by default, m/s.
pub(crate) const WIND: f64 = 8.0;
/// Density of the air, kg/m^3, and coefficient of its push.
pub(crate) const AIR: f64 = 1.2;
pub(crate) const PUSH: f64 = 1.0;
/// How far the wind turns, rad, and how often, Hz.
pub(crate) const SWAY: f64 = 10.0;
pub(crate) const OFTEN: f64 = 0.5;

fn build(p: &Parameters) -> Result<Scene> {
    let n = p.count("cells");
    let mesh = made(taut_mesh::sheet(SIZE, [n, (2 * n / 3).max(1)], SheetCells::Triangles))?;
    let mass = p.number("mass");
    let cloth = Material::new(mass / THICK, YOUNG, 0.3).thickness(THICK).bending(BENDING).damping(0.002);
    let mut world = World::new();
    let flag = Deformable::new(&mesh, &cloth)?.held(|x| x.x == 0.0).named("flag");
    let id = world.add(flag)?;
    let corner = nodes(&world, id, |x| x.x > SIZE[0] * (1.0 - 1e-9) && x.y < 1e-9)?;
    let follow = particles(&world, id, &corner)?[0];
    let (triangles, wind) = (mesh.surface_triangles(), p.number("wind"));
    let drive = Drive::new(move |world: &mut World, _| blow(world, id, &triangles, wind));
    let all = mass * SIZE[0] * SIZE[1];
    let energy_scale = all * (9.81 * SIZE[1] + wind * wind).max(1.0);
    Ok(Scene { world, length: SIZE[0], energy_scale, follow, window: 1.0, edges: Vec::new(), drive: Some(drive) })
}

/// The wind at this time, m/s.
fn wind(speed: f64, time: f64) -> Vec3 {
    let turn = SWAY.to_radians() * libm::sin(std::f64::consts::TAU * OFTEN * time);
    speed * Vec3::new(libm::cos(turn), 0.0, libm::sin(turn))
}

/// What the air pushes each node with, N.
fn pushes(world: &World, id: DeformableId, triangles: &[[u32; 3]], wind: Vec3) -> Result<Vec<Vec3>> {
    let view = world.deformable(id)?;
    let (count, x) = (view.node_count(), view.positions().collect::<Vec<_>>());
    let v = (0..count).map(|k| view.velocity(k)).collect::<Result<Vec<_>>>()?;
    let mut push = vec![Vec3::ZERO; count];
    for t in triangles {
        let [a, b, c] = t.map(|k| k as usize);
        let twice = (x[b] - x[a]).cross(x[c] - x[a]);
        let normal = twice.normalize_or_zero();
        let against = (wind - (v[a] + v[b] + v[c]) / 3.0).dot(normal);
        let force = 0.5 * AIR * PUSH * 0.5 * twice.length() * against.abs() * against * normal;
        [a, b, c].into_iter().for_each(|k| push[k] += force / 3.0);
    }
    Ok(push)
}

/// What the air of a wind of 8 m/s pushes the whole flag with, N.
pub(crate) fn air(world: &World, id: DeformableId) -> Result<Vec3> {
    let triangles = world.deformable(id)?.elements().surface().to_vec();
    Ok(pushes(world, id, &triangles, wind(WIND, world.time()))?.into_iter().sum())
}

/// Gives each node its part of the push of the air, for one step.
fn blow(world: &mut World, id: DeformableId, triangles: &[[u32; 3]], speed: f64) -> Result<()> {
    let push = pushes(world, id, triangles, wind(speed, world.time()))?;
    for (k, force) in push.into_iter().enumerate() {
        let view = world.deformable(id)?;
        if !view.is_bound(k)? {
            let node = view.node(k)?;
            world.apply_force(node, force, Vec3::ZERO)?;
        }
    }
    Ok(())
}
