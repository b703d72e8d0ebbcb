//! Cost of changes of structure: what a cut, an attachment, a body less or more costs, and the step after it.

use super::say;
use crate::output::complain;
use clap::Args as ClapArgs;
use taut_scenes::thread_clock;
use taut_scenes::topology::{CASES, Edit, STEP, Times, measure};

/// Options of the benchmark.
#[derive(ClapArgs)]
pub struct Args {
    /// Few edits: a look, not a result.
    #[arg(long)]
    quick: bool,
}

/// Most time that a step may take after a cut and after an attachment, and with edits all the time, in medians.
const BOUNDS: [f64; 3] = [1.2, 1.5, 2.0];

/// Prints the table; true when the ratios keep their bounds.
pub fn topology(args: &Args) -> Result<bool, String> {
    let (repeats, edits) = if args.quick { (3, 60) } else { (9, 1000) };
    say(&format!(
        "step {STEP} s; CPU time of one thread; calls in us, steps in ms, medians of {repeats} repeats that alternate; x: in the step before the edit, median of the repeats, / solves; \
         {edits} random edits with a step after each: median, worst in medians, worst against the same step once more, steps over two medians"
    ));
    say(&format!(
        "{:<21} {:>8} {:>9} {:>14} {:>9} {:>14} {:>9} {:>14} {:>9} {:>14} {:>9} {:>8} {:>7} {:>5}",
        "", "step", "cut", "next", "attach", "next", "add", "next", "remove", "next", "edits", "worst", "again", "over"
    ));
    let mut met = true;
    for case in &CASES {
        complain(&format!("{} ...", case.name));
        let t = measure(case, repeats, edits, thread_clock).map_err(|e| format!("{}: {e}", case.name))?;
        say(&row(case.name, &t));
        met &= t.cut.ratio <= BOUNDS[0] && t.attach.ratio <= BOUNDS[1] && t.over == 0;
    }
    say(&format!(
        "bounds: {} medians after a cut, {} after an attachment, no step with edits over {}: {}",
        BOUNDS[0],
        BOUNDS[1],
        BOUNDS[2],
        if met { "hold" } else { "do not hold in this run" }
    ));
    Ok(met)
}

fn row(name: &str, t: &Times) -> String {
    let edit = |e: &Edit| format!(" {:>9.1} {:>7.2} {:>4.2}x/{}", 1e6 * e.call, 1e3 * e.step, e.ratio, e.solves);
    format!(
        "{name:<21} {:>8.3}{}{}{}{} {:>9.3} {:>7.2}x {:>6.2}x {:>5}",
        1e3 * t.step,
        edit(&t.cut),
        edit(&t.attach),
        edit(&t.add),
        edit(&t.remove),
        1e3 * t.median,
        t.worst / t.step,
        t.slower,
        t.over
    )
}
