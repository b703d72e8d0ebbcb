//! What a step costs, how that grows with the number of bodies, and which stage it goes to.

pub(super) mod case;
pub(super) mod kinds;
mod table;

use super::{chosen, say};
use crate::measure::line;
use crate::output::{OutputFile, complain};
use case::Case;
use clap::Args as ClapArgs;
use kinds::{KINDS, Kind};
use std::path::PathBuf;
use std::time::Duration;

/// Options of the benchmark.
#[derive(ClapArgs)]
pub struct Args {
    /// Small scenes and few steps: a look, not a result (a few seconds).
    #[arg(long)]
    quick: bool,
    /// Kinds of scenes to measure, separated by commas: chain, tree, ladder, net, cloth.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// File for the table as CSV, with the share of every stage.
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// Largest exponent that is still called linear: above 10,000 bodies the matrices leave the caches, which adds up to 0.1.
const LINEAR: f64 = 1.1;

/// Prints the tables; true when no run failed.
pub fn scaling(args: &Args) -> Result<bool, String> {
    let kinds = chosen(&KINDS, |k| k.name, &args.only)?;
    let file = args.csv.as_deref().map(|path| OutputFile::open("--csv", path)).transpose()?;
    let time = if args.quick { Duration::from_millis(150) } else { Duration::from_secs(4) };
    say(table::HEADING);
    let mut cases = Vec::new();
    let mut growth = Vec::new();
    for kind in kinds {
        let sizes = if args.quick { kind.quick } else { kind.sizes };
        let first = cases.len();
        say(&format!("\n{}: {}\n{}", kind.name, kind.what, table::HEADER));
        for &size in sizes {
            complain(&format!("{} {size} ...", kind.name));
            let case = case::measure(kind, size, time).map_err(|e| format!("{} {size}: {e}", kind.name))?;
            say(&table::row(&case));
            cases.push(case);
        }
        let of = |time: fn(&Case) -> f64| exponent(&cases[first..], time);
        if let (Some(step), Some(bare)) = (of(|c| c.step_min), of(|c| c.bare_min)) {
            say(&format!("fitted exponents over the bodies: least step {step:.3}, bare {bare:.3}"));
            growth.push((kind, step));
        }
    }
    say(&claim(&growth));
    stages(&cases, args.quick);
    if let Some(file) = file {
        table::write_csv(file, &cases)?;
    }
    let failed = cases.iter().filter(|c| c.failure.is_some()).count();
    if failed > 0 {
        say(&format!("{failed} of {} runs failed: the times of a run that diverged mean little", cases.len()));
    }
    Ok(failed == 0)
}

/// Exponent of a time over the number of bodies.
pub(super) fn exponent(cases: &[Case], time: fn(&Case) -> f64) -> Option<f64> {
    let points: Vec<(f64, f64)> = cases.iter().map(|c| ((c.bodies as f64).ln(), time(c).ln())).collect();
    line(&points).map(|(slope, _)| slope)
}

/// The claim about the growth, with its condition and what was measured.
fn claim(growth: &[(&Kind, f64)]) -> String {
    let list = |linear: bool| {
        let kinds = growth.iter().filter(|(k, _)| k.linear == linear);
        kinds.map(|(k, e)| format!("{} n^{e:.2}", k.name)).collect::<Vec<_>>().join(", ")
    };
    let (narrow, wide) = (list(true), list(false));
    let mut out = String::new();
    if !narrow.is_empty() {
        let holds = growth.iter().all(|(k, e)| !k.linear || *e <= LINEAR);
        let verdict = if holds { "holds" } else { "does not hold in this run" };
        out += &format!(
            "\nclaim: linear (exponent at most {LINEAR}) for trees and narrow loops: {verdict}; measured {narrow}"
        );
    }
    if !wide.is_empty() {
        out += &format!("\nnot linear: wide nets, whose factor fills up; measured {wide}");
    }
    out
}

/// Shares of the stages, for the sizes that the kinds name.
fn stages(cases: &[Case], quick: bool) {
    let shown: Vec<&Case> = cases
        .iter()
        .filter(|c| c.kind.profile.is_some_and(|(full, small)| c.size == if quick { small } else { full }))
        .collect();
    if !shown.is_empty() {
        say(&table::stages(&shown));
    }
}
