//! `taut fuzz --files`: damaged models of other programs.

use crate::progress::Progress;
use crate::{interrupt, output};
use std::ops::Range;
use taut_import::fuzz::{Outcome, trial};

/// Reads a damaged model for each seed, and tells what became of them.
pub fn fuzz(seeds: Range<u64>, quiet: bool) -> Result<u8, String> {
    interrupt::listen();
    let progress = Progress::new(quiet, seeds.end - seeds.start);
    // A panic is told as a finding, with its seed, and not as it happens.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let [mut refused, mut unbuilt, mut ran] = [0_u64; 3];
    let mut faults = Vec::new();
    for seed in seeds {
        if interrupt::pressed() {
            break;
        }
        match trial(seed) {
            Outcome::Refused(_) => refused += 1,
            Outcome::Unbuilt(_) => unbuilt += 1,
            Outcome::Ran => ran += 1,
            Outcome::Fault(why) => faults.push(format!("seed {seed}: {why}")),
        }
        progress.step();
    }
    drop(progress);
    std::panic::set_hook(hook);
    faults.iter().for_each(|f| output::complain(f));
    let all = refused + unbuilt + ran + faults.len() as u64;
    let faults = faults.len();
    output::print(&format!(
        "{all} damaged models: {refused} refused with their line, {unbuilt} refused as a scene, {ran} run, {faults} faults\n"
    ))?;
    Ok(if interrupt::pressed() { interrupt::STATUS } else { u8::from(faults > 0) })
}
