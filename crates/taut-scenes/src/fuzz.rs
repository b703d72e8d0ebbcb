//! Random worlds: made from a seed, run by a script of events, judged from outside, and made
//! small when they fail. `taut fuzz` runs a campaign of them; `docs/reliability.md` describes it.
//!
//! A world is a scene file and goes through the same reader and builder as any other, so that a
//! failing one can be written, read and run again. [`generate()`] has one function per kind of
//! part; [`Feature`] names what can be switched off.

mod draw;
mod feature;
mod generate;
mod judge;
mod reduce;
mod run;
mod script;
mod shrink;
mod words;

pub use feature::{Feature, Features};
pub use generate::generate;
pub use judge::{Finding, Kind, Limits, Measures, Verdict};
pub use run::{Trial, try_case};
pub use script::{Change, Edit, Script};
pub use shrink::{Budget, judged_alike, shrink};

use crate::file::SceneFile;

/// A random world and what is done to it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The seed that it comes from.
    pub seed: u64,
    /// The world at the start.
    pub file: SceneFile,
    /// What happens while it runs.
    pub script: Script,
    /// Parts that the engine refused and that were left out, in its words.
    pub refused: Vec<String>,
}
