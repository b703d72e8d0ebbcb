//! A cantilever beside a flex of MuJoCo, in one run: `cargo run --release -p taut --features study --example soft_flex -- PYTHON`, where PYTHON has
//! the package `mujoco` (`python3 -m venv DIR && DIR/bin/pip install mujoco`); without one, or where it cannot be started, there is
//! Taut alone.
//!
//! The beam of 1 x 0.1 x 0.1 m, 10 MPa, nu 0.3 and 1000 kg/m^3 is released from rest and swings for four periods at 0.01 s. Its free
//! end is as deep in the mean as it would rest: 0.147 m by beam theory. Each engine runs three times, in turn; the processor time of a step is
//! the median of the three means.

#[path = "../../taut-tests/tests/common/meshes.rs"]
mod meshes;

#[path = "timing/mod.rs"]
mod timing;

use std::process::Command;
use taut::soft::{Cell, Material, Mesh};
use taut::{Deformable, Vec3, World};
use timing::clock;

const STEP: f64 = 0.01;
const YOUNG: f64 = 1e7;
/// Four periods of 1/1.615 s.
const STEPS: usize = 248;
const REPEATS: usize = 3;
/// rho g A L^4/(8 E I), m.
const THEORY: f64 = 1000.0 * 9.81 * 0.01 / (8.0 * YOUNG * 1e-4 / 12.0);
const SCRIPT: &str = include_str!("soft_flex.py");

/// Six tetrahedra about the diagonal of each brick, as MuJoCo has them.
fn six(mesh: &Mesh) -> Mesh {
    let mut split = Mesh { nodes: mesh.nodes.clone(), cells: Vec::new() };
    for cell in &mesh.cells {
        let n = cell.nodes();
        let ways = [[1, 2], [2, 3], [3, 7], [7, 4], [4, 5], [5, 1]];
        split.cells.extend(ways.map(|[a, b]| Cell::tet4([n[0], n[a], n[b], n[6]])));
    }
    split
}

/// Processor time of a step, ms, and the mean height of the free end, m.
type Found = (f64, f64);

fn taut(mesh: &Mesh) -> Result<Found, taut::Error> {
    let mut world = World::new();
    let id = world.add(Deformable::new(mesh, &Material::new(1000.0, YOUNG, 0.3))?.held(|x| x.x == 0.0))?;
    let end: Vec<usize> = (0..mesh.nodes.len()).filter(|&k| mesh.nodes[k].x > 1.0 - 1e-9).collect();
    let rest: f64 = end.iter().map(|&k| mesh.nodes[k].y).sum();
    let (mut spent, mut sag) = (0.0, 0.0);
    for _ in 0..STEPS {
        let start = clock();
        world.step(STEP)?;
        spent += clock() - start;
        let soft = world.deformable(id)?;
        let now: f64 = end.iter().filter_map(|&k| soft.position(k).ok()).map(|x| x.y).sum();
        sag += (now - rest) / (end.len() * STEPS) as f64;
    }
    Ok((1e3 * spent / STEPS as f64, sag))
}

fn mujoco(python: &str, cells: [usize; 3]) -> Result<(Found, String), String> {
    let numbers = cells.map(|n| (n + 1).to_string());
    let rest = [YOUNG.to_string(), STEP.to_string(), STEPS.to_string()];
    let mut command = Command::new(python);
    // It may leave a log where it runs.
    command.args(["-c", SCRIPT]).args(numbers).args(rest).current_dir(std::env::temp_dir());
    let run = command.output().map_err(|e| format!("{python}: {e}"))?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let mut words = text.split_whitespace();
    let mut number = || words.next().and_then(|w| w.parse::<f64>().ok());
    match (number(), number()) {
        (Some(ms), Some(sag)) => Ok(((ms, sag), words.next().unwrap_or_default().into())),
        _ => Err(format!("{python} has not run the flex: {}", String::from_utf8_lossy(&run.stderr).trim())),
    }
}

fn median(mut found: Vec<Found>) -> Found {
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.get(found.len() / 2).copied().unwrap_or((f64::NAN, f64::NAN))
}

fn main() -> Result<(), taut::Error> {
    let python = std::env::args().nth(1);
    println!("{:<22} {:>6} {:>9} {:>9} {:>9}", "engine", "nodes", "ms/step", "sag, m", "error");
    for cells in [[10, 1, 1], [20, 2, 2], [20, 4, 4]] {
        let hexes = meshes::bar(Vec3::new(1.0, 0.1, 0.1), cells);
        let tets = six(&hexes);
        let mut found = [(); 3].map(|()| Vec::new());
        let mut version = String::new();
        for _ in 0..REPEATS {
            found[0].push(taut(&hexes)?);
            found[1].push(taut(&tets)?);
            match python.as_deref().map(|python| mujoco(python, cells)) {
                Some(Ok((run, of))) => {
                    found[2].push(run);
                    version = of;
                }
                Some(Err(why)) => println!("{why}"),
                None => {}
            }
        }
        let names = ["Taut, hexahedra".into(), "Taut, tetrahedra".into(), format!("MuJoCo {version} flex")];
        for (name, found) in names.iter().zip(found).filter(|(_, found)| !found.is_empty()) {
            let (ms, sag) = median(found);
            let error = 100.0 * (-sag / THEORY - 1.0);
            println!("{name:<22} {:>6} {ms:>9.2} {sag:>9.4} {error:>8.1}%", hexes.nodes.len());
        }
    }
    Ok(())
}
