//! The grid: mass ratio by time step.

use crate::judge::STRETCH_LIMIT;
use crate::peers::Peer;
use crate::run::{Length, Run, run};
use crate::scene::Chain;
use crate::table::{Report, Table, ratio, short, step};
use crate::{Config, Result};

/// The runs of the grid.
#[derive(Debug)]
pub struct Grid {
    /// Mass ratios.
    pub ratios: Vec<f64>,
    /// Steps, s.
    pub steps: Vec<f64>,
    /// By engine, step and ratio.
    pub runs: Vec<Vec<Vec<Run>>>,
}

/// Runs the grid and prints its tables.
pub fn chain(config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<Grid> {
    let (ratios, steps, time) = if config.quick {
        (vec![1.0, 100.0, 1e4, 1e6], vec![1.0 / 60.0, 0.1], 3.0)
    } else {
        ((0..7).map(|k| 10f64.powi(k)).collect(), vec![0.001, 0.01, 1.0 / 60.0, 0.04, 0.1], 10.0)
    };
    let mut grid = Grid { ratios, steps, runs: Vec::new() };
    for p in peers {
        let mut by_step = Vec::new();
        for &h in &grid.steps {
            let mut row = Vec::new();
            for &r in &grid.ratios {
                report.doing(&format!("chain: {}, step {} s, ratio {}", p.name, step(h), ratio(r)));
                row.push(run(p, &Chain { ratio: r, ..Chain::default() }.scene(), Length::seconds(h, time))?);
            }
            by_step.push(row);
        }
        grid.runs.push(by_step);
    }
    report.say(&format!(
        "\n## Chain: ratio by step\n\n10 links of 0.2 m and 0.2 kg, ball joints, horizontal start, joints kicked sideways by 0.001 m/s, {time} s. \
         Held: stable, and the sum of all gaps below {} % of the length at every instant.",
        100.0 * STRETCH_LIMIT
    ));
    held_table(&grid, peers, report, "Largest ratio held with every smaller one, sum of gaps", |r| r.held());
    held_table(&grid, peers, report, "The same with the largest single gap below 1 % instead of the sum", |r| {
        r.verdict.failure.is_none() && r.verdict.single < STRETCH_LIMIT
    });
    cost_table(&grid, peers, report);
    for k in 0..grid.steps.len() {
        detail_table(&grid, k, peers, report);
    }
    write(&grid, peers, report)?;
    Ok(grid)
}

/// Per engine and step, the largest ratio up to which all are held.
fn held_table(grid: &Grid, peers: &[Peer], report: &mut Report<'_>, title: &str, held: fn(&Run) -> bool) {
    report.say(&format!("\n{title}:\n"));
    let mut table = Table::new([String::from("engine")].into_iter().chain(grid.steps.iter().map(|&h| step(h) + " s")));
    for (p, by_step) in peers.iter().zip(&grid.runs) {
        let cells = by_step.iter().map(|row| {
            let count = row.iter().take_while(|r| held(r)).count();
            let more = row.iter().skip(count).filter(|r| held(r)).count();
            let largest = if count > 0 { ratio(grid.ratios[count - 1]) } else { "none".into() };
            if more > 0 { format!("{largest} (+{more})") } else { largest }
        });
        table.row([p.name.to_string()].into_iter().chain(cells));
    }
    report.table(&table);
    if peers.len() > 1 {
        report.say("(+k): so many larger ratios are held too, with a failure in between.");
    }
}

/// Per engine and ratio, the least CPU time per simulated second among the steps that hold it.
fn cost_table(grid: &Grid, peers: &[Peer], report: &mut Report<'_>) {
    report.say(
        "\nCPU per simulated second at equal quality: ms at the cheapest step that holds the ratio (and that step):\n",
    );
    let mut table = Table::new([String::from("engine")].into_iter().chain(grid.ratios.iter().map(|&r| ratio(r))));
    for (p, by_step) in peers.iter().zip(&grid.runs) {
        let cells = (0..grid.ratios.len()).map(|c| {
            let costs =
                grid.steps.iter().zip(by_step).filter(|(_, row)| row[c].held()).map(|(&h, row)| (row[c].mean / h, h));
            let best = costs.min_by(|a, b| a.0.total_cmp(&b.0));
            best.map_or("-".into(), |(cost, h)| format!("{} ({})", short(1e3 * cost), step(h)))
        });
        table.row([p.name.to_string()].into_iter().chain(cells));
    }
    report.table(&table);
}

fn detail_table(grid: &Grid, k: usize, peers: &[Peer], report: &mut Report<'_>) {
    report.say(&format!("\nStep {} s: stretch % (sum of gaps) / energy left; X diverged:\n", step(grid.steps[k])));
    let mut table = Table::new([String::from("engine")].into_iter().chain(grid.ratios.iter().map(|&r| ratio(r))));
    for (p, by_step) in peers.iter().zip(&grid.runs) {
        let cell = |r: &Run| match &r.verdict.failure {
            Some(_) => "X".into(),
            None => format!("{} / {:.2}", short(100.0 * r.verdict.stretch), r.verdict.energy_left),
        };
        table.row([p.name.to_string()].into_iter().chain(by_step[k].iter().map(cell)));
    }
    report.table(&table);
}

fn write(grid: &Grid, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let mut table = Table::new([
        "engine",
        "step_s",
        "ratio",
        "failure",
        "stretch",
        "single_gap",
        "energy_left",
        "energy_peak",
        "min_step_s",
        "median_step_s",
        "mean_step_s",
    ]);
    for (p, by_step) in peers.iter().zip(&grid.runs) {
        for (h, row) in grid.steps.iter().zip(by_step) {
            for (r, run) in grid.ratios.iter().zip(row) {
                let v = &run.verdict;
                let numbers = [v.stretch, v.single, v.energy_left, v.energy_peak, run.min, run.median, run.mean];
                let first = [p.name.into(), h.to_string(), r.to_string(), v.failure.clone().unwrap_or_default()];
                table.row(first.into_iter().chain(numbers.map(|x| format!("{x:e}"))));
            }
        }
    }
    report.csv("chain", &table)
}
