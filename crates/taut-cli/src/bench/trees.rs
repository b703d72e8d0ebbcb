//! Random trees under heavy loads.

use super::say;
use crate::workers;
use clap::Args as ClapArgs;
use taut_scenes::checks::trees::{JOINTS, LOADS, SEEDS, STEPS, TIME};

/// Options of the trees.
#[derive(ClapArgs)]
pub struct Args {
    /// Number of trees per cell (1 to 1,000,000).
    #[arg(long, default_value_t = SEEDS.0 as u32, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    seeds: u32,
    /// First seed (0 to 1,000,000,000).
    #[arg(long, default_value_t = SEEDS.1 as u32, value_parser = clap::value_parser!(u32).range(0..=1_000_000_000))]
    first: u32,
}

struct Case {
    seed: u32,
    joint: &'static str,
    load: &'static str,
    dt: f64,
}

/// Prints the table; true when every tree holds.
pub fn trees(args: &Args) -> taut::Result<bool> {
    say(&format!(
        "random Y-trees, seeds {} to {}, {TIME} s, default settings",
        args.first,
        args.first + args.seeds - 1
    ));
    say(
        "cell: stable trees, median and largest of the worst gap in m (the tree is about 4 m), median energy left, largest rise %, solves per step",
    );
    say(&format!(
        "{:>6} {:>8} {}",
        "joint",
        "load kg",
        STEPS.map(|h| format!("{:^41}", format!("step {h:.4} s"))).join("|")
    ));
    let (mut good, mut all) = (0, 0);
    for joint in JOINTS {
        for load in LOADS {
            let mut line = Vec::new();
            for dt in STEPS {
                let cases: Vec<Case> =
                    (0..args.seeds).map(|k| Case { seed: args.first + k, joint, load, dt }).collect();
                let out = workers::each(&cases, |c| {
                    workers::run(
                        "tree",
                        &[("seed", &c.seed.to_string()), ("joint", c.joint), ("load", c.load)],
                        c.dt,
                        TIME,
                    )
                })?;
                let stable = out.iter().filter(|o| o.stable).count();
                let sorted = |f: fn(&taut_scenes::Outcome) -> f64| {
                    let mut v: Vec<f64> = out.iter().map(f).collect();
                    v.sort_by(f64::total_cmp);
                    v
                };
                let (gaps, left, rise) =
                    (sorted(|o| o.max_gap), sorted(|o| o.energy_left), sorted(|o| o.energy_max_rise));
                let solves = out.iter().map(|o| o.solves_per_step).sum::<f64>() / out.len().max(1) as f64;
                let pick = |v: &[f64], at: usize| v.get(at).copied().unwrap_or(0.0);
                let (mid, last) = (out.len() / 2, out.len().saturating_sub(1));
                line.push(format!(
                    "{stable:>4}/{} {:6.3} {:6.3} {:5.2} {:6.2} {:5.2}",
                    out.len(),
                    pick(&gaps, mid),
                    pick(&gaps, last),
                    pick(&left, mid),
                    100.0 * pick(&rise, last),
                    solves
                ));
                good += stable;
                all += out.len();
            }
            say(&format!("{joint:>6} {load:>8} {}", line.join("|")));
        }
    }
    say(&format!("{good} of {all} stable"));
    Ok(good == all)
}
