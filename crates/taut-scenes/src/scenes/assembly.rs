//! Assembly of a complex structure: the rods of a cage, scattered at random, are brought together by the projection of poses before the
//! first step. Then the cage hangs and swings. Rings of rods, posts between them, and rods from the top ring to a hook.

use super::parts::{G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use std::f64::consts::TAU;
use taut::{Ball, BodyId, Pose, Quat, Result, Vec3, World, assembly::Assembly};

/// Radius of a ring and height of a storey, m.
const RADIUS: f64 = 1.0;
const STOREY: f64 = 0.8;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "assembly",
        summary: "the scattered rods of a cage are assembled by projection, then the cage hangs",
        source: "Faure's slides: assembly of a complex structure",
        parameters: vec![
            Parameter::count("sides", 6, (3, 100), "rods of a ring"),
            Parameter::count("storeys", 3, (1, 100), "rings"),
            Parameter::number("spread", "m", 2.0, (0.0, 100.0), "how far parts are scattered along each axis"),
            Parameter::number("turn", "rad", 1.0, (0.0, 3.0), "how far they are turned"),
            Parameter::count("seed", 1, (0, 1_000_000), "of the scatter"),
            Parameter::number("mass", "kg", 1.0, (1e-6, 1e6), "mass of a rod"),
        ],
        dt: 0.01,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (mut world, follow) = cage(p)?;
    scatter(&mut world, p)?;
    world.assemble(&Assembly::default())?;
    let (sides, storeys) = (p.count("sides"), p.count("storeys"));
    let length = STOREY * (storeys + 1) as f64 + RADIUS;
    let rods = sides * 2 * storeys;
    Ok(Scene {
        world,
        length,
        energy_scale: G * p.number("mass") * rods as f64 * length,
        follow,
        window: 2.0,
        edges: Vec::new(),
        drive: None,
    })
}

/// The cage as it should be, and one of its lowest rods.
pub fn cage(p: &Parameters) -> Result<(World, BodyId)> {
    let (sides, storeys, m) = (p.count("sides"), p.count("storeys"), p.number("mass"));
    let mut world = World::new();
    let hook = world.ground();
    let node = |k: usize, s: usize| {
        let a = TAU * (k % sides) as f64 / sides as f64;
        Vec3::new(RADIUS * libm::cos(a), -STOREY * (s + 1) as f64, RADIUS * libm::sin(a))
    };
    let mut above: Vec<BodyId> = Vec::new();
    for s in 0..storeys {
        let mut ring = Vec::with_capacity(sides);
        for k in 0..sides {
            ring.push(bar(&mut world, node(k, s), node(k + 1, s), m, 0.02, format!("ring {s}.{k}"))?);
        }
        for k in 0..sides {
            world.add(Ball::between(ring[k], ring[(k + sides - 1) % sides]).at(node(k, s)))?;
            let top = if s == 0 { Vec3::ZERO } else { node(k, s - 1) };
            let post = bar(&mut world, top, node(k, s), m, 0.02, format!("post {s}.{k}"))?;
            world.add(Ball::between(post, if s == 0 { hook } else { above[k] }).at(top))?;
            world.add(Ball::between(ring[k], post).at(node(k, s)))?;
        }
        above = ring;
    }
    Ok((world, above[0]))
}

/// Moves and turns every part at random.
pub fn scatter(world: &mut World, p: &Parameters) -> Result<()> {
    let mut random = Random::new(p.count("seed") as u64);
    let (spread, turn) = (p.number("spread"), p.number("turn"));
    let ground = world.ground();
    for b in world.bodies().map(|b| b.id()).filter(|&b| b != ground).collect::<Vec<_>>() {
        let pose = world.body(b)?.pose();
        let mut part = |most: f64| most * random.uniform(-1.0, 1.0);
        let way = Vec3::new(part(spread), part(spread), part(spread));
        let axis = Vec3::new(part(1.0), part(1.0), part(1.0)).try_normalize().unwrap_or(Vec3::X);
        let half = 0.5 * part(turn);
        let q = Quat::from_xyzw(
            axis.x * libm::sin(half),
            axis.y * libm::sin(half),
            axis.z * libm::sin(half),
            libm::cos(half),
        );
        world.set_pose(b, Pose { pos: pose.pos + way, rot: (q * pose.rot).normalize() })?;
    }
    Ok(())
}
