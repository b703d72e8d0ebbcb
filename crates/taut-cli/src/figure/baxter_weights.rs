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
    caption: "The stiffer set of parameters (that of the films) with a car of 1, 10, 100 and 500 times the weight; a heavy one is let down over 0.25 s. Left: factorisation and all solves of the system of \
              one step after 0.5 s, by conjugate gradients, by our elimination and by faer's sparse Cholesky of the formed matrix (feature direct), the last two under the lightest and the heaviest car. \
              Middle, the close-up of Fig. 11: time of 500 steps of 0.01 s by conjugate gradients (least step times 500). Right: iterations per right-hand side. The thesis prints neither its weights nor \
              its times.",
    make,
};

const RULE: &str = "the thesis finds that PCG slows down with the weight and the direct solver does not: reproduced when at the largest size the iterations of PCG do not fall by more than 2 % from one \
                    weight to the next and the elimination of a system under 500 times the weight takes within 25 % of the time under one; better when PCG needs at most 9 iterations under any weight";

/// A car of some times the weight.
const fn car(name: &'static str, fixed: &'static [(&'static str, &'static str)]) -> Case {
    flexible(name, "the stiffer set with a car", fixed, None)
}

static CARS: [Case; 4] = [
    car("weight 1", &[("kind", "video"), ("load", "car"), ("weight", "1")]),
    car("weight 10", &[("kind", "video"), ("load", "car"), ("weight", "10")]),
    car("weight 100", &[("kind", "video"), ("load", "car"), ("weight", "100")]),
    car("weight 500", &[("kind", "video"), ("load", "car"), ("weight", "500")]),
];
const COLOURS: [RGBColor; 4] = [BLUE, GREEN, ORANGE, PURPLE];
/// Most seconds for one scene of one size.
const BUDGET: Duration = Duration::from_secs(20);

fn make(task: &Task) -> Result<Made, Stop> {
    let sizes: &[usize] = task.pick(&[6, 12, 24, 48, 96, 192, 384, 700], &[6, 24]);
    let budget = task.pick(BUDGET, Duration::from_millis(500));
    task.expect((2 * sizes.len() * CARS.len()) as u64);
    let (mut runs, mut samples) = (Vec::new(), Vec::new());
    // One after the other: times of runs side by side say little.
    for case in &CARS {
        for &size in sizes {
            runs.push(measure(case, size, Way::Pcg, budget)?);
            task.tick(1)?;
            samples.push(sample(case, size, &[Way::Pcg, Way::Elimination]).map_err(Stop::Failed)?);
            task.tick(1)?;
        }
    }
    let panels = vec![systems(&samples), closeup(&runs), iterations(&runs)];
    let (table, verdict) = (table(&runs, &samples), judge(&runs, &samples));
    Ok(Made { size: (1650, 600), columns: 3, panels, table, verdict })
}

fn table(runs: &[Measured], samples: &[Sample]) -> Table {
    let mut table = Table::new(&["load", "way", "freedoms", "steps", "least_step_s", "system_s", "iterations"]);
    for m in runs {
        let (dofs, steps) = (Cell::Number(m.dofs as f64), Cell::Number(m.steps as f64));
        table.add([m.case.into(), m.way.name().into(), dofs, steps, m.least.into(), Cell::Empty, m.iterations.into()]);
    }
    for s in samples {
        let mut add = |way: &str, seconds: f64, iterations: Cell| {
            let dofs = Cell::Number(s.dofs as f64);
            table.add([s.case.into(), way.into(), dofs, Cell::Empty, Cell::Empty, seconds.into(), iterations]);
        };
        s.solved.iter().for_each(|p| add(p.way.name(), p.seconds, p.iterations.into()));
        if let Some(c) = s.cholesky {
            add("faer", c.best(), Cell::Empty);
        }
    }
    table
}

fn of<'a>(case: &Case, runs: &'a [Measured]) -> Vec<&'a Measured> {
    runs.iter().filter(|m| m.case == case.name).collect()
}

fn points(runs: &[&Measured], value: impl Fn(&Measured) -> f64) -> Vec<(f64, f64)> {
    runs.iter().map(|m| (m.dofs as f64, value(m))).collect()
}

fn axes(curves: &[Curve], label: &str) -> (Axis, Axis) {
    let points = || curves.iter().flat_map(|c| &c.points);
    (Axis::log("degrees of freedom", points().map(|p| p.0)), Axis::log(label, points().map(|p| p.1)))
}

/// Time of a system by one of our ways, s.
fn by(s: &Sample, way: Way) -> Option<f64> {
    s.solved.iter().find(|p| p.way == way).map(|p| p.seconds)
}

fn systems(samples: &[Sample]) -> Panel {
    let points = |case: &Case, value: &dyn Fn(&Sample) -> Option<f64>| -> Vec<(f64, f64)> {
        let of = samples.iter().filter(|s| s.case == case.name);
        of.filter_map(|s| Some((s.dofs as f64, 1e3 * value(s)?))).collect()
    };
    let mut curves = Vec::new();
    for (case, colour) in CARS.iter().zip(COLOURS) {
        curves.push(Curve::dots(format!("pcg, {}", case.name), colour, points(case, &|s| by(s, Way::Pcg))));
    }
    let time = |s: &Sample| by(s, Way::Elimination);
    curves.push(Curve::dots("elimination, weight 1", DARK, points(&CARS[0], &time)));
    curves.push(Curve::crosses("elimination, weight 500", DARK, points(&CARS[3], &time)));
    if HAS_DIRECT {
        let time = |s: &Sample| s.cholesky.map(|c| c.best());
        curves.push(Curve::dashed("faer, weight 1", DARK, points(&CARS[0], &time)));
        curves.push(Curve::crosses("faer, weight 500", PURPLE, points(&CARS[3], &time)));
    }
    let (x, y) = axes(&curves, "factorisation and solves [ms]");
    let title = if HAS_DIRECT { "system of a step" } else { "system of a step (faer is not in this build)" };
    Panel::new(title, x, y, curves)
}

fn closeup(runs: &[Measured]) -> Panel {
    let curve = |(case, colour): (&Case, RGBColor)| {
        Curve::dots(case.name, colour, points(&of(case, runs), |m| m.least * TIME / STEP))
    };
    let curves: Vec<Curve> = CARS.iter().zip(COLOURS).map(curve).collect();
    let (x, y) = axes(&curves, "time of 5 s [s]");
    Panel::new("whole steps, pcg", x, y, curves)
}

fn iterations(runs: &[Measured]) -> Panel {
    let curve = |(c, colour): (&Case, RGBColor)| Curve::dots(c.name, colour, points(&of(c, runs), |m| m.iterations));
    let curves: Vec<Curve> = CARS.iter().zip(COLOURS).map(curve).collect();
    let x = axes(&curves, "").0;
    let y = Axis::from_zero("iterations per right-hand side", curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    Panel::new("pcg, mean of the run", x, y, curves)
}

fn judge(runs: &[Measured], samples: &[Sample]) -> Verdict {
    let its: Vec<f64> = CARS.iter().map(|c| of(c, runs).last().map_or(f64::NAN, |m| m.iterations)).collect();
    let last = |case: &Case| {
        let largest = samples.iter().rfind(|s| s.case == case.name);
        largest.and_then(|s| by(s, Way::Elimination)).unwrap_or(f64::NAN)
    };
    let direct = last(&CARS[3]) / last(&CARS[0]);
    let most = runs.iter().fold(0.0_f64, |m, r| m.max(r.iterations));
    let grows = its.windows(2).all(|w| w[1] >= 0.98 * w[0]);
    let stable = runs.iter().all(|m| m.failure.is_none());
    let list: Vec<String> = its.iter().map(|x| format!("{x:.2}")).collect();
    let why = format!(
        "iterations of PCG at the largest size under 1, 10, 100 and 500 times the weight: {}; the elimination takes {direct:.2} times as long under 500 times the weight as under one; at most {most:.1} iterations",
        list.join(", ")
    );
    Verdict::new(RULE, grows && stable && (0.8..=1.25).contains(&direct), most <= 9.0, why)
}
