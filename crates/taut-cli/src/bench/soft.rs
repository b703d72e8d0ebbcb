//! The stability map of deformables.

use super::say;
use crate::{interrupt, workers};
use clap::Args as ClapArgs;
use taut_scenes::checks::soft_map::{Came, Cell, POISSON, STEPS, TRIALS, YOUNG};

/// Options of the map.
#[derive(ClapArgs)]
pub struct Args {
    /// Only these trials, separated by commas: 'load 1', mirrored, flat, point, random and so on.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

/// Prints the map; true when every cell meets its bounds.
pub fn soft(args: &Args) -> Result<bool, String> {
    let names: Vec<String> = TRIALS.iter().map(|t| t.name()).collect();
    if let Some(unknown) = args.only.iter().find(|o| !names.contains(o)) {
        return Err(format!("--only = '{unknown}': expected some of {}", names.join(", ")));
    }
    interrupt::listen();
    say(
        "deformables of hexahedra, default law, no damping: a level bar with a load at its end for 2 s, free cubes from bad starts",
    );
    say("cell: largest energy rise %, under load of its weight times the length, else of the energy at the start;");
    say(
        "      from a bad start also the smallest volume of a point at the end over that at rest; X diverged, ! outside the bounds",
    );
    say("      brackets: the bar cannot carry the load, it hangs by more than a tenth longer at rest");
    say("bounds: rise < 1 % (2 % at 0.04 s); no point inside out at the end of a recovery");
    // Loads that can be carried and starts; loads beyond.
    let (mut good, mut all, mut diverged) = ([0; 2], [0; 2], [0; 2]);
    for trial in TRIALS.into_iter().filter(|t| args.only.is_empty() || args.only.contains(&t.name())) {
        say(&format!("\n{}", trial.name()));
        let head: Vec<String> =
            STEPS.iter().flat_map(|h| POISSON.map(|nu| format!("{:^14}", format!("{h:.3} {nu}")))).collect();
        say(&format!("{:>8} {}", "Pa", head.join("|")));
        for young in YOUNG {
            let row: Vec<Cell> =
                STEPS.iter().flat_map(|&dt| POISSON.map(|poisson| Cell { young, poisson, dt, trial })).collect();
            let out = workers::each(&row, |c| c.run(&interrupt::pressed)).map_err(|e| e.to_string())?;
            if interrupt::pressed() {
                return Err("interrupted".into());
            }
            for (cell, came) in row.iter().zip(&out) {
                let k = usize::from(!cell.is_sane());
                all[k] += 1;
                good[k] += usize::from(came.met(cell));
                diverged[k] += usize::from(!came.stable);
            }
            let texts: Vec<String> = row.iter().zip(&out).map(|(cell, came)| text(cell, came)).collect();
            say(&format!("{young:8.0e} {}", texts.join("|")));
        }
    }
    say(&format!("\n{} of {} cells within the bounds, {} diverged", good[0], all[0], diverged[0]));
    say(&format!("in brackets {} of {} within them, {} diverged", good[1], all[1], diverged[1]));
    Ok(good == all)
}

fn text(cell: &Cell, came: &Came) -> String {
    let mark = match (came.stable, came.met(cell)) {
        (false, _) => 'X',
        (true, true) => ' ',
        (true, false) => '!',
    };
    let rise =
        if came.rise < 1.0 { format!("{:5.2}", 100.0 * came.rise) } else { format!("{:5.0e}", 100.0 * came.rise) };
    let least = if came.least.abs() < 10.0 { format!("{:5.2}", came.least) } else { format!("{:5.0}", came.least) };
    let (open, close) = if cell.is_sane() { (' ', ' ') } else { ('(', ')') };
    format!("{open}{mark}{rise} {least}{close}")
}
