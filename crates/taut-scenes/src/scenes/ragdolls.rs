//! Many ragdolls that have nothing to do with each other: each hangs by a hand from a point of its own and swings. For the cost of
//! independent systems. Chosen here: 4 m apart, pushed off at about `push` in any direction.

use super::parts::G;
use super::ragdoll_body::{self, MASS, PELVIS, Posture, RIGHT_FORE, STATURE, hung};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Ball, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "ragdolls",
        summary: "independent ragdolls, each swinging by a hand from a point of its own",
        source: "Taut",
        parameters: vec![
            Parameter::count("ragdolls", 1000, (1, 20_000), "how many"),
            Parameter::count("seed", 1, (0, 1_000_000), "of the poses"),
            Parameter::number("push", "m/s", 1.0, (0.0, 100.0), "speed of the bodies at the start, about"),
        ],
        dt: 1.0 / 60.0,
        time: 1.0,
        build,
    }
}

/// Distance of neighbours, m.
const APART: f64 = 4.0;

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let n = p.count("ragdolls");
    let mut random = Random::new(p.count("seed") as u64);
    let ground = world.ground();
    let side = (n as f64).sqrt().ceil() as usize;
    let mut follow = ground;
    for k in 0..n {
        let at = APART * Vec3::new((k % side) as f64, 0.0, (k / side) as f64);
        let posture = Posture::standing(Vec3::ZERO).loosened(&mut random);
        let posture = posture.bend(ragdoll_body::RIGHT_UPPER, Vec3::new(-1.0, 0.0, 1.0), random.uniform(150.0, 180.0));
        let doll = ragdoll_body::add(&mut world, &hung(posture, at))?;
        world.add(Ball::between(doll.bodies[RIGHT_FORE], ground).at(doll.hand))?;
        for b in doll.bodies {
            world.set_velocity(b, p.number("push") * random.normal3(), Vec3::ZERO)?;
        }
        follow = doll.bodies[PELVIS];
    }
    let energy_scale = G * MASS * n as f64 * STATURE;
    Ok(Scene { world, length: STATURE, energy_scale, follow, window: 0.5, edges: Vec::new(), drive: None })
}
