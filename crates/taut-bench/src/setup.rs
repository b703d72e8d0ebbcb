//! Is it the same scene everywhere? A light chain with a fine step, where every engine should give the same motion.

use crate::judge::Verdict;
use crate::peers::Peer;
use crate::run::{Length, run};
use crate::scene::{Chain, Scene};
use crate::table::{Report, Table, short};
use crate::{Config, Result};

/// Step of the check, s.
pub const STEP: f64 = 5e-4;
/// Largest difference of the first kinetic peak from the median of all engines, over the scale.
pub const PEAK: f64 = 0.01;
/// Largest difference of its time, s.
pub const TIME: f64 = 0.005;
/// Largest difference of the energy at the end from 1. First-order methods show up to 0.02 here.
pub const ENERGY: f64 = 0.03;
/// Stretch from which an engine counts as soft: it simulates another chain, and is not asked to agree.
pub const SOFT: f64 = 0.01;

/// The scene of the check.
pub fn scene() -> Scene {
    Chain { ratio: 10.0, ..Chain::default() }.scene()
}

/// What the check says of each verdict (the flag: whether the engine damps): agreement, softness, or what is off.
pub fn compare(verdicts: &[(bool, Verdict)]) -> Vec<(bool, String)> {
    let median = |f: fn(&Verdict) -> f64| {
        let mut v: Vec<f64> = verdicts.iter().map(|v| &v.1).filter(|v| v.stretch < SOFT).map(f).collect();
        v.sort_by(f64::total_cmp);
        v.get(v.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let (peak, time) = (median(|v| v.kinetic_peak.0), median(|v| v.kinetic_peak.1));
    let one = |(damped, v): &(bool, Verdict)| {
        if let Some(why) = &v.failure {
            return (false, why.clone());
        }
        if v.stretch >= SOFT {
            return (true, format!("soft: stretch {} %", short(100.0 * v.stretch)));
        }
        if *damped {
            return (true, format!("damped: energy {:.3}", v.energy_left));
        }
        let agrees = (v.kinetic_peak.0 - peak).abs() <= PEAK
            && (v.kinetic_peak.1 - time).abs() <= TIME
            && (v.energy_left - 1.0).abs() <= ENERGY;
        (agrees, if agrees { "agrees" } else { "disagrees" }.into())
    };
    verdicts.iter().map(one).collect()
}

/// Prints the check; the names of the engines that do not agree.
pub fn setup(config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<Vec<&'static str>> {
    let time = if config.quick { 1.0 } else { 3.0 };
    report.say(&format!(
        "\n## Set-up check\n\nChain of 10 links, ratio 10, step {STEP} s, {time} s. First kinetic peak within {PEAK} of the scale and \
         {TIME} s of the median of all, energy at the end within {ENERGY} of 1; an engine that stretches by {} % or more is soft and not asked, nor is one that damps by default.\n",
        100.0 * SOFT
    ));
    let mut verdicts = Vec::new();
    for p in peers {
        report.doing(&format!("set-up: {}", p.name));
        verdicts.push((p.damped, run(p, &scene(), Length::seconds(STEP, time))?.verdict));
    }
    let found = compare(&verdicts);
    let mut table = Table::new(["engine", "first kinetic peak", "at s", "energy left", "stretch %", "verdict"]);
    for ((p, (_, v)), (_, text)) in peers.iter().zip(&verdicts).zip(&found) {
        table.row([
            p.name.into(),
            format!("{:.4}", v.kinetic_peak.0),
            format!("{:.4}", v.kinetic_peak.1),
            format!("{:.4}", v.energy_left),
            short(100.0 * v.stretch),
            text.clone(),
        ]);
    }
    report.table(&table);
    report.csv("setup", &table)?;
    Ok(peers.iter().zip(found).filter(|(_, f)| !f.0).map(|(p, _)| p.name).collect())
}
