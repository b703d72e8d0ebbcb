//! `taut soak`: long runs that must not drift, that survive being killed, and rollback in every step.

use crate::format::{number, percent, si};
use crate::progress::Progress;
use crate::{interrupt, memory, output};
use std::path::{Path, PathBuf};
use std::time::Instant;
use taut_scenes::soak::{Drift, SUBJECTS, Subject, rollback};

/// Arguments of `taut soak`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Which of the ten scenes; all of them when none is named.
    scenes: Vec<String>,
    /// Steps of each, of the scene's own length.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(10..))]
    steps: u64,
    /// Keep a snapshot of each scene in this folder, from which `--resume` goes on.
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Steps between snapshots.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Go on from the snapshots in the folder of `--save`, where there are any.
    #[arg(long, requires = "save")]
    resume: bool,
    /// Instead of long runs: go back so many steps in every step, and compare all bits with the plain run.
    #[arg(long, value_name = "STEPS", num_args = 0..=1, default_missing_value = "60")]
    rollback: Option<u16>,
    /// No progress.
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  taut soak
  taut soak crane ragdoll --steps 100000 --save snapshots
  taut soak --steps 1000000 --save snapshots --resume
  taut soak --rollback --steps 600

Exit status: 0 nothing drifted, 1 something did, 2 bad input, 130 interrupted.";

/// Runs all, one line each.
pub fn soak(args: &Args) -> Result<u8, String> {
    let found: Result<Vec<Subject>, _> = args.scenes.iter().map(|n| Subject::find(n)).collect();
    let mut subjects = found.map_err(|e| e.to_string())?;
    if subjects.is_empty() {
        subjects = SUBJECTS.to_vec();
    }
    if let Some(folder) = &args.save {
        std::fs::create_dir_all(folder).map_err(|e| format!("--save {}: {e}", folder.display()))?;
    }
    interrupt::listen();
    let mut status = 0;
    for subject in subjects {
        let text = match args.rollback {
            Some(depth) => rolled(&subject, usize::from(depth), args)?,
            None => long(&subject, args, &mut status)?,
        };
        output::print(&text)?;
        if interrupt::pressed() {
            return Ok(interrupt::STATUS);
        }
    }
    Ok(status)
}

fn rolled(subject: &Subject, depth: usize, args: &Args) -> Result<String, String> {
    let told = |e: taut::Error| format!("{}: {e}", subject.name);
    let (mut scene, dt) = subject.build().map_err(told)?;
    let r = rollback(&mut scene, dt, depth, args.steps).map_err(told)?;
    Ok(format!(
        "{:16} {} steps gone back {depth} each, bit for bit: {} us a step, {} us with rollback, {} times; snapshot {} us, restore {} us\n",
        subject.name,
        r.steps,
        number(r.plain),
        number(r.rolled),
        number(r.rolled / r.plain),
        number(r.snapshot),
        number(r.restore)
    ))
}

/// A long run, from a snapshot where there is one.
fn long(subject: &Subject, args: &Args, status: &mut u8) -> Result<String, String> {
    let told = |e: taut::Error| format!("{}: {e}", subject.name);
    let (mut scene, dt) = subject.build().map_err(told)?;
    let file = args.save.as_ref().map(|f| f.join(format!("{}.soak", subject.name)));
    let mut drift = match file.as_deref().filter(|f| args.resume && f.exists()) {
        Some(f) => {
            let bytes = std::fs::read(f).map_err(|e| format!("{}: {e}", f.display()))?;
            Drift::resume(&bytes, &mut scene).map_err(|e| format!("{}: {e}", f.display()))?
        }
        None => Drift::new(&mut scene).map_err(told)?,
    };
    let (begin, first, progress) = (Instant::now(), drift.steps, Progress::new(args.quiet, args.steps));
    let mut settled = None;
    while drift.steps < args.steps && !interrupt::pressed() {
        let report = scene.step(dt).map_err(told)?;
        drift.see(&report, args.steps);
        progress.at(drift.steps);
        if let Some(f) = file.as_deref().filter(|_| drift.steps.is_multiple_of(args.every)) {
            write(f, &drift.save(scene.world.state()))?;
        }
        if drift.steps == first + (args.steps - first).div_ceil(10) {
            settled = memory::resident();
        }
    }
    drop(progress);
    let grown = memory::resident().zip(settled).map(|(now, then)| now - then);
    let memory = grown.map_or(String::new(), |g| format!(", resident memory {}{}", sign(g), si(g, "B")));
    let fault = drift.fault(&scene);
    if fault.is_some() {
        *status = 1;
    }
    let of = |x: f64| percent(x / scene.energy_scale);
    // A run that was interrupted has no last tenth.
    let done = drift.steps >= args.steps;
    let verdict = fault.unwrap_or_else(|| if done { "nothing drifted" } else { "interrupted" }.into());
    let [rise, gap] = [of(drift.rise[1]), si(drift.gap[1], "m")].map(|x| if done { x } else { "not measured".into() });
    let us = 1e6 * begin.elapsed().as_secs_f64() / (drift.steps - first).max(1) as f64;
    Ok(format!(
        "{:16} {} steps, {} us each: {verdict}; rise {} in the first tenth, {rise} in the last; gap {}, {gap}{memory}; state {:016x}\n",
        subject.name,
        drift.steps,
        number(us),
        of(drift.rise[0]),
        si(drift.gap[0], "m"),
        scene.world.state().hash()
    ))
}

fn sign(x: f64) -> &'static str {
    if x > 0.0 { "+" } else { "" }
}

/// Writes beside the file and takes its place: a kill at any moment leaves the old snapshot or the new one.
fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let beside = file.with_extension("soak.new");
    let done = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, file));
    done.map_err(|e| format!("{}: {e}", file.display()))
}
