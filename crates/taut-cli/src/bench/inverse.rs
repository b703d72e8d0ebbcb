//! The augmented inverse mass matrix of Andrews 2017: rank-1 updates against a full inverse, and the block solve that needs neither.

use super::say;
use clap::Args as ClapArgs;
use std::time::Instant;

/// Options of the benchmark.
#[derive(ClapArgs)]
pub struct Args {
    /// Joint of the chains: ball, hinge or universal (the paper's), cable or flexible-cable.
    #[arg(long, default_value = "ball")]
    joint: String,
}

/// Joints, and the gain of Table 2.
const PUBLISHED: [(usize, f64); 3] = [(10, 9.81), (50, 13.13), (100, 18.87)];

/// Prints the table; true when every gain is at least the published one.
pub fn inverse(args: &Args) -> taut::Result<bool> {
    say(&format!("time to form (M - h^2 K~)^-1 of a chain of {} joints, h = 0.01 s; least of many", args.joint));
    say(&format!(
        "{:>7} {:>12} {:>12} {:>8} {:>10} {:>14} {:>8} {:>12}",
        "joints", "full us", "low rank us", "gain", "published", "block solve us", "gain", "difference"
    ));
    let mut met = true;
    for (joints, published) in PUBLISHED {
        let links = (joints - 1).to_string();
        let (mut s, _) = taut_scenes::find("chain")?.with(&[
            ("links", &links),
            ("joint", &args.joint),
            ("ratio", "10"),
            ("start", "angle"),
        ])?;
        for _ in 0..20 {
            s.world.step(0.01)?;
        }
        let full = s.world.augmented_inverse(0.01, false)?;
        let low = s.world.augmented_inverse(0.01, true)?;
        let scale = full.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let difference = full.iter().zip(&low).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale;
        let mut times = [f64::INFINITY; 3];
        for _ in 0..(20_000 / (joints * joints)).clamp(5, 200) {
            for (k, low_rank) in [(0, false), (1, true)] {
                let t = Instant::now();
                s.world.augmented_inverse(0.01, low_rank)?;
                times[k] = times[k].min(t.elapsed().as_secs_f64());
            }
        }
        s.world.bare_solve(|once| {
            for _ in 0..200 {
                let t = Instant::now();
                once();
                times[2] = times[2].min(t.elapsed().as_secs_f64());
            }
        })?;
        let [full, low, block] = times.map(|t| 1e6 * t);
        met &= full / low >= published;
        say(&format!(
            "{joints:>7} {full:>12.1} {low:>12.1} {:>7.1}x {published:>9.2}x {block:>14.1} {:>7.0}x {difference:>12.1e}",
            full / low,
            full / block
        ));
    }
    Ok(met)
}
