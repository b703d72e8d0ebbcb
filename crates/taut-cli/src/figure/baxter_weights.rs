//! Baxter's thesis (RedMax), Fig. 10 and 11: the bridge with flexible towers under cars of different weight.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::measure::reduced::cases::{Case, flexible};
use crate::measure::reduced::run::{Measured, STEP, TIME, measure};
use crate::measure::reduced::system::{HAS_DIRECT, Sample, sample};
use crate::measure::reduced::ways::Way;
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, PURPLE, Panel};
use plotters::style::RGBColor;
use std::time::Duration;

pub const FIGURE: Figure = Figure {
    name: "baxter-fig10",
    source: "Baxter (RedMax) Fig. 10 and 11",
    title: "the bridge with flexible towers under cars of different weight",
    caption: "The stiffer set of parameters (that of the films) with cars of 1, 10, 100 and 500 times the weight; heavy ones are let down over 0.25 s. Left: time of 500 steps of \
              0.01 s by conjugate gradients (least step times 500), by our elimination, and of 500 factorisations and solves of the formed matrix by faer (feature direct), which cost \
              the same under any weight. Middle: the close-up of Fig. 11, time over that under one car. Right: iterations per right-hand side. The thesis prints neither its weights nor its times.",
    make,
};

const RULE: &str = "the thesis finds that PCG slows down with the weight and the direct solver does not: reproduced when at the largest size the iterations of PCG do not fall from one weight to \
                    the next and the least step of the elimination under 500 cars is within 25 % of that under one; better when PCG needs at most 9 iterations under any weight";

/// A car of some times the weight.
const fn car(name: &'static str, fixed: &'static [(&'static str, &'static str)]) -> Case {
    flexible(name, "the stiffer set with a car", fixed, None)
}

static CARS: [Case; 4] = [
    car("1 car", &[("kind", "video"), ("load", "car"), ("weight", "1")]),
    car("10 cars", &[("kind", "video"), ("load", "car"), ("weight", "10")]),
    car("100 cars", &[("kind", "video"), ("load", "car"), ("weight", "100")]),
    car("500 cars", &[("kind", "video"), ("load", "car"), ("weight", "500")]),
];
const COLOURS: [RGBColor; 4] = [BLUE, GREEN, ORANGE, PURPLE];
/// The others would not differ.
const DIRECT: [&Case; 2] = [&CARS[0], &CARS[3]];
/// Most seconds for one scene of one size.
const BUDGET: Duration = Duration::from_secs(20);

fn make(task: &Task) -> Result<Made, Stop> {
    let sizes: &[usize] = task.pick(&[6, 12, 24, 48, 96, 192, 384, 700], &[6, 24]);
    let budget = task.pick(BUDGET, Duration::from_millis(500));
    task.expect((sizes.len() * (CARS.len() + DIRECT.len() + if HAS_DIRECT { DIRECT.len() } else { 0 })) as u64);
    let (mut runs, mut samples) = (Vec::new(), Vec::new());
    // One after the other: times of runs side by side say little.
    let jobs = CARS.iter().map(|c| (c, Way::Pcg)).chain(DIRECT.map(|c| (c, Way::Elimination)));
    for (case, way) in jobs {
        for &size in sizes {
            runs.push(measure(case, size, way, budget)?);
            task.tick(1)?;
        }
    }
    for case in DIRECT.iter().filter(|_| HAS_DIRECT) {
        for &size in sizes {
            samples.push(sample(case, size, &[]).map_err(Stop::Failed)?);
            task.tick(1)?;
        }
    }
    let panels = vec![times(&runs, &samples), closeup(&runs), iterations(&runs)];
    let (table, verdict) = (table(&runs, &samples), judge(&runs));
    Ok(Made { size: (1560, 560), columns: 3, panels, table, verdict })
}

fn table(runs: &[Measured], samples: &[Sample]) -> Table {
    let mut table = Table::new(&["load", "way", "freedoms", "steps", "seconds_each", "iterations"]);
    for m in runs {
        let (dofs, steps) = (Cell::Number(m.dofs as f64), Cell::Number(m.steps as f64));
        table.add([m.case.into(), m.way.name().into(), dofs, steps, m.least.into(), m.iterations.into()]);
    }
    for s in samples {
        let time = Cell::from(s.cholesky.map(|c| c.best()));
        table.add([s.case.into(), "faer".into(), Cell::Number(s.dofs as f64), Cell::Empty, time, Cell::Empty]);
    }
    table
}

fn of<'a>(case: &Case, way: Way, runs: &'a [Measured]) -> Vec<&'a Measured> {
    runs.iter().filter(|m| m.case == case.name && m.way == way).collect()
}

fn points(runs: &[&Measured], value: impl Fn(&Measured) -> f64) -> Vec<(f64, f64)> {
    runs.iter().map(|m| (m.dofs as f64, value(m))).collect()
}

fn axes(curves: &[Curve], label: &str) -> (Axis, Axis) {
    let points = || curves.iter().flat_map(|c| &c.points);
    (Axis::log("degrees of freedom", points().map(|p| p.0)), Axis::log(label, points().map(|p| p.1)))
}

fn times(runs: &[Measured], samples: &[Sample]) -> Panel {
    let whole = TIME / STEP;
    let mut curves: Vec<Curve> = (CARS.iter().zip(COLOURS))
        .map(|(c, colour)| {
            Curve::dots(format!("pcg, {}", c.name), colour, points(&of(c, Way::Pcg, runs), |m| whole * m.least))
        })
        .collect();
    for (k, case) in DIRECT.iter().enumerate() {
        let name = format!("elimination, {}", case.name);
        let at = points(&of(case, Way::Elimination, runs), |m| whole * m.least);
        curves.push(if k == 0 { Curve::dots(name, DARK, at) } else { Curve::crosses(name, DARK, at) });
    }
    for (k, case) in DIRECT.iter().enumerate().filter(|_| !samples.is_empty()) {
        let time = |s: &Sample| Some((s.dofs as f64, whole * s.cholesky?.best()));
        let at: Vec<(f64, f64)> = samples.iter().filter(|s| s.case == case.name).filter_map(time).collect();
        let name = format!("faer, {}", case.name);
        curves.push(if k == 0 { Curve::dashed(name, DARK, at) } else { Curve::crosses(name, COLOURS[3], at) });
    }
    let (x, y) = axes(&curves, "time of 5 s [s]");
    let title = if samples.is_empty() { "time (faer is not in this build)" } else { "time" };
    Panel::new(title, x, y, curves)
}

fn closeup(runs: &[Measured]) -> Panel {
    let base = of(&CARS[0], Way::Pcg, runs);
    let curve = |(case, colour): (&Case, RGBColor)| {
        let least = |m: &Measured| base.iter().find(|b| b.size == m.size).map_or(f64::NAN, |b| m.least / b.least);
        Curve::dots(case.name, colour, points(&of(case, Way::Pcg, runs), least))
    };
    let curves: Vec<Curve> = CARS.iter().zip(COLOURS).map(curve).collect();
    let x = axes(&curves, "").0;
    let y = Axis::from_zero("time of pcg over that under one car", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    Panel::new("close-up", x, y, curves)
}

fn iterations(runs: &[Measured]) -> Panel {
    let curve =
        |(c, colour): (&Case, RGBColor)| Curve::dots(c.name, colour, points(&of(c, Way::Pcg, runs), |m| m.iterations));
    let curves: Vec<Curve> = CARS.iter().zip(COLOURS).map(curve).collect();
    let x = axes(&curves, "").0;
    let y = Axis::from_zero("iterations per right-hand side", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    Panel::new("pcg, mean of the run", x, y, curves)
}

fn judge(runs: &[Measured]) -> Verdict {
    let last = |c: &Case, way: Way| of(c, way, runs).last().map_or((f64::NAN, f64::NAN), |m| (m.iterations, m.least));
    let its: Vec<f64> = CARS.iter().map(|c| last(c, Way::Pcg).0).collect();
    let direct = last(DIRECT[1], Way::Elimination).1 / last(DIRECT[0], Way::Elimination).1;
    let most = runs.iter().filter(|m| m.way == Way::Pcg).fold(0.0_f64, |m, r| m.max(r.iterations));
    // A mean over 500 steps is not exact to the last digit.
    let grows = its.windows(2).all(|w| w[1] >= 0.98 * w[0]);
    let stable = runs.iter().all(|m| m.failure.is_none());
    let list: Vec<String> = its.iter().map(|x| format!("{x:.2}")).collect();
    let why = format!(
        "iterations of PCG at the largest size under 1, 10, 100 and 500 cars: {}; the elimination takes {direct:.2} times as long under 500 cars as under one; at most {most:.1} iterations",
        list.join(", ")
    );
    Verdict::new(RULE, grows && stable && (0.8..=1.25).contains(&direct), most <= 9.0, why)
}
