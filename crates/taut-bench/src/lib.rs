//! The same scenes in Taut and in other engines, built from the same numbers and judged by the same code.
//!
//! `run()` does everything; `taut bench peers` calls it. Rapier and Box3D, and what needs them, are behind the feature `peers`. A scene is a [`scene::Scene`], an engine is a [`peers::Engine`], and
//! [`judge`] and, where things touch, [`measure`] see nothing but poses and velocities.

pub mod chain;
pub mod claims;
#[cfg(feature = "peers")]
pub mod contact;
#[cfg(feature = "peers")]
pub mod crowd;
pub mod fit;
pub mod judge;
pub mod ladder;
pub mod machine;
#[cfg(feature = "peers")]
pub mod measure;
pub mod peers;
pub mod pendulum;
pub mod run;
pub mod scene;
pub mod setup;
pub mod speed;
pub mod table;
pub mod tight;

use peers::Peer;
use std::path::PathBuf;
#[cfg(feature = "peers")]
use table::Report;

/// What can go wrong: a message for the user.
pub type Result<T> = std::result::Result<T, String>;

/// The sections, in the order in which they run.
pub const SECTIONS: [&str; 8] = ["setup", "chain", "speed", "tight", "pendulum", "ladder", "pyramid", "pile"];

/// What to measure.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Fewer cells and shorter runs: a look, not a result.
    pub quick: bool,
    /// Sections to run, of [`SECTIONS`]; all when empty.
    pub only: Vec<String>,
    /// Folder for the tables as CSV.
    pub out: Option<PathBuf>,
    /// Also run MuJoCo, installing its Python package when it is not there.
    pub mujoco: bool,
    /// Ragdolls of the pile; piles of 6, 20 and 100, or 3 in a quick run, when `None`.
    pub ragdolls: Option<usize>,
}

/// Runs the sections, printing as it goes. True when every claim that could be judged holds.
#[cfg(feature = "peers")]
pub fn run(config: &Config, print: &mut dyn FnMut(&str), progress: &mut dyn FnMut(&str)) -> Result<bool> {
    if let Some(bad) = config.only.iter().find(|s| !SECTIONS.contains(&s.as_str())) {
        return Err(format!("only = {bad}: expected one of {}", SECTIONS.join(", ")));
    }
    if let Some(bad) = config.ragdolls.filter(|n| !(1..=1000).contains(n)) {
        return Err(format!("ragdolls = {bad}: expected 1 to 1000"));
    }
    let wanted = |s: &str| config.only.is_empty() || config.only.iter().any(|o| o == s);
    let mut report = Report::new(config.out.as_deref(), print, progress)?;
    let peers = peers::all(config, &mut report)?;
    machine::describe(&peers, &mut report);
    let mut claims = claims::Claims::default();
    if wanted("setup") {
        claims.setup = Some(setup::setup(config, &peers, &mut report)?);
    }
    if wanted("chain") {
        claims.chain = Some(chain::chain(config, &peers, &mut report)?);
    }
    if wanted("speed") {
        claims.speed = Some(speed::speed(config, &peers, &mut report)?);
    }
    if wanted("tight") {
        tight::tight(config, &peers, &mut report)?;
    }
    if wanted("pendulum") {
        claims.pendulum = Some(pendulum::pendulum(config, &peers, &mut report)?);
    }
    if wanted("ladder") {
        ladder::ladder(config, &peers, &mut report)?;
    }
    if wanted("pyramid") {
        contact::pyramid(config, &peers, &mut report)?;
    }
    if wanted("pile") {
        contact::pile(config, &peers, &mut report)?;
    }
    claims.judge(&peers, &mut report)
}

/// Index of Taut in the list of engines.
pub(crate) fn taut_of(peers: &[Peer]) -> usize {
    peers.iter().position(|p| p.name == peers::taut::NAME).unwrap_or(0)
}
