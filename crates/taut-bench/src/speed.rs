//! Time of a step against the number of links.

use crate::fit::line;
use crate::peers::Peer;
use crate::run::{Length, Run, run};
use crate::scene::Chain;
use crate::table::{Report, Table, ratio, short, step};
use crate::{Config, Result};
use std::time::Duration;

/// The step that the claims are judged at, s.
pub const STEP: f64 = 1.0 / 60.0;
/// The number of links that the claims are judged at.
pub const LINKS: usize = 1000;

/// One measurement.
#[derive(Debug)]
pub struct Point {
    /// Index of the engine.
    pub peer: usize,
    /// Mass ratio.
    pub ratio: f64,
    /// Step, s.
    pub h: f64,
    /// Number of links.
    pub links: usize,
    /// What happened.
    pub run: Run,
}

struct Plan {
    links: &'static [usize],
    steps: usize,
    budget: Duration,
}

/// Runs the chains and prints the tables.
pub fn speed(config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<Vec<Point>> {
    let plan = if config.quick {
        Plan { links: &[10, 100, LINKS], steps: 60, budget: Duration::from_secs(3) }
    } else {
        Plan { links: &[10, 30, 100, 300, LINKS], steps: 300, budget: Duration::from_secs(10) }
    };
    report.say(&format!(
        "\n## Speed: time of a step\n\nChain of n links, horizontal start, {} steps judged, the first 10 not clocked; a run stops after {} s of wall time.",
        plan.steps,
        plan.budget.as_secs()
    ));
    let mut all = Vec::new();
    // Engines in reduced coordinates diverge at 1/60 s before the time means anything: the small step is for them.
    for h in [STEP, 0.001] {
        for r in [1.0, 1e3] {
            let points = series(&plan, peers, r, h, report)?;
            print(&plan, &points, peers, r, h, report);
            all.extend(points);
        }
    }
    write(&all, peers, report)?;
    Ok(all)
}

fn series(plan: &Plan, peers: &[Peer], ratio: f64, h: f64, report: &mut Report<'_>) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for (peer, p) in peers.iter().enumerate() {
        for &links in plan.links {
            let late = points.last().is_some_and(|q: &Point| q.peer == peer && q.run.cut);
            if late || links >= p.most_bodies {
                break;
            }
            report.doing(&format!(
                "speed: {}, {links} links, ratio {}, step {} s",
                p.name,
                crate::table::ratio(ratio),
                step(h)
            ));
            let length = Length { h, steps: plan.steps, warm_up: 10, budget: plan.budget };
            let run = run(p, &Chain { links, ratio, ..Chain::default() }.scene(), length)?;
            points.push(Point { peer, ratio, h, links, run });
        }
    }
    Ok(points)
}

fn print(plan: &Plan, points: &[Point], peers: &[Peer], r: f64, h: f64, report: &mut Report<'_>) {
    report.say(&format!(
        "\nRatio {}, step {} s: median (least) us per step, and stretch % of those steps; X diverged, ? cut short, - not run; \
         exponent of the least time from 100 links on:\n",
        ratio(r),
        step(h)
    ));
    let mut table = Table::new(
        ["engine".to_string()]
            .into_iter()
            .chain(plan.links.iter().map(|n| format!("n={n}")))
            .chain(["exponent".into()]),
    );
    for (k, p) in peers.iter().enumerate() {
        let mine: Vec<&Point> = points.iter().filter(|q| q.peer == k).collect();
        let cells = plan.links.iter().map(|&n| mine.iter().find(|q| q.links == n).map_or("-".into(), |q| cell(&q.run)));
        let logs: Vec<(f64, f64)> = mine
            .iter()
            .filter(|q| q.links >= 100 && q.run.min.is_finite())
            .map(|q| ((q.links as f64).ln(), q.run.min.ln()))
            .collect();
        let exponent = line(&logs).map_or("-".into(), |(e, _)| format!("{e:.2}"));
        table.row([p.name.to_string()].into_iter().chain(cells).chain([exponent]));
    }
    report.table(&table);
}

/// Time and verdict of a run.
pub fn cell(run: &Run) -> String {
    let verdict = match (&run.verdict.failure, run.cut) {
        (Some(_), _) => "X".into(),
        (None, true) => "?".into(),
        (None, false) => format!("{} %", short(100.0 * run.verdict.stretch)),
    };
    format!("{} ({}) {verdict}", short(1e6 * run.median), short(1e6 * run.min))
}

fn write(points: &[Point], peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let mut table = Table::new([
        "engine",
        "step_s",
        "ratio",
        "links",
        "failure",
        "cut",
        "steps",
        "stretch",
        "min_step_s",
        "median_step_s",
        "mean_step_s",
    ]);
    for q in points {
        let v = &q.run.verdict;
        let numbers = [v.stretch, q.run.min, q.run.median, q.run.mean].map(|x| format!("{x:e}"));
        let first = [
            peers[q.peer].name.into(),
            q.h.to_string(),
            q.ratio.to_string(),
            q.links.to_string(),
            v.failure.clone().unwrap_or_default(),
            q.run.cut.to_string(),
            v.steps.to_string(),
        ];
        table.row(first.into_iter().chain(numbers));
    }
    report.csv("speed", &table)
}
