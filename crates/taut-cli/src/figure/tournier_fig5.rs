//! Tournier 2015 Fig. 5: largest feasible step of a chain against the load.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Sim, Stop, Task};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, Panel};
use plotters::style::RGBColor;

pub const FIGURE: Figure = Figure {
    name: "tournier-fig5",
    source: "Tournier 2015 Fig. 5",
    title: "largest feasible step of a chain of ten rigid links with a load",
    caption: "Ten links of 2 m and 1 kg with ball joints and a load at the end, released from the horizontal, 4 s: the largest step that is stable \
              (no gap above 10 % of the length, no energy rise above 10 % of the scale), looked for from the top of the grid downwards. Where a curve ends, no step of \
              the grid is stable. The paper prints no numbers; it says that the symmetric part does as well as full geometric stiffness, and that \
              geometric stiffness allows mass ratios up to three orders of magnitude larger.",
    make,
};

const RULE: &str = "reproduced when symmetric and full differ by at most two places of the grid of steps and full allows at least ten times the load \
                    of no stabiliser at the same step; better when, besides, the default allows at least the step of full everywhere and more somewhere";

const METHODS: [(&str, &str, RGBColor); 4] = [
    ("default", "aligned", BLUE),
    ("full geometric stiffness", "full", ORANGE),
    ("symmetric part", "symmetric", GREEN),
    ("no stabiliser", "none", DARK),
];

fn make(task: &Task) -> Result<Made, Stop> {
    let ratios: &[f64] = task.pick(&[1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6], &[1.0, 100.0]);
    let steps = grid(task.pick(17, 7));
    let cases: Vec<(&'static str, f64)> = METHODS.iter().flat_map(|m| ratios.iter().map(move |r| (m.1, *r))).collect();
    task.expect(cases.len() as u64);
    let time = task.pick(4.0, 2.0);
    let found = task.spread(&cases, |&(stabiliser, ratio)| {
        let mut place = None;
        for (k, &dt) in steps.iter().enumerate() {
            let sim = Sim::new("rigid-chain", stabiliser, dt, time).with("ratio", ratio);
            if task.run_one(&sim, |_, _| Ok(()))?.outcome.stable {
                place = Some(k);
                break;
            }
        }
        task.tick(1)?;
        Ok(place)
    })?;
    let by: Vec<&[Option<usize>]> = found.chunks(ratios.len()).collect();
    let step = |k: Option<usize>| k.map(|k| steps[k]);
    let mut table = Table::new(&["ratio", "default_s", "full_s", "symmetric_s", "none_s"]);
    for (k, r) in ratios.iter().enumerate() {
        table.add([
            Cell::from(*r),
            step(by[0][k]).into(),
            step(by[1][k]).into(),
            step(by[2][k]).into(),
            step(by[3][k]).into(),
        ]);
    }
    let mut curves: Vec<Curve> = METHODS
        .iter()
        .zip(&by)
        .map(|(m, places)| {
            let points = ratios.iter().zip(*places).filter_map(|(r, k)| Some((*r, step(*k)?))).collect();
            Curve::dots(m.0, m.2, points)
        })
        .collect();
    curves[2].line = crate::plot::panel::Line::Dashed;
    let x = Axis::log("load over link mass", ratios.iter().copied());
    let y = Axis::log("largest stable step [s]", steps.iter().copied());
    let panel = Panel::new("", x, y, curves);
    Ok(Made { size: (1000, 640), columns: 1, panels: vec![panel], table, verdict: judge(&by, ratios, &steps) })
}

/// Six steps per decade, from 0.1 s down.
fn grid(count: i32) -> Vec<f64> {
    (0..count).map(|k| 0.1 * 10.0_f64.powf(-f64::from(k) / 6.0)).collect()
}

fn judge(by: &[&[Option<usize>]], ratios: &[f64], steps: &[f64]) -> Verdict {
    // No step of the grid is one place after its end.
    let place = |k: Option<usize>| k.unwrap_or(steps.len()) as i64;
    let apart = by[1].iter().zip(by[2]).map(|(a, b)| (place(*a) - place(*b)).abs()).max().unwrap_or(0);
    let gain = load_gain(by[1], by[3], ratios);
    let default = by[0].iter().zip(by[1]).all(|(a, b)| place(*a) <= place(*b));
    let more = by[0].iter().zip(by[1]).any(|(a, b)| place(*a) < place(*b));
    let least = by[0].iter().map(|k| k.map_or(0.0, |k| steps[k])).fold(f64::INFINITY, f64::min);
    let why = format!(
        "symmetric and full differ by at most {apart} places of the grid; full carries {gain:.0} times the load of no stabiliser at the same step; the default is stable at {least:.3} s or more at every ratio up to {:.0e}",
        ratios.last().copied().unwrap_or(0.0)
    );
    Verdict::new(RULE, apart <= 2 && gain >= 10.0, default && more, why)
}

/// How many times the load of `without` is carried by `with` at the largest step that `without` needs.
fn load_gain(with: &[Option<usize>], without: &[Option<usize>], ratios: &[f64]) -> f64 {
    let mut best: f64 = 0.0;
    for (a, r) in without.iter().zip(ratios) {
        let Some(a) = a else { continue };
        let most =
            with.iter().zip(ratios).filter(|(b, _)| b.is_some_and(|b| b <= *a)).map(|(_, r)| *r).fold(0.0, f64::max);
        best = best.max(most / r);
    }
    best
}
