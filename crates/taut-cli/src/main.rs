//! The command line. One module per command; they parse, call and print.

#[cfg(feature = "ablate")]
mod ablate;
mod bench;
mod check;
mod convert;
mod csv;
mod endings;
mod estimate;
mod extra;
mod figure;
mod film;
mod fmu;
mod format;
mod fuzz;
mod inspect;
mod interrupt;
mod json;
mod list;
mod load;
mod measure;
mod memory;
mod models;
mod output;
mod page;
mod plot;
mod progress;
mod run;
mod save;
mod schema;
mod shot;
mod soak;
mod summary;
mod sweep;
#[cfg(feature = "ablate")]
mod tuning;
mod view;
mod vtu;
mod words;
mod workers;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Mechanisms and cables under load, stable: runs scenes and scene files of the Taut engine.
#[derive(Parser)]
#[command(name = "taut", version, after_help = STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const STATUS: &str = "Exit status: 0 the run was stable, 1 it diverged, 2 bad input, 130 interrupted.";

#[derive(Subcommand)]
enum Command {
    /// List the scenes, or show one of them and what can be varied in it.
    List(list::Args),
    /// Run a scene of the library, a scene file or a model (.urdf, .xml), and report.
    Run(Box<run::Args>),
    /// Run a scene many times, over parameters, steps, methods and perturbed starts, into one table.
    Sweep(Box<sweep::Args>),
    /// Write a model of another program (.urdf, .xml) as a scene file.
    Convert(convert::Args),
    /// Print masses, freedoms and the mass matrix of a scene, scene file or model.
    Inspect(inspect::Args),
    /// Run the validation suite: closed forms, conservation laws, stability maps.
    Check(check::Args),
    /// Run random worlds and judge them; those that fail are made small and written as scene files.
    Fuzz(fuzz::Args),
    /// Print the figures of the README: stability maps, energy, cost.
    Bench(bench::Args),
    /// Draw the published figures and tables beside the values measured here; without a name, list them.
    Figure(figure::Args),
    /// Open the page in which scenes run live, to be pulled, cut and compared.
    View(view::Args),
    /// Draw a picture of a scene at a time.
    Shot(shot::Args),
    /// Run ten scenes for a million steps, or with rollback in every step, and see what drifts.
    Soak(soak::Args),
    /// Write a scene as an FMU, for co-simulation by FMI 2.0 or 3.0.
    Fmu(fmu::Args),
    /// Print the JSON Schema of a scene file.
    Schema,
    /// Print the numbers that `TAUT_TUNING` can scale.
    #[cfg(feature = "ablate")]
    Tuning,
    /// Halve and double each of these numbers, run a battery of scenes and random worlds, and print what changes.
    #[cfg(feature = "ablate")]
    Ablate(ablate::Args),
}

/// The exit status of bad input.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let command = Cli::parse().command;
    memory::limit(None);
    #[cfg(feature = "ablate")]
    if let Err(message) = tuning::check() {
        output::complain(&format!("error: {message}"));
        return BAD_INPUT.into();
    }
    let done = match command {
        Command::List(args) => list::list(&args),
        Command::Run(args) => run::run(&args),
        Command::Sweep(args) => sweep::sweep(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Check(args) => check::check(&args),
        Command::Fuzz(args) => fuzz::fuzz(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Figure(args) => figure::figure(&args),
        Command::View(args) => view::view(&args),
        Command::Shot(args) => shot::shot(&args),
        Command::Soak(args) => soak::soak(&args),
        Command::Fmu(args) => fmu::fmu(&args),
        Command::Schema => schema::schema(),
        #[cfg(feature = "ablate")]
        Command::Tuning => tuning::print(),
        #[cfg(feature = "ablate")]
        Command::Ablate(args) => ablate::ablate(&args),
    };
    match done {
        Ok(status) => status.into(),
        Err(message) => {
            output::complain(&format!("error: {message}"));
            BAD_INPUT.into()
        }
    }
}
