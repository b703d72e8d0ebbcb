//! A yard of boxes in small stacks, at rest: what does not move should cost nothing.
//!
//! Chosen here: boxes of 0.5 m in stacks of 4, a metre apart; a ball can be rolled along a row of stacks.

use super::parts::{Block, G, ball, floor};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, BodyId, Collider, Quat, Result, Shape, Vec3, World};

const EDGE: f64 = 0.5;
const APART: f64 = 1.0;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "yard",
        summary: "boxes at rest in small stacks fall asleep; a ball wakes only what it touches",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("bodies", 1000, (1, 1_000_000), "boxes"),
            Parameter::count("stack", 4, (1, 20), "boxes of a stack"),
            Parameter::number("mass", "kg", 100.0, (1e-3, 1e6), "mass of a box"),
            Parameter::number(
                "ball",
                "m/s",
                0.0,
                (0.0, 100.0),
                "speed of a ball of 1 t rolled at the first stack; 0 for no ball",
            ),
        ],
        dt: 1.0 / 60.0,
        time: 2.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    floor(&mut world, 0.0, 0.5)?;
    let (n, high) = (p.count("bodies"), p.count("stack"));
    let columns = (n as f64 / high as f64).sqrt().ceil().max(1.0) as usize;
    let block = Block { half: Vec3::splat(0.5 * EDGE), mass: p.number("mass"), friction: 0.5 };
    let mut follow: BodyId = world.ground();
    for k in 0..n {
        let (place, layer) = (k / high, k % high);
        let (x, z) = ((place % columns) as f64, (place / columns) as f64);
        let at = Vec3::new(APART * x, EDGE * (layer as f64 + 0.5), APART * z);
        follow = block.add(&mut world, at, Quat::IDENTITY, format!("box {place} {layer}"))?;
    }
    let speed = p.number("ball");
    if speed > 0.0 {
        let at = Vec3::new(-3.0, EDGE, 0.0);
        let spin = -speed / EDGE * Vec3::Z;
        follow = world.add(Body::dynamic(ball(1000.0, EDGE)?).at(at).moving(speed * Vec3::X, spin).named("ball"))?;
        world.add(Collider::new(Shape::ball(EDGE)).friction(0.5).on(follow))?;
    }
    let energy_scale = G * p.number("mass") * n as f64 * EDGE;
    Ok(Scene { world, length: EDGE, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: None })
}
