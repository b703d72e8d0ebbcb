//! The tight cable (Tournier 2015 Table 1): 500 kg over 10 m under loads up to a billion tonnes, gravity tilted.

use crate::peers::Peer;
use crate::run::{Length, Run, run};
use crate::scene::{Chain, Start};
use crate::table::{Report, Table, short};
use crate::{Config, Result};

/// Angle of gravity, rad: an exactly straight cable proves nothing.
const TILT: f64 = 0.01;

/// Runs the cable and prints the table.
pub fn tight(config: &Config, peers: &[Peer], report: &mut Report<'_>) -> Result<()> {
    let loads: &[f64] = if config.quick { &[1e1, 1e6] } else { &[1e1, 1e2, 1e3, 1e6, 1e9] };
    let time = if config.quick { 1.0 } else { 5.0 };
    report.say(&format!(
        "\n## Tight cable\n\n500 kg over 10 m in 10 links, gravity tilted by {TILT} rad, step 0.01 s, {time} s: largest elongation \
         (sum of gaps) in %; X diverged:\n"
    ));
    let mut table = Table::new(["engine".to_string()].into_iter().chain(loads.iter().map(|t| format!("{t:e} t"))));
    for p in peers {
        let mut cells = vec![p.name.to_string()];
        for tonnes in loads {
            report.doing(&format!("tight: {}, {tonnes:e} t", p.name));
            let cable = Chain {
                link_mass: 50.0,
                link_length: 1.0,
                ratio: 1e3 * tonnes / 50.0,
                start: Start::Hanging,
                kick: 0.0,
                tilt: TILT,
                ..Chain::default()
            };
            let done: Run = run(p, &cable.scene(), Length::seconds(0.01, time))?;
            cells.push(if done.verdict.failure.is_some() { "X".into() } else { short(100.0 * done.verdict.stretch) });
        }
        table.row(cells);
    }
    report.table(&table);
    report.csv("tight", &table)
}
