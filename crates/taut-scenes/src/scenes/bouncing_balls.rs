//! Balls of restitution 0, 0.1, ... 1 dropped side by side.
//!
//! Chosen here: eleven balls of 1 kg and 5 cm radius, 1 m over the ground.

use super::parts::{G, ball, floor};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, BodyId, Collider, Material, Options, Result, Shape, Vec3, World, shapes::Combine};

const RADIUS: f64 = 0.05;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "bouncing-balls",
        summary: "balls of restitution 0 to 1 dropped side by side: the rebound is e times the impact",
        source: "Taut; Newton's law of restitution",
        parameters: vec![
            Parameter::count("balls", 11, (1, 1000), "balls, of restitution 0 to 1 in equal parts"),
            Parameter::number("height", "m", 1.0, (1e-3, 1e4), "height of their lowest points over the ground"),
            Parameter::number("speed", "m/s", 0.0, (0.0, 1e3), "sideways speed at the start"),
            Parameter::number("friction", "", 0.0, (0.0, 10.0), "coefficient of friction"),
        ],
        dt: 1.0 / 60.0,
        time: 2.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    world.set_options(Options { sleep: false, ..Options::default() })?;
    floor(&mut world, 0.0, p.number("friction"))?;
    let (n, height) = (p.count("balls"), p.number("height"));
    let mut follow: BodyId = world.ground();
    for k in 0..n {
        let e = if n > 1 { k as f64 / (n - 1) as f64 } else { 1.0 };
        let at = Vec3::new(0.0, height + RADIUS, 4.0 * RADIUS * k as f64);
        let def = Body::dynamic(ball(1.0, RADIUS)?).at(at).moving(p.number("speed") * Vec3::X, Vec3::ZERO);
        follow = world.add(def.named(format!("ball {k}")))?;
        let skin = Material::new(p.number("friction"), e).combined(Combine::Max);
        world.add(Collider::new(Shape::ball(RADIUS)).of(skin).on(follow))?;
    }
    let energy_scale = n as f64 * (G * height + 0.5 * p.number("speed").powi(2));
    Ok(Scene { world, length: height, energy_scale, follow, window: 0.5, edges: Vec::new(), drive: None })
}
