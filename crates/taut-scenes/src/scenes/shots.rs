//! Balls shot at a thin wall: none may pass.
//!
//! Chosen here: balls of 1 to 10 cm at up to 500 m/s, from 1 to 6 m, up to 80 degrees from square, at a wall of 1 cm; a step of 1/60 s
//! takes the fastest through 8 m. They do not meet each other.

use super::parts::ball;
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Body, BodyId, Collider, Material, Result, Shape, Vec3, World};

/// Half the edge of the wall, m.
const WIDE: f64 = 2000.0;
const BALLS: u32 = 1;
const WALL: u32 = 2;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "shots",
        summary: "balls at up to 500 m/s at a wall of 1 cm: none passes",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("shots", 100, (1, 100_000), "balls"),
            Parameter::number("speed", "m/s", 500.0, (0.1, 1e4), "largest speed"),
            Parameter::number("thickness", "m", 0.01, (1e-4, 1.0), "thickness of the wall"),
            Parameter::number("restitution", "", 0.3, (0.0, 1.0), "of balls and wall"),
            Parameter::count("seed", 1, (0, 1_000_000), "which random shots"),
        ],
        dt: 1.0 / 60.0,
        time: 0.5,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let ground = world.ground();
    let (thick, e) = (p.number("thickness"), p.number("restitution"));
    let wall = Collider::new(Shape::cuboid(Vec3::new(0.5 * thick, WIDE, WIDE))).of(Material::new(0.3, e));
    world.add(wall.at(0.5 * thick * Vec3::X).grouped(WALL, BALLS).named("wall").on(ground))?;
    let mut random = Random::new(p.count("seed") as u64);
    let mut follow: BodyId = ground;
    let mut energy_scale = 0.0;
    for k in 0..p.count("shots") {
        let radius = random.uniform(0.01, 0.1);
        let from = Vec3::new(-random.uniform(1.0, 6.0), random.uniform(-50.0, 50.0), random.uniform(-50.0, 50.0));
        let speed = p.number("speed") * random.uniform(0.01, 1.0);
        let lean = random.uniform(0.0, 80.0_f64.to_radians());
        let round = random.uniform(0.0, std::f64::consts::TAU);
        let direction =
            Vec3::new(libm::cos(lean), libm::sin(lean) * libm::cos(round), libm::sin(lean) * libm::sin(round));
        let mass = ball(4000.0 * radius * radius * radius, radius)?;
        energy_scale += 0.5 * mass.mass * speed * speed;
        let def = Body::dynamic(mass).at(from).moving(speed * direction, 10.0 * random.normal3());
        follow = world.add(def.named(format!("ball {k}")))?;
        let skin = Collider::new(Shape::ball(radius)).of(Material::new(0.3, e)).grouped(BALLS, WALL);
        world.add(skin.on(follow))?;
    }
    Ok(Scene { world, length: 1.0, energy_scale, follow, window: 0.2, edges: Vec::new(), drive: None })
}
