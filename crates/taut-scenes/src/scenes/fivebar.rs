//! A five-bar loop (four links and the ground) with a heavy load on top: it falls through the loop and the slack links snap taut.

use super::parts::{G, ball, bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, Body, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "fivebar",
        summary: "a closed loop of four links that a load on top of it falls through, until they snap taut",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("ratio", "", 1000.0, (1e-6, 1e12), "load mass over link mass"),
            Parameter::number("kick", "m/s", 2e-3, (0.0, 10.0), "sideways speed of the load at the start"),
        ],
        dt: 1.0 / 60.0,
        time: 5.0,
        build,
    }
}

/// Length of a link, m, and its mass, kg.
const LINK: f64 = 0.2;
const MASS: f64 = 0.2;

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let ground = world.ground();
    let corners =
        [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (2.0, 0.0)].map(|(x, y)| LINK * Vec3::new(x, y, 0.0));
    let mut last = ground;
    let mut middle = ground;
    for k in 0..4 {
        let link = bar(&mut world, corners[k], corners[k + 1], MASS, 0.02, format!("link {k}"))?;
        world.add(Ball::between(link, last).at(corners[k]))?;
        last = link;
        if k == 1 {
            middle = link;
        }
    }
    world.add(Ball::between(last, ground).at(corners[4]))?;
    let mass = MASS * p.number("ratio");
    let kick = p.number("kick") * Vec3::new(1.0, 0.0, 1.0).normalize();
    let load = Body::dynamic(ball(mass, 0.1)?).at(corners[2] + 0.1 * Vec3::Y).moving(kick, Vec3::ZERO).named("load");
    let load = world.add(load)?;
    world.add(Ball::between(load, middle).at(corners[2]))?;
    let energy_scale = G * (mass * 3.0 * LINK + 4.0 * MASS * 2.0 * LINK);
    Ok(Scene { world, length: 4.0 * LINK, energy_scale, follow: load, window: 1.0, edges: Vec::new(), drive: None })
}
