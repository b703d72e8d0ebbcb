//! Andrews 2017 Table 2: time of the full and of the low-rank inverse for 10, 50 and 100 ball joints.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::measure::inverse::{PUBLISHED, Published, Times, chain, repeats, times};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, Panel};

pub const FIGURE: Figure = Figure {
    name: "andrews-table2",
    source: "Andrews 2017 Table 2",
    title: "time to compute the inverse of M - h²K~ of a chain of ball joints",
    caption: "Left: least time of the full inverse and of the low-rank updates for 10, 50 and 100 ball joints, with the published times \
              (another machine: compare the shape), and of the factorisation and solve of the block system that the default step does \
              instead. Right: the gain, full over low rank.",
    make,
};

const RULE: &str =
    "reproduced when every gain is at least three quarters of the published one; better when none is below it";

fn make(task: &Task) -> Result<Made, Stop> {
    let rows = &PUBLISHED[..task.pick(3, 2)];
    task.expect(rows.len() as u64);
    let mut table = Table::new(&[
        "joints",
        "full_s",
        "low_rank_s",
        "gain",
        "published_full_s",
        "published_low_rank_s",
        "published_gain",
        "block_solve_s",
        "difference",
    ]);
    let mut measured: Vec<Times> = Vec::new();
    for p in rows {
        let t = times(&mut chain("ball", p.joints)?, task.pick(repeats(p.joints), 5))?;
        let numbers = [p.joints as f64, t.full, t.low, t.gain(), p.full, p.low, p.gain, t.block, t.difference];
        table.add(numbers.map(Cell::from));
        measured.push(t);
        task.tick(1)?;
    }
    let shares: Vec<f64> = rows.iter().zip(&measured).map(|(p, t)| t.gain() / p.gain).collect();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let list: Vec<String> = rows
        .iter()
        .zip(&measured)
        .map(|(p, t)| format!("{:.1}x at {} joints (published {}x)", t.gain(), p.joints, p.gain))
        .collect();
    let verdict = Verdict::new(RULE, least >= 0.75, least >= 1.0, format!("gain {}", list.join(", ")));
    Ok(Made { size: (1200, 520), columns: 2, panels: panels(rows, &measured), table, verdict })
}

fn panels(rows: &[Published], measured: &[Times]) -> Vec<Panel> {
    let curve = |f: &dyn Fn(&Times) -> f64| -> Vec<(f64, f64)> {
        rows.iter().zip(measured).map(|(p, t)| (p.joints as f64, f(t))).collect()
    };
    let printed = |f: &dyn Fn(&Published) -> f64| -> Vec<(f64, f64)> {
        PUBLISHED.iter().map(|p| (p.joints as f64, f(p))).collect()
    };
    let curves = vec![
        Curve::dots("full, here", ORANGE, curve(&|t| 1e3 * t.full)),
        Curve::dots("low rank, here", BLUE, curve(&|t| 1e3 * t.low)),
        Curve::dots("block solve, here", GREEN, curve(&|t| 1e3 * t.block)),
        Curve::published("full, published", ORANGE, printed(&|p| 1e3 * p.full)),
        Curve::published("low rank, published", BLUE, printed(&|p| 1e3 * p.low)),
    ];
    let x = || Axis::log("number of ball joints", [10.0, 100.0].into_iter());
    let y = Axis::log("time [ms]", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    let left = Panel::new("time", x(), y, curves);
    let here = Curve::dots("here", BLUE, curve(&Times::gain));
    let gains = vec![here, Curve::published("published", DARK, printed(&|p| p.gain))];
    let y = Axis::from_zero("gain: full over low rank", gains.iter().flat_map(|c| &c.points).map(|p| p.1));
    vec![left, Panel::new("gain", x(), y, gains)]
}
