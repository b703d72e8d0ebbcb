//! A ball on a trampoline (Tournier 2015 Fig. 8, middle): a mat of nearly inextensible threads on springs.
//!
//! From the paper: mat of distance constraints of compliance 1e-10 m/N, springs of 5 kN/m, rigid contacts, 0.01 s. Chosen here: 20 x 20 particles
//! over 3 m, 5 kg, 32 springs of 0.27 m at rest over 0.3 m, a ball of 60 kg and 0.25 m from 2 m above the mat, particles of 0.03 m.

use super::parts::{Edges, G, ball};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, BodyId, Collider, Distance, Force, Result, Shape, Softness, Spring, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "trampoline",
        summary: "a ball of 60 kg bounces on a mat of nearly inextensible threads between springs",
        source: "Tournier 2015 Fig. 8, middle",
        parameters: vec![
            Parameter::count("side", 20, (4, 60), "particles along a side of the mat"),
            Parameter::number("ball", "kg", 60.0, (0.1, 1e5), "mass of the ball"),
            Parameter::number("height", "m", 2.0, (0.0, 100.0), "of the ball above the mat"),
            Parameter::choice(
                "mat",
                &["rods", "springs"],
                "threads as rows of compliance 1e-10 m/N, or as springs of 1e10 N/m",
            ),
        ],
        dt: 0.01,
        time: 6.0,
        build,
    }
}

/// Side of the mat, m, and its mass, kg; compliance of a thread, m/N.
const SIDE: f64 = 3.0;
const MASS: f64 = 5.0;
const COMPLIANCE: f64 = 1e-10;
/// Springs: stiffness, N/m, length, m, and what they have at rest of it; how many along a side.
const STIFFNESS: f64 = 5e3;
const GAP: f64 = 0.3;
const REST: f64 = 0.9;
const SPRINGS: usize = 8;
/// Radii of the ball and of the particles, m.
const BALL: f64 = 0.25;
const THICK: f64 = 0.03;
/// Groups: the mat meets the ball and not itself.
const MAT: u32 = 1;
const OTHER: u32 = 2;

fn build(p: &Parameters) -> Result<Scene> {
    let n = p.count("side");
    let mut world = World::new();
    let place = |i: usize, j: usize| {
        let d = SIDE / (n - 1) as f64;
        Vec3::new(i as f64 * d - 0.5 * SIDE, 0.0, j as f64 * d - 0.5 * SIDE)
    };
    let mut grid: Vec<BodyId> = Vec::with_capacity(n * n);
    for i in 0..n {
        for j in 0..n {
            let particle = Body::particle(MASS / (n * n) as f64).at(place(i, j)).named(format!("mat {i}.{j}"));
            let b = world.add(particle)?;
            world.add(Collider::new(Shape::ball(THICK)).grouped(MAT, OTHER).on(b))?;
            grid.push(b);
        }
    }
    let mut edges: Edges = Vec::new();
    for i in 0..n {
        for j in 0..n {
            for (a, b) in [(i + 1, j), (i, j + 1)].into_iter().filter(|&(a, b)| a < n && b < n) {
                let ends = (grid[i * n + j], grid[a * n + b]);
                edges.push((ends.0, ends.1, thread(&mut world, ends, p.choice("mat") == "rods")?));
            }
        }
    }
    frame(&mut world, &grid, n, place)?;
    let (mass, height) = (p.number("ball"), p.number("height"));
    let at = Vec3::new(0.03, height + BALL + THICK, 0.02);
    let follow = world.add(Body::dynamic(ball(mass, BALL)?).at(at).named("ball"))?;
    world.add(Collider::new(Shape::ball(BALL)).grouped(OTHER, MAT).on(follow))?;
    let energy_scale = mass * G * (height + 1.0);
    Ok(Scene { world, length: SIDE, energy_scale, follow, window: 1.5, edges, drive: None })
}

/// A thread between two particles; its length, m.
fn thread(world: &mut World, (i, j): (BodyId, BodyId), rod: bool) -> Result<f64> {
    let length = (world.body(i)?.position() - world.body(j)?.position()).length();
    if rod {
        world.add(Distance::between(i, j).linear(Softness::compliance(COMPLIANCE)))?;
    } else {
        world.add(Spring::between(i, j).stiffness(1.0 / COMPLIANCE).rest_length(length))?;
    }
    Ok(length)
}

/// Springs from the edges of the mat to the ground.
fn frame(world: &mut World, grid: &[BodyId], n: usize, place: impl Fn(usize, usize) -> Vec3) -> Result<()> {
    let ground = world.ground();
    for e in 0..SPRINGS {
        let q = ((e as f64 + 0.5) * (n - 1) as f64 / SPRINGS as f64).round() as usize;
        let sides = [(q, 0, -Vec3::Z), (q, n - 1, Vec3::Z), (0, q, -Vec3::X), (n - 1, q, Vec3::X)];
        for (i, j, out) in sides {
            let point_j = place(i, j) + GAP * out;
            let spring = taut::Spring {
                i: grid[i * n + j],
                j: ground,
                point_i: Vec3::ZERO,
                point_j,
                stiffness: STIFFNESS,
                damping: 0.0,
                rest_length: REST * GAP,
            };
            world.add(Force::Spring(spring))?;
        }
    }
    Ok(())
}
