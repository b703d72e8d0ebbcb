//! Time of a step with running ropes: the scenes that have them, and a rope of k spans through bodies beside k rods between them.

use super::say;
use crate::measure::statistics::median;
use crate::output::complain;
use clap::Args as ClapArgs;
use taut::{Body, Distance, MassProperties, Rope, Vec3, World};
use taut_scenes::{find, thread_clock};

/// Options of the benchmark.
#[derive(ClapArgs)]
pub struct Args {
    /// Short runs: a look, not a result.
    #[arg(long)]
    quick: bool,
}

/// A scene, the parameters that are set, and the most that a median step may take, s.
type Timed = (&'static str, &'static [(&'static str, &'static str)], f64);

/// The anchor wire of 800 nodes must run in real time; the others have no bound.
const SCENES: [Timed; 10] = [
    ("mobile-crane", &[], 100e-6),
    ("crane", &[("reeving", "4")], f64::INFINITY),
    ("elevator", &[], f64::INFINITY),
    ("cable-robot", &[], f64::INFINITY),
    ("capstan", &[], f64::INFINITY),
    ("sailing-boat", &[], f64::INFINITY),
    ("rope-access", &[], f64::INFINITY),
    ("ski-lift", &[], f64::INFINITY),
    ("tug-tow", &[], f64::INFINITY),
    ("anchor-handling", &[], 1.0 / 60.0),
];
/// Spans of a rope.
const SPANS: [usize; 5] = [2, 4, 8, 16, 32];
/// Most time of a step with a rope of k spans, in steps with k rods.
const ROPE: f64 = 1.5;
const STEP: f64 = 1.0 / 60.0;

/// Prints the tables; true when the bounds hold.
pub fn ropes(args: &Args) -> taut::Result<bool> {
    let mut met = true;
    say("CPU time of a step on one thread, us");
    say(&format!("{:<24} {:>10} {:>10} {:>10} {:>12}", "scene", "median", "worst", "bound", "of real time"));
    for (name, set, bound) in SCENES {
        complain(&format!("{name} ..."));
        let (mut scene, _) = find(name)?.with(set)?;
        let info = find(name)?;
        let steps = (info.time.min(if args.quick { 2.0 } else { 60.0 }) / info.dt) as usize;
        let mut times = Vec::with_capacity(steps);
        for _ in 0..steps {
            let start = thread_clock();
            scene.step(info.dt)?;
            times.push(thread_clock() - start);
        }
        let (middle, worst) = (median(&times), times.iter().copied().fold(0.0, f64::max));
        met &= middle <= bound;
        let bound = if bound.is_finite() { format!("{:.0}", 1e6 * bound) } else { "-".into() };
        say(&format!(
            "{name:<24} {:>10.1} {:>10.1} {bound:>10} {:>11.2}%",
            1e6 * middle,
            1e6 * worst,
            100.0 * middle / info.dt
        ));
    }
    let repeats = if args.quick { 3 } else { 9 };
    say(&format!("a rope through bodies beside rods between them; medians of {repeats} runs in turn"));
    say(&format!("{:>7} {:>10} {:>10} {:>8}", "spans", "rope", "rods", "ratio"));
    for spans in SPANS {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..repeats {
            for (reeved, list) in [true, false].into_iter().zip(&mut times) {
                list.push(one(spans, reeved, if args.quick { 50 } else { 300 })?);
            }
        }
        let [rope, rods] = times.map(|t| median(&t));
        met &= rope <= ROPE * rods;
        say(&format!("{spans:>7} {:>10.1} {:>10.1} {:>7.2}x", 1e6 * rope, 1e6 * rods, rope / rods));
    }
    say(&format!("bounds: {}", if met { "hold" } else { "do not hold in this run" }));
    Ok(met)
}

/// Median time of a step with bodies of 1 kg that hang between fixed rings on one rope that runs through all, or on rods: every other guide
/// is fixed, so that they do not slide together.
fn one(spans: usize, reeved: bool, steps: usize) -> taut::Result<f64> {
    let mut world = World::new();
    let place = |k: usize| Vec3::new(k as f64, if k % 2 == 1 { -1.0 } else { 0.0 }, 0.0);
    let mut line = vec![world.ground()];
    for k in 1..=spans {
        let body = Body::dynamic(MassProperties::sphere(1000.0, 0.062)?).at(place(k));
        line.push(if k % 2 == 1 { world.add(body)? } else { world.ground() });
    }
    if reeved {
        let mut rope = Rope::from(line[0], place(0));
        for (k, &body) in line.iter().enumerate().skip(1) {
            rope = rope.through(body, place(k));
        }
        world.add(rope.collides(false))?;
    } else {
        for (k, pair) in line.windows(2).enumerate() {
            let [a, b] = [place(k), place(k + 1)];
            world.add(Distance::between(pair[0], pair[1]).ends(a, b).length(a.distance(b)))?;
        }
    }
    let mut times = Vec::with_capacity(steps);
    for _ in 0..steps {
        let start = thread_clock();
        world.step(STEP)?;
        times.push(thread_clock() - start);
    }
    Ok(median(&times))
}
