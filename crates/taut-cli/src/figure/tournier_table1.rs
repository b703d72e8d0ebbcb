//! Tournier 2015 Table 1: elongation of a tight cable.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::measure::elongation::{Cable, PUBLISHED, elongation};
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, DARK, GREEN, ORANGE, Panel};
use taut::Stabiliser;

pub const FIGURE: Figure = Figure {
    name: "tournier-table1",
    source: "Tournier 2015 Table 1",
    title: "elongation of a tight inextensible cable, 500 kg over 10 m, step 0.01 s",
    caption: "Largest elongation over 3 s of a cable of ten inextensible segments under loads of 10 to 1e15 tonnes, kicked sideways with \
              1e-3 m/s (an exactly straight cable proves nothing): the default, full geometric stiffness, and no stabiliser. Crosses at the top diverged. \
              Elongations below 1e-15 % are drawn there.",
    make,
};

const RULE: &str = "reproduced when the default carries every load within ten times the published elongation and the run without stabiliser diverges \
                    from 100 t on, as published; better when no elongation is above the published one";

const METHODS: [Stabiliser; 3] = [Stabiliser::Aligned, Stabiliser::Full, Stabiliser::None];

/// Zero has no place on a logarithmic axis.
const LEAST: f64 = 1e-15;
/// Where diverged runs are drawn, %.
const TOP: f64 = 1.0;

fn make(task: &Task) -> Result<Made, Stop> {
    let segments = task.pick(10, 5);
    let cases: Vec<(Stabiliser, f64)> = METHODS.iter().flat_map(|m| PUBLISHED.iter().map(move |p| (*m, p.0))).collect();
    task.expect(cases.len() as u64);
    let out = task.spread(&cases, |&(stabiliser, tonnes)| {
        let e = elongation(&Cable { tonnes, kick: 1e-3, segments }, stabiliser)?;
        task.tick(1)?;
        Ok(e)
    })?;
    let by: Vec<&[Option<f64>]> = out.chunks(PUBLISHED.len()).collect();
    let mut table = Table::new(&[
        "load_t",
        "published_percent",
        "default_percent",
        "full_percent",
        "none_percent",
        "published_none_percent",
    ]);
    for (k, &(tonnes, published)) in PUBLISHED.iter().enumerate() {
        // An empty cell of a measured column: diverged.
        let none = (k == 0).then_some(published);
        table.add([
            Cell::from(tonnes),
            published.into(),
            by[0][k].into(),
            by[1][k].into(),
            by[2][k].into(),
            none.into(),
        ]);
    }
    let points = |e: &[Option<f64>], diverged: bool| -> Vec<(f64, f64)> {
        let place = |e: &Option<f64>| match e {
            Some(e) if !diverged => Some(e.max(LEAST)),
            None if diverged => Some(TOP),
            _ => None,
        };
        PUBLISHED.iter().zip(e).filter_map(|(p, e)| Some((p.0, place(e)?))).collect()
    };
    let mut curves = vec![
        Curve::dots("default", BLUE, points(by[0], false)),
        Curve::dots("full geometric stiffness", GREEN, points(by[1], false)),
        Curve::dots("no stabiliser", ORANGE, points(by[2], false)),
        Curve::published("published", DARK, PUBLISHED.to_vec()),
    ];
    for (e, colour) in by.iter().zip([BLUE, GREEN, ORANGE]) {
        let name = if colour == ORANGE { "diverged" } else { "" };
        curves.push(Curve::crosses(name, colour, points(e, true)));
    }
    let x = Axis::log("load [t]", PUBLISHED.iter().map(|p| p.0));
    let y = Axis::log("largest elongation [%]", [LEAST, TOP].into_iter());
    let verdict = judge(by[0], by[2]);
    Ok(Made { size: (1000, 620), columns: 1, panels: vec![Panel::new("", x, y, curves)], table, verdict })
}

fn judge(default: &[Option<f64>], none: &[Option<f64>]) -> Verdict {
    let worst = PUBLISHED.iter().zip(default).map(|(p, e)| e.map_or(f64::INFINITY, |e| e / p.1)).fold(0.0, f64::max);
    let diverged = none.iter().skip(1).filter(|e| e.is_none()).count();
    let largest = default.iter().flatten().copied().fold(0.0, f64::max);
    let same = diverged == PUBLISHED.len() - 1 && none[0].is_some();
    let why = format!(
        "the default stretches by at most {largest:.1e} %, {worst:.2} of the published value where it comes nearest to it; without stabiliser {} and {diverged} of {} loads from 100 t on diverge",
        if none[0].is_some() { "10 t holds" } else { "10 t diverges" },
        PUBLISHED.len() - 1
    );
    Verdict::new(RULE, worst <= 10.0 && same, worst <= 1.0, why)
}
