//! A load is lowered to the ground on a line of light links, lands, the line goes slack; it is hoisted again and lifts off.
//!
//! Chosen here: the winch is a driven body that goes down at 0.5 m/s, waits for 0.8 s, and goes up; the ground is 0.3 m under the
//! load, a box of 40 cm; links of 0.1 kg. `hook` is a chain of 20 cm bars on ball joints with a one-way sling of 10 cm
//! before the load, `rope` a line of one-way links of 10 cm between particles that lie down on the ground. A straight chain that could
//! push would have to be pushed by the winch when the load has landed: every cable here has a link that can only pull.

use super::parts::{Block, G, bar, floor};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{Ball, Body, BodyId, Collider, Quat, Result, Rope, Shape, Vec3, World};

/// Half the edge of the load, and radius of a knot of the rope, m.
const HALF: f64 = 0.2;
const KNOT: f64 = 0.01;
/// Height of the load over the ground at the start, m.
const HEIGHT: f64 = 0.3;
/// How far the winch goes down, m: the chain must not come down on the load, it would be pushed.
const DOWN_ROPE: f64 = 0.6;
const DOWN_HOOK: f64 = 0.375;
/// How long it then waits, s.
const PAUSE: f64 = 0.8;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "crane-landing",
        summary: "a load is lowered to the ground at 0.5 m/s, its cable goes slack, it is hoisted again",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("links", 10, (1, 10_000), "bars of the chain; twice as many links of the rope"),
            Parameter::choice("kind", &["hook", "rope"], "a chain with a one-way sling, or one-way links"),
            Parameter::number("ratio", "", 1e4, (1.0, 1e12), "mass of the load over that of a link"),
            Parameter::number("link_mass", "kg", 0.1, (1e-9, 1e6), "mass of a link"),
            Parameter::number("speed", "m/s", 0.5, (1e-3, 10.0), "speed of the winch"),
            Parameter::number("friction", "", 0.5, (0.0, 10.0), "friction of load and ground"),
            Parameter::number("kick", "m/s", 1e-3, (0.0, 1.0), "sideways speed of the links at the start"),
        ],
        dt: 1.0 / 60.0,
        time: 4.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, m) = (p.count("links"), p.number("link_mass"));
    let length = 0.2 * n as f64 + 0.1;
    let load = p.number("ratio") * m;
    let mut world = World::new();
    let top = (HEIGHT + 2.0 * HALF + length) * Vec3::Y;
    let winch = world.add(Body::kinematic().at(top).named("winch"))?;
    floor(&mut world, 0.0, p.number("friction"))?;
    let hook = (HEIGHT + 2.0 * HALF) * Vec3::Y;
    let block = Block { half: Vec3::splat(HALF), mass: load, friction: p.number("friction") };
    let follow = block.add(&mut world, hook - HALF * Vec3::Y, Quat::IDENTITY, "load".into())?;
    match p.choice("kind") {
        "rope" => rope(&mut world, p, (winch, top), (follow, hook))?,
        _ => chain(&mut world, p, (winch, top), (follow, hook))?,
    }
    Ok(Scene {
        world,
        length,
        energy_scale: G * load * length,
        follow,
        window: 1.0,
        edges: Vec::new(),
        drive: Some(winds(p, winch)),
    })
}

/// The winch: down, a pause, up.
fn winds(p: &Parameters, winch: BodyId) -> Drive {
    let speed = p.number("speed");
    let stop = if p.choice("kind") == "rope" { DOWN_ROPE } else { DOWN_HOOK } / speed;
    Drive::new(move |world, h| {
        let now = world.time() + 0.5 * h;
        let v = if now < stop {
            -speed
        } else if now < stop + PAUSE {
            0.0
        } else {
            speed
        };
        world.set_velocity(winch, v * Vec3::Y, Vec3::ZERO)
    })
}

/// Sideways, different from link to link, m/s.
fn kick(p: &Parameters, k: usize) -> Vec3 {
    p.number("kick") * Vec3::new(libm::sin(3.0 * k as f64), 0.0, libm::cos(5.0 * k as f64))
}

/// Bars on ball joints from the winch, and a sling to the load.
fn chain(world: &mut World, p: &Parameters, (winch, top): (BodyId, Vec3), (load, hook): (BodyId, Vec3)) -> Result<()> {
    let (mut previous, mut at) = (winch, top);
    for k in 0..p.count("links") {
        let end = at - 0.2 * Vec3::Y;
        let b = bar(world, at, end, p.number("link_mass"), KNOT, format!("link {k}"))?;
        world.set_velocity(b, kick(p, k), Vec3::ZERO)?;
        world.add(Ball::between(b, previous).at(at))?;
        (previous, at) = (b, end);
    }
    world.add(Rope::between(load, previous).ends(hook, at).length((hook - at).length()))?;
    Ok(())
}

/// One-way links between particles from the winch to the load.
fn rope(world: &mut World, p: &Parameters, (winch, top): (BodyId, Vec3), (load, hook): (BodyId, Vec3)) -> Result<()> {
    let n = 2 * p.count("links");
    let (mut previous, mut at) = (winch, top);
    let l = (top - hook).length() / (n + 1) as f64;
    for k in 0..n {
        let end = at - l * Vec3::Y;
        let knot = Body::particle(p.number("link_mass")).at(end).moving(kick(p, k), Vec3::ZERO);
        let b = world.add(knot.named(format!("knot {k}")))?;
        let skin = Collider::new(Shape::ball(KNOT)).friction(p.number("friction"));
        world.add(skin.on(b))?;
        world.add(Rope::between(b, previous).ends(end, at).length(l))?;
        (previous, at) = (b, end);
    }
    world.add(Rope::between(load, previous).ends(hook, at).length(l))?;
    Ok(())
}
