//! The rope ladder: closed loops, time of a step and stretch.

use crate::peers::Peer;
use crate::run::{Length, run};
use crate::scene::Ladder;
use crate::speed::cell;
use crate::table::{Report, Table, step};
use crate::{Config, Result};
use std::time::Duration;

/// Runs the ladder and prints the tables.
pub fn ladder(config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let cells: &[usize] = if config.quick { &[10] } else { &[10, 50, 100] };
    let budget = Duration::from_secs(if config.quick { 3 } else { 10 });
    report.say(
        "\n## Rope ladder\n\nk closed cells, 3k bodies, 4k ball joints, last rung 100 times a link, 300 steps judged: median (least) us per step, \
         stretch % (sum of gaps over the length); X diverged, ? cut short, - not run",
    );
    let head = ["engine", "step_s", "cells", "failure", "cut", "stretch", "energy_left", "min_step_s", "median_step_s"];
    let mut csv = Table::new(head);
    for h in [1.0 / 60.0, 0.001] {
        report.say(&format!("\nStep {} s:\n", step(h)));
        let mut table = Table::new(["engine".to_string()].into_iter().chain(cells.iter().map(|k| format!("k={k}"))));
        for p in peers {
            let mut row = vec![p.name.to_string()];
            let mut late = false;
            for &k in cells {
                let scene = Ladder { cells: k, ..Ladder::default() }.scene();
                if late || scene.bodies.len() > p.most_bodies {
                    row.push("-".into());
                    continue;
                }
                report.doing(&format!("ladder: {}, {k} cells, step {} s", p.name, step(h)));
                let done = run(p, &scene, Length { h, steps: 300, warm_up: 10, budget })?;
                late = done.cut;
                row.push(cell(&done));
                let v = &done.verdict;
                let first = [p.name.into(), h.to_string(), k.to_string(), v.failure.clone().unwrap_or_default()];
                let numbers = [v.stretch, v.energy_left, done.min, done.median].map(|x| format!("{x:e}"));
                csv.row(first.into_iter().chain([done.cut.to_string()]).chain(numbers));
            }
            table.row(row);
        }
        report.table(&table);
    }
    report.csv("ladder", &csv)
}
