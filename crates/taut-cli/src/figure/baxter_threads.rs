//! Baxter's thesis (RedMax), Fig. 12: the bridges on one thread and on several.

use super::Figure;
use super::made::{Cell, Made, Table, Verdict};
use super::task::{Stop, Task};
use crate::measure::reduced::cases::{CASES, Case};
use crate::measure::reduced::run::{Measured, STEP, TIME, measure};
use crate::measure::reduced::ways::Way;
use crate::plot::axis::Axis;
use crate::plot::panel::{BLUE, Curve, ORANGE, Panel};
use std::time::Duration;
use taut::State;

pub const FIGURE: Figure = Figure {
    name: "baxter-fig12",
    source: "Baxter (RedMax) Fig. 12",
    title: "the bridges and the umbrella on one thread and on several",
    caption: "Time of 500 steps of 0.01 s in reduced coordinates over the degrees of freedom, least step times 500, on one thread and on all cores: conjugate gradients on the bridges as in the \
              thesis, the automatic choice on the umbrella, whose 16 loop rows are columns that can be solved side by side. The thesis gains 5 % on flexible towers and nothing on rigid ones.",
    make,
};

const RULE: &str = "reproduced when on both bridges all cores change the time by at most 15 % (median over the sizes) and the states agree to the last bit; better when the umbrella gains more than 5 % at its largest size";

/// Scene and way.
const SCENES: [(&str, Way); 3] = [("rigid", Way::Pcg), ("flexible", Way::Pcg), ("umbrella", Way::Auto)];
/// Most seconds for one scene of one size.
const BUDGET: Duration = Duration::from_secs(10);
/// Steps after which states are compared.
const COMPARED: usize = 20;

/// Threads, and what was measured on them.
type Run = (usize, Measured);

fn make(task: &Task) -> Result<Made, Stop> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get()).max(2);
    let cases: Vec<(&'static Case, Way)> =
        SCENES.iter().filter_map(|(name, way)| Some((CASES.iter().find(|c| c.name == *name)?, *way))).collect();
    let sizes = |c: &'static Case| task.pick(c.sizes, c.quick);
    task.expect(cases.iter().map(|(c, _)| 2 * sizes(c).len() as u64).sum());
    let budget = task.pick(BUDGET, Duration::from_millis(300));
    let (mut all, mut same): (Vec<Run>, bool) = (Vec::new(), true);
    for &(case, way) in &cases {
        for &size in sizes(case) {
            let mut ends: Vec<State> = Vec::new();
            for threads in [1, cores] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.map_err(|e| Stop::Failed(format!("{threads} threads: {e}")))?;
                all.push((threads, pool.install(|| measure(case, size, way, budget))?));
                ends.push(pool.install(|| state(case, size, way))?);
                task.tick(1)?;
            }
            same &= ends[0] == ends[1];
        }
    }
    let mut table = Table::new(&["scene", "way", "threads", "freedoms", "steps", "least_step_s", "median_step_s"]);
    for (threads, m) in &all {
        let [threads, dofs, steps] = [*threads as f64, m.dofs as f64, m.steps as f64].map(Cell::Number);
        table.add([m.case.into(), m.way.name().into(), threads, dofs, steps, m.least.into(), m.median.into()]);
    }
    let panels = cases.iter().map(|(c, way)| panel(c, *way, cores, &all)).collect();
    let verdict = judge(&cases, cores, &all, same);
    Ok(Made { size: (1500, 540), columns: 3, panels, table, verdict })
}

/// Where a scene is after some steps.
fn state(case: &'static Case, size: usize, way: Way) -> taut::Result<State> {
    let mut scene = case.scene(size)?;
    way.apply(&mut scene.world)?;
    for _ in 0..COMPARED {
        scene.step(STEP)?;
    }
    Ok(scene.world.state().clone())
}

fn of<'a>(case: &Case, threads: usize, all: &'a [Run]) -> Vec<&'a Measured> {
    all.iter().filter(|(t, m)| *t == threads && m.case == case.name).map(|(_, m)| m).collect()
}

fn panel(case: &Case, way: Way, cores: usize, all: &[Run]) -> Panel {
    let curve = |threads: usize, colour| {
        let name = if threads == 1 { "one thread".to_string() } else { format!("{threads} threads") };
        let points = of(case, threads, all).iter().map(|m| (m.dofs as f64, m.least * TIME / STEP)).collect();
        (name, colour, points)
    };
    let ((a, b, c), (d, e, f)) = (curve(1, BLUE), curve(cores, ORANGE));
    let curves = vec![Curve::dots(a, b, c), Curve { mark: crate::plot::panel::Mark::Cross, ..Curve::dashed(d, e, f) }];
    let points = || curves.iter().flat_map(|c: &Curve| &c.points);
    let x = Axis::log("degrees of freedom", points().map(|p| p.0));
    let y = Axis::log("time of 5 s [s]", points().map(|p| p.1));
    Panel::new(format!("{}, {}", case.name, way.name()), x, y, curves)
}

fn judge(cases: &[(&'static Case, Way)], cores: usize, all: &[Run], same: bool) -> Verdict {
    let (mut reproduced, mut better, mut why) = (same, false, Vec::new());
    for (case, _) in cases {
        let ratios: Vec<f64> =
            of(case, 1, all).iter().zip(of(case, cores, all)).map(|(a, b)| b.least / a.least).collect();
        let mut sorted = ratios.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN);
        let last = ratios.last().copied().unwrap_or(f64::NAN);
        if case.name == "umbrella" {
            better = last < 0.95;
        } else {
            reproduced &= (0.85..=1.15).contains(&median);
        }
        why.push(format!("{} {median:.2} (largest {last:.2})", case.name));
    }
    let bits = if same { "the states agree to the last bit" } else { "the states differ" };
    Verdict::new(
        RULE,
        reproduced,
        better,
        format!("time on {cores} threads over that on one, median: {}; {bits}", why.join(", ")),
    )
}
