//! What a scene was measured to reach, beside what it must.

use crate::measure::reduced::cases::Case;
use crate::measure::reduced::power_law;
use crate::measure::reduced::run::Measured;
use crate::measure::reduced::ways::Way;

/// How far two fitted exponents may be apart and still count as the same: that much comes from the machine.
const SAME: f64 = 0.05;

fn verdict(holds: bool) -> &'static str {
    if holds { "holds" } else { "does not hold in this run" }
}

fn exponent(all: &[Measured], way: Way, value: fn(&Measured) -> f64) -> Option<f64> {
    power_law(&of(all, way), value).map(|(slope, _)| slope)
}

fn of(all: &[Measured], way: Way) -> Vec<&Measured> {
    all.iter().filter(|m| m.way == way).collect()
}

/// The lines below the table of a scene; `all` is of this scene alone.
pub fn judged(case: &Case, all: &[Measured]) -> String {
    let mut out = vec![iterations(case, all)];
    out.push(match (case.exponent, exponent(all, Way::Auto, |m| m.least)) {
        (_, None) => "time of auto: too few sizes for an exponent".into(),
        (Some(most), Some(is)) => {
            format!("time of auto: n^{is:.2}, at most n^{most:.2}: {}", verdict(is <= most))
        }
        (None, Some(is)) => {
            let paths = Way::PATHS.map(|w| (exponent(all, w, |m| m.least).unwrap_or(f64::INFINITY), w));
            let (best, way) = paths.into_iter().fold((f64::INFINITY, Way::Pcg), |a, b| if b.0 < a.0 { b } else { a });
            let holds = verdict(is <= best + SAME);
            format!("time of auto: n^{is:.2}, no worse than the best path ({}: n^{best:.2}): {holds}", way.name())
        }
    });
    out.extend(slowest(all));
    out.join("\n")
}

/// Iterations of PCG against their bound, or how they grow.
fn iterations(case: &Case, all: &[Measured]) -> String {
    if let Some(most) = case.iterations {
        let largest =
            of(all, Way::Pcg).iter().fold((0.0_f64, 0.0_f64), |a, m| (a.0.max(m.iterations), a.1.max(m.worst)));
        // A mean is not exact to the last digit.
        let holds = verdict(largest.0 > 0.0 && largest.0 <= most + 1e-9);
        return format!(
            "iterations of pcg: at most {:.2} (worst step {:.2}), at most {most} at every size: {holds}",
            largest.0, largest.1
        );
    }
    match exponent(all, Way::Pcg, |m| m.iterations) {
        Some(slope) => format!("iterations of pcg: n^{slope:.2}, less than n^1: {}", verdict(slope < 1.0)),
        None => "iterations of pcg: too few sizes for an exponent".into(),
    }
}

/// Where `Auto` loses most against the best of its paths.
fn slowest(all: &[Measured]) -> Option<String> {
    let ratio = |m: &Measured| {
        let others = all.iter().filter(|o| o.size == m.size && Way::PATHS.contains(&o.way));
        m.least / others.map(|o| o.least).fold(f64::INFINITY, f64::min)
    };
    let worst = of(all, Way::Auto).into_iter().map(|m| (ratio(m), m.dofs));
    let (ratio, dofs) = worst.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!("auto over the best of its paths, least step: at most {ratio:.2} (at {dofs} freedoms)"))
}
