//! Chains and a ladder in all engines that can take them, in turn.

use super::sheet::{Sheet, Target, us};
use std::time::Duration;
use taut_bench::peers::{Peer, taut};
use taut_bench::run::{Length, Run, race};
use taut_bench::scene::{Chain, Ladder, Scene};
use taut_bench::table::{Table, digits, ratio, short, step};

/// Steps of a run, and those before the clock counts.
const STEPS: (usize, usize) = (300, 10);

/// 1,000 links beside the fastest other engine.
pub fn chain(sheet: &mut Sheet<'_>) -> Result<(), String> {
    sheet.section(
        "Chain of 1,000 links beside the others",
        &format!(
            "Links of 0.2 m and 0.2 kg on ball joints, horizontal start. {} Engines in reduced coordinates, MuJoCo and Rapier's multibody \
             joints, are left out: a step would take seconds.",
            words(sheet)
        ),
    );
    for (h, most) in [(1.0 / 60.0, 0.4), (0.001, 1.0)] {
        for r in [1.0, 1e3] {
            let title = format!("1000 links, ratio {}, {} s", ratio(r), step(h));
            let scene = Chain { links: 1000, ratio: r, ..Chain::default() }.scene();
            let part = one(sheet, &title, &scene, h)?;
            sheet.figure(format!("{title}: Taut over the fastest other"), part, Target::AtMost(most));
        }
    }
    Ok(())
}

/// The rope ladder.
pub fn ladder(sheet: &mut Sheet<'_>) -> Result<(), String> {
    sheet.section(
        "Rope ladder of 100 cells beside the others",
        &format!("Closed loops, last rung 100 times a link. {}", words(sheet)),
    );
    let scene = Ladder { cells: 100, ..Ladder::default() }.scene();
    one(sheet, "ladder of 100 cells, 1/60 s", &scene, 1.0 / 60.0).map(drop)
}

fn words(sheet: &Sheet<'_>) -> String {
    format!(
        "{} steps, six of each engine in turn. Stretch is the sum of all gaps over the length at the worst instant, computed from poses \
         alone; X: the run diverged, ?: it was cut short.",
        steps(sheet)
    )
}

fn steps(sheet: &Sheet<'_>) -> usize {
    if sheet.quick { STEPS.0 / 5 } else { STEPS.0 }
}

/// One scene in all engines: a table, and Taut's median step over that of the fastest other.
fn one(sheet: &mut Sheet<'_>, title: &str, scene: &Scene, h: f64) -> Result<f64, String> {
    sheet.doing(title);
    let length = Length {
        h,
        steps: steps(sheet),
        warm_up: STEPS.1,
        budget: Duration::from_secs(if sheet.quick { 10 } else { 120 }),
    };
    let peers: Vec<&Peer> = sheet.peers.iter().filter(|p| p.most_bodies > scene.bodies.len() && !p.damped).collect();
    let runs = race(&peers, scene, length)?;
    let named: Vec<(&str, &Run)> = peers.iter().map(|p| p.name).zip(&runs).collect();
    let own = named.iter().find(|(name, _)| *name == taut::NAME).map_or(f64::NAN, |(_, run)| run.median);
    let mut table = Table::new(["engine", "median us", "least us", "stretch %", "largest gap %", "Taut over it"]);
    for (name, run) in &named {
        let verdict = match (&run.verdict.failure, run.cut) {
            (Some(_), _) => ["X".into(), "X".into()],
            (None, true) => ["?".into(), "?".into()],
            (None, false) => [run.verdict.stretch, run.verdict.single].map(|x| short(100.0 * x)),
        };
        let part = if *name == taut::NAME { String::new() } else { digits(own / run.median, 3) };
        table.row([name.to_string(), us(run.median), us(run.min)].into_iter().chain(verdict).chain([part]));
    }
    let others = named.iter().filter(|(name, run)| *name != taut::NAME && run.median.is_finite());
    let fastest = others.min_by(|a, b| a.1.median.total_cmp(&b.1.median)).copied();
    sheet.say(&format!("\n**{title}**:"));
    sheet.table(&title.replace([',', '/'], "").replace(' ', "-"), &table)?;
    Ok(fastest.map_or(f64::NAN, |(_, run)| own / run.median))
}
