//! The rod on a cylinder: Gauss-Seidel on all rows beside bilateral rows in the factorisation.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::interrupt;
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, Panel};
use taut::{Solver, Vec3};
use taut_scenes::checks::Failure;
use taut_scenes::checks::rod::{LOADS, RodRun, run_rod};

pub const FIGURE: Figure = Figure {
    name: "insimo-rod",
    source: "talk of the authors of Tournier 2015",
    title: "rod of 20 cm and 1.5 g over a cylinder after 1 s, tip loads of 0 to 500 g, step 0.01 s",
    caption: "An inextensible rod of 33 segments falls over a cylinder with friction 0.3. Left to right: tip loads of 0, 5, 50 and 500 g. \
              Gauss-Seidel with 100 and with 200 sweeps on all rows, joints and contacts, and bilateral rows in the factorisation with an \
              exact solve of the contacts on top (the default). The table has the largest elongation and that at the end, and the velocity by \
              which segments miss their aim. A curve that is missing has diverged.",
    make,
};

const RULE: &str = "reproduced when the factorised rod stretches by less than 0.1 % in the end and its segments are met to 1e-12 m/s at every load, \
                    while Gauss-Seidel on all rows stretches by more than 10 % or diverges from 50 g on; better when the friction is met to \
                    1e-9 m/s too";

const METHODS: [(&str, Solver); 3] = [
    ("Gauss-Seidel, 100 sweeps on all rows", Solver::Pgs { sweeps: 100 }),
    ("Gauss-Seidel, 200 sweeps on all rows", Solver::Pgs { sweeps: 200 }),
    ("bilateral rows factorised", Solver::Auto),
];

fn make(task: &Task) -> Result<Made, Stop> {
    let cases: Vec<(Solver, f64)> = METHODS.iter().flat_map(|m| LOADS.iter().map(move |l| (m.1, *l))).collect();
    task.expect(cases.len() as u64);
    let runs = task.spread(&cases, |&(solver, load)| {
        let run = run_rod(load, solver, interrupt::pressed).map_err(|e| match e {
            Failure::Stopped => Stop::Interrupted,
            Failure::Error(e) => e.into(),
        })?;
        task.tick(1)?;
        Ok(run)
    })?;
    let by: Vec<&[RodRun]> = runs.chunks(LOADS.len()).collect();
    let mut table = Table::new(&[
        "method",
        "tip_load_g",
        "diverged_in_step",
        "largest_elongation_percent",
        "end_elongation_percent",
        "bilateral_residual_median_m_per_s",
        "bilateral_residual_largest_m_per_s",
        "contact_residual_largest_m_per_s",
        "penetration_mm",
    ]);
    for (m, runs) in METHODS.iter().zip(&by) {
        for (load, r) in LOADS.iter().zip(*runs) {
            let kept = |x: f64| Cell::from(r.diverged.is_none().then_some(x));
            table.add([
                m.0.replace(',', ":").as_str().into(),
                (1e3 * load).into(),
                r.diverged.map(|k| k as f64).into(),
                kept(100.0 * r.elongation),
                kept(100.0 * r.end),
                kept(r.bilateral),
                kept(r.bilateral_max),
                kept(r.contact),
                kept(1e3 * r.penetration),
            ]);
        }
    }
    let panels = LOADS.iter().enumerate().map(|(k, load)| panel(*load, [&by[0][k], &by[1][k], &by[2][k]])).collect();
    Ok(Made { size: (1300, 480), columns: LOADS.len(), panels, table, verdict: judge(by[0], by[1], by[2]) })
}

/// The rods of one tip load beside the cylinder, mm.
fn panel(load: f64, runs: [&RodRun; 3]) -> Panel {
    let mut curves = vec![Curve::line("", DARK, circle())];
    for ((r, m), colour) in runs.into_iter().zip(METHODS).zip([ORANGE, GREEN, BLUE]) {
        if r.diverged.is_none() {
            let points = r.shape.iter().map(|p: &Vec3| (1e3 * p.x, 1e3 * p.y)).collect();
            let name = if load == 0.0 { m.0 } else { "" };
            curves.push(Curve::dots(name, colour, points));
        }
    }
    let all = || curves.iter().flat_map(|c| &c.points);
    let x = Axis::around("x [mm]", all().map(|p| p.0));
    let y = Axis::around("y [mm]", all().map(|p| p.1));
    Panel { equal: true, ..Panel::new(format!("{} g", 1e3 * load), x, y, curves) }
}

/// The cylinder as the middle of the rod sees it, mm.
fn circle() -> Vec<(f64, f64)> {
    let at = |k: usize| f64::to_radians(3.0 * k as f64).sin_cos();
    (0..=120).map(|k| (100.0 + 20.0 * at(k).1, -20.1 + 20.0 * at(k).0)).collect()
}

fn judge(gs100: &[RodRun], gs200: &[RodRun], factorised: &[RodRun]) -> Verdict {
    let largest = |f: fn(&RodRun) -> f64| {
        factorised.iter().map(|r| if r.diverged.is_some() { f64::INFINITY } else { f(r) }).fold(0.0, f64::max)
    };
    let (end, joints, contact) = (100.0 * largest(|r| r.end), largest(|r| r.bilateral_max), largest(|r| r.contact));
    let fails = |r: &&RodRun| r.diverged.is_some() || r.elongation > 0.1;
    let failed = gs100.iter().chain(gs200).filter(fails).count();
    let diverged = gs100.iter().chain(gs200).filter(|r| r.diverged.is_some()).count();
    let loaded = gs100[2..].iter().chain(&gs200[2..]).filter(fails).count();
    let why = format!(
        "factorised: {end:.3} % in the end, segments met to {joints:.1e} m/s, contacts to {contact:.1e} m/s; Gauss-Seidel: {failed} of {} runs stretch by more than 10 %, {diverged} of them diverge",
        2 * LOADS.len()
    );
    let reproduced = end < 0.1 && joints < 1e-12 && loaded == 2 * (LOADS.len() - 2);
    Verdict::new(RULE, reproduced, contact < 1e-9, why)
}
