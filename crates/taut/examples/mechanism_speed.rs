//! Times of a step of mechanisms: `cargo run --release -p taut --features study --example mechanism_speed`, with a part of a name for
//! some of the scenes.
//!
//! Each line has a scene, its bodies, the least processor time of a step, that of a bare block LDL^T of its matrix with one
//! right-hand side, their ratio, factorisations and right-hand sides per step, and a hash of where everything is in the end.
//! With `--stages` a line follows for each, the least time of every stage in ns per body.
//!
//! `mechanism_speed --reduced` runs every scene in maximal and in reduced coordinates, in turn, and prints the least times of both and
//! their ratio; with `--stages` the stages of the two follow.
//!
//! `mechanism_speed --run NAME STEPS` takes so many steps and does nothing else, with `--reduced` after it in reduced coordinates: the
//! difference of two lengths under `valgrind --tool=callgrind` is what a step costs in instructions.

#[path = "timing/mod.rs"]
mod timing;

use std::collections::BTreeMap;
use taut::study::Study;
use taut::{
    Ball, Body, BodyId, Coordinates, Hinge, Joint, MassProperties, Options, Result, Universal, Vec3, Weld, World,
};
use timing::clock;

/// Steps before the first that is timed.
const WARM: usize = 30;
/// Steps that are timed in a round, and rounds of the same steps, of which the fastest counts.
const TIMED: usize = 8;
const ROUNDS: usize = 60;

struct Scene {
    name: &'static str,
    /// Length of a step, s.
    step: f64,
    build: fn() -> Result<World>,
}

const SCENES: [Scene; 15] = [
    Scene { name: "chain-1000", step: 0.01, build: || chain(1000, 1000.0) },
    Scene { name: "chain-100", step: 0.01, build: || chain(100, 1000.0) },
    Scene { name: "chain-10", step: 0.01, build: || chain(10, 1000.0) },
    Scene { name: "tree-6", step: 0.01, build: || tree(6, false) },
    Scene { name: "mixed-tree-6", step: 0.01, build: || tree(6, true) },
    Scene { name: "ladder-300", step: 0.01, build: || ladder(300) },
    Scene { name: "ladder-5", step: 0.01, build: || ladder(5) },
    Scene { name: "four-bar", step: 0.005, build: four_bar },
    Scene { name: "ball-10", step: 0.005, build: || links(10, Ball::between) },
    Scene { name: "ball-10-frame", step: 1.0 / 60.0, build: || links(10, Ball::between) },
    Scene { name: "hinge-10", step: 0.005, build: || links(10, Hinge::between) },
    Scene { name: "hinge-10-frame", step: 1.0 / 60.0, build: || links(10, Hinge::between) },
    Scene { name: "hinge-100", step: 0.005, build: || links(100, Hinge::between) },
    Scene { name: "universal-10", step: 0.005, build: || links(10, Universal::between) },
    Scene { name: "one-body", step: 0.005, build: || links(1, Ball::between) },
];

/// A thin bar from one point to another.
fn bar(w: &mut World, from: Vec3, to: Vec3, mass: f64, radius: f64) -> Result<BodyId> {
    let (along, length) = ((to - from).normalize(), (to - from).length());
    let across = mass * (radius * radius / 4.0 + length * length / 12.0);
    let inertia = Vec3::new(0.5 * mass * radius * radius, across, across);
    let turn = taut::Quat::from_rotation_arc(Vec3::X, along);
    w.add(Body::dynamic(MassProperties::from_diagonal(mass, inertia)?).at(0.5 * (from + to)).rotated(turn))
}

fn ball(w: &mut World, at: Vec3, mass: f64) -> Result<BodyId> {
    w.add(Body::dynamic(MassProperties::from_diagonal(mass, Vec3::splat(0.4 * mass * 0.09))?).at(at))
}

/// Links of 0.2 m and 0.2 kg that fall from the horizontal.
fn links(n: usize, between: impl Fn(BodyId, BodyId) -> Joint) -> Result<World> {
    let mut w = World::new();
    let mut last = w.ground();
    for k in 0..n {
        let from = 0.2 * k as f64 * Vec3::X;
        let b = bar(&mut w, from, from + 0.2 * Vec3::X, 0.2, 0.01)?;
        w.add(between(b, last).at(from).axis(Vec3::Z))?;
        last = b;
    }
    Ok(w)
}

/// Links of 0.3 m and 0.1 kg with a load at the end, swinging from an angle.
fn chain(n: usize, ratio: f64) -> Result<World> {
    let mut w = World::new();
    let along = Vec3::new(1.0, -1.0, 0.3).normalize();
    let mut last = w.ground();
    for k in 0..n {
        let from = 0.3 * k as f64 * along;
        let b = bar(&mut w, from, from + 0.3 * along, 0.1, 0.01)?;
        w.set_velocity(b, Vec3::ZERO, 1e-3 * Vec3::new(noise(k), noise(k + 1), noise(k + 2)))?;
        w.add(Ball::between(b, last).at(from).axis(along))?;
        last = b;
    }
    let end = 0.3 * n as f64 * along;
    let b = ball(&mut w, end, 0.1 * ratio)?;
    w.add(Ball::between(b, last).at(end).axis(along))?;
    Ok(w)
}

/// Numbers between -1 and 1 that look random.
fn noise(k: usize) -> f64 {
    let z = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

struct Grower {
    w: World,
    count: usize,
    mixed: bool,
}

impl Grower {
    fn noise3(&mut self) -> Vec3 {
        self.count += 3;
        Vec3::new(noise(self.count), noise(self.count + 1), noise(self.count + 2))
    }

    /// Five links, then two branches or a load.
    fn branch(&mut self, (mut last, mut at): (BodyId, Vec3), toward: Vec3, forks: usize) -> Result<()> {
        for k in 0..5 {
            let (d, size) = (toward + 0.15 * self.noise3(), self.noise3());
            let end = at + (0.4 + 0.2 * size.x) * d.normalize();
            let b = bar(&mut self.w, at, end, 0.55 + 0.45 * size.y, 0.03 + 0.02 * size.z)?;
            let axis = self.noise3();
            let joint = match k {
                1 if self.mixed => Hinge::between(b, last),
                2 if self.mixed => Universal::between(b, last),
                3 if self.mixed => Weld::between(b, last),
                _ => Ball::between(b, last),
            };
            self.w.add(joint.at(at).axis(axis))?;
            (last, at) = (b, end);
        }
        if forks == 0 {
            let load = ball(&mut self.w, at, [10.0, 100.0, 1000.0][self.count % 3])?;
            self.w.add(Ball::between(load, last).at(at).axis(Vec3::X))?;
            return Ok(());
        }
        let across = if forks.is_multiple_of(2) { Vec3::Y } else { Vec3::Z };
        self.branch((last, at), toward + 0.8 * across, forks - 1)?;
        self.branch((last, at), toward - 0.8 * across, forks - 1)
    }
}

/// A tree that forks after every five links, with loads at its ends, falling.
fn tree(forks: usize, mixed: bool) -> Result<World> {
    let mut g = Grower { w: World::new(), count: 0, mixed };
    let ground = g.w.ground();
    g.branch((ground, Vec3::ZERO), Vec3::new(1.0, -0.3, 0.2), forks)?;
    Ok(g.w)
}

/// A rope ladder with a heavy last rung, swinging.
fn ladder(cells: usize) -> Result<World> {
    let mut w = World::new();
    let d = Vec3::new(1.0, -0.3, 0.0).normalize();
    let ground = w.ground();
    let (mut last, mut at) = ([ground; 2], [-0.2 * Vec3::Z, 0.2 * Vec3::Z]);
    for k in 0..cells {
        let mut sides = [ground; 2];
        for q in 0..2 {
            sides[q] = bar(&mut w, at[q], at[q] + 0.3 * d, 0.1, 0.01)?;
            w.add(Ball::between(sides[q], last[q]).at(at[q]).axis(d))?;
            at[q] += 0.3 * d;
        }
        let rung = bar(&mut w, at[0], at[1], if k + 1 == cells { 100.0 } else { 0.1 }, 0.02)?;
        for q in 0..2 {
            w.add(Ball::between(rung, sides[q]).at(at[q]).axis(d))?;
        }
        last = [rung; 2];
    }
    Ok(w)
}

/// A crank, a coupler and a rocker on hinges.
fn four_bar() -> Result<World> {
    let mut w = World::new();
    let at = [Vec3::ZERO, Vec3::new(0.1, 0.3, 0.0), Vec3::new(0.9, 0.6, 0.0), Vec3::new(0.8, 0.0, 0.0)];
    let ground = w.ground();
    let mut last = ground;
    for k in 0..3 {
        let b = bar(&mut w, at[k], at[k + 1], 1.0, 0.02)?;
        w.add(Hinge::between(b, last).at(at[k]).axis(Vec3::Z))?;
        last = b;
    }
    w.add(Hinge::between(last, ground).at(at[3]).axis(Vec3::Z))?;
    Ok(w)
}

/// Least time of a step, of a bare solve, s; least times of the stages.
struct Times {
    step: f64,
    bare: f64,
    stages: Vec<(&'static str, f64)>,
    factorisations: f64,
    right_hand_sides: f64,
    energy: f64,
    hash: u64,
}

/// A world of a scene after its first steps, and what is known of its next ones.
struct Run {
    w: World,
    start: taut::State,
    h: f64,
    step: f64,
    order: Vec<&'static str>,
    least: BTreeMap<&'static str, f64>,
    counts: (usize, usize),
}

impl Run {
    fn new(scene: &Scene, coordinates: Coordinates) -> Result<Self> {
        let mut w = (scene.build)()?;
        w.set_options(Options { coordinates, ..*w.options() })?;
        for _ in 0..WARM {
            w.step(scene.step)?;
        }
        let (start, least, h) = (w.state().clone(), BTreeMap::new(), scene.step);
        Ok(Run { w, start, h, step: f64::INFINITY, order: Vec::new(), least, counts: (0, 0) })
    }

    /// The same steps once more: all at once, then stage by stage.
    fn round(&mut self) -> Result<()> {
        self.w.restore(&self.start)?;
        let begin = clock();
        for _ in 0..TIMED {
            self.w.step(self.h)?;
        }
        self.step = self.step.min((clock() - begin) / TIMED as f64);
        self.w.restore(&self.start)?;
        let mut spent: BTreeMap<&'static str, f64> = BTreeMap::new();
        self.counts = (0, 0);
        for _ in 0..TIMED {
            let (report, stages) = self.w.profiled_step(self.h, clock)?;
            self.counts.0 += report.factorisations;
            self.counts.1 += report.right_hand_sides;
            self.order = stages.iter().map(|s| s.0).collect();
            stages.into_iter().for_each(|(name, time)| *spent.entry(name).or_default() += time / TIMED as f64);
        }
        for (name, time) in spent {
            let known = self.least.entry(name).or_insert(f64::INFINITY);
            *known = known.min(time);
        }
        Ok(())
    }

    fn stages(&self) -> Vec<(&'static str, f64)> {
        self.order.iter().filter_map(|&name| self.least.get(name).map(|&t| (name, t))).collect()
    }
}

fn measure(scene: &Scene, rounds: usize) -> Result<Times> {
    let mut run = Run::new(scene, Coordinates::Maximal)?;
    for _ in 0..rounds {
        run.round()?;
    }
    let mut bare = f64::INFINITY;
    run.w.bare_solve(|once| {
        for _ in 0..4 * rounds {
            let begin = clock();
            once();
            bare = bare.min(clock() - begin);
        }
    })?;
    let per = |count: usize| count as f64 / TIMED as f64;
    let (factorisations, right_hand_sides) = (per(run.counts.0), per(run.counts.1));
    let (energy, hash, stages) = (run.w.energy()?.total(), hash(&run.w), run.stages());
    Ok(Times { step: run.step, bare, stages, factorisations, right_hand_sides, energy, hash })
}

/// Of all poses and velocities.
fn hash(w: &World) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for b in w.bodies() {
        let (p, v, o) = (b.pose(), b.velocity(), b.angular_velocity());
        let numbers = [p.pos.x, p.pos.y, p.pos.z, p.rot.x, p.rot.y, p.rot.z, p.rot.w, v.x, v.y, v.z, o.x, o.y, o.z];
        numbers.iter().for_each(|x| sum = (sum ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3));
    }
    sum
}

/// Rounds for a scene of so many bodies.
fn rounds(bodies: usize) -> usize {
    if bodies > 300 { ROUNDS } else { 50 * ROUNDS * 10 / bodies.max(10) }
}

fn list(stages: &[(&'static str, f64)], bodies: usize) -> String {
    let of_stage = |(name, time): &(&str, f64)| format!("{name} {:.0}", 1e9 * time / bodies as f64);
    stages.iter().filter(|s| s.1 > 0.0).map(of_stage).collect::<Vec<_>>().join(", ")
}

fn show(scene: &Scene, stages: bool) -> Result<()> {
    let bodies = (scene.build)()?.bodies().count() - 1;
    let t = measure(scene, rounds(bodies))?;
    println!(
        "{}\t{bodies}\t{:.2}\t{:.2}\t{:.2}\t{:.2}\t{:.2}\t{:.15e}\t{:016x}",
        scene.name,
        1e6 * t.step,
        1e6 * t.bare,
        t.step / t.bare,
        t.factorisations,
        t.right_hand_sides,
        t.energy,
        t.hash
    );
    if stages {
        println!("  {}", list(&t.stages, bodies));
    }
    Ok(())
}

/// The same scene in both coordinates, in turn.
fn compare(scene: &Scene, stages: bool) -> Result<()> {
    let bodies = (scene.build)()?.bodies().count() - 1;
    let mut runs = [Run::new(scene, Coordinates::Maximal)?, Run::new(scene, Coordinates::Reduced)?];
    for _ in 0..rounds(bodies) {
        runs.iter_mut().try_for_each(Run::round)?;
    }
    let [maximal, reduced] = &runs;
    println!(
        "{}\t{bodies}\t{:.2}\t{:.2}\t{:.2}\t{:.15e}\t{:016x}",
        scene.name,
        1e6 * maximal.step,
        1e6 * reduced.step,
        reduced.step / maximal.step,
        reduced.w.energy()?.total(),
        hash(&reduced.w)
    );
    if stages {
        runs.iter().for_each(|r| println!("  {}", list(&r.stages(), bodies)));
    }
    Ok(())
}

fn run(scene: &Scene, steps: usize, coordinates: Coordinates) -> Result<()> {
    let mut w = (scene.build)()?;
    w.set_options(Options { coordinates, ..*w.options() })?;
    for _ in 0..steps {
        w.step(scene.step)?;
    }
    println!("{:.15e} {:016x}", w.energy()?.total(), hash(&w));
    Ok(())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| args.iter().any(|a| a == name);
    let (stages, reduced) = (has("--stages"), has("--reduced"));
    if let [first, name, steps, ..] = &args[..]
        && first == "--run"
    {
        let coordinates = if reduced { Coordinates::Reduced } else { Coordinates::Maximal };
        let steps = steps.parse().unwrap_or(0);
        return SCENES.iter().filter(|s| s.name == name).try_for_each(|s| run(s, steps, coordinates));
    }
    let part = args.iter().find(|a| !a.starts_with("--")).map_or("", |s| s);
    let scenes = SCENES.iter().filter(|s| s.name.contains(part));
    if reduced {
        println!("scene\tbodies\tmaximal us\treduced us\tratio\tenergy J\thash");
        scenes.into_iter().try_for_each(|s| compare(s, stages))
    } else {
        println!("scene\tbodies\tstep us\tbare us\tratio\tfactors\tsides\tenergy J\thash");
        scenes.into_iter().try_for_each(|s| show(s, stages))
    }
}
