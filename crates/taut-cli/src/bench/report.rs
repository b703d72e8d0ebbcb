//! Every figure of speed in one run, each beside its target, as Markdown.

mod bare;
mod before;
mod coordinates;
mod race;
mod sheet;
mod sizes;
mod small;

use super::{chosen, watched};
use crate::output::OutputFile;
use clap::Args as ClapArgs;
use sheet::Sheet;
use std::io::Write;
use std::path::PathBuf;

/// Options of the report.
#[derive(ClapArgs)]
#[command(after_help = NOTES)]
pub struct Args {
    /// Small scenes and few rounds: a look, not a result (about 1 min).
    #[arg(long)]
    quick: bool,
    /// Sections, separated by commas: bare, small, chain, growth, reduced, nets, ladder.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Also time MuJoCo; its Python package is installed in the user's cache folder when Python has none.
    #[arg(long)]
    mujoco: bool,
    /// File for what is printed.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Folder for the tables as CSV.
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// An older `taut` binary: the cells of `taut bench compare` that belong to the sections are run in it and in this one, in turn.
    #[arg(long, value_name = "PATH")]
    before: Option<PathBuf>,
}

const NOTES: &str = "Sections:
  bare     step of chains, trees, a ladder over a bare block LDL^T of the same matrix
  small    ten links on ball joints and on hinges beside MuJoCo (--mujoco)
  chain    1,000 links at 1/60 s and 0.001 s beside the other engines
  growth   100 to 1,000,000 links: time and bytes per body, exponent
  reduced  reduced over maximal coordinates
  nets     cloth and nets: time of a step, exponent, gaps
  ladder   rope ladder of 100 cells beside the other engines

Every figure is a ratio within the run or stands beside one. Times are processor time of the thread; what is
compared takes turns. Rapier and Box3D are there in builds with --features peers.

Exit status: 0 every target that was measured is met, 1 some is not, 2 bad input.";

/// A part of the report.
struct Section {
    name: &'static str,
    run: fn(&mut Sheet<'_>) -> Result<(), String>,
    /// Cells of `taut bench compare` that are its scenes, or much like them.
    cells: &'static [&'static str],
}

const SECTIONS: [Section; 7] = [
    Section { name: "bare", run: bare::bare, cells: &["chain-1000", "tree-6", "mixed-tree-6", "ladder-300"] },
    Section { name: "small", run: small::small, cells: &["ball-10-frame", "ball-10", "hinge-10-frame", "hinge-10"] },
    Section { name: "chain", run: race::chain, cells: &[] },
    Section { name: "growth", run: sizes::growth, cells: &[] },
    Section { name: "reduced", run: coordinates::reduced, cells: &["reduced-chain"] },
    Section { name: "nets", run: sizes::nets, cells: &["cloth-40", "net-100"] },
    Section { name: "ladder", run: race::ladder, cells: &["ladder"] },
];

/// Prints the report; true when every target that was measured is met.
pub fn report(args: &Args) -> Result<bool, String> {
    let sections = chosen(&SECTIONS, |s| s.name, &args.only)?;
    let before = args.before.as_deref().map(before::Before::new).transpose()?;
    let file = args.out.as_deref().map(|path| OutputFile::open("--out", path)).transpose()?;
    let mut file = file.map(OutputFile::begin).transpose()?;
    let mut broken = None;
    let met = watched(|print, progress| {
        let mut both = |line: &str| {
            print(line);
            if let Some(Err(e)) = file.as_mut().map(|f| writeln!(f, "{line}")) {
                broken.get_or_insert(format!("--out: {e}"));
            }
        };
        let mut sheet = Sheet::new(args, &mut both, progress)?;
        for section in &sections {
            (section.run)(&mut sheet).map_err(|e| format!("{}: {e}", section.name))?;
        }
        if let Some(before) = &before {
            let cells: Vec<&str> = sections.iter().flat_map(|s| s.cells).copied().collect();
            before.table(&cells, &mut sheet)?;
        }
        sheet.summary()
    })?;
    broken.map_or(Ok(met), Err)
}
