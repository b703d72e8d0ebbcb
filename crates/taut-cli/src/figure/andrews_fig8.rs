//! Andrews 2017 Fig. 8: kinetic energy of a load swinging on a flexible cable.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Sim, Stop, Task, Track};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, PURPLE, Panel};
use plotters::style::RGBColor;
use taut_scenes::checks::energy::peak_loss;

pub const FIGURE: Figure = Figure {
    name: "andrews-fig8",
    source: "Andrews 2017 Fig. 8",
    title: "kinetic energy of 100 kg swinging on a flexible cable, step 0.01 s",
    caption: "Top: kinetic energy over 40 s of a 100 kg load on twenty 0.2 kg segments with flexible cable joints (axial stiffness 1e12, \
              bending and torsion 10). Bottom: the kinetic peak of each swing relative to the first, for each stabiliser; the squares are \
              the published peaks at 40 s. A cross marks a run that diverged.",
    make,
};

const RULE: &str = "reproduced when full geometric stiffness loses 35 to 45 % of the kinetic peak (published nearly 40 %) and \
                    constraint-space damping at most 5 % (published 2 %); better when, besides, the default loses less than 2 %";

/// Name, stabiliser, colour, and the published part of the peak that is left at the end.
const METHODS: [(&str, &str, RGBColor, Option<f64>); 5] = [
    ("default", "aligned", BLUE, None),
    ("constraint-space damping", "constraint-space", GREEN, Some(0.98)),
    ("full geometric stiffness", "full", ORANGE, Some(0.60)),
    ("inertial damping", "inertial", PURPLE, None),
    ("none", "none", DARK, None),
];

/// Shown in the upper panel: those of the paper and the default.
const SHOWN: usize = 3;

type Record = (f64, f64);

fn make(task: &Task) -> Result<Made, Stop> {
    let time = task.pick(40.0, 12.0);
    let sims: Vec<Sim> =
        METHODS.iter().map(|m| Sim::new("pendulum-cable", m.1, 0.01, time).with("joint", "flexible-cable")).collect();
    let tracks = task.run(&sims, |_, _, s| Ok((s.report.time, s.report.energy.kinetic)))?;
    let mut table = Table::new(&["stabiliser", "time_s", "kinetic_J"]);
    for (m, track) in METHODS.iter().zip(&tracks) {
        for (t, e) in &track.records {
            table.add([Cell::from(m.1), (*t).into(), (*e).into()]);
        }
    }
    let x = || Axis::linear("time [s]", 0.0..time * 1.001);
    let energies: Vec<Curve> = METHODS
        .iter()
        .zip(&tracks)
        .take(SHOWN)
        .map(|(m, t)| Curve::line(m.0, m.2, t.records.iter().map(|(t, e)| (*t, 1e-3 * e)).collect()))
        .rev()
        .collect();
    let y = Axis::from_zero("kinetic energy [kJ]", energies.iter().flat_map(|c| &c.points).map(|p| p.1));
    let top = Panel::new("kinetic energy", x(), y, energies);
    let bottom =
        Panel::new("peak of each swing", x(), Axis::linear("peak / first peak [%]", 0.0..112.0), peaks(&tracks, time));
    Ok(Made { size: (1100, 860), columns: 1, panels: vec![top, bottom], table, verdict: judge(&tracks) })
}

/// Peaks of the swings in % of the first, and the published ends.
fn peaks(tracks: &[Track<Record>], time: f64) -> Vec<Curve> {
    let mut curves = Vec::new();
    for (m, track) in METHODS.iter().zip(tracks) {
        let o = &track.outcome;
        if !o.stable {
            // Its energy has left the picture.
            let name = format!("{}, diverged", m.0);
            curves.push(Curve::crosses(name, m.2, vec![(o.steps as f64 * o.dt, 105.0)]));
            continue;
        }
        let found = swings(&track.records);
        let Some(first) = found.first().map(|p| p.1) else { continue };
        let points = found.iter().map(|p| (p.0, 100.0 * p.1 / first)).collect();
        curves.push(Curve::dots(m.0, m.2, points));
    }
    for m in METHODS {
        if let Some(left) = m.3 {
            curves.push(Curve::published(format!("published, {}", m.1), m.2, vec![(time, 100.0 * left)]));
        }
    }
    curves
}

/// The largest kinetic energy of each swing: a swing ends where less than a quarter of it is left.
fn swings(records: &[Record]) -> Vec<Record> {
    let mut out: Vec<Record> = Vec::new();
    let mut best = (0.0, 0.0);
    for &(t, e) in records {
        if e > best.1 {
            best = (t, e);
        }
        if e < 0.25 * best.1 && best.1 > 0.25 * out.first().map_or(0.0, |p| p.1) {
            out.push(best);
            best = (t, 0.0);
        }
    }
    out
}

fn judge(tracks: &[Track<Record>]) -> Verdict {
    let loss = |k: usize| {
        let o = &tracks[k].outcome;
        if o.stable { 100.0 * peak_loss(o) } else { f64::NAN }
    };
    let show = |k: usize| {
        let (name, o) = (METHODS[k].0, &tracks[k].outcome);
        let how = if o.stable {
            format!("loses {:.2} %", loss(k))
        } else {
            format!("diverges at {:.1} s", o.steps as f64 * o.dt)
        };
        format!("{name} {how}")
    };
    let all: Vec<String> = (0..METHODS.len()).map(show).collect();
    let met = (35.0..=45.0).contains(&loss(2)) && loss(1) <= 5.0;
    Verdict::new(RULE, met, loss(0) < 2.0, all.join("; "))
}
