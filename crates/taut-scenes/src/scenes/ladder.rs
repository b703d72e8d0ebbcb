//! A rope ladder: two strings of links between rungs, a closed loop per cell, a heavy last rung.

use super::parts::{G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "ladder",
        summary: "a rope ladder of ball joints, a closed loop per cell, with a heavy last rung",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("cells", 8, (1, 100_000), "rungs"),
            Parameter::number("ratio", "", 1000.0, (1e-6, 1e12), "mass of the last rung over a link's"),
            Parameter::number("link_mass", "kg", 0.1, (1e-9, 1e9), "mass of a link and of a rung"),
            Parameter::choice("start", &["swinging", "hanging"], "direction at the start"),
            Parameter::number("kick", "rad/s", 1e-3, (0.0, 10.0), "random angular velocity at the start"),
        ],
        dt: 1.0 / 60.0,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, m, ratio) = (p.count("cells"), p.number("link_mass"), p.number("ratio"));
    let (rung, l) = (0.4, 0.3);
    let d = if p.choice("start") == "hanging" { -Vec3::Y } else { Vec3::new(1.0, -0.3, 0.0).normalize() };
    let mut world = World::new();
    let mut random = Random::new(0);
    let ground = world.ground();
    let mut previous = [ground, ground];
    let mut at = [-0.5 * rung * Vec3::Z, 0.5 * rung * Vec3::Z];
    for k in 0..n {
        let mut sides = [ground; 2];
        for q in 0..2 {
            sides[q] = bar(&mut world, at[q], at[q] + l * d, m, 0.01, format!("side {k}.{q}"))?;
            world.add(Ball::between(sides[q], previous[q]).at(at[q]).axis(d))?;
            at[q] += l * d;
        }
        let mass = if k + 1 == n { m * ratio } else { m };
        let r = bar(&mut world, at[0], at[1], mass, 0.02, format!("rung {k}"))?;
        for q in 0..2 {
            world.add(Ball::between(r, sides[q]).at(at[q]).axis(d))?;
        }
        previous = [r, r];
    }
    let bodies: Vec<_> = world.bodies().map(|b| b.id()).filter(|&b| b != ground).collect();
    for b in bodies {
        world.set_velocity(b, Vec3::ZERO, p.number("kick") * random.normal3())?;
    }
    let length = n as f64 * l;
    Ok(Scene {
        world,
        length,
        energy_scale: G * m * (ratio + 3.0 * n as f64) * length,
        follow: previous[0],
        window: 3.0,
        edges: Vec::new(),
        drive: None,
    })
}
