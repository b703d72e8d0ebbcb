//! `taut fuzz`: a campaign of random worlds. Seeds run side by side and are told in order.

mod files;
mod report;
mod worker;

use crate::{interrupt, output};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;
use taut_scenes::fuzz::{Budget, Feature, Features, Limits, Trial};

/// Arguments of `taut fuzz`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Seeds to run, the last one not included; or a single seed, whose smallest world is printed.
    #[arg(long, value_name = "A..B", default_value = "0..100", value_parser = seeds)]
    seeds: Range<u64>,
    /// What worlds may have: names separated by commas, see --list.
    #[arg(long, value_name = "NAMES", default_value = "all", value_parser = Features::parse)]
    features: Features,
    /// What is taken off that again. The rest of each world stays as it is.
    #[arg(long, value_name = "NAMES", default_value = "none", value_parser = Features::parse)]
    without: Features,
    /// Steps of each world.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: u32,
    /// Rises above 2 % and gaps above 1 % are findings; otherwise above 10 %.
    #[arg(long)]
    strict: bool,
    /// Do not make failing worlds small.
    #[arg(long)]
    no_shrink: bool,
    /// Most time to make one world small, in seconds.
    #[arg(long, value_name = "S", default_value_t = 20, conflicts_with = "no_shrink")]
    budget: u64,
    /// Write each failing world, made small, to DIR/seed-N.json, which `taut run` runs.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Worlds that run at the same time; by default one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// Seeds that are known to have findings, separated by commas: told, but not a failure.
    #[arg(long, value_name = "SEEDS", value_delimiter = ',')]
    known: Vec<u64>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Damage models of other programs (URDF, MJCF and their meshes) by these seeds in place of making worlds: each is read or refused.
    #[arg(long, conflicts_with_all = ["out", "strict", "list", "known", "json"])]
    files: bool,
    /// List the features, and run nothing.
    #[arg(long)]
    list: bool,
    /// No progress bar.
    #[arg(short, long)]
    quiet: bool,
}

const HELP: &str = "Examples:
  taut fuzz --seeds 0..1000 --out failing
  taut fuzz --seeds 17
  taut fuzz --seeds 0..10000 --no-shrink --without motors,kinematic
  taut fuzz --features slides,loops --strict
  taut fuzz --seeds 0..200 --no-shrink --known 17,53
  taut fuzz --files --seeds 0..10000

A seed gives the same world on every machine. docs/reliability.md says what is generated and what counts.

Exit status: 0 no findings but those of --known, 1 findings, 2 bad input, 130 interrupted.";

/// Reads `A..B`, or a single seed.
fn seeds(text: &str) -> Result<Range<u64>, String> {
    let number = |t: &str| t.trim().parse::<u64>().map_err(|_| format!("'{t}': expected a whole number"));
    let range = match text.split_once("..") {
        Some((a, b)) => number(a)?..number(b)?,
        None => {
            let seed = number(text)?;
            seed..seed.checked_add(1).ok_or("expected a smaller seed")?
        }
    };
    if range.is_empty() { Err("expected A..B with A less than B, or one seed".into()) } else { Ok(range) }
}

/// What every seed is run with.
struct Campaign {
    seeds: Range<u64>,
    features: Features,
    steps: usize,
    trial: Trial,
    /// None where failing worlds stay as they are.
    budget: Option<Budget>,
}

/// Runs the campaign, or lists the features.
pub fn fuzz(args: &Args) -> Result<u8, String> {
    if args.list {
        return output::print(&list(args)?).map(|()| 0);
    }
    if args.files {
        return files::fuzz(args.seeds.clone(), args.quiet);
    }
    if let Some(dir) = &args.out {
        std::fs::create_dir_all(dir)
            .map_err(|e| format!("--out = {}: {e}; expected a directory that can be made", dir.display()))?;
    }
    let time = Duration::from_secs(args.budget);
    let limits = if args.strict { Limits::strict() } else { Limits::default() };
    let campaign = Campaign {
        seeds: args.seeds.clone(),
        features: args.features.without(args.without),
        steps: args.steps as usize,
        trial: Trial { limits, until: None },
        budget: (!args.no_shrink).then(|| Budget { time, stop: interrupt::pressed, ..Budget::default() }),
    };
    interrupt::listen();
    let mut told = report::Told::new(args, &campaign);
    worker::run(&campaign, args, |bar, done| told.tell(bar, done))?;
    told.end(interrupt::pressed())
}

fn list(args: &Args) -> Result<String, String> {
    if args.json {
        let one = |f: &Feature| serde_json::json!({ "name": f.name(), "about": f.about() });
        let all: Vec<_> = Feature::ALL.iter().map(one).collect();
        return serde_json::to_string_pretty(&all).map(|t| t + "\n").map_err(|e| e.to_string());
    }
    Ok(Feature::ALL.iter().map(|f| format!("{:<16} {}\n", f.name(), f.about())).collect())
}
