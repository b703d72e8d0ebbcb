//! Energy kept by mechanisms that should keep it.

use super::say;
use crate::workers;
use taut_scenes::checks::energy::{PEAK_LOSS, peak_loss};

/// Prints the tables; true when the cable pendulum meets its bound.
pub fn energy() -> taut::Result<bool> {
    let met = pendulum()?;
    light_chains()?;
    linkages()?;
    Ok(met)
}

fn pendulum() -> taut::Result<bool> {
    say("cable pendulum (Andrews 2017 Fig. 8): 100 kg on 20 segments of 0.2 kg, 40 s; part of the kinetic peak lost");
    say("published at 0.01 s: full geometric stiffness 40 %, adaptive damping 2 %");
    let steps = [0.001, 0.01, 1.0 / 60.0, 0.05];
    let cases: Vec<(&str, f64)> = ["cable", "ball"].into_iter().flat_map(|j| steps.map(|h| (j, h))).collect();
    let out = workers::each(&cases, |&(joint, dt)| workers::run("pendulum-cable", &[("joint", joint)], dt, 40.0))?;
    let mut met = true;
    for ((joint, dt), o) in cases.iter().zip(&out) {
        let loss = peak_loss(o);
        say(&format!(
            "  {joint:>5}, step {dt:.4} s: {:6.3} %{}",
            100.0 * loss,
            if o.stable { "" } else { ", diverged" }
        ));
        if *dt == 0.01 {
            met &= o.stable && loss <= PEAK_LOSS;
        }
    }
    Ok(met)
}

fn light_chains() -> taut::Result<()> {
    say("\nlight chains, ball joints, horizontal start, 20 s: energy left (median of 4 kicks) and largest rise %");
    let kinds = [("0.2", "0.2"), ("1", "1")];
    let shapes = [
        ("1", "1"),
        ("2", "1"),
        ("4", "1"),
        ("10", "1"),
        ("2", "10"),
        ("4", "10"),
        ("10", "10"),
        ("2", "100"),
        ("10", "100"),
    ];
    say(&format!("{:>18} {}", "links/ratio:", shapes.map(|(n, r)| format!("{:^12}", format!("{n}/{r}"))).join("")));
    for (length, mass) in kinds {
        for dt in [0.001, 0.01, 1.0 / 60.0] {
            let mut cells = Vec::new();
            for (links, ratio) in shapes {
                let kicks = ["0.001", "0.002", "0.003", "0.004"];
                let out = workers::each(&kicks, |kick| {
                    let set = [
                        ("links", links),
                        ("ratio", ratio),
                        ("kick", kick),
                        ("link_length", length),
                        ("link_mass", mass),
                    ];
                    workers::run("chain", &set, dt, 20.0)
                })?;
                let mut left: Vec<f64> = out.iter().map(|o| o.energy_left).collect();
                left.sort_by(f64::total_cmp);
                let rise = out.iter().map(|o| o.energy_max_rise).fold(f64::NEG_INFINITY, f64::max);
                cells.push(format!("{:5.2} {:5.1} ", 0.5 * (left[1] + left[2]), 100.0 * rise));
            }
            say(&format!("{length:>4} m, {dt:.4} s:   {}", cells.join("")));
        }
    }
    Ok(())
}

fn linkages() -> taut::Result<()> {
    say("\nclosed linkages, 20 s: energy left and largest rise %");
    for scene in ["fourbar", "bricard"] {
        for dt in [0.002, 0.01, 1.0 / 60.0] {
            let ratios = ["1", "10", "1e3"];
            let out = workers::each(&ratios, |r| workers::run(scene, &[("ratio", r)], dt, 20.0))?;
            let cells: Vec<String> = ratios
                .iter()
                .zip(&out)
                .map(|(r, o)| format!("ratio {r}: {:6.3} {:5.2}", o.energy_left, 100.0 * o.energy_max_rise))
                .collect();
            say(&format!("  {scene:>8}, step {dt:.4} s   {}", cells.join("   ")));
        }
    }
    Ok(())
}
