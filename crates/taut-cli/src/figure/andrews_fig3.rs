//! Andrews 2017 Fig. 3: the diagonal approximation bounds the work of the geometric stiffness.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Sim, Stop, Task, Track};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, ORANGE, Panel};
use taut::study::Study;

pub const FIGURE: Figure = Figure {
    name: "andrews-fig3",
    source: "Andrews 2017 Fig. 3",
    title: "work of the geometric stiffness and of its diagonal approximation",
    caption: "Instantaneous work -v'K~v/2 of the geometric stiffness and v'Kd v/2 of its diagonal approximation (column norms) at each \
              frame, for 100 kg swinging on twenty segments (Fig. 8) at 0.01 s, with hinges (top) and flexible cable joints (bottom). \
              The paper prints no numbers; it says that the diagonal bounds the work, closely for hinges and amply for the cable.",
    make,
};

const RULE: &str = "reproduced when the diagonal is at least the work in 99 % of the frames of both scenes and the median of their ratio \
                    is nearer to one for hinges than for the flexible cable";

const JOINTS: [(&str, &str); 2] = [("hinge", "hinges"), ("flexible-cable", "flexible cable joints")];

fn make(task: &Task) -> Result<Made, Stop> {
    let time = task.pick(10.0, 2.0);
    let sims: Vec<Sim> =
        JOINTS.iter().map(|(j, _)| Sim::new("pendulum-cable", "aligned", 0.01, time).with("joint", j)).collect();
    let tracks = task.run(&sims, |_, world, s| Ok((s.report.time, world.geometric_work()?)))?;
    let mut table = Table::new(&["joint", "time_s", "work_J_per_s2", "bound_J_per_s2"]);
    let mut panels = Vec::new();
    for ((joint, name), track) in JOINTS.iter().zip(&tracks) {
        for (t, w) in &track.records {
            table.add([Cell::from(*joint), (*t).into(), w[0].into(), w[1].into()]);
        }
        panels.push(panel(name, track, time));
    }
    let (bounded, ratio): (Vec<f64>, Vec<f64>) = tracks.iter().map(judge).unzip();
    let met = bounded.iter().all(|b| *b >= 0.99) && ratio[0] < ratio[1];
    let why = format!(
        "the diagonal bounds the work in {:.1} % of the frames with hinges (median ratio {:.2}) and in {:.1} % with the flexible cable (median ratio {:.0})",
        100.0 * bounded[0],
        ratio[0],
        100.0 * bounded[1],
        ratio[1]
    );
    Ok(Made { size: (1000, 800), columns: 1, panels, table, verdict: Verdict::new(RULE, met, false, why) })
}

type Record = (f64, [f64; 2]);

/// Part of the frames in which the bound holds, and the median of bound over work.
fn judge(track: &Track<Record>) -> (f64, f64) {
    let n = track.records.len().max(1) as f64;
    let held = track.records.iter().filter(|(_, w)| w[1] >= w[0] * (1.0 - 1e-9)).count();
    let mut ratios: Vec<f64> = track.records.iter().filter(|(_, w)| w[0] > 0.0).map(|(_, w)| w[1] / w[0]).collect();
    ratios.sort_by(f64::total_cmp);
    (held as f64 / n, ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN))
}

fn panel(name: &str, track: &Track<Record>, time: f64) -> Panel {
    let curve = |k: usize| track.records.iter().map(|(t, w)| (*t, w[k])).collect::<Vec<_>>();
    let (exact, bound) = (curve(0), curve(1));
    // The start from rest would take up most of a logarithmic axis.
    let low = exact.iter().skip(20).map(|p| p.1).fold(f64::INFINITY, f64::min);
    let top = bound.iter().map(|p| p.1).fold(0.0, f64::max);
    let y = Axis::log("instantaneous work [J/s²]", [low.max(1e-6 * top), top].into_iter());
    let curves =
        vec![Curve::line("geometric stiffness", BLUE, exact), Curve::dashed("diagonal approximation", ORANGE, bound)];
    Panel::new(name, Axis::linear("time [s]", 0.0..time), y, curves)
}
