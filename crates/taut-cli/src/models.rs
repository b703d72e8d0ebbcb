//! Files of other programs (URDF, MJCF): how they are read, and what is told of what they say.

use crate::output::complain;
use std::path::Path;
use taut_import::{Imported, Report};

/// Choices that a file of another program leaves.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Options for .urdf and .xml files")]
pub struct Models {
    /// The root of a URDF moves freely; by default it is fixed to the ground, unless no joint of the file moves.
    #[arg(long)]
    free_base: bool,
    /// Links of a URDF touch each other, but for neighbours; by default they pass through each other.
    #[arg(long)]
    self_contacts: bool,
    /// Nothing touches anything.
    #[arg(long)]
    no_contacts: bool,
    /// Moments of inertia that no body has are replaced by their mean; by default they are refused.
    #[arg(long)]
    balance_inertia: bool,
    /// Start from a keyframe of an MJCF, by name or by number from 0.
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// Print every place where the file says what the scene does not; by default each kind once.
    #[arg(long)]
    verbose: bool,
}

impl Models {
    /// The first option that only goes with such files.
    pub fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.free_base, "--free-base"),
            (self.self_contacts, "--self-contacts"),
            (self.no_contacts, "--no-contacts"),
            (self.balance_inertia, "--balance-inertia"),
            (self.keyframe.is_some(), "--keyframe"),
            (self.verbose, "--verbose"),
        ];
        flags.iter().find(|(given, _)| *given).map(|(_, name)| *name)
    }

    /// Reads a file.
    pub fn import(
        &self,
        path: &Path,
        mut read: impl FnMut(&Path) -> Result<Vec<u8>, String>,
    ) -> Result<Imported, String> {
        let options = taut_import::Options {
            free_base: self.free_base,
            self_contacts: self.self_contacts,
            no_contacts: self.no_contacts,
            balance_inertia: self.balance_inertia,
            keyframe: self.keyframe.clone(),
        };
        taut_import::import(path, &mut read, &options).map_err(|e| e.to_string())
    }

    /// Tells what the scene does not take over.
    pub fn tell(&self, report: &Report) {
        report.warnings.iter().for_each(|w| complain(&format!("warning: {w}")));
        if self.verbose {
            report.unused.iter().for_each(|n| complain(&format!("without effect: {n}")));
        } else if let Some(first) = report.unused.first() {
            let all: usize = report.unused.iter().map(|n| n.times).sum();
            let more = if all > 1 { format!(" and {} more (--verbose lists them)", all - 1) } else { String::new() };
            complain(&format!("without effect on the motion: {first}{more}"));
        }
    }
}
