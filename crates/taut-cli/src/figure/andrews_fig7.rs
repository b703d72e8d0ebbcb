//! Andrews 2017 Fig. 7: the low-rank inverse of flexible cable joints.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::measure::inverse::{chain, repeats, times};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, Panel};

pub const FIGURE: Figure = Figure {
    name: "andrews-fig7",
    source: "Andrews 2017 Fig. 7",
    title: "low-rank inverse of cables with flexible cable joints",
    caption: "Gain (left) and time (right) of the low-rank inverse for cables of 10 to 100 flexible cable joints, whose geometric stiffness \
              is dense. The paper prints no numbers; it says that the low-rank method never improves performance for this joint. \
              The block solve is what the default step does instead of either inverse.",
    make,
};

const RULE: &str = "reproduced when the low-rank inverse is slower than the full one at every size, as in the paper; better when it is \
                    faster at the largest size";

fn make(task: &Task) -> Result<Made, Stop> {
    let sizes: &[usize] = task.pick(&[10, 20, 30, 40, 50, 60, 70, 80, 90, 100], &[10, 20, 30]);
    task.expect(sizes.len() as u64);
    let mut table = Table::new(&["joints", "full_s", "low_rank_s", "gain", "block_solve_s", "difference"]);
    let mut all = Vec::new();
    for &n in sizes {
        let t = times(&mut chain("flexible-cable", n)?, task.pick(repeats(n), 5))?;
        table.add([n as f64, t.full, t.low, t.gain(), t.block, t.difference].map(Cell::from));
        all.push((n as f64, t));
        task.tick(1)?;
    }
    let gains: Vec<(f64, f64)> = all.iter().map(|(n, t)| (*n, t.gain())).collect();
    let (low, high) = gains.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), g| (l.min(g.1), h.max(g.1)));
    let last = gains.last().map_or(0.0, |g| g.1);
    let end = sizes.last().copied().unwrap_or(100) as f64;
    let x = || Axis::linear("number of flexible cable joints", 0.0..1.03 * end);
    let level = Curve::dashed("no gain", DARK, vec![(0.0, 1.0), (1.03 * end, 1.0)]);
    let y = Axis::from_zero("gain: full over low rank", [high, 1.2].into_iter());
    let left = Panel::new("gain", x(), y, vec![Curve::dots("here", BLUE, gains), level]);
    let curve = |f: &dyn Fn(&crate::measure::inverse::Times) -> f64| -> Vec<(f64, f64)> {
        all.iter().map(|(n, t)| (*n, 1e3 * f(t))).collect()
    };
    let curves = vec![
        Curve::dots("full", ORANGE, curve(&|t| t.full)),
        Curve::dots("low rank", BLUE, curve(&|t| t.low)),
        Curve::dots("block solve", GREEN, curve(&|t| t.block)),
    ];
    let y = Axis::log("time [ms]", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    let right = Panel::new("time", x(), y, curves);
    let why = format!("gain from {low:.2} to {high:.2} between {} and {end} flexible cable joints", sizes[0]);
    let verdict = Verdict::new(RULE, high < 1.0 || last > 1.0, last > 1.0, why);
    Ok(Made { size: (1200, 520), columns: 2, panels: vec![left, right], table, verdict })
}
