//! Times of a step of mechanisms: `cargo run --release -p taut --features study --example mechanism_speed`, with a part of a name for
//! some of the scenes.
//!
//! Each line has a scene, its bodies, the least processor time of a step, that of a bare block LDL^T of its matrix with one
//! right-hand side, their ratio, factorisations and right-hand sides per step, and a hash of where everything is in the end.
//! With `--stages` a line follows for each, the least time of every stage in ns per body.
//!
//! `mechanism_speed --run NAME STEPS` takes so many steps and does nothing else: the difference of two lengths under
//! `valgrind --tool=callgrind` is what a step costs in instructions.

#[path = "../../taut-scenes/src/mechanisms.rs"]
mod mechanisms;
#[path = "timing/mod.rs"]
mod timing;

use mechanisms::{MECHANISMS, Mechanism};
use std::collections::BTreeMap;
use taut::study::Study;
use taut::{Result, World};
use timing::clock;

/// Steps before the first that is timed.
const WARM: usize = 30;
/// Steps that are timed in a round, and rounds of the same steps, of which the fastest counts.
const TIMED: usize = 8;
const ROUNDS: usize = 60;

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

fn measure(scene: &Mechanism, rounds: usize) -> Result<Times> {
    let mut w = (scene.build)()?;
    for _ in 0..WARM {
        w.step(scene.step)?;
    }
    let start = w.state().clone();
    let (mut step, mut order) = (f64::INFINITY, Vec::new());
    let mut least: BTreeMap<&'static str, f64> = BTreeMap::new();
    let mut counts = (0, 0);
    for _ in 0..rounds {
        w.restore(&start)?;
        let begin = clock();
        for _ in 0..TIMED {
            w.step(scene.step)?;
        }
        step = step.min((clock() - begin) / TIMED as f64);
        w.restore(&start)?;
        let mut spent: BTreeMap<&'static str, f64> = BTreeMap::new();
        counts = (0, 0);
        for _ in 0..TIMED {
            let (report, stages) = w.profiled_step(scene.step, clock)?;
            counts = (counts.0 + report.factorisations, counts.1 + report.right_hand_sides);
            order = stages.iter().map(|s| s.0).collect();
            stages.into_iter().for_each(|(name, time)| *spent.entry(name).or_default() += time / TIMED as f64);
        }
        for (name, time) in spent {
            let known = least.entry(name).or_insert(f64::INFINITY);
            *known = known.min(time);
        }
    }
    let mut bare = f64::INFINITY;
    w.bare_solve(|once| {
        for _ in 0..4 * rounds {
            let begin = clock();
            once();
            bare = bare.min(clock() - begin);
        }
    })?;
    let stages = order.into_iter().filter_map(|name| least.get(name).map(|&t| (name, t))).collect();
    let per = |count: usize| count as f64 / TIMED as f64;
    let (factorisations, right_hand_sides) = (per(counts.0), per(counts.1));
    Ok(Times { step, bare, stages, factorisations, right_hand_sides, energy: w.energy()?.total(), hash: hash(&w) })
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

fn show(scene: &Mechanism, stages: bool) -> Result<()> {
    let bodies = (scene.build)()?.bodies().count() - 1;
    let rounds = if bodies > 100 { ROUNDS } else { 50 * ROUNDS };
    let t = measure(scene, rounds)?;
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
        let of_stage = |(name, time): &(&str, f64)| format!("{name} {:.0}", 1e9 * time / bodies as f64);
        let list: Vec<String> = t.stages.iter().filter(|s| s.1 > 0.0).map(of_stage).collect();
        println!("  {}", list.join(", "));
    }
    Ok(())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [run, name, steps] = &args[..]
        && run == "--run"
    {
        for scene in MECHANISMS.iter().filter(|s| s.name == name) {
            let mut w = (scene.build)()?;
            for _ in 0..steps.parse().unwrap_or(0) {
                w.step(scene.step)?;
            }
            println!("{:.15e} {:016x}", w.energy()?.total(), hash(&w));
        }
        return Ok(());
    }
    let stages = args.iter().any(|a| a == "--stages");
    let part = args.iter().find(|a| !a.starts_with("--")).map_or("", |s| s);
    println!("scene\tbodies\tstep us\tbare us\tratio\tfactors\tsides\tenergy J\thash");
    MECHANISMS.iter().filter(|s| s.name.contains(part)).try_for_each(|s| show(s, stages))
}
