//! The structured solver with a quarter of the iterations that it needs: mechanisms with loops stay stable, the budget is kept, and the error
//! that is reported is not smaller than the one seen from outside.

use super::rig::{Worst, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::scene::{Scene, find};
use taut::{Options, Result, Solver, settings::Budget};

pub(super) fn check() -> Check {
    Check {
        id: "anytime",
        summary: "lattice and ladders with a quarter of the iterations they need: stable, within the budget, errors as reported",
        source: "Faure's slides: accuracy traded for time; errors seen in the poses",
        run,
    }
}

/// Scenes and parameters.
const CASES: [(&str, &[(&str, &str)]); 4] =
    [("lattice", &[]), ("ladder", &[]), ("ladder", &[("ratio", "1e6")]), ("lattice", &[("joint", "hinge")])];

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    let (mut beyond, mut hidden, mut rise, mut gap) = (Worst::new(), Worst::new(), Worst::new(), Worst::new());
    let (time, full) = effort.pick((10.0, 2.0), (3.0, 1.0));
    for &(name, set) in effort.pick(&CASES[..], &CASES[..2]) {
        let what = set.iter().fold(name.to_owned(), |s, (k, v)| format!("{s} {k}={v}"));
        let dt = find(name)?.dt;
        let o = effort.watched(&mut scene(name, set, Budget::default())?, dt, full, |_| {})?;
        let most = (0.25 * o.anytime.map_or(f64::NAN, |a| a.iterations_per_step)).max(1.0) as usize;
        let mut s = scene(name, set, Budget::iterations(most))?;
        let o = effort.looked(&mut s, dt, time, |w, sample| {
            let Some(a) = sample.report.anytime else { return Ok(()) };
            beyond.see(a.iterations as f64 - most as f64, || what.clone());
            let mut seen = 0.0_f64;
            for j in w.joints() {
                seen = seen.max(j.gap()).max(j.angle());
            }
            hidden.see(seen - a.gap, || what.clone());
            Ok(())
        })?;
        out.push(lasted(format!("{what}, {most} iterations: stable"), &o, time));
        rise.see(100.0 * o.energy_max_rise, || what.clone());
        gap.see(100.0 * o.max_gap_rel, || what.clone());
    }
    out.push(beyond.at_most("iterations beyond the budget", 0.0, ""));
    out.push(hidden.at_most("opening beyond the reported one", 1e-12, "m"));
    out.push(rise.at_most("largest energy rise, of the scale", 1.0, "%"));
    out.push(gap.at_most("largest gap, of the length", 5.0, "%"));
    Ok(out)
}

/// A scene with the structured solver, in the regime of a limited budget.
fn scene(name: &str, set: &[(&str, &str)], budget: Budget) -> Result<Scene> {
    let (mut s, _) = find(name)?.with(set)?;
    let options = Options { solver: Solver::Structured(budget), resolved: false, ..*s.world.options() };
    s.world.set_options(options)?;
    Ok(s)
}
