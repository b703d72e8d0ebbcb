//! Times of the stages of a step, scene by scene: `cargo bench -p taut --bench stages`, with a part of a scene's name for some.
//!
//! Each line has a scene, a stage and the median over the steps of its time in microseconds, separated by tabs, so that the output of
//! two commits can be joined. The steps are the same in every run. A harness would time the whole step only.

#[path = "../../taut-tests/tests/common/mod.rs"]
mod common;

use common::{chain, mixed, touch, world};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Instant;
use taut::study::Study;
use taut::{Ball, Collider, Coordinates, Material, Options, Shape, Solver, Vec3, World};

/// Length of a step, s.
const STEP: f64 = 0.01;
/// Steps before the first that is timed: memory is laid out, limits and contacts act.
const WARM: usize = 30;
/// Steps that are timed; their median is steady to a few per cent.
const TIMED: usize = 200;

/// A scene that makes some of the stages dear.
struct Scene {
    name: &'static str,
    build: fn() -> World,
}

const SCENES: [Scene; 6] = [
    // Factor, solve, memory, curvature.
    Scene { name: "chain", build: || long_chain(Options::default(), 100) },
    // The same in coordinates that stay closed: poses.
    Scene {
        name: "reduced-chain",
        build: || long_chain(Options { coordinates: Coordinates::Reduced, ..Options::default() }, 100),
    },
    // Iterations in place of a factor: residual, solve.
    Scene { name: "minres-chain", build: || long_chain(Options { solver: Solver::Minres, ..Options::default() }, 20) },
    // Few contacts on a long chain: mobility of bounded rows.
    Scene { name: "chain-at-a-wall", build: chain_at_a_wall },
    // Contacts, candidates, bounded rows, restitution and penetration.
    Scene { name: "stacks", build: stacks },
    // Many small islands of all kinds on one thread: gather, rows, stiffness, books, scatter.
    Scene {
        name: "mixed",
        build: || built(Options { parallel: false, ..Options::default() }, |w| mixed::mixed(w, 12)),
    },
];

fn built(options: Options, fill: impl FnOnce(&mut World)) -> World {
    let mut w = world(options);
    fill(&mut w);
    w
}

/// Links that swing from the horizontal, with a load of a thousand of them.
fn long_chain(options: Options, links: usize) -> World {
    built(options, |w| {
        chain(w, links, Vec3::X, 1e3, Ball::between);
    })
}

/// A chain that hangs at a wall, against which gravity leans it; its last eight links have colliders and touch.
fn chain_at_a_wall() -> World {
    let gravity = Vec3::new(-1.0, -9.81, 0.0);
    built(Options { gravity, sleep: false, ..Options::default() }, |w| {
        let (bodies, _) = chain(w, 40, -Vec3::Y, 0.0, Ball::between);
        let wall = Collider::new(Shape::HalfSpace { normal: Vec3::X }).at(-0.05 * Vec3::X);
        w.add(wall.on(w.ground())).expect("a wall");
        for &b in &bodies[32..] {
            w.add(Collider::new(Shape::ball(0.05)).on(b)).expect("a ball");
        }
    })
}

/// Five stacks of five boxes.
fn stacks() -> World {
    built(Options { sleep: false, ..Options::default() }, |w| {
        touch::plane(w, Vec3::Y, Material::default());
        for k in 0..25 {
            let at = Vec3::new((k / 5) as f64, 0.1 + 0.2 * (k % 5) as f64, 0.0);
            touch::put(w, touch::cube(0.1), Material::default(), at);
        }
    })
}

/// Seconds since the first call.
fn clock() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Median times of the stages that took any, and of the whole step, in the order of the step.
fn measure(scene: &Scene) -> taut::Result<Vec<(&'static str, f64)>> {
    let mut w = (scene.build)();
    for _ in 0..WARM {
        w.step(STEP)?;
    }
    let mut order: Vec<&'static str> = Vec::new();
    let mut times: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for _ in 0..TIMED {
        let (_, stages) = w.profiled_step(STEP, clock)?;
        let whole = stages.iter().map(|s| s.1).sum();
        for (stage, time) in stages.into_iter().chain([("step", whole)]) {
            let of_stage = times.entry(stage).or_insert_with(|| {
                order.push(stage);
                Vec::with_capacity(TIMED)
            });
            of_stage.push(time);
        }
    }
    let rows = order.into_iter().filter_map(|stage| times.get_mut(stage).map(|t| (stage, median(t))));
    Ok(rows.filter(|r| r.1 > 0.0).collect())
}

fn main() {
    // Cargo adds `--bench`.
    let part = std::env::args().skip(1).find(|a| !a.starts_with("--")).unwrap_or_default();
    println!("scene\tstage\tmedian us");
    for scene in SCENES.iter().filter(|s| s.name.contains(&part)) {
        match measure(scene) {
            Ok(rows) => rows.iter().for_each(|(stage, time)| println!("{}\t{stage}\t{:.3}", scene.name, 1e6 * time)),
            Err(e) => eprintln!("{}: {e}", scene.name),
        }
    }
}
