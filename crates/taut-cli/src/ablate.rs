//! `taut ablate`: what each chosen number does, at half and at twice its value (feature `ablate`).
//!
//! A number is read once in a process, so every variant is a process of its own: this program with `TAUT_TUNING`, which runs the battery
//! and prints it line by line. The parent compares the lines with those of the numbers as they are.

use crate::{interrupt, output, tuning, workers};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use taut::{Solver, settings::Budget};
use taut_scenes::checks::stability_map::Cell;
use taut_scenes::fuzz::{Features, Limits, Trial, generate, try_case};
use taut_scenes::{Wanted, golden};

/// Arguments of `taut ablate`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Groups or single numbers, separated by commas, as `taut tuning` prints them; all by default.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Run only every so manieth golden case and random world.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=100))]
    thin: u16,
    /// Longest time of a variant, s; one that takes longer is told as slow.
    #[arg(long, value_name = "S", default_value_t = 120)]
    patience: u64,
    /// Run the battery in this process and print it.
    #[arg(long, hide = true)]
    battery: bool,
}

const HELP: &str = "The battery: the golden cases (state hashes after 20 steps of every scene), hard cells of
`taut bench chain` and `taut bench trees`, four runs by the structured solver, and 100 random worlds of 100 steps, judged as by `taut fuzz`.

Each cell of the table: golden cases with another hash, other cells and worlds that changed, worst gap and worst
rise of the energy over those, failures (unstable cells, findings). The first line is the numbers as they are.

Examples:
  taut ablate
  taut ablate --only sleep,passes.jump
  taut ablate --thin 4

Exit status: 0 done, 2 bad input, 130 interrupted.";

/// Mass ratio, step and joint of chains; they run for three seconds.
const CHAINS: [(&str, &str, f64); 6] = [
    ("ball", "1", 0.1),
    ("hinge-alternating", "10", 0.01),
    ("cable", "1e3", 1.0 / 60.0),
    ("universal", "1e6", 0.1),
    ("hinge", "1e6", 0.01),
    ("flexible-cable", "1e5", 0.04),
];
/// Joint and step of trees with loads of 1000 t; seeds are 1000 and on.
const TREES: [(&str, f64); 4] = [("ball", 0.1), ("mixed", 1.0 / 60.0), ("hinge", 0.1), ("mixed", 0.05)];
/// Scenes for the structured solver, one second each, and the most iterations of a step.
const STRUCTURED: [(&str, Option<usize>); 4] =
    [("ladder", None), ("ladder", Some(4)), ("scissor-lift", None), ("scissor-lift", Some(10))];
/// Simulated time of a cell, s.
const TIME: f64 = 3.0;
const SEEDS: usize = 100;
const STEPS: usize = 100;

/// Prints the table, or runs the battery.
pub fn ablate(args: &Args) -> Result<u8, String> {
    let thin = usize::from(args.thin);
    if args.battery {
        return battery(thin).map(|()| 0);
    }
    let chosen = chosen(&args.only)?;
    interrupt::listen();
    let began = Instant::now();
    let base = run(None, args)?.ok_or("the numbers as they are take longer than --patience")?;
    output::print("| number | value | unit | x 0.5 | x 2 |\n|---|---|---|---|---|\n")?;
    output::print(&format!("| as they are | | | {} | |\n", base.against(&base)))?;
    for (k, (name, value, unit)) in chosen.iter().enumerate() {
        let mut cells = Vec::new();
        for factor in ["0.5", "2"] {
            let found = run(Some(&format!("{name}={factor}")), args)?;
            if interrupt::pressed() {
                return Ok(interrupt::STATUS);
            }
            cells.push(found.map_or_else(|| "slow".to_owned(), |f| f.against(&base)));
        }
        output::print(&format!("| `{name}` | {value} | {unit} | {} |\n", cells.join(" | ")))?;
        let left = began.elapsed().as_secs_f64() * (chosen.len() - k - 1) as f64 / (k + 1) as f64;
        output::complain(&format!("{} of {}, about {:.0} min left", k + 1, chosen.len(), left / 60.0));
    }
    Ok(0)
}

/// The numbers that are asked for.
fn chosen(only: &[String]) -> Result<Vec<tuning::Number>, String> {
    let all = tuning::numbers();
    let wanted = |name: &str, o: &str| name == o || name.strip_prefix(o).is_some_and(|rest| rest.starts_with('.'));
    if let Some(o) = only.iter().find(|o| !all.iter().any(|(name, ..)| wanted(name, o))) {
        return Err(format!("--only {o}: expected a group or a name that `taut tuning` prints"));
    }
    Ok(all.into_iter().filter(|(name, ..)| only.is_empty() || only.iter().any(|o| wanted(name, o))).collect())
}

/// What a battery came to: state or measures of each case.
struct Found {
    lines: Vec<(String, String)>,
}

impl Found {
    fn read(text: &str) -> Self {
        let pair = |l: &str| l.split_once(" = ").map(|(a, b)| (a.to_owned(), b.to_owned()));
        Found { lines: text.lines().filter_map(pair).collect() }
    }

    /// What differs from another: hashes, other cases, worst gap and rise, failures. A crash is told.
    fn against(&self, base: &Found) -> String {
        if self.lines.len() != base.lines.len() {
            return "crashes".into();
        }
        let (mut hashes, mut others, mut failures) = (0, 0, 0);
        let (mut gap, mut rise) = (0.0_f64, 0.0_f64);
        for ((_, a), (_, b)) in self.lines.iter().zip(&base.lines) {
            let mut words = a.split(' ');
            let (first, second, third) = (words.next(), words.next(), words.next());
            let number = |w: Option<&str>| w.and_then(|w| w.parse::<f64>().ok());
            if let (Some(g), Some(r), Some(f)) = (number(first), number(second), number(third)) {
                others += usize::from(a != b);
                (gap, rise) = (gap.max(g), rise.max(r));
                failures += f as usize;
            } else {
                hashes += usize::from(a != b);
            }
        }
        if (hashes, others) == (0, 0) && !std::ptr::eq(self, base) {
            return "same bits".into();
        }
        format!("{hashes}, {others}; {gap:.1e}, {rise:.1e}; {failures}")
    }
}

/// Runs a variant in a process of its own; none when it takes too long.
fn run(scaled: Option<&str>, args: &Args) -> Result<Option<Found>, String> {
    let exe = std::env::current_exe().map_err(|e| format!("this program: {e}"))?;
    let mut command = Command::new(exe);
    command.args(["ablate", "--battery", "--thin", &args.thin.to_string()]);
    command.env("TAUT_TUNING", scaled.unwrap_or_default()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("a process for a variant: {e}"))?;
    let mut out = child.stdout.take().ok_or("a process without output")?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = std::io::Read::read_to_string(&mut out, &mut text);
        text
    });
    let (began, patience) = (Instant::now(), Duration::from_secs(args.patience));
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if began.elapsed() > patience || interrupt::pressed() {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let text = reader.join().map_err(|_| "the output of a variant could not be read")?;
    Ok(Some(Found::read(&text)))
}

/// A scene by the structured solver, in full or cut short.
fn structured(scene: &str, iterations: Option<usize>) -> taut::Result<taut_scenes::Outcome> {
    let info = taut_scenes::find(scene)?;
    let (mut s, _) = info.with(info.small())?;
    let solver = Some(Solver::Structured(Budget { iterations, ..Budget::default() }));
    Wanted { solver, ..Wanted::default() }.apply(&mut s.world)?;
    taut_scenes::run(&mut s, info.dt, 1.0, |_| true)
}

/// Every case on one line: its hash, or gap, rise and whether it failed.
fn battery(thin: usize) -> Result<(), String> {
    for case in golden::cases().iter().step_by(thin) {
        output::print(&format!("{case} = {}\n", case.run()))?;
    }
    let outcome = |name: String, o: taut::Result<taut_scenes::Outcome>| {
        let (gap, rise, failed) = o.map_or((0.0, 0.0, true), |o| (o.max_gap_rel, o.energy_max_rise, !o.stable));
        output::print(&format!("{name} = {gap:e} {rise:e} {}\n", u8::from(failed)))
    };
    for (joint, ratio, dt) in CHAINS {
        let cell = Cell { joint, ratio, dt };
        outcome(format!("chain {joint} {ratio} {dt}"), workers::run("chain", &cell.parameters(), dt, TIME))?;
    }
    for (k, (joint, dt)) in TREES.into_iter().enumerate() {
        let seed = (1000 + k).to_string();
        let set = [("seed", seed.as_str()), ("joint", joint), ("load", "1e6")];
        outcome(format!("tree {joint} {dt}"), workers::run("tree", &set, dt, TIME))?;
    }
    for (scene, iterations) in STRUCTURED {
        outcome(format!("structured {scene} {iterations:?}"), structured(scene, iterations))?;
    }
    // A panic is a finding.
    std::panic::set_hook(Box::new(|_| {}));
    let trial = Trial { limits: Limits { seconds: 1e9, ..Limits::default() }, until: None };
    for seed in (0..SEEDS as u64).step_by(thin) {
        let verdict = try_case(&generate(seed, Features::all(), STEPS), &trial);
        let m = verdict.measures;
        let failed = u8::from(!verdict.findings.is_empty());
        output::print(&format!(
            "world {seed} = {:e} {:e} {failed} {:e} {}\n",
            m.gap, m.rise, m.imbalance, m.unconverged
        ))?;
    }
    Ok(())
}
