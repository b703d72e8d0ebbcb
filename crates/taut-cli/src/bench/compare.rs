//! Two builds of Taut on the same scenes: what became slower.

pub(super) mod binary;
pub(super) mod cells;
mod table;

use super::{chosen, say};
use crate::measure::statistics::{self, Ratio};
use crate::output::{complain, print};
use binary::{Binary, Measure, Ran};
use cells::{CELLS, Cell};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Options of the comparison.
#[derive(ClapArgs)]
#[command(after_help = NOTES)]
pub struct Args {
    /// A `taut` binary: the one to compare with.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// A `taut` binary: the one to judge.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Cells to run, separated by commas; see the list below.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Pairs of runs of a cell (1 to 1000).
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,
    /// Largest ratio B/A that is accepted; the spread of the cell is added to it.
    #[arg(long, default_value_t = 1.03, value_parser = ratio, allow_negative_numbers = true)]
    limit: f64,
    /// Count instructions per step with callgrind, once per binary, in place of times; needs valgrind.
    #[arg(long)]
    instructions: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

const NOTES: &str = "Cells: chain-10, chain-100, chain-1000, tree, ladder, net, cloth, ragdolls, stack, pile,
reduced-chain, redmax-chain, articulated-chain, bridge, umbrella; large ones that only run when they are
named, and in `taut bench report --before`: ball-10, ball-10-frame, hinge-10, hinge-10-frame, tree-6,
mixed-tree-6, ladder-300, cloth-40, net-100.

Both binaries run every cell with `taut run SCENE --json` on one thread, in turn: A B, B A, A B ...
A time is the median over the steps of a run; the table has the median of these over the runs.
The ratio is the median over the pairs of runs of B's time over A's.
The spread is twice the standard error of that median, from the median absolute deviation of the pairs.
A cell is over when its ratio is above --limit plus its spread, so noise alone seldom fails it.
More --repeats make the spread smaller. \"bits\" tells whether both ended in the same state.

Exit status: 0 no cell is over, 1 some cell is over or a run diverged, 2 bad input.";

/// A ratio that can be a limit.
fn ratio(text: &str) -> Result<f64, String> {
    let x: f64 = text.parse().map_err(|_| "expected a number".to_string())?;
    if x.is_finite() && x > 0.0 { Ok(x) } else { Err("expected a positive, finite number".into()) }
}

/// What a cell came to.
pub struct Row {
    cell: &'static Cell,
    result: Result<Compared, Trouble>,
}

/// Why a cell has no ratio.
pub enum Trouble {
    /// One of the binaries has no such scene or option: nothing to compare.
    Missing(String),
    /// A run diverged or ended otherwise.
    Failed(String),
}

/// Both binaries on a cell. Times in s, or instructions.
pub struct Compared {
    pub a: f64,
    pub b: f64,
    pub ratio: Ratio,
    pub same_bits: bool,
}

impl Row {
    fn is_over(&self, limit: f64) -> bool {
        match &self.result {
            Ok(c) => !(c.ratio.median <= limit + c.ratio.spread),
            Err(Trouble::Failed(_)) => true,
            Err(Trouble::Missing(_)) => false,
        }
    }
}

/// Prints the table; true when no cell is over its limit.
pub fn compare(args: &Args) -> Result<bool, String> {
    let mut cells = chosen(&CELLS, |c| c.name, &args.only)?;
    cells.retain(|c| !(c.large && args.only.is_empty()));
    let measure = if args.instructions { Measure::instructions()? } else { Measure::Time };
    let binaries = [Binary::new("A", &args.a)?, Binary::new("B", &args.b)?];
    // Instructions repeat to a few in a million: once is enough.
    let repeats = if args.instructions { 1 } else { args.repeats };
    if !args.json {
        say(&table::heading(&binaries, measure, repeats, args.limit));
    }
    let mut rows = Vec::new();
    for (k, &cell) in cells.iter().enumerate() {
        complain(&format!("{} ({} of {}) ...", cell.name, k + 1, cells.len()));
        let row = Row { cell, result: cell_of(&binaries, cell, measure, repeats) };
        if !args.json {
            say(&table::row(&row, measure, args.limit));
        }
        rows.push(row);
    }
    let over = rows.iter().filter(|r| r.is_over(args.limit)).count();
    if rows.iter().all(|r| matches!(r.result, Err(Trouble::Missing(_)))) {
        return Err("no cell runs in both binaries: expected binaries with a common scene".into());
    }
    if args.json {
        print(&table::json(&binaries, &rows, measure, (repeats, args.limit))?)?;
    } else {
        say(&table::verdict(&rows, over));
    }
    Ok(over == 0)
}

/// Runs a cell in turn.
pub fn cell_of(binaries: &[Binary; 2], cell: &Cell, measure: Measure, repeats: u32) -> Result<Compared, Trouble> {
    let mut costs = [Vec::new(), Vec::new()];
    let mut hashes = [None, None];
    for round in 0..repeats as usize {
        for turn in 0..2 {
            let which = (round + turn) % 2;
            let Ran { cost, hash } = binaries[which].run(cell, measure)?;
            costs[which].push(cost);
            hashes[which] = Some(hash);
        }
    }
    let [a, b] = &costs;
    let ratio = Ratio::new(a, b);
    Ok(Compared { a: statistics::median(a), b: statistics::median(b), ratio, same_bits: hashes[0] == hashes[1] })
}
