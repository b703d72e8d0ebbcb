//! Andrews 2017 Fig. 6: gain of the low-rank inverse for the strong robot as its cable gets more flexible cable joints.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Sim, Stop, Task};
use crate::measure::inverse::{STEP, times};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, Panel};
use plotters::style::RGBColor;

pub const FIGURE: Figure = Figure {
    name: "andrews-fig6",
    source: "Andrews 2017 Fig. 6",
    title: "gain of the low-rank inverse for the strong robot",
    caption: "Time of the full inverse of M - h²K~ over the time of rank-1 updates for the robot that holds a vehicle (Fig. 5), as the number of joints between the \
              segments of its cable grows: with flexible cable joints as in the paper, and with the cable joints of Taut, whose geometric stiffness is that of \
              a ball joint. The paper prints no numbers; it shows that the gain falls as flexible cable joints are added, until the low-rank inverse is slower.",
    make,
};

const RULE: &str = "reproduced when the gain with flexible cable joints falls from the shortest to the longest cable; better when, besides, it never falls below one, \
                    as it does in the paper";

const KINDS: [(&str, &str, RGBColor); 2] =
    [("flexible-cable", "flexible cable joints", BLUE), ("cable", "cable joints of Taut", GREEN)];

fn make(task: &Task) -> Result<Made, Stop> {
    let segments: &[usize] = task.pick(&[2, 6, 11, 21, 31, 41, 61, 81, 101], &[2, 6, 11]);
    task.expect((KINDS.len() * segments.len()) as u64);
    let mut table = Table::new(&["joint", "cable_joints", "full_s", "low_rank_s", "gain", "difference"]);
    let mut gains = Vec::new();
    for (kind, _, _) in KINDS {
        let mut curve = Vec::new();
        for &n in segments {
            let sim = Sim::new("strong-robot", "aligned", STEP, 20.0 * STEP).with("joint", kind).with("segments", n);
            let mut scene = sim.build()?;
            for _ in 0..sim.steps() {
                scene.world.step(STEP)?;
            }
            let t = times(&mut scene.world, task.pick(15, 3))?;
            let joints = (n - 1) as f64;
            table.add([
                kind.into(),
                Cell::from(joints),
                t.full.into(),
                t.low.into(),
                t.gain().into(),
                t.difference.into(),
            ]);
            curve.push((joints, t.gain()));
            task.tick(1)?;
        }
        gains.push(curve);
    }
    let verdict = judge(&gains[0], &gains[1]);
    let mut curves: Vec<Curve> = KINDS.iter().zip(gains).map(|(k, g)| Curve::dots(k.1, k.2, g)).collect();
    let end = segments.last().copied().unwrap_or(1) as f64;
    curves.push(Curve::dashed("no gain", DARK, vec![(0.0, 1.0), (end, 1.0)]));
    let y = Axis::from_zero("gain: full over low rank", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    let panel = Panel::new("", Axis::linear("number of joints in the cable", 0.0..1.02 * end), y, curves);
    Ok(Made { size: (1000, 600), columns: 1, panels: vec![panel], table, verdict })
}

fn judge(flexible: &[(f64, f64)], cable: &[(f64, f64)]) -> Verdict {
    let ends = |g: &[(f64, f64)]| (g.first().map_or(0.0, |p| p.1), g.last().map_or(0.0, |p| p.1));
    let (first, last) = ends(flexible);
    let least = flexible.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let (a, b) = ends(cable);
    let joints = flexible.last().map_or(0.0, |p| p.0);
    let why = format!(
        "with flexible cable joints the gain goes from {first:.1} to {last:.1} at {joints} joints and is at least {least:.2}; with the cable joints of Taut from {a:.1} to {b:.1}"
    );
    Verdict::new(RULE, last < first, least >= 1.0, why)
}
