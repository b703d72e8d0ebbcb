//! Baxter's thesis (RedMax), time of 5 s against size: Fig. 3 and 4 (bridges), 14 and 15 (umbrella), 19 and 20 (tree), 25 (alternate tree).

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::measure::line;
use crate::measure::reduced::cases::{CASES, Case};
use crate::measure::reduced::run::{Measured, STEP, TIME, measure};
use crate::measure::reduced::system::{HAS_DIRECT, Sample, sample};
use crate::measure::reduced::ways::Way;
use crate::measure::reduced::{FIT_FROM, power_law};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, PURPLE, Panel};
use std::time::Duration;

pub const FIG3: Figure = Figure {
    name: "baxter-fig3",
    source: "Baxter (RedMax) Fig. 3 and 4",
    title: "time of 5 s of the bridges against their degrees of freedom",
    caption: "Time of 500 steps of 0.01 s over the degrees of freedom of the joints, least step times 500: fixed towers, flexible towers, \
              with a car, with a car of 500 times the weight. Auto and pcg: reduced coordinates. Dashed: the fitted power law. Dark and purple: the thesis' exponents for \
              PCG and for its sparse direct solver, drawn through the middle of our fit; its times are only in its plots. Middle: factorisation and all solves of the system of one \
              step after 0.5 s, by auto, by PCG and by faer's sparse Cholesky of the formed matrix (the better of simplicial and supernodal; forming and ordering not counted; feature \
              direct). Right: iterations of PCG per right-hand side.",
    make: |task| make(task, &["rigid", "flexible", "car", "heavy"]),
};

pub const FIG14: Figure = Figure {
    name: "baxter-fig14",
    source: "Baxter (RedMax) Fig. 14 and 15",
    title: "time of 5 s of the umbrella against its degrees of freedom",
    caption: "As for the bridges: time of 500 steps, the fitted power law, and the thesis' exponents; the system of one step by auto, PCG and faer; iterations.",
    make: |task| make(task, &["umbrella"]),
};

pub const FIG19: Figure = Figure {
    name: "baxter-fig19",
    source: "Baxter (RedMax) Fig. 19, 20 and 25",
    title: "time of 5 s of the two trees against their degrees of freedom",
    caption: "Time of 500 steps and the fitted power law of the tree with springs between siblings and of the one with springs between \
              neighbouring leaves; the system of one step by auto, PCG and faer; iterations. The thesis prints no exponents for them in its text.",
    make: |task| make(task, &["tree", "alternate"]),
};

const RULE: &str = "reproduced when the fitted exponent of the least step of auto, from 60 degrees of freedom on, is at most 0.1 above the thesis' \
                    for PCG (trees: at most 1.5) on every scene; better when it is at most 1.05 (trees: 1.1)";

/// Most seconds for one scene of one size.
const BUDGET: Duration = Duration::from_secs(20);
/// The ways that are drawn; the first is judged.
const WAYS: [Way; 3] = [Way::Auto, Way::Pcg, Way::Maximal];
const COLOURS: [plotters::style::RGBColor; 3] = [BLUE, ORANGE, GREEN];

/// 5 s of a scene at its least step, s.
fn whole(m: &Measured) -> f64 {
    m.least * TIME / STEP
}

fn make(task: &Task, names: &[&str]) -> Result<Made, Stop> {
    let cases: Vec<&'static Case> = CASES.iter().filter(|c| names.contains(&c.name)).collect();
    let sizes = |c: &'static Case| if task.quick { c.quick } else { c.sizes };
    task.expect(cases.iter().map(|c| (sizes(c).len() * (WAYS.len() + 1)) as u64).sum());
    let (mut all, mut samples) = (Vec::new(), Vec::new());
    // One after the other: times of runs side by side say little.
    for &case in &cases {
        for way in WAYS {
            for &size in sizes(case) {
                let budget = task.pick(BUDGET, Duration::from_millis(500));
                all.push(measure(case, size, way, budget)?);
                task.tick(1)?;
            }
        }
        for &size in sizes(case) {
            samples.push(sample(case, size, &[Way::Pcg]).map_err(Stop::Failed)?);
            task.tick(1)?;
        }
    }
    let header = &["scene", "way", "size", "freedoms", "steps", "least_step_s", "system_s", "iterations"];
    let mut table = Table::new(header);
    for m in &all {
        let number = |x: usize| Cell::Number(x as f64);
        let steps = Cell::Number(m.steps as f64);
        table.add([
            m.case.into(),
            m.way.name().into(),
            number(m.size),
            number(m.dofs),
            steps,
            m.least.into(),
            Cell::Empty,
            m.iterations.into(),
        ]);
    }
    for s in &samples {
        let place = || [s.size, s.dofs].map(|x| Cell::Number(x as f64));
        let mut add = |way: &str, seconds: f64, iterations: Cell| {
            let [size, dofs] = place();
            table.add([s.case.into(), way.into(), size, dofs, Cell::Empty, Cell::Empty, seconds.into(), iterations]);
        };
        s.solved.iter().for_each(|p| add(p.way.name(), p.seconds, p.iterations.into()));
        if let Some(c) = s.cholesky {
            add("faer", c.best(), Cell::Empty);
        }
    }
    let panels: Vec<Panel> =
        cases.iter().flat_map(|c| [panel(c, &all), systems(c, &samples), iterations(c, &all)]).collect();
    let size = (1650, 480 * cases.len() as u32 + 40);
    Ok(Made { size, columns: 3, panels, table, verdict: judge(&cases, &all) })
}

/// Factorisation and solves of one system.
fn systems(case: &Case, samples: &[Sample]) -> Panel {
    let mut curves = Vec::new();
    let mut add = |name: &str, colour, value: &dyn Fn(&Sample) -> Option<f64>| {
        let of = samples.iter().filter(|s| s.case == case.name);
        let points: Vec<(f64, f64)> = of.filter_map(|s| Some((s.dofs as f64, 1e3 * value(s)?))).collect();
        if points.is_empty() {
            return;
        }
        let large = points.iter().filter(|p| p.0 >= FIT_FROM as f64);
        let logs: Vec<(f64, f64)> = large.map(|p| (p.0.ln(), p.1.ln())).collect();
        let growth = line(&logs).map_or(String::new(), |(slope, _)| format!(": n^{slope:.2}"));
        curves.push(Curve::dots(format!("{name}{growth}"), colour, points));
    };
    for (k, way) in [Way::Auto, Way::Pcg].into_iter().enumerate() {
        let time = |s: &Sample| s.solved.iter().find(|p| p.way == way).map(|p| p.seconds);
        add(way.name(), COLOURS[k], &time);
    }
    add("faer", PURPLE, &|s| s.cholesky.map(|c| c.best()));
    let points = || curves.iter().flat_map(|c| &c.points);
    let x = Axis::log("degrees of freedom", points().map(|p| p.0));
    let y = Axis::log("factorisation and solves [ms]", points().map(|p| p.1));
    let missing = if HAS_DIRECT { "" } else { " (faer is not in this build)" };
    Panel::new(format!("{}: system of a step{missing}", case.name), x, y, curves)
}

fn of<'a>(case: &Case, way: Way, all: &'a [Measured]) -> Vec<&'a Measured> {
    all.iter().filter(|m| m.case == case.name && m.way == way).collect()
}

fn panel(case: &Case, all: &[Measured]) -> Panel {
    let mut curves = Vec::new();
    for (way, colour) in WAYS.into_iter().zip(COLOURS) {
        let measured = of(case, way, all);
        curves.push(Curve::dots(way.name(), colour, measured.iter().map(|m| (m.dofs as f64, whole(m))).collect()));
        let Some((slope, factor)) = power_law(&measured, whole) else { continue };
        let ends = measured.iter().map(|m| m.dofs).filter(|&d| d >= FIT_FROM);
        let (first, last) = (ends.clone().min().unwrap_or(FIT_FROM) as f64, ends.max().unwrap_or(FIT_FROM) as f64);
        let fit = [first, last].map(|n| (n, factor * n.powf(slope)));
        curves.push(Curve::dashed(format!("{}: n^{slope:.2}", way.name()), colour, fit.to_vec()));
        if way != WAYS[0] {
            continue;
        }
        // The thesis' growth through the middle of ours.
        let through = (first * last).sqrt();
        let at = factor * through.powf(slope);
        for ((name, colour), e) in [("PCG", DARK), ("direct", PURPLE)].into_iter().zip(case.thesis.iter().flatten()) {
            let line = [first, last].map(|n| (n, at * (n / through).powf(*e)));
            curves.push(Curve::dashed(format!("thesis, {name}: n^{e:.2}"), colour, line.to_vec()));
        }
    }
    let points = || curves.iter().flat_map(|c| &c.points);
    let x = Axis::log("degrees of freedom", points().map(|p| p.0));
    let y = Axis::log("time of 5 s [s]", points().map(|p| p.1));
    Panel::new(case.what, x, y, curves)
}

/// Iterations of PCG per right-hand side.
fn iterations(case: &Case, all: &[Measured]) -> Panel {
    let measured = of(case, Way::Pcg, all);
    let curve = |value: fn(&Measured) -> f64| measured.iter().map(|m| (m.dofs as f64, value(m))).collect();
    let curves = vec![
        Curve::dots("pcg, mean of the run", BLUE, curve(|m| m.iterations)),
        Curve::crosses("pcg, worst step", ORANGE, curve(|m| m.worst)),
    ];
    let points = || curves.iter().flat_map(|c| &c.points);
    let x = Axis::log("degrees of freedom", points().map(|p| p.0));
    let y = Axis::log("iterations per right-hand side", points().map(|p| p.1).chain([1.0, 10.0]));
    Panel::new(format!("{}: iterations", case.name), x, y, curves)
}

/// `Auto` on every scene against the thesis.
fn judge(cases: &[&Case], all: &[Measured]) -> Verdict {
    let (mut reproduced, mut better, mut why) = (true, true, Vec::new());
    for case in cases {
        let slope = power_law(&of(case, WAYS[0], all), whole).map_or(f64::NAN, |(slope, _)| slope);
        let failed = all.iter().filter(|m| m.case == case.name && m.failure.is_some()).count();
        let (known, good) = case.thesis.map_or((1.5, 1.1), |t| (t[0] + 0.1, 1.05));
        reproduced &= slope <= known && failed == 0;
        better &= slope <= good;
        let thesis = case.thesis.map_or(String::new(), |t| format!(" (thesis n^{:.2})", t[0]));
        why.push(format!("{} n^{slope:.2}{thesis}", case.name));
    }
    Verdict::new(RULE, reproduced, better, why.join("; "))
}
