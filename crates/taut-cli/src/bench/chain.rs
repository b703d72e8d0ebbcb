//! The stability map of the chain.

use super::say;
use crate::workers;
use clap::Args as ClapArgs;
use taut_scenes::checks::stability_map::{Cell, JOINTS, RATIOS, STEPS, TIME};

/// Options of the map.
#[derive(ClapArgs)]
pub struct Args {
    /// Joints to map, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = JOINTS.map(String::from))]
    joint: Vec<String>,
    /// Simulated time of each run, s.
    #[arg(long, default_value_t = TIME)]
    time: f64,
}

/// Prints the map; true when every cell meets its bounds.
pub fn chain(args: &Args) -> taut::Result<bool> {
    say("chain of 10 links (0.2 m, 0.2 kg) with a load, horizontal start, sideways kick 0.001 m/s, default settings");
    say("cell: largest single gap %, largest sum of gaps %, largest energy rise %, energy left, solves per step");
    say("      gaps relative to the length, energies to the scale; X diverged, ! outside the bounds");
    say("bounds: gap < 1 %, rise < 1 % (2 % at 0.1 s), sum of gaps < 1 % for ratios from 100 on and steps to 1/60 s");
    let mut good = 0;
    let mut all = 0;
    for joint in &args.joint {
        let cases: Vec<Cell<'_>> = STEPS
            .iter()
            .flat_map(|&dt| RATIOS.iter().map(move |&ratio| Cell { joint: joint.as_str(), ratio, dt }))
            .collect();
        let out = workers::each(&cases, |c| workers::run("chain", &c.parameters(), c.dt, args.time))?;
        say(&format!("\n{joint}"));
        say(&format!("{:>8} {}", "step s", RATIOS.map(|r| format!("{:^27}", format!("ratio {r}"))).join("|")));
        for (row, dt) in STEPS.iter().enumerate() {
            let cells: Vec<String> = (0..RATIOS.len())
                .map(|k| {
                    let (c, o) = (&cases[row * RATIOS.len() + k], &out[row * RATIOS.len() + k]);
                    all += 1;
                    good += usize::from(c.met(o));
                    let mark = if !o.stable {
                        'X'
                    } else if c.met(o) {
                        ' '
                    } else {
                        '!'
                    };
                    format!(
                        "{mark}{:5.2} {:5.2} {:5.2} {:4.2} {:4.2}",
                        100.0 * o.max_gap_rel,
                        100.0 * o.sum_gap_rel,
                        100.0 * o.energy_max_rise,
                        o.energy_left,
                        o.solves_per_step
                    )
                })
                .collect();
            say(&format!("{dt:8.4} {}", cells.join("|")));
        }
    }
    say(&format!("\n{good} of {all} cells within the bounds"));
    Ok(good == all)
}
