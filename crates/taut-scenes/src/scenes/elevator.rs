//! An elevator: car and counterweight on a traction sheave, which grips the rope by friction alone.
//!
//! From the specification of running cables: car 1 t, counterweight 1.4 t, travel 100 m at 2.5 m/s with 1 m/s^2. Chosen here: sheave of 0.4 m
//! with 30 kg m^2, guided by rails. It goes down 20 m and stops.

use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{Body, BodyId, Command, Hinge, MassProperties, Motor, Prismatic, Result, Rope, Sheave, Vec3, World};

const R: f64 = 0.4;
/// Acceleration, m/s^2.
const SPEEDS_UP: f64 = 1.0;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "elevator",
        summary: "car and counterweight on a traction sheave that grips the rope by friction",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("car", "kg", 1000.0, (1.0, 1e6), "mass of the car with its load"),
            Parameter::number("counterweight", "kg", 1400.0, (1.0, 1e6), "mass of the counterweight"),
            Parameter::number("friction", "", 0.3, (0.0, 2.0), "of the rope on the sheave"),
            Parameter::number("stiffness", "N", 0.0, (0.0, 1e12), "E A of the ropes; 0: they do not stretch"),
            Parameter::number("rope", "m", 50.0, (1.0, 500.0), "from the sheave to the car at the start"),
            Parameter::number("speed", "m/s", 2.5, (0.0, 20.0), "of the car"),
            Parameter::number("travel", "m", 20.0, (0.0, 400.0), "way of the car, down"),
        ],
        dt: 1.0 / 60.0,
        time: 12.0,
        build,
    }
}

/// Speed at a time, m/s: up to `speed`, and down again to stop after `travel`.
fn speed_at(time: f64, speed: f64, travel: f64) -> f64 {
    let up = (speed / SPEEDS_UP).min((travel / SPEEDS_UP).sqrt());
    let most = SPEEDS_UP * up;
    let cruise = if most > 0.0 { travel / most - up } else { 0.0 };
    let left = 2.0 * up + cruise - time;
    (SPEEDS_UP * time).min(most).min(SPEEDS_UP * left).max(0.0)
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let down = p.number("rope");
    let rotor = MassProperties::from_diagonal(200.0, Vec3::splat(30.0))?;
    let rotor = world.add(Body::dynamic(rotor).named("traction sheave"))?;
    let ground = world.ground();
    let axle = Hinge::between(rotor, ground).axis(Vec3::Z).motor(Motor::rate().speed(0.0).named("drive"));
    let axle = world.add(axle.named("axle"))?;
    let car = cabin(&mut world, -R, -down, p.number("car"), "car")?;
    let weight = cabin(&mut world, R, -down, p.number("counterweight"), "counterweight")?;
    let sheave = Sheave::on(rotor, Vec3::ZERO, Vec3::Z, R).friction(p.number("friction")).keeper(true);
    let rope = Rope::from(car, Vec3::new(-R, -down, 0.0)).over(sheave).to(weight, Vec3::new(R, -down, 0.0));
    let stiffness = p.number("stiffness");
    world.add(if stiffness > 0.0 { rope.stiffness(stiffness) } else { rope }.named("ropes"))?;
    let (speed, travel) = (p.number("speed"), p.number("travel"));
    // The car hangs on the left: it sinks when the sheave turns about +z.
    let drive = Drive::new(move |world, h| {
        let at = speed_at(world.time() + h, speed, travel);
        world.set_motor(axle, Command::rate(at / R))
    });
    let energy_scale = G * (p.number("car") + p.number("counterweight")) * 8.0;
    Ok(Scene { world, length: down, energy_scale, follow: car, window: 1.0, edges: Vec::new(), drive: Some(drive) })
}

/// A car on its rails, hung at its roof.
fn cabin(world: &mut World, x: f64, roof: f64, mass: f64, name: &str) -> Result<BodyId> {
    let mass = MassProperties::cuboid(100.0, Vec3::new(0.3, 1.2, 0.6))?.with_mass(mass)?;
    let at = Vec3::new(x, roof - 1.2, 0.0);
    let body = world.add(Body::dynamic(mass).at(at).named(name))?;
    let ground = world.ground();
    world.add(Prismatic::between(body, ground).at(at).axis(Vec3::Y))?;
    Ok(body)
}
