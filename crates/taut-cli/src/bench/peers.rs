//! Other engines on the same scenes: the `peers` feature, which brings them in.

use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Options of the comparison.
#[derive(ClapArgs)]
pub struct Args {
    /// Fewer cells and shorter runs: a look, not a result (about 1 min).
    #[arg(long)]
    quick: bool,
    /// Sections to run, separated by commas: setup, chain, speed, tight, pendulum, ladder, pyramid, pile.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Folder for the tables as CSV.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Also run MuJoCo; its Python package is installed in the user's cache folder when Python has none.
    #[arg(long)]
    mujoco: bool,
    /// Ragdolls of the pile, 1 to 1000 (default: piles of 6, 20 and 100; 3 with --quick).
    #[arg(long)]
    ragdolls: Option<usize>,
}

/// Runs the comparison; true when every claim holds.
#[cfg(feature = "peers")]
pub fn peers(args: &Args) -> Result<bool, String> {
    let config = taut_bench::Config {
        quick: args.quick,
        only: args.only.clone(),
        out: args.out.clone(),
        mujoco: args.mujoco,
        ragdolls: args.ragdolls,
    };
    super::watched(|print, progress| taut_bench::run(&config, print, progress))
}

/// Says how to get it.
#[cfg(not(feature = "peers"))]
pub fn peers(_: &Args) -> Result<bool, String> {
    Err("taut bench peers: this build has no other engines in it; run\n  \
         cargo run --release -p taut-cli --features peers -- bench peers\n\
         (builds Rapier and Box3D, about 2 min; needs a C compiler, CMake and libclang)"
        .into())
}
