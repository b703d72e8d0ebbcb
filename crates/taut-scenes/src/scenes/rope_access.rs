//! A working platform on six ropes with winches, one of which is cut.
//!
//! Chosen here: platform of 200 kg, 2 x 0.2 x 1.5 m, 8 m below a frame of 3 x 2.5 m; ropes of 11 mm nylon (E A 60 kN); a rope
//! is cut after 3 s.

use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{Body, MassProperties, Result, Rope, Vec3, Winch, World};

const HALF: Vec3 = Vec3::new(1.0, 0.1, 0.75);
const BELOW: f64 = 8.0;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "rope-access",
        summary: "a platform on six ropes with winches; one is cut and the others take over",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("platform", "kg", 200.0, (1e-3, 1e7), "mass of the platform"),
            Parameter::number("stiffness", "N", 6e4, (1e3, 1e12), "E A of a rope"),
            Parameter::number("cut", "s", 3.0, (0.0, 1e6), "when the first rope is cut"),
        ],
        dt: 1.0 / 60.0,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let mass = MassProperties::cuboid(100.0, HALF)?.with_mass(p.number("platform"))?;
    let platform = world.add(Body::dynamic(mass).at(-BELOW * Vec3::Y).named("platform"))?;
    let ground = world.ground();
    for k in 0..6 {
        let (x, z) = ((k % 3) as f64 - 1.0, if k < 3 { -1.0 } else { 1.0 });
        let at = Vec3::new(1.5 * x, 0.0, 1.25 * z);
        let winch =
            world.add(Winch::on(ground, at, Vec3::Z, 0.05).inertia(0.05).mass(10.0).named(format!("winch {k}")))?;
        let to = Vec3::new(HALF.x * x, -BELOW + HALF.y, HALF.z * z);
        let drum = world.drum(winch)?;
        let rope = Rope::from_drum(drum.against()).to(platform, to).stiffness(p.number("stiffness"));
        world.add(rope.named(format!("rope {k}")))?;
    }
    let cut = p.number("cut");
    let drive = Drive::new(move |world, _| match world.find_rope("rope 0") {
        Ok(rope) if world.time() >= cut - 1e-9 => world.remove(rope),
        _ => Ok(()),
    });
    let energy_scale = G * p.number("platform") * 1.0;
    Ok(Scene {
        world,
        length: BELOW,
        energy_scale,
        follow: platform,
        window: 1.0,
        edges: Vec::new(),
        drive: Some(drive),
    })
}
