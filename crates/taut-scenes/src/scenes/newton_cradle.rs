//! Newton's cradle: balls of steel in a row, each on two strings, the first ones let go from the side.
//!
//! Chosen here: balls of 40 mm and 0.26 kg that touch, strings of 0.3 m that spread by 30 deg each from the vertical, so that the pendulum is
//! 0.26 m long; restitution `restitution` between the balls, no friction. Strings have no mass: rods, or ropes that only pull.

use super::parts::{G, ball};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, BodyId, Collider, Distance, Material, Result, Rope, Shape, Vec3, World, shapes::Combine};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "newton-cradle",
        summary: "Newton's cradle: balls in a row on strings, the first of them let go from the side",
        source: "Taut",
        parameters: vec![
            Parameter::count("balls", 5, (2, 100), "balls in the row"),
            Parameter::count("lifted", 1, (0, 100), "how many of them are let go"),
            Parameter::number("angle", "deg", 30.0, (0.0, 80.0), "by how much they are lifted"),
            Parameter::number("restitution", "", 1.0, (0.0, 1.0), "of the balls"),
            Parameter::choice("string", &["rod", "rope"], "what they hang by"),
        ],
        dt: 1.0 / 240.0,
        time: 10.0,
        build,
    }
}

/// Radius (m) and mass (kg) of a ball, length of a string (m) and how far it spreads (deg).
const RADIUS: f64 = 0.02;
const MASS: f64 = 0.26;
const STRING: f64 = 0.3;
const SPREAD: f64 = 30.0;

fn build(p: &Parameters) -> Result<Scene> {
    let n = p.count("balls");
    let lifted = p.count("lifted").min(n);
    let mut world = World::new();
    let (out, down) = (STRING * libm::sin(SPREAD.to_radians()), STRING * libm::cos(SPREAD.to_radians()));
    let a = p.number("angle").to_radians();
    let steel = Material::new(0.0, p.number("restitution")).combined(Combine::Min);
    let mut last = world.ground();
    for k in 0..n {
        let top = 2.0 * RADIUS * k as f64 * Vec3::X;
        let swing = if k < lifted { a } else { 0.0 };
        let at = top + down * Vec3::new(-libm::sin(swing), -libm::cos(swing), 0.0);
        let b = world.add(Body::dynamic(ball(MASS, RADIUS)?).at(at).named(format!("ball {k}")))?;
        world.add(Collider::new(Shape::ball(RADIUS)).of(steel).on(b))?;
        for side in [-1.0, 1.0] {
            hang(&mut world, b, at, top + side * out * Vec3::Z, p.choice("string") == "rod")?;
        }
        last = b;
    }
    let energy_scale = (MASS * lifted.max(1) as f64 * G * down * (1.0 - libm::cos(a))).max(1e-6);
    Ok(Scene { world, length: STRING, energy_scale, follow: last, window: 2.0, edges: Vec::new(), drive: None })
}

fn hang(world: &mut World, b: BodyId, from: Vec3, to: Vec3, rigid: bool) -> Result<()> {
    let ground = world.ground();
    let string = if rigid { Distance::between(b, ground) } else { Rope::between(b, ground) };
    world.add(string.ends(from, to).length(STRING)).map(drop)
}
