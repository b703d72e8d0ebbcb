//! A soft finger, bent by a cable that runs through guides along its lower side.
//!
//! 0.1 x 0.015 x 0.015 m of silicone, 0.5 MPa, Poisson's ratio 0.45, held at one end. The cable has no friction: its tension is the same in all its pieces,
//! and each guide feels the sum of its two pulls. While the bend is small the curvature is that of a beam under the moment of the cable about the
//! middle of the section, T e/(E I).

use super::soft_parts::{bricks, gravity, nodes, particles};
use crate::drive::Drive;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::Material;
use taut::{BodyId, Deformable, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "soft-finger",
        summary: "a finger of silicone is bent by a cable through guides along its side",
        source: "Taut; beam theory T e/(E I) for small bends",
        parameters: vec![
            Parameter::number("tension", "N", 3.0, (0.0, 100.0), "of the cable, reached within a second"),
            Parameter::count("layers", 2, (2, 8), "elements across, an even number; six times as many along it"),
        ],
        dt: 0.005,
        time: 3.0,
        build,
    }
}

/// Length and width, m; modulus, Pa.
pub(crate) const LENGTH: f64 = 0.1;
pub(crate) const WIDTH: f64 = 0.015;
pub(crate) const YOUNG: f64 = 5e5;
const RISE: f64 = 1.0;

fn build(p: &Parameters) -> Result<Scene> {
    let n = 2 * p.count("layers").div_ceil(2);
    let silicone = Material::new(1100.0, YOUNG, 0.45).damping(0.01).mass_damping(2.0);
    let mesh = bricks(Vec3::new(LENGTH, WIDTH, WIDTH), [6 * n, n, n])?;
    let mut world = World::new();
    gravity(&mut world, Vec3::ZERO)?;
    let id = world.add(Deformable::new(&mesh, &silicone)?.held(|x| x.x == 0.0).named("finger"))?;
    // Nodes in the middle of the lower side; the cable begins in the ground where the side is held.
    let low = |x: Vec3| x.y == 0.0 && (x.z - 0.5 * WIDTH).abs() < 1e-9 && x.x > 0.0;
    let list = nodes(&world, id, low)?;
    let guides: Vec<BodyId> = particles(&world, id, &list)?;
    let follow = guides[guides.len() - 1];
    let tension = p.number("tension");
    let drive = Drive::new(move |world: &mut World, h: f64| {
        let t = tension * ((world.time() + h) / RISE).min(1.0);
        pull(world, &guides, t)
    });
    let energy_scale = (tension * LENGTH).max(1e-3);
    Ok(Scene { world, length: LENGTH, energy_scale, follow, window: 0.5, edges: Vec::new(), drive: Some(drive) })
}

/// Pulls of a cable of this tension, N, on its guides for one step; it is fixed to the last.
fn pull(world: &mut World, guides: &[BodyId], tension: f64) -> Result<()> {
    let mut points = vec![Vec3::new(0.0, 0.0, 0.5 * WIDTH)];
    for &g in guides {
        points.push(world.body(g)?.position());
    }
    for (k, &g) in guides.iter().enumerate() {
        let towards = |p: Vec3| (p - points[k + 1]).normalize_or_zero();
        let next = points.get(k + 2).map_or(Vec3::ZERO, |&p| towards(p));
        world.apply_force(g, tension * (towards(points[k]) + next), Vec3::ZERO)?;
    }
    Ok(())
}
