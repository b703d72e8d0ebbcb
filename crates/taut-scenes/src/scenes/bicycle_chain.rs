//! A closed bicycle chain over two toothed sprockets, the first driven by a motor, the second braked (the chain with hinges and limits of
//! Tournier 2015 section 4, "as in bicycles").
//!
//! Chosen here: pitch 12.7 mm (ISO 606, 08B), rollers of 7.75 mm, links of 2.6 g; equal sprockets of 16 teeth, so that a link turns by 22.5 deg
//! on them, within the limits of 25 deg; as many links between them on either side as are left, `slack` of the distance less. A
//! sprocket is a cylinder up to the rollers' seat and a round tooth between any two of them. Motor and brake are bounded in torque.

use super::parts::{G, pointing, square_bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use std::f64::consts::{PI, TAU};
use taut::{Body, BodyId, Collider, Frame, Frames, Hinge, MassProperties, Motor, Result, Shape, Vec3, World};

/// Pitch, radius of a roller, width of the sprocket, m; mass of a link and of a sprocket, kg; teeth.
const PITCH: f64 = 0.0127;
const ROLLER: f64 = 0.003_875;
const WIDTH: f64 = 0.003;
const LINK: f64 = 0.0026;
const SPROCKET: f64 = 0.15;
const TEETH: usize = 16;
/// Links that lie on a sprocket.
const WRAP: usize = TEETH / 2;
/// Radius of a tooth, m: it fits between two rollers with some play.
const TOOTH: f64 = 0.14 * PITCH;
/// Friction of rollers on a sprocket: they roll.
const FRICTION: f64 = 0.1;
/// Groups of colliders: links meet sprockets only.
const CHAIN: u32 = 1;
const WHEEL: u32 = 2;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "bicycle-chain",
        summary: "a closed chain of 40 links with limits runs over two sprockets, one driven, one braked",
        source: "Tournier 2015 section 4",
        parameters: vec![
            Parameter::count("links", 40, (20, 1000), "links of the chain; even"),
            Parameter::number("speed", "rad/s", TAU, (0.0, 1000.0), "of the driven sprocket"),
            Parameter::number("torque", "N m", 5.0, (1e-3, 1e4), "most that the motor gives"),
            Parameter::number("brake", "N m", 0.5, (0.0, 1e4), "friction of the other sprocket"),
            Parameter::number(
                "limit",
                "deg",
                25.0,
                (22.6, 90.0),
                "how far a link turns against the next, to either side",
            ),
            Parameter::number(
                "slack",
                "",
                0.003,
                (0.0, 0.1),
                "part of the distance of the sprockets that they are too near",
            ),
        ],
        dt: 0.002,
        time: 10.0,
        build,
    }
}

/// Pitch radius of a sprocket, m.
fn radius() -> f64 {
    0.5 * PITCH / libm::sin(PI / TEETH as f64)
}

fn build(p: &Parameters) -> Result<Scene> {
    let n = p.count("links") / 2 * 2;
    let mut world = World::new();
    let gap = PITCH * (n / 2 - WRAP) as f64;
    chain(&mut world, n, gap, p.number("limit").to_radians())?;
    let near = (1.0 - p.number("slack")) * gap;
    let driver = sprocket(&mut world, -0.5 * near * Vec3::X, "driving sprocket")?;
    let driven = sprocket(&mut world, 0.5 * near * Vec3::X, "driven sprocket")?;
    let ground = world.ground();
    let motor = Motor::rate().limited(p.number("torque")).speed(p.number("speed"));
    world.add(Hinge::between(driver, ground).axis(Vec3::Z).motor(motor))?;
    world.add(Hinge::between(driven, ground).axis(Vec3::Z).friction(p.number("brake")))?;
    let length = n as f64 * PITCH;
    let speed = p.number("speed") * radius();
    let mass = n as f64 * LINK + SPROCKET;
    let energy_scale = mass * speed * speed + G * mass * radius() + p.number("brake");
    Ok(Scene { world, length, energy_scale, follow: driven, window: 1.0, edges: Vec::new(), drive: None })
}

/// Where pin k of a chain of n links is: on two circles `gap` apart and straight between them.
fn pin_at(k: usize, n: usize, gap: f64) -> Vec3 {
    let (half, r) = (n / 2, radius());
    let (side, k) = (if k % n < half { 1.0 } else { -1.0 }, k % half);
    // From the top of the left circle to the left and down, then to the right; the other half is the same turned by half a turn.
    let step = TAU / TEETH as f64;
    let p = if k <= WRAP {
        let a = 0.5 * PI + step * k as f64;
        Vec3::new(-0.5 * gap + r * libm::cos(a), r * libm::sin(a), 0.0)
    } else {
        Vec3::new(-0.5 * gap + PITCH * (k - WRAP) as f64, -r, 0.0)
    };
    side * p
}

/// Links with hinges at the pins; a roller at the first pin of each.
fn chain(world: &mut World, n: usize, gap: f64, limit: f64) -> Result<()> {
    let mut links = Vec::with_capacity(n);
    for k in 0..n {
        let (a, b) = (pin_at(k, n, gap), pin_at(k + 1, n, gap));
        let mass = square_bar(LINK, PITCH, 0.5 * PITCH)?;
        let def = Body::dynamic(mass).at(0.5 * (a + b)).rotated(pointing(b - a)).named(format!("link {k}"));
        let link = world.add(def)?;
        let roller = Collider::new(Shape::ball(ROLLER)).at(0.5 * PITCH * Vec3::Y);
        world.add(roller.grouped(CHAIN, WHEEL).friction(FRICTION).named("roller").on(link))?;
        links.push(link);
    }
    // Links lie along their own -y, from the first pin to the second; straight is zero.
    let frame = |y: f64| Frame { origin: y * PITCH * Vec3::Y, u: Vec3::X, v: Vec3::Y, n: Vec3::Z };
    let frames = Frames { i: frame(0.5), j: frame(-0.5) };
    for k in 0..n {
        world.add(Hinge::between(links[(k + 1) % n], links[k]).frames(frames).limit(-limit, limit))?;
    }
    Ok(())
}

/// A disc up to the seat of the rollers, with teeth between them.
fn sprocket(world: &mut World, at: Vec3, name: &str) -> Result<BodyId> {
    let seat = radius() - ROLLER;
    let flat = crate::rotation::rotation(Vec3::X, 0.5 * PI);
    // About its own z, like the hinge.
    let i = 0.5 * SPROCKET * seat * seat;
    let mass = MassProperties::from_diagonal(SPROCKET, Vec3::new(0.5 * i, 0.5 * i, i))?;
    let b = world.add(Body::dynamic(mass).at(at).named(name))?;
    let disc = Collider::new(Shape::cylinder(0.5 * WIDTH, seat)).rotated(flat);
    world.add(disc.grouped(WHEEL, CHAIN).friction(FRICTION).named("disc").on(b))?;
    let step = TAU / TEETH as f64;
    for k in 0..TEETH {
        let a = 0.5 * PI + step * (k as f64 + 0.5);
        let tooth = radius() * libm::cos(0.5 * step) * Vec3::new(libm::cos(a), libm::sin(a), 0.0);
        let tooth = Collider::new(Shape::capsule(0.5 * WIDTH, TOOTH)).at(tooth).rotated(flat);
        world.add(tooth.grouped(WHEEL, CHAIN).friction(FRICTION).named("tooth").on(b))?;
    }
    Ok(b)
}
