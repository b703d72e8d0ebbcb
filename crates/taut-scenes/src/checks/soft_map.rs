//! Deformables over stiffness, Poisson's ratio, step and load, and from starts that are inside out or crushed. `taut bench soft` prints the same map
//! cell by cell.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::random::Random;
use crate::scenes::parts::{G, ball};
use crate::scenes::soft_parts::{bricks, gravity};
use taut::soft::Material;
use taut::{Body, Deformable, DeformableId, Result, Vec3, World};

/// Young's moduli, Pa.
pub const YOUNG: [f64; 8] = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10];
/// Poisson's ratios.
pub const POISSON: [f64; 4] = [0.0, 0.3, 0.45, 0.499];
/// Steps, s.
pub const STEPS: [f64; 4] = [0.001, 0.01, 1.0 / 60.0, 0.04];
/// What happens to the body.
pub const TRIALS: [Trial; 7] = [
    Trial::Load(1.0),
    Trial::Load(100.0),
    Trial::Load(1e4),
    Trial::Start(Start::Mirrored),
    Trial::Start(Start::Flat),
    Trial::Start(Start::Point),
    Trial::Start(Start::Random),
];

/// Density, kg/m^3; section and length of the bar and edge of the cube, m; cells along them; time of a run under load, s.
const DENSITY: f64 = 1000.0;
const WIDTH: f64 = 0.1;
const LENGTH: f64 = 0.4;
const EDGE: f64 = 0.2;
const CELLS: usize = 3;
const TIME: f64 = 2.0;
/// Strain under the load at rest up to which a bar is held to carry it; it swings through three times that.
const CARRIES: f64 = 0.1;
/// Damping time of cubes over that of a wave along an edge: what was put in to deform them has to go.
const DAMPED: f64 = 0.5;
/// Above this ratio volume is kept on the mean over cells (`taut_elements`).
const PATCHED: f64 = 0.4;
/// How many cells of each kind are known to be within their bounds, at least, and to diverge, at most.
const FULL: [[usize; 2]; 5] = [[93, 0], [93, 2], [256, 0], [221, 34], [120, 35]];
const QUICK: [[usize; 2]; 5] = [[8, 0], [8, 0], [24, 0], [18, 6], [11, 5]];
/// A start has this many steps, and at least so many times what a wave takes along an edge, to recover.
const PATIENCE: f64 = 200.0;
const WAVES: f64 = 20.0;

/// What happens to the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trial {
    /// A bar held at one end, level, with a ball of so many times its mass bound to the other, falls and swings.
    Load(f64),
    /// A free cube starts in a bad shape.
    Start(Start),
}

/// Bad shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// Turned inside out.
    Mirrored,
    /// Crushed to a plane.
    Flat,
    /// Crushed to a point.
    Point,
    /// Each node somewhere in the cube.
    Random,
}

impl Trial {
    /// In words.
    pub fn name(&self) -> String {
        match self {
            Trial::Load(ratio) => format!("load {ratio}"),
            Trial::Start(start) => format!("{start:?}").to_lowercase(),
        }
    }
}

/// One cell of the map.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Step, s.
    pub dt: f64,
    /// What happens.
    pub trial: Trial,
}

/// What a cell came to.
#[derive(Clone, Copy, Debug)]
pub struct Came {
    /// Whether every step was made, all numbers are finite and the energy has not doubled.
    pub stable: bool,
    /// Largest rise of the energy over its scale.
    pub rise: f64,
    /// Smallest volume of a point over that at rest, at the end.
    pub least: f64,
}

impl Came {
    /// Whether the cell is as it must be: under load no rise of more than 1 % (2 % at 0.04 s), and from a bad start no point inside out at
    /// the end.
    pub fn met(&self, cell: &Cell) -> bool {
        let rise = if cell.dt > 0.02 { 0.02 } else { 0.01 };
        let whole = matches!(cell.trial, Trial::Load(_)) || self.least > 0.0;
        self.stable && self.rise < rise && whole
    }
}

impl Cell {
    /// In words.
    pub fn name(&self) -> String {
        format!("{:.0e} Pa, {}, {:.3} s, {}", self.young, self.poisson, self.dt, self.trial.name())
    }

    /// Whether the bar can carry its load: at rest it hangs longer by at most a tenth.
    pub fn is_sane(&self) -> bool {
        match self.trial {
            Trial::Load(ratio) => ratio * DENSITY * LENGTH * G / self.young <= CARRIES,
            Trial::Start(_) => true,
        }
    }

    /// Runs it; `stop` ends it early.
    pub fn run(&self, stop: &dyn Fn() -> bool) -> Result<Came> {
        let material = Material::new(DENSITY, self.young, self.poisson);
        let (mut world, id, scale, time) = match self.trial {
            Trial::Load(ratio) => loaded(&material, ratio)?,
            Trial::Start(start) => bad(&material, start, self.dt)?,
        };
        let first = world.energy()?.total();
        let scale = scale.unwrap_or(first);
        let (mut rise, mut stable) = (0.0_f64, true);
        for _ in 0..(time / self.dt).round() as usize {
            if stop() {
                break;
            }
            match world.step(self.dt) {
                Ok(report) => rise = rise.max((report.energy.total() - first) / scale),
                Err(_) => stable = false,
            }
            if !stable || !rise.is_finite() {
                stable = false;
                break;
            }
        }
        let least = if stable { world.deformable(id)?.smallest_ratio() } else { f64::NAN };
        Ok(Came { stable: stable && rise < 1.0, rise, least })
    }
}

/// World, body, scale of the energy where it is not that at the start, J, and time, s.
type Rig = (World, DeformableId, Option<f64>, f64);

/// A level bar with a ball at its end.
fn loaded(material: &Material, ratio: f64) -> Result<Rig> {
    let mut world = World::new();
    let mesh = bricks(Vec3::new(LENGTH, WIDTH, WIDTH), [4, 1, 1])?;
    let mass = ratio * DENSITY * LENGTH * WIDTH * WIDTH;
    let middle = Vec3::new(LENGTH, 0.5 * WIDTH, 0.5 * WIDTH);
    let load = world.add(Body::dynamic(ball(mass, WIDTH)?).at(middle))?;
    let bar = Deformable::new(&mesh, material)?.held(|x| x.x == 0.0).bound(load, |x| x.x > LENGTH * (1.0 - 1e-9));
    let id = world.add(bar)?;
    Ok((world, id, Some(mass * G * LENGTH), TIME))
}

/// A free cube in a bad shape.
fn bad(material: &Material, start: Start, dt: f64) -> Result<Rig> {
    let mut world = World::new();
    gravity(&mut world, Vec3::ZERO)?;
    let mesh = bricks(Vec3::splat(EDGE), [CELLS; 3])?;
    let mut random = Random::new(3);
    let places: Vec<Vec3> = mesh.nodes.iter().map(|x| shape(*x, start, &mut random)).collect();
    let wave = EDGE * (DENSITY / material.young).sqrt();
    let material = material.clone().damping(DAMPED * wave);
    let id = world.add(Deformable::new(&mesh, &material)?.shaped(places))?;
    Ok((world, id, None, (PATIENCE * dt).max(WAVES * wave)))
}

fn shape(x: Vec3, start: Start, random: &mut Random) -> Vec3 {
    match start {
        Start::Mirrored => Vec3::new(-x.x, x.y, x.z),
        Start::Flat => Vec3::new(x.x, 0.0, x.z),
        Start::Point => Vec3::ZERO,
        Start::Random => EDGE * Vec3::from_array([0; 3].map(|_| random.uniform(0.0, 1.0))),
    }
}

/// All cells, or a few of them.
pub fn cells(few: bool) -> Vec<Cell> {
    let young: &[f64] = if few { &[1e3, 1e6, 1e10] } else { &YOUNG };
    let poisson: &[f64] = if few { &[0.3, 0.499] } else { &POISSON };
    let steps: &[f64] = if few { &[0.01, 0.04] } else { &STEPS };
    let mut out = Vec::new();
    for trial in TRIALS {
        for &young in young {
            for &poisson in poisson {
                out.extend(steps.iter().map(|&dt| Cell { young, poisson, dt, trial }));
            }
        }
    }
    out
}

pub(super) fn check() -> Check {
    Check {
        id: "soft-map",
        summary: "deformables hold at every stiffness, Poisson's ratio, step and load, and recover from being inside out or crushed",
        source: "promise of the README: nothing to tune",
        run,
    }
}

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let cells = cells(effort.quick);
    // Those that are as they must be, those that have not diverged, and all.
    let mut counts = [[0; 3]; 5];
    let mut rise = Worst::new();
    for cell in &cells {
        let came = cell.run(effort.stop)?;
        effort.go_on()?;
        let kind = match (cell.trial, cell.poisson > PATCHED) {
            (Trial::Load(_), _) if !cell.is_sane() => 4,
            (Trial::Load(_), patched) => usize::from(patched),
            (Trial::Start(_), patched) => 2 + usize::from(patched),
        };
        let now = [came.met(cell), came.stable, true];
        counts[kind].iter_mut().zip(now).for_each(|(count, is)| *count += usize::from(is));
        if kind % 2 == 0 && kind < 4 {
            rise.see(100.0 * came.rise, || cell.name());
        }
    }
    let names = [
        "loads that a bar can carry, Poisson's ratio to 0.3",
        "the same, 0.45 and 0.499",
        "bad starts, Poisson's ratio to 0.3",
        "the same, 0.45 and 0.499",
        "loads that stretch the bar by more than a tenth at rest",
    ];
    // What is known of each: docs/limits.md 16.
    let known = effort.pick(FULL, QUICK);
    let mut out = Vec::new();
    for ((name, [met, stable, all]), [least, most]) in names.into_iter().zip(counts).zip(known) {
        out.push(Measured::all_of(format!("{name}: of {all} within their bounds"), met, all).known_to(least as f64));
        let diverged = Measured::at_most(format!("{name}: diverged"), (all - stable) as f64, 0.0, "");
        out.push(diverged.known_to(most as f64));
    }
    out.push(rise.at_most("largest energy rise, Poisson's ratio to 0.3", 2.0, "%").known_to(14.0));
    Ok(out)
}
