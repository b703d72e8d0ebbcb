//! Reduced over maximal coordinates.

use super::bare::{STEPS, named};
use super::sheet::{Sheet, Target, us};
use crate::measure::turns::{Replay, turns};
use taut::{Coordinates, Options};
use taut_bench::table::{Table, digits};
use taut_scenes::mechanisms::Mechanism;

const NAMES: [&str; 6] = ["chain-1000", "tree-6", "mixed-tree-6", "hinge-1000", "ball-10", "hinge-10"];

/// The section.
pub fn reduced(sheet: &mut Sheet<'_>) -> Result<(), String> {
    sheet.section(
        "Reduced over maximal coordinates",
        "The default step in either, from the same state: least time of rounds of 8 steps, and the median over the rounds.",
    );
    let mut table =
        Table::new(["mechanism", "step s", "maximal us", "reduced us", "ratio", "median", "target", "met", "failure"]);
    for m in named(&NAMES) {
        sheet.doing(&format!("reduced: {}", m.name));
        let pair = [Coordinates::Maximal, Coordinates::Reduced].map(|c| replay(m, c));
        let [mut maximal, mut reduced] = pair;
        let t = turns(2, sheet.time(), |k| match if k == 0 { &mut maximal } else { &mut reduced } {
            Ok(world) => world.round(),
            Err(e) => Err(e.to_string()),
        });
        let figure = sheet.figure(format!("{}: reduced over maximal", m.name), t.of_least(1, 0), Target::AtMost(1.2));
        let cells = [
            m.name.into(),
            taut_bench::table::step(m.step),
            us(t.least(0)),
            us(t.least(1)),
            digits(t.of_least(1, 0), 3),
            digits(t.of_rounds(1, 0).median, 3),
        ];
        let failure = t.failure(0).or(t.failure(1)).unwrap_or("").to_string();
        table.row(cells.into_iter().chain(figure).chain([failure]));
    }
    sheet.table("reduced", &table)
}

fn replay(m: &Mechanism, coordinates: Coordinates) -> taut::Result<Replay> {
    let mut world = (m.build)()?;
    world.set_options(Options { coordinates, ..*world.options() })?;
    Replay::new(world, m.step, STEPS.0, STEPS.1)
}
