//! Andrews 2017 section 5.3: a load that spins about its cable.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Sim, Stop, Task, Track};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, PURPLE, Panel};
use plotters::style::RGBColor;

pub const FIGURE: Figure = Figure {
    name: "andrews-torsion",
    source: "Andrews 2017 section 5.3",
    title: "turn of a load spun about its cable",
    caption: "100 kg given 5 rad/s about a swinging cable of twenty 0.2 kg segments: its turn about its own axis over time, at 0.01 s, for each stabiliser, \
              with a reference without stabiliser at a small step. The paper prints no numbers; it says that inertial damping dissipates the torsion \
              severely and that the twist with constraint-space damping is more plausible. A curve that ends early diverged.",
    make,
};

const RULE: &str = "the error is the root mean square difference of the turn from the reference, until the end of the run. Reproduced when constraint-space damping has \
                    a smaller error than inertial damping; better when, besides, the default has a smaller error than constraint-space damping";

/// Name, stabiliser, colour; the first is the reference.
const METHODS: [(&str, &str, RGBColor); 5] = [
    ("reference", "none", DARK),
    ("default", "aligned", BLUE),
    ("constraint-space damping", "constraint-space", GREEN),
    ("inertial damping", "inertial", PURPLE),
    ("full geometric stiffness", "full", ORANGE),
];

const STEP: f64 = 0.01;

fn make(task: &Task) -> Result<Made, Stop> {
    let (time, fine) = (task.pick(6.0, 2.0), task.pick(1e-4, 1e-3));
    let sims: Vec<Sim> = METHODS
        .iter()
        .enumerate()
        .map(|(k, m)| Sim::new("cable-torsion", m.1, if k == 0 { fine } else { STEP }, time))
        .collect();
    let tracks = task.run(&sims, |_, _, s| Ok(s.turn_rate))?;
    let turns: Vec<Vec<(f64, f64)>> = sims.iter().zip(&tracks).map(|(sim, t)| turn(t, sim.dt)).collect();
    let mut table = Table::new(&["stabiliser", "step_s", "time_s", "turn_rad"]);
    for ((m, sim), points) in METHODS.iter().zip(&sims).zip(&turns) {
        for (t, a) in points {
            table.add([Cell::from(m.0), sim.dt.into(), (*t).into(), (*a).into()]);
        }
    }
    let verdict = judge(&tracks, &turns, fine);
    let x = || Axis::linear("time [s]", 0.0..time);
    let off: Vec<Curve> = METHODS
        .iter()
        .zip(&turns)
        .skip(1)
        .map(|(m, t)| Curve::line(m.0, m.2, t.iter().zip(&turns[0]).map(|(a, b)| (a.0, a.1 - b.1)).collect()))
        .collect();
    let y = Axis::around("difference [rad]", off.iter().flat_map(|c| &c.points).map(|p| p.1));
    let bottom = Panel::new("difference from the reference", x(), y, off);
    let curves: Vec<Curve> = METHODS.iter().zip(turns).map(|(m, points)| Curve::line(m.0, m.2, points)).collect();
    let y = Axis::around("turn [rad]", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    let top = Panel::new("turn", x(), y, curves);
    Ok(Made { size: (1100, 860), columns: 1, panels: vec![top, bottom], table, verdict })
}

/// The sum of the turns of the steps, every 0.01 s.
fn turn(track: &Track<f64>, dt: f64) -> Vec<(f64, f64)> {
    let every = (STEP / dt).round().max(1.0) as usize;
    let mut sum = 0.0;
    let mut out = vec![(0.0, 0.0)];
    for (k, rate) in track.records.iter().enumerate() {
        sum += rate * dt;
        if (k + 1) % every == 0 {
            out.push(((k + 1) as f64 * dt, sum));
        }
    }
    out
}

fn judge(tracks: &[Track<f64>], turns: &[Vec<(f64, f64)>], fine: f64) -> Verdict {
    let error = |k: usize| {
        if !tracks[k].outcome.stable {
            return f64::INFINITY;
        }
        let n = turns[k].len().min(turns[0].len()).max(1) as f64;
        (turns[k].iter().zip(&turns[0]).map(|(a, b)| (a.1 - b.1).powi(2)).sum::<f64>() / n).sqrt()
    };
    let end = |k: usize| turns[k].last().map_or(0.0, |p| p.1);
    let list: Vec<String> =
        (1..METHODS.len()).map(|k| format!("{} {:.2} rad (error {:.2})", METHODS[k].0, end(k), error(k))).collect();
    let steady = tracks[0].outcome.stable;
    let note = if steady { "" } else { ", which diverged" };
    let why = format!("turn at the end {:.2} rad in the reference at {fine} s{note}; {}", end(0), list.join(", "));
    Verdict::new(RULE, steady && error(2) < error(3), error(1) < error(2), why)
}
