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
//! difference of two lengths under `valgrind --tool=callgrind` is what a step costs in instructions. `--replay NAME TIMES` takes the first
//! half second so many times from the start, as `taut bench report` does with ten links, and prints the least time of a step.
//! `--together NAME TIMES` does so in turn with one world and with four that go side by side, and prints the least times of a step of a
//! world, their ratio, and the part of the steps that were taken side by side.

#[path = "../../taut-scenes/src/mechanisms.rs"]
mod mechanisms;
#[path = "timing/mod.rs"]
mod timing;

use mechanisms::{MECHANISMS, Mechanism};
use std::collections::BTreeMap;
use taut::study::Study;
use taut::{Coordinates, Options, Result, Together, World};
use timing::clock;

/// Steps before the first that is timed.
const WARM: usize = 30;
/// Steps that are timed in a round, and rounds of the same steps, of which the fastest counts.
const TIMED: usize = 8;
const ROUNDS: usize = 60;
/// Time that is replayed, s.
const FALL: f64 = 0.5;

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
    fn new(scene: &Mechanism, coordinates: Coordinates) -> Result<Self> {
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

fn measure(scene: &Mechanism, rounds: usize) -> Result<Times> {
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

fn show(scene: &Mechanism, stages: bool) -> Result<()> {
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
fn compare(scene: &Mechanism, stages: bool) -> Result<()> {
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

fn run(scene: &Mechanism, steps: usize, coordinates: Coordinates) -> Result<()> {
    let mut w = (scene.build)()?;
    w.set_options(Options { coordinates, ..*w.options() })?;
    for _ in 0..steps {
        w.step(scene.step)?;
    }
    println!("{:.15e} {:016x}", w.energy()?.total(), hash(&w));
    Ok(())
}

/// The first half second so many times: the least time of a step, and what its steps were made of.
fn replay(scene: &Mechanism, times: usize) -> Result<()> {
    let mut w = (scene.build)()?;
    let (start, steps, mut least) = (w.state().clone(), (FALL / scene.step).round() as usize, f64::INFINITY);
    let (mut factorisations, mut right_hand_sides) = (0, 0);
    for _ in 0..times {
        w.restore(&start)?;
        (factorisations, right_hand_sides) = (0, 0);
        let begin = clock();
        for _ in 0..steps {
            let report = w.step(scene.step)?;
            factorisations += report.factorisations;
            right_hand_sides += report.right_hand_sides;
        }
        least = least.min((clock() - begin) / steps as f64);
    }
    let per = |count: usize| count as f64 / steps as f64;
    println!("{}\t{:.2}\t{:.2}\t{:.2}", scene.name, 1e6 * least, per(factorisations), per(right_hand_sides));
    Ok(())
}

/// The first half second so many times, by one world and by four of it in turn.
fn together(scene: &Mechanism, times: usize) -> Result<()> {
    let worlds = || (0..4).map(|_| (scene.build)()).collect::<Result<Vec<World>>>();
    let (mut alone, mut four, mut memory) = (worlds()?, worlds()?, Together::default());
    let (start, steps) = (alone[0].state().clone(), (FALL / scene.step).round() as usize);
    let mut least = [f64::INFINITY; 2];
    for _ in 0..times {
        alone.iter_mut().chain(&mut four).try_for_each(|w| w.restore(&start))?;
        let begin = clock();
        for _ in 0..steps {
            alone.iter_mut().try_for_each(|w| w.step(scene.step).map(|_| ()))?;
        }
        let middle = clock();
        let mut listed: Vec<&mut World> = four.iter_mut().collect();
        memory.step(&mut listed, scene.step, steps).into_iter().collect::<Result<()>>()?;
        let end = clock();
        least = [least[0].min(middle - begin), least[1].min(end - middle)];
    }
    let [one, side] = least.map(|t| 1e6 * t / (4 * steps) as f64);
    let part = memory.shared() as f64 / (4 * steps * times) as f64;
    let same = alone.iter().zip(&four).all(|(a, b)| a.state() == b.state());
    println!(
        "{}\t{one:.2}\t{side:.2}\t{:.2}\t{part:.2}\t{}",
        scene.name,
        side / one,
        if same { "same" } else { "DIFFERENT" }
    );
    Ok(())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| args.iter().any(|a| a == name);
    let (stages, reduced) = (has("--stages"), has("--reduced"));
    if let [first, name, times] = &args[..]
        && let Some(act) = [("--replay", replay as fn(&Mechanism, usize) -> Result<()>), ("--together", together)]
            .into_iter()
            .find_map(|(word, act)| (first == word).then_some(act))
    {
        let times = times.parse().unwrap_or(1);
        return MECHANISMS.iter().filter(|s| s.name == name).try_for_each(|s| act(s, times));
    }
    if let [first, name, steps, ..] = &args[..]
        && first == "--run"
    {
        let coordinates = if reduced { Coordinates::Reduced } else { Coordinates::Maximal };
        let steps = steps.parse().unwrap_or(0);
        return MECHANISMS.iter().filter(|s| s.name == name).try_for_each(|s| run(s, steps, coordinates));
    }
    let part = args.iter().find(|a| !a.starts_with("--")).map_or("", |s| s);
    let scenes = MECHANISMS.iter().filter(|s| s.name.contains(part));
    if reduced {
        println!("scene\tbodies\tmaximal us\treduced us\tratio\tenergy J\thash");
        scenes.into_iter().try_for_each(|s| compare(s, stages))
    } else {
        println!("scene\tbodies\tstep us\tbare us\tratio\tfactors\tsides\tenergy J\thash");
        scenes.into_iter().try_for_each(|s| show(s, stages))
    }
}
