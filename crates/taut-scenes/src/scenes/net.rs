//! A net of rigid bodies for scaling: every body is joined to all its neighbours on a grid by ball joints halfway between them, and
//! the top row is held.
//!
//! Chosen throughout: balls of radius 0.4 m, 1 m apart, 1 kg each; it starts level (or hanging) and at rest but for the kick. A
//! flat net has one row more than it needs in each cell.

use super::parts::{G, ball};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, Body, BodyId, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "net",
        summary: "a grid of rigid bodies, each joined to all its neighbours by ball joints, held by the top row",
        source: "scaling scene",
        parameters: vec![
            Parameter::count("columns", 8, (1, 1000), "bodies along the held row"),
            Parameter::count("rows", 8, (2, 1000), "rows of bodies, the held one included"),
            Parameter::number("mass", "kg", 1.0, (1e-9, 1e9), "mass of a body"),
            Parameter::choice("start", &["level", "hanging"], "plane of the net at the start"),
            Parameter::number("kick", "rad/s", 1e-3, (0.0, 10.0), "random angular velocity of the bodies at the start"),
        ],
        dt: 1.0 / 60.0,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (columns, rows, m) = (p.count("columns"), p.count("rows"), p.number("mass"));
    let down = if p.choice("start") == "hanging" { -Vec3::Y } else { Vec3::X };
    let mut world = World::new();
    let mut random = Random::new(8);
    let mass = ball(m, 0.4)?;
    let mut above: Vec<BodyId> = Vec::new();
    let mut follow = world.ground();
    for r in 0..rows {
        let mut row = Vec::with_capacity(columns);
        for c in 0..columns {
            let at = r as f64 * down + c as f64 * Vec3::Z;
            let spin = p.number("kick") * random.normal3();
            let def = if r == 0 { Body::fixed() } else { Body::dynamic(mass).moving(Vec3::ZERO, spin) };
            let b = world.add(def.at(at).named(format!("node {r}.{c}")))?;
            if r > 0 {
                world.add(Ball::between(b, above[c]).at(at - 0.5 * down))?;
                if let Some(&left) = row.last() {
                    world.add(Ball::between(b, left).at(at - 0.5 * Vec3::Z))?;
                }
            }
            row.push(b);
            follow = b;
        }
        above = row;
    }
    let length = (rows - 1) as f64;
    let energy_scale = G * m * columns as f64 * length * 0.5 * length;
    Ok(Scene { world, length, energy_scale, follow, window: 3.0, edges: Vec::new(), drive: None })
}
