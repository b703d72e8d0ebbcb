//! The scenes of Baxter's thesis (RedMax) against their size: time of a step, iterations, and how both grow.

mod beside;
mod bounds;
mod chains;
mod table;

use super::{chosen, say};
use crate::measure::reduced::cases::{CASES, Case};
use crate::measure::reduced::run::{Measured, measure};
use crate::measure::reduced::system::Sample;
use crate::measure::reduced::ways::Way;
use crate::measure::reduced::{FIT_FROM, power_law};
use crate::output::{OutputFile, complain};
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::time::Duration;

/// Options of the benchmark.
#[derive(ClapArgs)]
pub struct Args {
    /// Small scenes and few steps: a look, not a result (a few seconds).
    #[arg(long)]
    quick: bool,
    /// Scenes to measure, separated by commas: rigid, flexible, car, heavy, umbrella, tree, alternate.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only the systems of single steps beside faer, without the runs (feature `direct`).
    #[arg(long)]
    systems: bool,
    /// Most seconds to spend on one scene of one size; a run that is not through by then is cut short, and says so.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    seconds: u32,
    /// File for the table as CSV.
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Also time MuJoCo on the chains; its Python package is installed in the user's cache folder when Python has none.
    #[arg(long)]
    mujoco: bool,
}

/// Prints the tables; true when no run failed.
pub fn reduced(args: &Args) -> Result<bool, String> {
    let cases = chosen(&CASES, |c| c.name, &args.only)?;
    let file = args.csv.as_deref().map(|path| OutputFile::open("--csv", path)).transpose()?;
    let budget = Duration::from_secs(if args.quick { 2 } else { u64::from(args.seconds) });
    if args.systems {
        return beside::alone(&cases, args.quick);
    }
    say(table::HEADING);
    let (mut all, mut beside): (Vec<Measured>, Vec<Sample>) = Default::default();
    for case in cases {
        say(&format!("\n{}: {}\n{}", case.name, case.what, table::HEADER));
        let of_case = all.len();
        for way in Way::ALL {
            let first = all.len();
            for &size in if args.quick { case.quick } else { case.sizes } {
                complain(&format!("{} {size}, {} ...", case.name, way.name()));
                let m = measure(case, size, way, budget).map_err(|e| format!("{} {size}: {e}", case.name))?;
                say(&table::row(&m));
                all.push(m);
            }
            say(&growth(case, way, &all[first..]));
        }
        say(&bounds::judged(case, &all[of_case..]));
        let (lines, samples) = beside::case(case, args.quick)?;
        say(&lines);
        beside.extend(samples);
    }
    say(&chains::table(args.quick, args.mujoco)?);
    say(&beside::verdict(&beside));
    if let Some(file) = file {
        table::write_csv(file, &all)?;
    }
    let failed = all.iter().filter(|m| m.failure.is_some()).count();
    if failed > 0 {
        say(&format!("{failed} of {} runs failed: their times mean little", all.len()));
    }
    Ok(failed == 0)
}

/// How time and iterations grow, beside the thesis.
fn growth(case: &Case, way: Way, measured: &[Measured]) -> String {
    let failed = measured.iter().filter(|m| m.failure.is_some()).count();
    let left_out = if failed > 0 { format!("; {failed} failed, left out") } else { String::new() };
    let measured: Vec<&Measured> = measured.iter().collect();
    let Some((time, _)) = power_law(&measured, |m| m.least) else {
        let sizes = format!("fewer than two sizes from {FIT_FROM} degrees of freedom on");
        return format!("{}: {sizes}: no exponent{left_out}", way.name());
    };
    let iterations =
        power_law(&measured, |m| m.iterations).map_or(String::new(), |(slope, _)| format!(", iterations n^{slope:.2}"));
    let median = power_law(&measured, |m| m.median).map_or(f64::NAN, |(slope, _)| slope);
    let thesis = match case.thesis {
        Some([pcg, direct]) => format!("; thesis: PCG n^{pcg:.2}, direct n^{direct:.2}"),
        None => String::new(),
    };
    format!("{}: least step n^{time:.2}, median n^{median:.2}{iterations}{left_out}{thesis}", way.name())
}
