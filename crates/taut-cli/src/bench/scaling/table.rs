//! The tables, on the screen and as CSV.

use super::case::{Case, STEP};
use crate::format::si;
use crate::output::OutputFile;
use std::fmt::Write as _;
use std::io::Write as _;

/// What all tables have in common.
pub const HEADING: &str = "processor time of a step of 0.01 s, default settings: the same eight steps timed in so many rounds
least step: mean over the eight of the least of each; median: of all; bare: least time of one factorisation and solve of the same
matrix and nothing else; solves: right-hand sides; ratio: least step over bare";

/// Head of the table of a kind.
pub const HEADER: &str = "       n   bodies     rows  bytes/body  path             factor values/body  factorisations/step  solves/step rounds  least step      median        bare  ratio    per body";

/// One line of it.
pub fn row(c: &Case) -> String {
    let time = |s: f64| si(s, "s");
    format!(
        "{:>8} {:>8} {:>8} {:>11}  {:<15} {:>19} {:>20.2} {:>12.2} {:>6} {:>11} {:>11} {:>11} {:>6.2} {:>11}{}",
        c.size,
        c.bodies,
        c.rows,
        c.bytes,
        c.path,
        c.values,
        c.factorisations,
        c.solves,
        c.rounds,
        time(c.step_min),
        time(c.step_median),
        time(c.bare_min),
        c.step_min / c.bare_min,
        time(c.step_min / c.bodies as f64),
        c.failure.as_ref().map(|f| format!("  {f}")).unwrap_or_default()
    )
}

/// Share of each stage in the step.
pub fn stages(cases: &[&Case]) -> String {
    let mut out = String::from("\nshare of each stage in the step, %\n");
    let _ = write!(out, "{:<16}", "");
    for c in cases {
        let _ = write!(out, " {:>14}", format!("{} {}", c.kind.name, c.size));
    }
    for (k, (name, _)) in cases[0].stages.iter().enumerate() {
        let _ = write!(out, "\n{name:<16}");
        for c in cases {
            let _ = write!(out, " {:>14.1}", 100.0 * c.stages[k].1 / whole(c));
        }
    }
    let _ = write!(out, "\n{:<16}", "least step");
    for c in cases {
        let _ = write!(out, " {:>14}", si(whole(c), "s"));
    }
    out
}

fn whole(c: &Case) -> f64 {
    c.stages.iter().map(|s| s.1).sum()
}

/// Writes all cases.
pub fn write_csv(file: OutputFile, cases: &[Case]) -> Result<(), String> {
    let mut text = String::from(
        "kind,n,dt_s,bodies,rows,bytes_per_body,path,factor_values_per_body,factorisations_per_step,right_hand_sides_per_step,rounds,step_min_s,step_median_s,bare_min_s,failed",
    );
    for (name, _) in cases.first().map(|c| c.stages.as_slice()).unwrap_or_default() {
        let _ = write!(text, ",share_{}", name.replace(' ', "_"));
    }
    text.push('\n');
    for c in cases {
        let _ = write!(text, "{},{},{STEP:?},{},{},{}", c.kind.name, c.size, c.bodies, c.rows, c.bytes);
        let _ = write!(text, ",\"{}\",{},{:?},{:?},{}", c.path, c.values, c.factorisations, c.solves, c.rounds);
        let _ = write!(text, ",{:?},{:?},{:?},{}", c.step_min, c.step_median, c.bare_min, c.failure.is_some());
        for (_, time) in &c.stages {
            let _ = write!(text, ",{:?}", time / whole(c));
        }
        text.push('\n');
    }
    file.begin()?.write_all(text.as_bytes()).map_err(|e| format!("--csv: {e}"))
}
