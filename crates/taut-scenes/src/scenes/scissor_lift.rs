//! A scissor lift: stages of two crossed beams on hinges, a platform with a load on top, lifted and lowered by a driven carriage at the foot.
//! Every stage closes a loop through all stages below it, and all of them are over-constrained out of the plane.

use super::parts::{G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use std::f64::consts::TAU;
use taut::{Body, BodyId, Command, Hinge, JointId, MassProperties, Motor, Prismatic, Result, Vec3, Weld, World};

/// Length of a beam, m.
pub const BEAM: f64 = 1.0;
/// Way of the carriage from the lowest to the highest position, m.
const STROKE: f64 = 0.4;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "scissor-lift",
        summary: "crossed beams on hinges lift a loaded platform, driven by a carriage at the foot",
        source: "closed loops in series",
        parameters: vec![
            Parameter::count("stages", 4, (1, 200), "pairs of crossed beams"),
            Parameter::number("load", "kg", 500.0, (1e-3, 1e9), "load on the platform"),
            Parameter::number("beam_mass", "kg", 5.0, (1e-3, 1e6), "mass of a beam"),
            Parameter::number("angle", "rad", 0.35, (0.1, 0.6), "angle of the beams at the start, above the floor"),
            Parameter::number("period", "s", 8.0, (0.5, 1e4), "time to go up and down"),
        ],
        dt: 0.01,
        time: 16.0,
        build,
    }
}

/// Height of the platform above the floor for a position of the carriage, m.
pub fn height(stages: usize, carriage: f64) -> f64 {
    stages as f64 * (BEAM * BEAM - carriage * carriage).max(0.0).sqrt()
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, m, load, angle) = (p.count("stages"), p.number("beam_mass"), p.number("load"), p.number("angle"));
    let (wide, high) = (BEAM * libm::cos(angle), BEAM * libm::sin(angle));
    let mut world = World::new();
    let ground = world.ground();
    let foot = carriage(&mut world, m, wide * Vec3::X, "foot")?;
    let (mut left, mut right) = (ground, foot);
    for k in 0..n {
        let at = |x: f64, s: usize| Vec3::new(x, (k + s) as f64 * high, 0.0);
        let up = bar(&mut world, at(0.0, 0), at(wide, 1), m, 0.02, format!("beam {k} up"))?;
        let down = bar(&mut world, at(wide, 0), at(0.0, 1), m, 0.02, format!("beam {k} down"))?;
        world.add(Hinge::between(up, left).at(at(0.0, 0)).axis(Vec3::Z))?;
        world.add(Hinge::between(down, right).at(at(wide, 0)).axis(Vec3::Z))?;
        world.add(Hinge::between(up, down).at(0.5 * (at(0.0, 0) + at(wide, 1))).axis(Vec3::Z))?;
        (left, right) = (down, up);
    }
    let top = n as f64 * high * Vec3::Y;
    let platform = cuboid(&mut world, Vec3::new(0.6, 0.05, 0.3), 4.0 * m, top + 0.5 * Vec3::X, "platform")?;
    let guide = carriage(&mut world, m, top + wide * Vec3::X, "guide")?;
    world.add(Hinge::between(platform, left).at(top).axis(Vec3::Z))?;
    world.add(Hinge::between(guide, right).at(top + wide * Vec3::X).axis(Vec3::Z))?;
    world.add(Prismatic::between(guide, platform).axis(Vec3::X))?;
    let body = cuboid(&mut world, Vec3::splat(0.3), load, top + Vec3::new(0.5, 0.35, 0.0), "load")?;
    world.add(Weld::between(body, platform).at(top + Vec3::new(0.5, 0.05, 0.0)).axis(Vec3::Y))?;
    let motor = world.add(Prismatic::between(foot, ground).axis(Vec3::X).motor(Motor::rate().speed(0.0)))?;
    let length = n as f64 * BEAM;
    Ok(Scene {
        world,
        length,
        energy_scale: G * (load + (2 * n + 6) as f64 * m) * length,
        follow: body,
        window: 4.0,
        edges: Vec::new(),
        drive: Some(lifting(motor, p.number("period"))),
    })
}

/// The carriage goes in and out, smoothly, by `STROKE`; in is up.
fn lifting(motor: JointId, period: f64) -> Drive {
    let way = move |t: f64| 0.5 * STROKE * (1.0 - libm::cos(TAU * t / period));
    Drive::new(move |w, h| {
        let t = w.time();
        w.set_motor(motor, Command::rate(-(way(t + h) - way(t)) / h))
    })
}

fn cuboid(world: &mut World, half: Vec3, mass: f64, at: Vec3, name: &str) -> Result<BodyId> {
    let mass = MassProperties::cuboid(1000.0, half)?.with_mass(mass)?;
    world.add(Body::dynamic(mass).at(at).named(name))
}

fn carriage(world: &mut World, mass: f64, at: Vec3, name: &str) -> Result<BodyId> {
    cuboid(world, Vec3::splat(0.05), mass, at, name)
}
