//! A step over a bare block LDL^T of the same matrix.

use super::sheet::{Sheet, Target, us};
use crate::measure::turns::{Replay, turns};
use taut_bench::table::{Table, digits};
use taut_scenes::mechanisms::{MECHANISMS, Mechanism};

/// Steps before the first that is timed, and steps of a round.
pub const STEPS: (usize, usize) = (30, 8);

const NAMES: [&str; 4] = ["chain-1000", "tree-6", "mixed-tree-6", "ladder-300"];

/// Mechanisms by name, in that order.
pub fn named<'a>(names: &'a [&'a str]) -> impl Iterator<Item = &'static Mechanism> + 'a {
    static ALL: [Mechanism; MECHANISMS.len()] = MECHANISMS;
    names.iter().filter_map(|name| ALL.iter().find(|m| m.name == *name))
}

/// The section.
pub fn bare(sheet: &mut Sheet<'_>) -> Result<(), String> {
    sheet.section(
        "A step over the bare factorisation",
        &format!(
            "Chain of 1,000 links with a load of 1,000, tree that forks 6 times, the same with hinges, universal joints and welds, \
             ladder of 300 cells; 0.01 s, default settings. Least time of {} steps taken from the same state over and over, over that of \
             a bare block LDL^T of the same matrix with one right-hand side; beside it the median over the rounds.",
            STEPS.1
        ),
    );
    let mut table = Table::new(["mechanism", "bodies", "step us", "bare us", "ratio", "median", "target", "met"]);
    for m in named(&NAMES) {
        sheet.doing(&format!("bare: {}", m.name));
        let world = (m.build)().and_then(|world| Replay::new(world, m.step, STEPS.0, STEPS.1));
        let mut replay = world.map_err(|e| format!("{}: {e}", m.name))?;
        let t = turns(2, sheet.time(), |k| if k == 0 { replay.round() } else { replay.bare() });
        let figure = sheet.figure(format!("{}: step over bare", m.name), t.of_least(0, 1), Target::AtMost(2.0));
        let cells = [
            m.name.into(),
            replay.bodies().to_string(),
            us(t.least(0)),
            us(t.least(1)),
            digits(t.of_least(0, 1), 3),
            digits(t.of_rounds(0, 1).median, 3),
        ];
        table.row(cells.into_iter().chain(figure));
    }
    sheet.table("bare", &table)
}
