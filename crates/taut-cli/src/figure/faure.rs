//! Faure's slides, "Efficiency": time of a solve against acyclic rows a and loop rows l.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::measure::line;
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, PURPLE, Panel};
use plotters::style::RGBColor;
use std::time::Instant;
use taut::{
    Ball, Body, BodyId, Coordinates, MassProperties, Options, Result, Solver, Stabiliser, Vec3, World, settings::Budget,
};

pub const FIGURE: Figure = Figure {
    name: "faure-complexity",
    source: "Faure's slides, table of complexity",
    title: "time of a step against acyclic and loop rows",
    caption: "Rings of rods with ball joints hung one below the other: r rings of m rods have a = 3 r m acyclic rows and l = 3 r rows that close loops. Least time of the sixth step of 0.01 s without a \
              stabiliser (one solve), over a with l = 12 and over l with a = 384. The slides' methods: full dense (Cholesky of all rows), full iterative (MINRES to 1e-10), structured dense (elimination \
              and a dense system of the loop rows, reduced coordinates), structured iterative (theirs: conjugate gradients on the loop rows to 1e-10). Block LDL^T: our direct default. In the legend the \
              fitted exponents, over the larger half of the sizes.",
    make,
};

const RULE: &str = "the slides' orders are upper bounds: reproduced when the structured methods grow at most with a^1.2 (slides: a) and full dense at least with a^2 (slides: a^3), and structured iterative at most \
                    with l^2.2 (slides: l^2); better when our direct solve grows at most with a^1.15 and l^0.5";

/// A method of the table: name, what the slides say of a and of l, colour.
struct Method {
    name: &'static str,
    slides: [&'static str; 2],
    solver: Solver,
    coordinates: Coordinates,
    colour: RGBColor,
}

fn methods() -> [Method; 5] {
    let m = |name, slides, solver, coordinates, colour| Method { name, slides, solver, coordinates, colour };
    let maximal = Coordinates::Maximal;
    [
        m("full dense", ["3", "3"], Solver::DenseCholesky, maximal, ORANGE),
        m("full iterative", ["2", "2"], Solver::Minres, maximal, PURPLE),
        m("structured dense", ["1", "3"], Solver::Elimination, Coordinates::Reduced, GREEN),
        m("structured iterative", ["1", "2"], Solver::Structured(Budget::default()), maximal, BLUE),
        m("block LDL^T", ["", ""], Solver::BlockLdlt, maximal, DARK),
    ]
}

/// Step, s; the first ones are not timed.
const STEP: f64 = 0.01;
const FIRST: usize = 5;
/// The next one is taken again and again, so often or for so long, s.
const AGAIN: [usize; 2] = [3, 500];
const ENOUGH: f64 = 0.1;
/// A method is not taken further once a step takes this long, s.
const SLOW: f64 = 1.5;
/// Length (m) and mass (kg) of a rod.
const ROD: f64 = 0.1;
const MASS: f64 = 0.1;

/// Rings, rods of each.
type Shape = (usize, usize);

struct Timed {
    method: usize,
    shape: Shape,
    seconds: f64,
    iterations: f64,
}

fn make(task: &Task) -> std::result::Result<Made, Stop> {
    let longer: &[Shape] =
        task.pick(&[(4, 4), (4, 8), (4, 16), (4, 32), (4, 64), (4, 128), (4, 256)], &[(4, 4), (4, 8), (4, 16)]);
    let more: &[Shape] =
        task.pick(&[(1, 128), (2, 64), (4, 32), (8, 16), (16, 8), (32, 4)], &[(2, 16), (4, 8), (8, 4)]);
    let methods = methods();
    task.expect((methods.len() * (longer.len() + more.len())) as u64);
    let mut sets = Vec::new();
    // One after the other: times of runs side by side say little.
    for shapes in [longer, more] {
        let mut timed: Vec<Timed> = Vec::new();
        for (k, method) in methods.iter().enumerate() {
            for &shape in shapes {
                let is_slow = timed.last().is_some_and(|t| t.method == k && t.seconds > SLOW);
                if !is_slow {
                    let (seconds, iterations) = time(method, shape)?;
                    timed.push(Timed { method: k, shape, seconds, iterations });
                }
                task.tick(1)?;
            }
        }
        sets.push(timed);
    }
    let mut table = Table::new(&["varied", "method", "acyclic_rows", "loop_rows", "least_step_s", "iterations"]);
    for (varied, set) in ["a", "l"].into_iter().zip(&sets) {
        for t in set {
            let [a, l] = rows(t.shape).map(Cell::Number);
            table.add([varied.into(), methods[t.method].name.into(), a, l, t.seconds.into(), t.iterations.into()]);
        }
    }
    let panels = vec![panel(&methods, &sets[0], 0), panel(&methods, &sets[1], 1)];
    Ok(Made { size: (1300, 640), columns: 2, panels, table, verdict: judge(&methods, &sets) })
}

fn rows((rings, rods): Shape) -> [f64; 2] {
    [(3 * rings * rods) as f64, (3 * rings) as f64]
}

/// Least time of a step, and its iterations.
fn time(method: &Method, shape: Shape) -> Result<(f64, f64)> {
    let mut world = rings(shape)?;
    world.set_options(Options {
        coordinates: method.coordinates,
        stabiliser: Stabiliser::None,
        solver: method.solver,
        sleep: false,
        ..*world.options()
    })?;
    for _ in 0..FIRST {
        world.step(STEP)?;
    }
    let (state, begin) = (world.state().clone(), Instant::now());
    let (mut least, mut iterations) = (f64::INFINITY, 0);
    for round in 0..AGAIN[1] {
        let spent = begin.elapsed().as_secs_f64();
        if spent > SLOW || (round >= AGAIN[0] && spent > ENOUGH) {
            break;
        }
        world.restore(&state)?;
        let start = Instant::now();
        iterations = world.step(STEP)?.iterations;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok((least, iterations as f64))
}

/// Rings of rods, each hung on the lowest joint of the one before.
fn rings((count, rods): Shape) -> Result<World> {
    let mut world = World::new();
    taut_redmax::attach(&mut world);
    let turn = std::f64::consts::TAU / rods as f64;
    let radius = 0.5 * ROD / (0.5 * turn).sin();
    let (mut hook, mut top) = (world.ground(), Vec3::ZERO);
    for _ in 0..count {
        let corner = |k: usize| {
            let angle = turn * k as f64;
            top + radius * Vec3::new(angle.sin(), angle.cos() - 1.0, 0.0)
        };
        let mut ring: Vec<BodyId> = Vec::with_capacity(rods);
        for k in 0..rods {
            let (from, to) = (corner(k), corner(k + 1));
            let half = Vec3::new(0.5 * (to - from).length(), 0.005, 0.005);
            let density = MASS / (8.0 * half.x * half.y * half.z);
            let rot = taut::Quat::from_rotation_arc(Vec3::X, (to - from).normalize());
            let mass = MassProperties::cuboid(density, half)?;
            let rod = world.add(Body::dynamic(mass).at(0.5 * (from + to)).rotated(rot))?;
            let before = ring.last().copied().unwrap_or(hook);
            world.add(Ball::between(rod, before).at(from).axis(Vec3::Z))?;
            ring.push(rod);
        }
        let closing = world.add(Ball::between(ring[rods - 1], hook).at(corner(rods)).axis(Vec3::Z))?;
        world.set_tree_role(closing, taut::TreeRole::Loop)?;
        (hook, top) = (ring[rods / 2], corner(rods / 2));
    }
    Ok(world)
}

/// Fitted exponent over the larger half of the sizes.
fn exponent(set: &[Timed], method: usize, axis: usize) -> Option<f64> {
    let points: Vec<(f64, f64)> =
        set.iter().filter(|t| t.method == method).map(|t| (rows(t.shape)[axis].ln(), t.seconds.ln())).collect();
    let half = points.len() / 2;
    Some(line(&points[half.min(points.len().saturating_sub(2))..])?.0)
}

fn panel(methods: &[Method], set: &[Timed], axis: usize) -> Panel {
    let symbol = ["a", "l"][axis];
    let mut curves = Vec::new();
    for (k, m) in methods.iter().enumerate() {
        let points: Vec<(f64, f64)> =
            set.iter().filter(|t| t.method == k).map(|t| (rows(t.shape)[axis], 1e3 * t.seconds)).collect();
        let found = exponent(set, k, axis).map_or(String::new(), |e| format!(": {symbol}^{e:.2}"));
        let slides =
            if m.slides[axis].is_empty() { String::new() } else { format!(" (slides ≤ {})", m.slides[axis]) };
        curves.push(Curve::dots(format!("{}{found}{slides}", m.name), m.colour, points));
    }
    let points = || curves.iter().flat_map(|c| &c.points);
    let label = ["acyclic rows a", "loop rows l"][axis];
    let x = Axis::log(label, points().map(|p| p.0));
    let y = Axis::log("time of a step [ms]", points().map(|p| p.1));
    let fixed = set.first().map_or([0.0; 2], |t| rows(t.shape));
    let title = [format!("l = {} loop rows", fixed[1]), format!("a = {} acyclic rows", fixed[0])];
    Panel::new(title[axis].as_str(), x, y, curves)
}

fn judge(methods: &[Method], sets: &[Vec<Timed>]) -> Verdict {
    let e = |k: usize, axis: usize| exponent(&sets[axis], k, axis).unwrap_or(f64::NAN);
    let list: Vec<String> =
        methods.iter().enumerate().map(|(k, m)| format!("{} a^{:.2} l^{:.2}", m.name, e(k, 0), e(k, 1))).collect();
    let reproduced = e(0, 0) >= 2.0 && e(2, 0) <= 1.2 && e(3, 0) <= 1.2 && e(3, 1) <= 2.2;
    Verdict::new(RULE, reproduced, e(4, 0) <= 1.15 && e(4, 1) <= 0.5, list.join("; "))
}
