//! Ragdolls dropped on the ground in loose layers, each in a pose of its own: they pile up. Chosen here: layers of nine (`side` squared), 1.2 m apart,
//! 0.7 m from layer to layer, lying at any angle about the vertical; limbs bent by up to 25 deg (hips, shoulders) and 60 deg (knees,
//! elbows).

use super::parts::G;
use super::ragdoll_body::{self, MASS, PELVIS, Posture, STATURE};
pub use super::ragdoll_body::{BODIES, Bond, CLEAR, RagdollPart};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use taut::{Collider, Result, Shape, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "ragdoll-pile",
        summary: "ragdolls dropped on the ground in loose layers pile up",
        source: "Taut",
        parameters: vec![
            Parameter::count("ragdolls", 20, (1, 1000), "how many"),
            Parameter::count("side", SIDE, (1, 30), "ragdolls along either side of a layer"),
            Parameter::count("seed", 1, (0, 1_000_000), "of the poses"),
            Parameter::number("drop", "m", 1.0, (0.5, 100.0), "height of the lowest layer"),
        ],
        dt: 0.01,
        time: 5.0,
        build,
    }
}

/// Ragdolls of a layer along either side where nothing is said, their distance and that of the layers, m.
const SIDE: usize = 3;
const APART: f64 = 1.2;
const LAYER: f64 = 0.7;

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let n = p.count("ragdolls");
    let mut random = Random::new(p.count("seed") as u64);
    let ground = world.ground();
    world.add(Collider::new(Shape::ground()).named("ground").on(ground))?;
    let mut follow = ground;
    let mut height = 0.0;
    for posture in postures(n, p.count("side"), p.number("drop"), &mut random) {
        height = posture.at.y;
        follow = ragdoll_body::add(&mut world, &posture)?.bodies[PELVIS];
    }
    let energy_scale = G * MASS * n as f64 * (0.5 * (height + p.number("drop")) + 0.5 * STATURE);
    Ok(Scene { world, length: STATURE, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: None })
}

/// The parts of all ragdolls of the scene, [`BODIES`] after [`BODIES`]; parents are counted in the whole list. `drop` in m.
pub fn plan(ragdolls: usize, seed: u64, drop: f64) -> Result<Vec<RagdollPart>> {
    let mut all = Vec::new();
    for posture in postures(ragdolls, SIDE, drop, &mut Random::new(seed)) {
        let first = all.len();
        for mut part in ragdoll_body::plan(&posture)? {
            if let Some(bond) = &mut part.bond {
                bond.parent += first;
            }
            all.push(part);
        }
    }
    Ok(all)
}

/// Layer after layer.
fn postures(n: usize, side: usize, drop: f64, random: &mut Random) -> impl Iterator<Item = Posture> {
    (0..n).map(move |k| {
        let (layer, place) = (k / (side * side), k % (side * side));
        let step = |q: usize| APART * (q as f64 - 0.5 * (side - 1) as f64);
        let at = Vec3::new(step(place % side), drop + LAYER * layer as f64, step(place / side));
        tumbled(at, random)
    })
}

/// A person lying at any angle about the vertical, limbs bent.
fn tumbled(at: Vec3, random: &mut Random) -> Posture {
    let turn = random.uniform(0.0, std::f64::consts::TAU);
    let lying = crate::rotation::rotation(Vec3::Z, random.uniform(1.2, 1.9));
    let pose = Posture { turned: crate::rotation::rotation(Vec3::Y, turn) * lying, ..Posture::standing(at) };
    pose.loosened(random)
}
