//! `taut bench`: the figures of the README, each printed by one command. Speeds are ratios within one run.

mod chain;
mod compare;
mod energy;
mod inverse;
mod islands;
mod peers;
mod reduced;
mod report;
mod ropes;
mod scaling;
mod soft;
mod table1;
mod topology;
mod trees;

use clap::{Args as ClapArgs, Subcommand};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// Which figures to print.
#[derive(ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Stability map of the chain: mass ratio by time step, for each joint (about 10 s).
    Chain(chain::Args),
    /// Stability map of deformables: stiffness by Poisson's ratio and time step, under loads and from bad starts (about 5 min).
    Soft(soft::Args),
    /// Random Y-trees under heavy loads, 64 seeds per cell by default (about 20 s).
    Trees(trees::Args),
    /// Energy kept: the cable pendulum of Andrews 2017 Fig. 8, light chains, closed linkages (about 20 s).
    Energy,
    /// Elongation of the tight cable of Tournier 2015 Table 1.
    Table1(table1::Args),
    /// Time of a step against the number of bodies: chains, trees, ladders, nets, cloth, beside the bare factorisation and solve of
    /// the same matrix, and the share of each stage (about 2 min; `--quick` for a look).
    Scaling(scaling::Args),
    /// Many independent mechanisms, and heaps: cost against their number, on one thread and on several, and the share of bounded rows (about
    /// 1 min; `--quick` for a look).
    Islands(islands::Args),
    /// The low-rank inverse of Andrews 2017 Table 2, beside the full-rank inverse and the block solve.
    Inverse(inverse::Args),
    /// The scenes of Baxter's thesis (bridges, umbrella, trees) against their size: time of a step, solves, exponents (about 20 min;
    /// `--quick` for a look). With the feature `direct` also faer's sparse Cholesky of the very systems that the steps
    /// solve.
    Reduced(reduced::Args),
    /// The same scenes in Rapier, Box3D and MuJoCo, judged by the same code (about 12 min; `--quick` for a look).
    Peers(peers::Args),
    /// Cost of cutting, attaching, adding and removing: the calls and the steps after them, beside a step without edits (about 1 min;
    /// `--quick` for a look).
    Topology(topology::Args),
    /// Time of a step with running ropes: their scenes, and a rope beside rods between the same bodies (about 10 s).
    Ropes(ropes::Args),
    /// Every figure of speed in one run, each with its target, beside MuJoCo, Rapier and Box3D where they are to be had, as Markdown
    /// (about 10 min; `--quick` for a look).
    Report(report::Args),
    /// Two `taut` binaries on the same scenes, in turn: what became slower from A to B (about 1 min).
    Compare(compare::Args),
}

/// Runs one benchmark. The exit status says whether every bound that it prints was met.
pub fn bench(args: &Args) -> Result<u8, String> {
    let met = match &args.what {
        What::Chain(a) => chain::chain(a),
        What::Trees(a) => trees::trees(a),
        What::Energy => energy::energy(),
        What::Table1(a) => table1::table1(a),
        What::Inverse(a) => inverse::inverse(a),
        What::Ropes(a) => ropes::ropes(a),
        What::Soft(a) => return soft::soft(a).map(|met| u8::from(!met)),
        What::Islands(a) => return islands::islands(a).map(|met| u8::from(!met)),
        What::Scaling(a) => return scaling::scaling(a).map(|met| u8::from(!met)),
        What::Reduced(a) => return reduced::reduced(a).map(|met| u8::from(!met)),
        What::Peers(a) => return peers::peers(a).map(|met| u8::from(!met)),
        What::Report(a) => return report::report(a).map(|met| u8::from(!met)),
        What::Topology(a) => return topology::topology(a).map(|met| u8::from(!met)),
        What::Compare(a) => return compare::compare(a).map(|met| u8::from(!met)),
    }
    .map_err(|e| e.to_string())?;
    Ok(u8::from(!met))
}

/// A line of the report.
fn say(line: &str) {
    // A reader that has gone away is no reason to stop.
    let _ = crate::output::print(&format!("{line}\n"));
}

/// Calls some work with what prints a line and what tells of progress, on standard error: a bar in a terminal, lines in a log.
fn watched<T>(work: impl FnOnce(&mut dyn FnMut(&str), &mut dyn FnMut(&str)) -> T) -> T {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    let log = !std::io::stderr().is_terminal();
    let done = work(&mut |line| bar.suspend(|| say(line)), &mut |line| {
        if log {
            crate::output::complain(line);
        }
        bar.set_message(line.to_string());
        bar.tick();
    });
    bar.finish_and_clear();
    done
}

/// Those of a list that `--only` names (all without names), in the order of the list.
fn chosen<T>(list: &'static [T], name: fn(&T) -> &'static str, only: &[String]) -> Result<Vec<&'static T>, String> {
    if let Some(unknown) = only.iter().find(|o| !list.iter().any(|t| name(t) == o.as_str())) {
        let names: Vec<&str> = list.iter().map(name).collect();
        return Err(format!("--only = {unknown}: expected some of {}", names.join(", ")));
    }
    Ok(list.iter().filter(|t| only.is_empty() || only.iter().any(|o| o == name(t))).collect())
}
