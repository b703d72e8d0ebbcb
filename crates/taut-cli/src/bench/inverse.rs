//! The augmented inverse mass matrix of Andrews 2017: rank-1 updates against a full inverse, and the block solve that needs neither.

use super::say;
use crate::measure::inverse::{PUBLISHED, Published, chain, repeats, times};
use clap::Args as ClapArgs;

/// Options of the benchmark.
#[derive(ClapArgs)]
pub struct Args {
    /// Joint of the chains: ball, hinge or universal (the paper's), cable or flexible-cable.
    #[arg(long, default_value = "ball")]
    joint: String,
}

/// Prints the table; true when every gain is at least the published one.
pub fn inverse(args: &Args) -> taut::Result<bool> {
    say(&format!("time to form (M - h^2 K~)^-1 of a chain of {} joints, h = 0.01 s; least of many", args.joint));
    say(&format!(
        "{:>7} {:>12} {:>12} {:>8} {:>10} {:>14} {:>8} {:>12}",
        "joints", "full us", "low rank us", "gain", "published", "block solve us", "gain", "difference"
    ));
    let mut met = true;
    for Published { joints, gain: published, .. } in PUBLISHED {
        let t = times(&mut chain(&args.joint, joints)?, repeats(joints))?;
        met &= t.gain() >= published;
        say(&format!(
            "{joints:>7} {:>12.1} {:>12.1} {:>7.1}x {published:>9.2}x {:>14.1} {:>7.0}x {:>12.1e}",
            1e6 * t.full,
            1e6 * t.low,
            t.gain(),
            1e6 * t.block,
            t.full / t.block,
            t.difference
        ));
    }
    Ok(met)
}
