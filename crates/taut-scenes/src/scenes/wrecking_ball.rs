//! A heavy ball on a cable of light links swings into a wall of boxes.
//!
//! Chosen here: a ball of 1000 kg and 0.5 m on 20 links of 1 kg and 0.3 m with a one-way sling at the ball, released at 60 degrees; a wall
//! of 6 by 5 boxes of 0.6 m and 50 kg in running bond across its path.

use super::parts::{Block, G, ball, bar, floor};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, Body, BodyId, Collider, Quat, Result, Rope, Shape, Vec3, World};

const LINK: f64 = 0.3;
const RADIUS: f64 = 0.5;
const EDGE: f64 = 0.6;
/// Height of the lowest point of the ball's path over the ground, m.
const CLEAR: f64 = 0.6;
/// Edge of the wall's front over the lowest point of the path, m.
const FRONT: f64 = 0.6;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "wrecking-ball",
        summary: "a ball of 1 t on a cable of 1 kg links swings into a wall of boxes",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("ball", "kg", 1000.0, (1.0, 1e9), "mass of the ball"),
            Parameter::count("links", 20, (1, 1000), "links of the cable"),
            Parameter::number("link_mass", "kg", 1.0, (1e-6, 1e6), "mass of a link"),
            Parameter::number("angle", "deg", 60.0, (0.0, 90.0), "angle of release from hanging"),
            Parameter::count("columns", 6, (1, 100), "boxes of the wall along"),
            Parameter::count("layers", 5, (1, 100), "boxes of the wall upwards"),
            Parameter::number("box", "kg", 50.0, (1e-3, 1e6), "mass of a box"),
            Parameter::number("friction", "", 0.5, (0.0, 10.0), "coefficient of friction"),
        ],
        dt: 1.0 / 60.0,
        time: 5.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    floor(&mut world, 0.0, p.number("friction"))?;
    wall(&mut world, p)?;
    let length = p.count("links") as f64 * LINK + LINK + RADIUS;
    let top = (CLEAR + RADIUS + length) * Vec3::Y;
    let follow = pendulum(&mut world, p, top)?;
    let boxes = (p.count("columns") * p.count("layers")) as f64;
    let energy_scale = G * p.number("ball") * length + G * boxes * p.number("box") * EDGE;
    Ok(Scene { world, length, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: None })
}

/// The ball on its cable.
fn pendulum(world: &mut World, p: &Parameters, top: Vec3) -> Result<BodyId> {
    let a = p.number("angle").to_radians();
    let along = Vec3::new(-libm::sin(a), -libm::cos(a), 0.0);
    let (mut previous, mut at) = (world.ground(), top);
    for k in 0..p.count("links") {
        let end = at + LINK * along;
        let b = bar(world, at, end, p.number("link_mass"), 0.02, format!("link {k}"))?;
        world.add(Ball::between(b, previous).at(at))?;
        (previous, at) = (b, end);
    }
    let hook = at + LINK * along;
    let mass = ball(p.number("ball"), RADIUS)?;
    let b = world.add(Body::dynamic(mass).at(hook + RADIUS * along).named("ball"))?;
    world.add(Collider::new(Shape::ball(RADIUS)).friction(p.number("friction")).on(b))?;
    world.add(Rope::between(b, previous).ends(hook, at).length(LINK))?;
    Ok(b)
}

/// Boxes in running bond across the ball's path.
fn wall(world: &mut World, p: &Parameters) -> Result<()> {
    let n = p.count("columns");
    let block = Block { half: Vec3::splat(0.5 * EDGE), mass: p.number("box"), friction: p.number("friction") };
    for layer in 0..p.count("layers") {
        let bond = if layer % 2 == 0 { 0.25 } else { -0.25 };
        for k in 0..n {
            let z = EDGE * (k as f64 - 0.5 * (n - 1) as f64 + bond);
            let at = Vec3::new(FRONT + 0.5 * EDGE, EDGE * (layer as f64 + 0.5), z);
            block.add(world, at, Quat::IDENTITY, format!("box {layer} {k}"))?;
        }
    }
    Ok(())
}
