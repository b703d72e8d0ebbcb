//! Andrews 2017 Fig. 4: gain of the low-rank inverse against the number of joints.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::measure::inverse::{PUBLISHED, chain, repeats, times};
use crate::measure::line;
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, Panel};

pub const FIGURE: Figure = Figure {
    name: "andrews-fig4",
    source: "Andrews 2017 Fig. 4",
    title: "gain of the low-rank inverse for ball, hinge and universal chains",
    caption: "Time of the full inverse of M - h²K~ over the time of rank-1 updates of M⁻¹, for swinging chains of 10 to 100 joints. \
              The published values are those of the paper's Table 2 (ball joints); its figure shows the same gain for the three joints, \
              growing linearly with their number. Here the dot rows of hinges and universal joints couple neighbours, so their updates fill the inverse; ball joints do not.",
    make,
};

const RULE: &str = "reproduced when the gain grows linearly with the number of joints (R² at least 0.9) for each kind, the kinds agree \
                    within a factor of two, and no gain of ball joints is below three quarters of the published one; better when, \
                    besides, none is below the published one";

const KINDS: [(&str, plotters::style::RGBColor); 3] = [("ball", BLUE), ("hinge", ORANGE), ("universal", GREEN)];

fn make(task: &Task) -> Result<Made, Stop> {
    let sizes: &[usize] = task.pick(&[10, 20, 30, 40, 50, 60, 70, 80, 90, 100], &[10, 20, 30]);
    task.expect((KINDS.len() * sizes.len()) as u64);
    let mut table = Table::new(&["joint", "joints", "full_s", "low_rank_s", "gain", "published_gain", "difference"]);
    let mut gains = Vec::new();
    for (kind, _) in KINDS {
        let mut curve = Vec::new();
        for &n in sizes {
            // One after the other: times of two at once would disturb each other.
            let t = times(&mut chain(kind, n)?, task.pick(repeats(n), 5))?;
            let published = PUBLISHED.iter().find(|p| p.joints == n && kind == "ball").map(|p| p.gain);
            let size = Cell::from(n as f64);
            table.add([
                kind.into(),
                size,
                t.full.into(),
                t.low.into(),
                t.gain().into(),
                published.into(),
                t.difference.into(),
            ]);
            curve.push((n as f64, t.gain()));
            task.tick(1)?;
        }
        gains.push(curve);
    }
    let published: Vec<(f64, f64)> = PUBLISHED.iter().map(|p| (p.joints as f64, p.gain)).collect();
    let verdict = judge(&gains);
    let mut curves: Vec<Curve> =
        KINDS.iter().zip(gains).map(|((kind, colour), g)| Curve::dots(format!("{kind}, here"), *colour, g)).collect();
    curves.push(Curve::published("ball, published", DARK, published));
    let end = *sizes.last().unwrap_or(&100).max(&100) as f64;
    let y = Axis::from_zero("gain: full over low rank", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    let panel = Panel::new("", Axis::linear("number of joints", 0.0..1.03 * end), y, curves);
    Ok(Made { size: (900, 560), columns: 1, panels: vec![panel], table, verdict })
}

fn judge(gains: &[Vec<(f64, f64)>]) -> Verdict {
    let linear = gains.iter().map(|g| line(g).map_or(0.0, |l| if l.0 > 0.0 { l.1 } else { 0.0 })).fold(1.0, f64::min);
    let spread = (0..gains[0].len())
        .map(|k| {
            let at = || gains.iter().map(move |g| g[k].1);
            at().fold(0.0, f64::max) / at().fold(f64::INFINITY, f64::min)
        })
        .fold(1.0, f64::max);
    let measured = |n: usize| gains[0].iter().find(|g| g.0 == n as f64).map(|g| g.1);
    let shares: Vec<f64> = PUBLISHED.iter().filter_map(|p| measured(p.joints).map(|g| g / p.gain)).collect();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let ends: Vec<String> =
        KINDS.iter().zip(gains).filter_map(|(k, g)| g.last().map(|p| format!("{} {:.1}x", k.0, p.1))).collect();
    let most = gains[0].last().map_or(0.0, |p| p.0);
    let why = format!(
        "gain at {most} joints {}; over the published gain of ball joints at least {least:.2}; R² of a line at least {linear:.3}; largest ratio between kinds {spread:.1}",
        ends.join(", ")
    );
    Verdict::new(RULE, linear >= 0.9 && spread <= 2.0 && least >= 0.75, least >= 1.0, why)
}
