//! Andrews 2017 Fig. 9: vibrations of a cable that has caught a load.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Sim, Stop, Task, Track};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, Panel};
use plotters::style::RGBColor;
use taut::{Vec3, World};

pub const FIGURE: Figure = Figure {
    name: "andrews-fig9",
    source: "Andrews 2017 Fig. 9",
    title: "vibrations of a cable that has caught 5000 kg",
    caption: "5000 kg dropped straight down by 1 mm on a slack cable of twenty 0.2 kg segments. Top: sideways position of the middle segment. \
              Bottom: distance of the segments from the line between the ends of the cable, root of the mean square. Reference: no stabiliser, step 1e-5 s; the others at \
              0.01 s. The paper shows pictures of the cable and says that adaptive damping keeps the vibrations better than full geometric stiffness. \
              A cross marks a run that diverged.",
    make,
};

const RULE: &str = "the vibration is the root mean square distance from the line between the ends, averaged over the time after the catch (0.5 s on). \
                    Reproduced when an adaptive method (constraint-space damping or the default) keeps a part of the reference's vibration that is nearer to one \
                    (as a factor) than the part that full geometric stiffness keeps; better when that is the default and constraint-space damping keeps less";

/// Name, stabiliser, colour; the first is the reference.
const METHODS: [(&str, &str, RGBColor); 4] = [
    ("reference", "none", DARK),
    ("default", "aligned", BLUE),
    ("constraint-space damping", "constraint-space", GREEN),
    ("full geometric stiffness", "full", ORANGE),
];

/// Step of the others, and time between two points of a curve, s.
const STEP: f64 = 0.01;

/// When the load has been caught, s.
const CAUGHT: f64 = 0.5;

/// Time, sideways position of the middle, distance from the line.
type Record = [f64; 3];

fn make(task: &Task) -> Result<Made, Stop> {
    let (time, fine) = (task.pick(3.0, 1.0), task.pick(1e-5, 1e-3));
    let sims: Vec<Sim> = METHODS
        .iter()
        .enumerate()
        .map(|(k, m)| Sim::new("cable-vibration", m.1, if k == 0 { fine } else { STEP }, time))
        .collect();
    let tracks = task.run(&sims, |_, world, s| Ok([s.report.time, s.position.x, distance(world)?]))?;
    let shown: Vec<Vec<Record>> = sims.iter().zip(&tracks).map(|(sim, t)| thin(t, sim.dt)).collect();
    let mut table = Table::new(&["stabiliser", "step_s", "time_s", "middle_x_m", "distance_rms_m"]);
    for ((sim, m), records) in sims.iter().zip(METHODS).zip(&shown) {
        for r in records {
            table.add([Cell::from(m.0), sim.dt.into(), r[0].into(), r[1].into(), r[2].into()]);
        }
    }
    let curves = |k: usize| -> Vec<Curve> {
        let points = |records: &[Record]| records.iter().map(|r| (r[0], 100.0 * r[k])).collect::<Vec<_>>();
        let ends = METHODS.iter().zip(&shown).zip(&tracks).filter(|(_, t)| !t.outcome.stable);
        let ends = ends
            .map(|((m, records), _)| Curve::crosses("", m.2, points(records).last().copied().into_iter().collect()));
        METHODS.iter().zip(&shown).map(|(m, records)| Curve::line(m.0, m.2, points(records))).chain(ends).collect()
    };
    let x = || Axis::linear("time [s]", 0.0..time);
    let (middle, rms) = (curves(1), curves(2));
    // A run that diverges must not set the scale.
    let kept = |c: &[Curve]| c.iter().take(2).flat_map(|c| c.points.clone()).map(|p| p.1).collect::<Vec<_>>();
    let y = Axis::around("sideways position [cm]", kept(&middle).into_iter());
    let top = Panel::new("middle segment", x(), y, middle);
    let y = Axis::from_zero("distance, rms [cm]", kept(&rms).into_iter());
    let bottom = Panel::new("all segments, from the line between the ends", x(), y, rms);
    Ok(Made { size: (1100, 860), columns: 1, panels: vec![top, bottom], table, verdict: judge(&tracks, &shown) })
}

/// Distance of the segments from the line between the anchor and the load, root of the mean square.
fn distance(world: &World) -> taut::Result<f64> {
    let (mut points, mut load) = (Vec::new(), -Vec3::Y);
    for b in world.bodies().filter(|b| b.id() != world.ground()) {
        if b.name() == "load" {
            load = b.pose().pos;
        } else {
            points.push(b.pose().pos);
        }
    }
    let along = load.normalize_or_zero();
    let sum: f64 = points.iter().map(|p| (*p - along * p.dot(along)).length_squared()).sum();
    Ok((sum / points.len().max(1) as f64).sqrt())
}

fn thin(track: &Track<Record>, dt: f64) -> Vec<Record> {
    let every = (STEP / dt).round().max(1.0) as usize;
    track.records.iter().skip(every - 1).step_by(every).copied().collect()
}

fn judge(tracks: &[Track<Record>], shown: &[Vec<Record>]) -> Verdict {
    let ended = |k: usize| tracks[k].outcome.steps as f64 * tracks[k].outcome.dt;
    if !tracks[0].outcome.stable {
        let why = format!("the reference diverged at {:.2} s, so that there is no vibration to compare with", ended(0));
        return Verdict::new(RULE, false, false, why);
    }
    let level = |records: &[Record]| {
        let late: Vec<f64> = records.iter().filter(|r| r[0] >= CAUGHT).map(|r| r[2] * r[2]).collect();
        (late.iter().sum::<f64>() / late.len().max(1) as f64).sqrt()
    };
    let reference = level(&shown[0]);
    let part: Vec<f64> =
        tracks.iter().zip(shown).map(|(t, r)| if t.outcome.stable { level(r) / reference } else { 0.0 }).collect();
    // How far from one, as a factor.
    let off = |k: usize| part[k].ln().abs();
    let list: Vec<String> = (1..METHODS.len())
        .map(|k| {
            let end =
                if tracks[k].outcome.stable { String::new() } else { format!(" (diverged at {:.2} s)", ended(k)) };
            format!("{} keeps {:.0} %{end}", METHODS[k].0, 100.0 * part[k])
        })
        .collect();
    let why = format!("of the reference's vibration of {:.1} cm: {}", 100.0 * reference, list.join("; "));
    let adaptive = off(1).min(off(2)) < off(3);
    Verdict::new(RULE, adaptive, off(1) < off(2), why)
}
