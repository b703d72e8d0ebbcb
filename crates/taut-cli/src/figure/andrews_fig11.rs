//! Andrews 2017 Fig. 11: a crane boom dropped, at three steps.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Sim, Stop, Task, Track};
use crate::measure::line;
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, Panel};
use plotters::style::RGBColor;
use taut::{Vec3, World};

pub const FIGURE: Figure = Figure {
    name: "andrews-fig11",
    source: "Andrews 2017 Fig. 11",
    title: "a boom of 100 t with 15 t on its cable, raised 20° and dropped",
    caption: "Side views of the boom (main boom and jib), the cable and the load at equal intervals over the first seconds, at steps of 0.1, 0.01 and \
              0.001 s, with the default; and the height of the tip over time. The paper shows frames and says that the motion is stable and similar at \
              the three steps, more damped at the largest. The cylinder between main boom and jib is a spring with \
              a damper, so energy is lost in every run.",
    make,
};

const RULE: &str = "reproduced when the run is stable at each of the three steps and, over the first 10 s (or the whole run, if shorter), the height of the tip at 0.1 s and \
                    at 0.01 s correlates with that at 0.001 s by at least 0.9";

const STEPS: [(f64, RGBColor); 3] = [(0.1, ORANGE), (0.01, BLUE), (0.001, DARK)];

/// Time of the side views, s, and between them.
const SHOWN: f64 = 4.0;
const BETWEEN: f64 = 0.8;

/// Foot of the boom, m.
const FOOT: Vec3 = Vec3::new(0.0, 3.0, 0.0);

struct Frame {
    time: f64,
    knee: Vec3,
    tip: Vec3,
    load: Vec3,
}

fn make(task: &Task) -> Result<Made, Stop> {
    let time = task.pick(20.0, 4.0);
    let sims: Vec<Sim> = STEPS.iter().map(|s| Sim::new("crane-boom", "aligned", s.0, time)).collect();
    let tracks = task.run(&sims, |_, world, s| frame(world, s.report.time, s.position))?;
    let mut table =
        Table::new(&["step_s", "time_s", "knee_x_m", "knee_y_m", "tip_x_m", "tip_y_m", "load_x_m", "load_y_m"]);
    for ((dt, _), track) in STEPS.iter().zip(&tracks) {
        for f in every(track, *dt, 0.1) {
            table.add([*dt, f.time, f.knee.x, f.knee.y, f.tip.x, f.tip.y, f.load.x, f.load.y].map(Cell::from));
        }
    }
    let mut panels: Vec<Panel> = STEPS.iter().zip(&tracks).map(|((dt, _), t)| view(*dt, t)).collect();
    panels.push(height(&tracks, time));
    Ok(Made { size: (1200, 1000), columns: 2, panels, table, verdict: judge(&tracks) })
}

fn frame(world: &World, time: f64, load: Vec3) -> taut::Result<Frame> {
    let (mut main, mut jib) = (Vec3::ZERO, Vec3::ZERO);
    for b in world.bodies() {
        match b.name() {
            "main boom" => main = b.pose().pos,
            "jib" => jib = b.pose().pos,
            _ => {}
        }
    }
    // A member ends as far behind its middle as it begins before it.
    let knee = 2.0 * main - FOOT;
    Ok(Frame { time, knee, tip: 2.0 * jib - knee, load })
}

/// The frames at multiples of an interval.
fn every(track: &Track<Frame>, dt: f64, interval: f64) -> impl Iterator<Item = &Frame> {
    let stride = (interval / dt).round().max(1.0) as usize;
    track.records.iter().skip(stride - 1).step_by(stride)
}

/// Boom, cable and load at some times, and the paths of tip and load.
fn view(dt: f64, track: &Track<Frame>) -> Panel {
    let at = |v: Vec3| (v.x, v.y);
    let shown = |interval: f64| {
        let rest = every(track, dt, interval).take_while(move |f| f.time <= SHOWN + 0.5 * dt);
        track.records.first().into_iter().chain(rest)
    };
    let mut curves = vec![Curve::dashed("path of the load", GREEN, shown(0.1).map(|f| at(f.load)).collect())];
    let mut names = ("boom", "cable and load");
    for f in shown(BETWEEN) {
        curves.push(Curve::line(names.0, BLUE, vec![at(FOOT), at(f.knee), at(f.tip)]));
        curves.push(Curve::line(names.1, ORANGE, vec![at(f.tip), at(f.load)]));
        curves.push(Curve { line: crate::plot::panel::Line::None, ..Curve::dots("", ORANGE, vec![at(f.load)]) });
        names = ("", "");
    }
    Panel {
        equal: true,
        ..Panel::new(
            format!("step {dt} s"),
            Axis::linear("x [m]", -5.0..40.0),
            Axis::linear("y [m]", -55.0..15.0),
            curves,
        )
    }
}

fn height(tracks: &[Track<Frame>], time: f64) -> Panel {
    let curves: Vec<Curve> = STEPS
        .iter()
        .zip(tracks)
        .map(|((dt, colour), t)| {
            let points = every(t, *dt, 0.02).map(|f| (f.time, f.tip.y)).collect();
            Curve::line(format!("step {dt} s"), *colour, points)
        })
        .rev()
        .collect();
    let y = Axis::around("height [m]", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    Panel::new("tip of the boom", Axis::linear("time [s]", 0.0..time), y, curves)
}

fn judge(tracks: &[Track<Frame>]) -> Verdict {
    let apart = |k: usize| {
        let tips = |k: usize| every(&tracks[k], STEPS[k].0, 0.1).take_while(|f| f.time <= SHOWN + 0.05).map(|f| f.tip);
        tips(k).zip(tips(2)).map(|(a, b)| (a - b).length()).fold(0.0, f64::max)
    };
    let stable = tracks.iter().filter(|t| t.outcome.stable).count();
    let together = |k: usize| {
        let heights = |k: usize| every(&tracks[k], STEPS[k].0, 0.1).take_while(|f| f.time <= 10.0).map(|f| f.tip.y);
        let pairs: Vec<(f64, f64)> = heights(k).zip(heights(2)).collect();
        line(&pairs).map_or(0.0, |(slope, explained)| explained.sqrt().copysign(slope))
    };
    let (large, small) = (together(0), together(1));
    let left: Vec<String> =
        STEPS.iter().zip(tracks).map(|(s, t)| format!("{:.2} at {} s", t.outcome.energy_left, s.0)).collect();
    let why = format!(
        "stable at {stable} of 3 steps; correlation of the tip's height with that at 0.001 s: {small:.3} at 0.01 s, {large:.3} at 0.1 s; over {SHOWN} s the tip is at most {:.1} m and {:.1} m from it; energy left at the end {}",
        apart(1),
        apart(0),
        left.join(", ")
    );
    Verdict::new(RULE, stable == 3 && small >= 0.9 && large >= 0.9, false, why)
}
