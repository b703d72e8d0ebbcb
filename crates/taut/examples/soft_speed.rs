//! Times of deformables by size and stiffness: `cargo run --release -p taut --features study --example soft_speed`, with a part of a
//! name for some of the scenes.
//!
//! Each line has a scene, its nodes, the processor time of adding and of laying it out, and the median over the steps of that
//! of a step and of its parts, ms.
//! Factor, products of the matrix and right-hand sides are counted by the report.

#[path = "../tests/common/meshes.rs"]
mod meshes;

use taut::soft::{Cell, Law, Material, Mesh};
use taut::study::Study;
use taut::{Deformable, Vec3, World};

/// Length of a step, s.
const STEP: f64 = 0.01;
/// Edge of a cell of the solids, m.
const CELL: f64 = 0.05;
/// Stages that are told apart; the rest is one column.
const STAGES: [&str; 5] = ["forces", "assembly", "factor", "solve", "residual"];

fn solid(cells: [usize; 3]) -> Mesh {
    meshes::bar(CELL * Vec3::new(cells[0] as f64, cells[1] as f64, cells[2] as f64), cells)
}

/// The same nodes with five tetrahedra in each brick, mirrored from one brick to the next.
fn tetrahedra(cells: [usize; 3]) -> Mesh {
    let mesh = solid(cells);
    let even = [[0, 1, 2, 5], [0, 2, 3, 7], [0, 5, 7, 4], [2, 7, 5, 6], [0, 2, 7, 5]];
    let odd = [[1, 2, 3, 6], [0, 1, 3, 4], [1, 4, 6, 5], [3, 6, 4, 7], [1, 3, 4, 6]];
    let mut split = Mesh { nodes: mesh.nodes, cells: Vec::new() };
    for (k, cell) in mesh.cells.iter().enumerate() {
        let at = [k / (cells[1] * cells[2]), k / cells[2] % cells[1], k % cells[2]];
        let parts = if at.iter().sum::<usize>() % 2 == 0 { even } else { odd };
        let n = cell.nodes();
        split.cells.extend(parts.map(|p| Cell::tet4(p.map(|c| n[c]))));
    }
    split
}

struct Scene {
    name: &'static str,
    mesh: fn() -> Mesh,
    /// Young's moduli, Pa.
    young: &'static [f64],
    steps: usize,
}

const SCENES: [Scene; 9] = [
    Scene { name: "bar of hexes", mesh: || solid([20, 4, 4]), young: &[1e4, 1e6, 1e8], steps: 60 },
    Scene { name: "bar of tets", mesh: || tetrahedra([20, 4, 4]), young: &[1e4, 1e6, 1e8], steps: 60 },
    Scene { name: "cube 10", mesh: || solid([10; 3]), young: &[1e4, 1e6, 1e8], steps: 20 },
    Scene { name: "cube 10 of tets", mesh: || tetrahedra([10; 3]), young: &[1e6], steps: 20 },
    Scene { name: "cloth 40", mesh: || meshes::sheet(1.0, 1.0, [40, 40]), young: &[1e6, 1e8], steps: 20 },
    Scene { name: "cube 16", mesh: || solid([16; 3]), young: &[1e4, 1e6, 1e8], steps: 8 },
    Scene { name: "cube 16 of tets", mesh: || tetrahedra([16; 3]), young: &[1e6], steps: 8 },
    Scene { name: "cube 26", mesh: || solid([26; 3]), young: &[1e4, 1e6, 1e8], steps: 4 },
    Scene { name: "cube 36", mesh: || solid([36; 3]), young: &[1e6], steps: 3 },
];

/// Seconds that this thread has run.
#[cfg(unix)]
fn clock() -> f64 {
    let now = nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID);
    now.map_or(0.0, |t| t.tv_sec() as f64 + 1e-9 * t.tv_nsec() as f64)
}

/// Seconds since the first call.
#[cfg(not(unix))]
fn clock() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64()
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// Held along x = 0, falling from rest.
fn build(scene: &Scene, young: f64) -> World {
    let mesh = (scene.mesh)();
    let is_sheet = mesh.cells.iter().all(|c| c.nodes().len() == 3);
    let material = Material::new(1000.0, young, 0.3);
    let material = if is_sheet { material.law(Law::StVenantKirchhoff).thickness(1e-3) } else { material };
    let mut world = World::new();
    let soft = Deformable::new(&mesh, &material).and_then(|soft| world.add(soft.held(|x| x.x == 0.0)));
    if let Err(e) = soft {
        println!("{}: {e}", scene.name);
    }
    world
}

fn run(scene: &Scene, young: f64) -> Result<(), taut::Error> {
    let start = clock();
    let mut world = build(scene, young);
    let nodes = world.bodies().count() - 1;
    let added = clock() - start;
    let start = clock();
    // The first step lays out.
    world.step(STEP)?;
    let first = clock() - start;
    let (mut steps, mut stages) = (Vec::new(), [(); STAGES.len()].map(|()| Vec::new()));
    let (mut right_hand_sides, mut iterations, mut parts) = (0, 0, 0);
    for _ in 0..scene.steps {
        let start = clock();
        let (report, spent) = world.profiled_step(STEP, clock)?;
        steps.push(clock() - start);
        for (stage, times) in STAGES.iter().zip(&mut stages) {
            times.push(spent.iter().filter(|(name, _)| name == stage).map(|(_, s)| s).sum());
        }
        right_hand_sides += report.right_hand_sides;
        iterations += report.iterations;
        parts += report.parts;
    }
    let step = median(&mut steps);
    print!(
        "{:<16} {young:>6.0e} {nodes:>6} {:>8.1} {:>8.1} {:>8.2} |",
        scene.name,
        1e3 * added,
        1e3 * (first - step),
        1e3 * step
    );
    let mut rest = step;
    for times in &mut stages {
        let time = median(times);
        rest -= time;
        print!(" {:>8.2}", 1e3 * time);
    }
    let per = |count: usize| count as f64 / scene.steps as f64;
    println!(" {:>8.2} | {:>5.1} {:>6.1} {:>5.2}", 1e3 * rest, per(right_hand_sides), per(iterations), per(parts));
    Ok(())
}

fn main() {
    let chosen = std::env::args().nth(1).unwrap_or_default();
    print!("{:<16} {:>6} {:>6} {:>8} {:>8} {:>8} |", "scene", "E", "nodes", "add", "layout", "step");
    STAGES.iter().for_each(|stage| print!(" {stage:>8}"));
    println!(" {:>8} | {:>5} {:>6} {:>5}", "rest", "sides", "iter", "parts");
    for scene in SCENES.iter().filter(|s| s.name.contains(&chosen)) {
        for &young in scene.young {
            if let Err(e) = run(scene, young) {
                println!("{} at {young:.0e} Pa: {e}", scene.name);
            }
        }
    }
}
