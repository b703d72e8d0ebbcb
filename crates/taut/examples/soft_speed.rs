//! Times of deformables by size and stiffness: `cargo run --release -p taut --features study --example soft_speed`, with a part of a
//! name for some of the scenes.
//!
//! Each line has a scene, its nodes, the processor time of adding and of laying it out, and the median over the steps of that
//! of a step and of its parts, ms.
//! Factor, products of the matrix and right-hand sides are counted by the report, and the rows of contacts of the last step.
//! Scenes with contacts fall first, for as long as their `first` says. The gap of nets is the largest, in parts of a link.

#[path = "../../taut-tests/tests/common/meshes.rs"]
mod meshes;

#[path = "timing/mod.rs"]
mod timing;

use taut::soft::{Cell, Law, Material, Mesh};
use taut::study::Study;
use taut::{Body, Collider, Deformable, Distance, Shape, Vec3, World};
use timing::clock;

/// Length of a step, s.
const STEP: f64 = 0.01;
/// Edge of a cell of the solids, m.
const CELL: f64 = 0.05;
/// Stages that are told apart; the rest is one column.
const STAGES: [&str; 7] =
    ["forces", "assembly", "factor", "solve", "residual", "mobility of bounded rows", "bounded rows"];
/// Length of a link of the nets, m.
const LINK: f64 = 0.05;

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

/// What a scene is made of.
enum Made {
    /// A mesh held along x = 0, falling from rest.
    Held(fn() -> Mesh),
    /// A mesh that falls on a ball of 0.3 m or on the floor.
    Falls(fn() -> Mesh, Under),
    /// A net of so many particles along a side with rods between neighbours, held along one side.
    Rods(usize),
}

#[derive(Clone, Copy, PartialEq)]
enum Under {
    Ball,
    Floor,
}

struct Scene {
    name: &'static str,
    made: Made,
    /// Young's moduli, Pa.
    young: &'static [f64],
    /// Steps before those that are measured, and these.
    first: usize,
    steps: usize,
}

const fn held(name: &'static str, mesh: fn() -> Mesh, young: &'static [f64], steps: usize) -> Scene {
    Scene { name, made: Made::Held(mesh), young, first: 1, steps }
}

const fn falls(name: &'static str, mesh: fn() -> Mesh, under: Under, young: &'static [f64], first: usize) -> Scene {
    Scene { name, made: Made::Falls(mesh, under), young, first, steps: 20 }
}

const fn rods(name: &'static str, n: usize, steps: usize) -> Scene {
    Scene { name, made: Made::Rods(n), young: &[0.0], first: 1, steps }
}

const SCENES: [Scene; 15] = [
    held("bar of hexes", || solid([20, 4, 4]), &[1e4, 1e6, 1e8], 60),
    held("bar of tets", || tetrahedra([20, 4, 4]), &[1e4, 1e6, 1e8], 60),
    held("cube 10", || solid([10; 3]), &[1e4, 1e6, 1e8], 20),
    held("cube 10 of tets", || tetrahedra([10; 3]), &[1e6], 20),
    held("cloth 40", || meshes::sheet(1.0, 1.0, [40, 40]), &[1e6, 1e8], 20),
    held("cube 16", || solid([16; 3]), &[1e4, 1e6, 1e8], 8),
    held("cube 16 of tets", || tetrahedra([16; 3]), &[1e6], 8),
    held("cube 26", || solid([26; 3]), &[1e4, 1e6, 1e8], 4),
    held("cube 36", || solid([36; 3]), &[1e6], 3),
    falls("on a ball 20", || meshes::sheet(1.0, 1.0, [20, 20]), Under::Ball, &[1e6], 60),
    falls("on the floor 7", || solid([7, 7, 7]), Under::Floor, &[1e5], 40),
    falls("on the floor 15", || solid([15, 4, 15]), Under::Floor, &[1e5], 40),
    rods("rods 20", 20, 20),
    rods("rods 40", 40, 10),
    rods("rods 100", 100, 3),
];

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

fn build(scene: &Scene, young: f64) -> Result<World, taut::Error> {
    let mut world = World::new();
    match scene.made {
        Made::Held(mesh) => {
            let mesh = mesh();
            world.add(Deformable::new(&mesh, &material(&mesh, young))?.held(|x| x.x == 0.0))?;
        }
        Made::Falls(mesh, under) => {
            let mesh = mesh();
            let soft = Deformable::new(&mesh, &material(&mesh, young).damping(0.01))?.skin(0.01);
            if under == Under::Ball {
                let ball = Collider::new(Shape::ball(0.3)).friction(0.5).on(world.ground());
                world.add(ball)?;
                world.add(soft.at(Vec3::new(-0.5, 0.33, -0.5)))?;
            } else {
                world.add(Collider::new(Shape::ground()).friction(0.5).on(world.ground()))?;
                world.add(soft.at(0.02 * Vec3::Y))?;
            }
        }
        Made::Rods(n) => net(&mut world, n)?,
    }
    Ok(world)
}

fn material(mesh: &Mesh, young: f64) -> Material {
    let is_sheet = mesh.cells.iter().all(|c| c.nodes().len() == 3);
    let material = Material::new(1000.0, young, 0.3);
    if is_sheet { material.law(Law::StVenantKirchhoff).thickness(1e-3) } else { material }
}

fn net(world: &mut World, n: usize) -> Result<(), taut::Error> {
    let place = |r: usize, c: usize| LINK * Vec3::new(c as f64, 0.0, r as f64);
    let mut made = Vec::new();
    for k in 0..n * n {
        let (r, c) = (k / n, k % n);
        let body = if r == 0 { Body::fixed() } else { Body::particle(0.01) };
        made.push(world.add(body.at(place(r, c)))?);
        let ends = [(c > 0 && r > 0).then(|| k - 1), (r > 0).then(|| k - n)];
        for other in ends.into_iter().flatten() {
            let ends = (place(r, c), place(other / n, other % n));
            world.add(Distance::between(made[k], made[other]).length(LINK).ends(ends.0, ends.1))?;
        }
    }
    Ok(())
}

fn run(scene: &Scene, young: f64) -> Result<(), taut::Error> {
    let start = clock();
    let mut world = build(scene, young)?;
    let nodes = world.bodies().count() - 1;
    let added = clock() - start;
    let start = clock();
    // The first step lays out.
    world.step(STEP)?;
    let first = clock() - start;
    for _ in 1..scene.first {
        world.step(STEP)?;
    }
    let (mut steps, mut stages) = (Vec::new(), [(); STAGES.len()].map(|()| Vec::new()));
    let mut factors = 0;
    let (mut right_hand_sides, mut iterations, mut parts, mut rows, mut gap) = (0, 0, 0, 0, 0.0_f64);
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
        factors += report.factorisations;
        rows = report.bounded.rows;
        gap = gap.max(report.max_gap / LINK);
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
    print!(
        " {:>8.2} | {:>5.1} {:>6.1} {:>5.2} {rows:>5}",
        1e3 * rest,
        per(right_hand_sides),
        per(iterations),
        per(parts)
    );
    println!(
        "{}",
        if matches!(scene.made, Made::Rods(_)) {
            format!(" gap {gap:.1e}, factors {:.1}", per(factors))
        } else {
            String::new()
        }
    );
    Ok(())
}

fn main() {
    let chosen = std::env::args().nth(1).unwrap_or_default();
    print!("{:<16} {:>6} {:>6} {:>8} {:>8} {:>8} |", "scene", "E", "nodes", "add", "layout", "step");
    STAGES.iter().for_each(|stage| print!(" {:>8}", stage.split(' ').next().unwrap_or_default()));
    println!(" {:>8} | {:>5} {:>6} {:>5} {:>5}", "rest", "sides", "iter", "parts", "rows");
    for scene in SCENES.iter().filter(|s| s.name.contains(&chosen)) {
        for &young in scene.young {
            if let Err(e) = run(scene, young) {
                println!("{} at {young:.0e} Pa: {e}", scene.name);
            }
        }
    }
}
