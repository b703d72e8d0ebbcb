//! 100 kg on ten links of 0.2 kg: what is left of the energy after 40 s.

use crate::peers::Peer;
use crate::run::{Length, Run, run};
use crate::scene::Chain;
use crate::table::{Report, Table, short};
use crate::{Config, Result};

/// Runs the pendulum and prints the table; the runs in the order of the engines.
pub fn pendulum(config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<Vec<Run>> {
    let time = if config.quick { 10.0 } else { 40.0 };
    report.say(&format!(
        "\n## Pendulum\n\n100 kg on 10 links of 0.2 m and 0.2 kg, horizontal start, step 0.01 s, {time} s. Energy: 1 at the start, 0 hanging at rest; \
         an exact solution keeps 1. Energy left is the mean over the last tenth.\n"
    ));
    let scene = Chain { ratio: 500.0, ..Chain::default() }.scene();
    let mut table = Table::new(["engine", "verdict", "energy left", "largest energy", "stretch %", "us per step"]);
    let mut runs = Vec::new();
    for p in peers {
        report.doing(&format!("pendulum: {}", p.name));
        let done = run(p, &scene, Length::seconds(0.01, time))?;
        let v = &done.verdict;
        let (verdict, left) = match &v.failure {
            Some(why) => (format!("X {why}"), "-".into()),
            None => (if done.held() { "held" } else { "stretched" }.into(), format!("{:.4}", v.energy_left)),
        };
        table.row([
            p.name.into(),
            verdict,
            left,
            format!("{:.4}", v.energy_peak),
            short(100.0 * v.stretch),
            short(1e6 * done.median),
        ]);
        runs.push(done);
    }
    report.table(&table);
    report.csv("pendulum", &table)?;
    Ok(runs)
}
