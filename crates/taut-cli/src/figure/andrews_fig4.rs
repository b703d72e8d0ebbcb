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
              growing linearly with their number. Here the dot rows of hinges and universal joints couple neighbours and fill the inverse, those of ball joints do not: the gain of ball joints is larger.",
    make,
};

const RULE: &str = "reproduced when the gain grows with the number of joints for each kind, and at the published sizes from 50 joints on none is below \
                    three quarters of the published gain; better when, besides, none is below the published gain, at whatever spread between the kinds";

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
    let grows = gains.iter().all(|g| line(g).is_some_and(|l| l.0 > 0.0));
    let at = |g: &[(f64, f64)], n: usize| g.iter().find(|p| p.0 == n as f64).map(|p| p.1);
    let large = PUBLISHED.iter().filter(|p| p.joints >= 50);
    let shares: Vec<f64> =
        large.flat_map(|p| gains.iter().filter_map(move |g| Some(at(g, p.joints)? / p.gain))).collect();
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let ends: Vec<String> =
        KINDS.iter().zip(gains).filter_map(|(k, g)| g.last().map(|p| format!("{} {:.1}x", k.0, p.1))).collect();
    let most = gains[0].last().map_or(0.0, |p| p.0);
    let growth =
        if grows { "it grows with the number of joints" } else { "it does not grow with the number of joints" };
    let ratio =
        if shares.is_empty() { String::new() } else { format!("; least ratio to the published gain {least:.2}") };
    let why = format!("gain at {most} joints {}; {growth}{ratio}", ends.join(", "));
    Verdict::new(RULE, grows && least >= 0.75, least >= 1.0, why)
}
