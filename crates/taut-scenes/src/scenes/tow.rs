//! A vehicle drives off, takes up the slack of a rope, and drags a sled over the ground.
//!
//! Chosen here: a vehicle of 1500 kg on four wheels, all driven by motors of limited torque; a sled of 1000 kg with friction 0.3; a rope
//! of 10 m with 2 m of slack, in one piece or in one-way links between particles that lie on the ground.

use super::parts::{Block, G, bow, rod};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{
    Body, BodyId, Collider, Command, Freedom, Hinge, Material, Motor, Quat, Result, Rope, Shape, Vec3, World,
    shapes::Combine,
};

/// Half edges of the chassis and of the sled, m.
const CHASSIS: Vec3 = Vec3::new(1.5, 0.25, 0.7);
const SLED: Vec3 = Vec3::new(1.0, 0.25, 0.7);
/// Radius, half width (m) and mass (kg) of a wheel.
const WHEEL: (f64, f64, f64) = (0.4, 0.1, 25.0);
/// Height of the hitches, m.
const HITCH: f64 = 0.35;
/// Radius of a knot of the rope, m.
const KNOT: f64 = 0.02;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "tow",
        summary: "a vehicle takes up the slack of a rope and drags a sled over the ground",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("vehicle", "kg", 1500.0, (10.0, 1e6), "mass of the vehicle"),
            Parameter::number("sled", "kg", 1000.0, (1.0, 1e6), "mass of the sled"),
            Parameter::count("links", 1, (1, 1000), "one-way links of the rope"),
            Parameter::number("ratio", "", 1e3, (1.0, 1e12), "mass of the sled over that of a knot between links"),
            Parameter::number("length", "m", 10.0, (0.5, 1e3), "length of the rope"),
            Parameter::number("slack", "m", 2.0, (0.0, 100.0), "slack at the start; less than the length"),
            Parameter::number("speed", "m/s", 5.0, (0.0, 50.0), "speed the wheels want"),
            Parameter::number("torque", "N m", 800.0, (1e-3, 1e6), "most torque of a wheel's motor"),
            Parameter::number("friction", "", 0.3, (0.0, 2.0), "friction of the sled and the rope; the tyres have 0.9"),
        ],
        dt: 1.0 / 60.0,
        time: 6.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (length, slack) = (p.number("length"), p.number("slack"));
    if !(slack < length) {
        return Err(taut::Error::input("slack", slack, "less than the length of the rope"));
    }
    let mut world = World::new();
    // The other surface decides: the ground adds nothing.
    let ground = world.ground();
    let road = Material::new(0.0, 0.0).combined(Combine::Max);
    world.add(Collider::new(Shape::ground()).of(road).named("road").on(ground))?;
    let sled = Block { half: SLED, mass: p.number("sled"), friction: p.number("friction") };
    let sled = sled.add(&mut world, SLED.y * Vec3::Y, Quat::IDENTITY, "sled".into())?;
    let from = Vec3::new(SLED.x, HITCH, 0.0);
    let to = from + (length - slack) * Vec3::X;
    let chassis = vehicle(&mut world, p, to)?;
    rope(&mut world, p, (sled, from), (chassis, to))?;
    let speed = p.number("speed");
    let energy_scale =
        0.5 * (p.number("vehicle") + p.number("sled")) * speed * speed + G * p.number("sled") * p.number("friction");
    Ok(Scene { world, length, energy_scale, follow: sled, window: 1.0, edges: Vec::new(), drive: None })
}

/// A chassis on four driven wheels, its hitch at `hitch`; the chassis.
fn vehicle(world: &mut World, p: &Parameters, hitch: Vec3) -> Result<BodyId> {
    let (radius, half_width, wheel) = WHEEL;
    let body = Block {
        half: CHASSIS,
        mass: (p.number("vehicle") - 4.0 * wheel).max(0.5 * p.number("vehicle")),
        friction: 0.3,
    };
    let middle = Vec3::new(hitch.x + CHASSIS.x, radius + CHASSIS.y, 0.0);
    let chassis = body.add(world, middle, Quat::IDENTITY, "chassis".into())?;
    for (k, (x, z)) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].into_iter().enumerate() {
        let at = Vec3::new(middle.x + x * (CHASSIS.x - radius), radius, z * (CHASSIS.z + 2.0 * half_width));
        let turn = crate::rotation::rotation(Vec3::X, std::f64::consts::FRAC_PI_2);
        let def = Body::dynamic(rod(wheel, 2.0 * half_width, radius)?).at(at).rotated(turn);
        let b = world.add(def.named(format!("wheel {k}")))?;
        let tyre = Material::new(0.9, 0.0).combined(Combine::Max);
        world.add(Collider::new(Shape::cylinder(half_width, radius)).of(tyre).on(b))?;
        let motor = [Motor::rate().on(Freedom::Turn).limited(p.number("torque"))];
        let joint = world.add(Hinge::between(b, chassis).at(at).axis(Vec3::Z).motors(motor))?;
        // Forward is +x: a wheel that rolls there turns about -z.
        world.set_motor(joint.motor(0), Command { target: 0.0, rate: -p.number("speed") / radius })?;
    }
    Ok(chassis)
}

/// The rope, bowed to one side, in one-way links.
fn rope(world: &mut World, p: &Parameters, (sled, from): (BodyId, Vec3), (chassis, to): (BodyId, Vec3)) -> Result<()> {
    let n = p.count("links");
    let l = p.number("length") / n as f64;
    let points = bow(from, Vec3::X, Vec3::Z, n, l, if n > 1 { p.number("slack") } else { 0.0 });
    let (mut previous, mut at) = (sled, from);
    for (k, &end) in points[1..n].iter().enumerate() {
        let knot = Body::particle(p.number("sled") / p.number("ratio")).at(end).named(format!("knot {k}"));
        let b = world.add(knot)?;
        let skin = Material::new(p.number("friction"), 0.0).combined(Combine::Max);
        world.add(Collider::new(Shape::ball(KNOT)).of(skin).on(b))?;
        world.add(Rope::between(b, previous).ends(end, at).length(l))?;
        (previous, at) = (b, end);
    }
    world.add(Rope::between(chassis, previous).ends(to, at).length(l))?;
    Ok(())
}
