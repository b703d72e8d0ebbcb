//! What a step costs, and how that grows.

use super::say;
use crate::measure::line;
use clap::Args as ClapArgs;
use std::time::Instant;

/// Options of the benchmark.
#[derive(ClapArgs)]
pub struct Args {
    /// Mass ratio of the chain.
    #[arg(long, default_value_t = 1000.0)]
    ratio: f64,
    /// Start of the chain.
    #[arg(long, default_value = "angle")]
    start: String,
    /// Links of the chains, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1000, 10_000, 100_000])]
    links: Vec<usize>,
}

/// Bounds: exponent of the time against the number of links, and whole step over bare solve at 1,000 links.
const EXPONENT: f64 = 1.05;
const OVERHEAD: f64 = 3.0;

/// Prints the table; true when both bounds are met.
pub fn cost(args: &Args) -> taut::Result<bool> {
    say(&format!(
        "chain of ball joints, ratio {}, start {}, step 0.01 s, default settings; least of many steps",
        args.ratio, args.start
    ));
    say(&format!(
        "{:>8} {:>12} {:>12} {:>7} {:>10} {:>14}",
        "links", "step us", "bare us", "ratio", "ns/link", "bytes per body"
    ));
    let mut points = Vec::new();
    let mut met = true;
    for &links in &args.links {
        let (step, bare, bytes) = measure(args, links)?;
        say(&format!(
            "{links:>8} {:>12.1} {:>12.1} {:>7.2} {:>10.0} {bytes:>14}",
            1e6 * step,
            1e6 * bare,
            step / bare,
            1e9 * step / links as f64
        ));
        points.push(((links as f64).ln(), step.ln()));
        if links == 1000 {
            met &= step / bare <= OVERHEAD;
        }
    }
    if let Some((b, _)) = line(&points) {
        say(&format!(
            "fitted exponent of the step {b:.3} (bound {EXPONENT}); whole step over bare factor-and-solve at 1,000 links: bound {OVERHEAD}"
        ));
        met &= b <= EXPONENT;
    }
    Ok(met)
}

/// Seconds of a step and of a bare factorisation and solve, and bytes per body.
fn measure(args: &Args, links: usize) -> taut::Result<(f64, f64, usize)> {
    let (n, r) = (links.to_string(), args.ratio.to_string());
    let (mut s, _) = taut_scenes::find("chain")?.with(&[("links", &n), ("ratio", &r), ("start", &args.start)])?;
    let repeats = (2_000_000 / links.max(1)).clamp(20, 3000);
    let (mut step, mut bare) = (f64::INFINITY, f64::INFINITY);
    // In turns, so that both meet the same noise.
    for _ in 0..10 {
        for _ in 0..repeats.div_ceil(10) {
            let t = Instant::now();
            s.world.step(0.01)?;
            step = step.min(t.elapsed().as_secs_f64());
        }
        s.world.bare_solve(|once| {
            for _ in 0..repeats.div_ceil(10) {
                let t = Instant::now();
                once();
                bare = bare.min(t.elapsed().as_secs_f64());
            }
        })?;
    }
    let size = s.world.size()?;
    Ok((step, bare, size.bytes / size.bodies.max(1)))
}
