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
    // Where iterations change from step to step the least one is not a fair measure of the whole.
    let value: fn(&Measured) -> f64 = if case.exponent.is_some() { |m| m.least } else { |m| m.median };
    out.push(match (case.exponent, exponent(all, Way::Auto, value)) {
        (_, None) => "time of auto: too few sizes for an exponent".into(),
        (Some(most), Some(is)) => {
            format!("time of auto: least step n^{is:.2}, at most n^{most:.2}: {}", verdict(is <= most))
        }
        (None, Some(is)) => {
            let paths = Way::PATHS.map(|w| (exponent(all, w, value).unwrap_or(f64::INFINITY), w));
            let (best, way) = paths.into_iter().fold((f64::INFINITY, Way::Pcg), |a, b| if b.0 < a.0 { b } else { a });
            let holds = verdict(is <= best + SAME);
            format!(
                "time of auto: median n^{is:.2}, no worse than the best path ({}: n^{best:.2}): {holds}",
                way.name()
            )
        }
    });
    out.extend(slowest(all));
    out.join("\n")
}

/// Iterations of PCG against their bound, or how they grow.
fn iterations(case: &Case, all: &[Measured]) -> String {
    if let Some(most) = case.iterations {
        let sound = of(all, Way::Pcg).into_iter().filter(|m| m.failure.is_none());
        let largest = sound.fold((0.0_f64, 0.0_f64), |a, m| (a.0.max(m.iterations), a.1.max(m.worst)));
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
        let sound = all.iter().filter(|o| o.failure.is_none());
        let others = sound.filter(|o| o.size == m.size && Way::PATHS.contains(&o.way));
        m.median / others.map(|o| o.median).fold(f64::INFINITY, f64::min)
    };
    let worst = of(all, Way::Auto).into_iter().filter(|m| m.failure.is_none()).map(|m| (ratio(m), m.dofs));
    let (ratio, dofs) = worst.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!("auto over the best of its paths, median: at most {ratio:.2} (at {dofs} freedoms)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::reduced::cases::CASES;

    fn made(name: &str, way: Way, dofs: usize, time: f64, iterations: f64) -> Measured {
        let case = CASES.iter().find(|c| c.name == name).unwrap();
        Measured {
            case: case.name,
            way,
            size: dofs,
            bodies: dofs,
            dofs,
            steps: 500,
            least: time,
            median: time,
            sides: 1.0,
            iterations,
            worst: iterations,
            gap: 0.0,
            failure: None,
        }
    }

    /// Two sizes of every reduced way; `auto` grows with the power given.
    fn lines(name: &str, power: f64, iterations: f64) -> String {
        let case = CASES.iter().find(|c| c.name == name).unwrap();
        let mut all = Vec::new();
        for n in [100, 1000] {
            let x = n as f64;
            all.push(made(name, Way::Auto, n, x.powf(power), 0.0));
            all.extend(Way::PATHS.map(|w| made(name, w, n, x.powf(1.2), iterations * x.powf(0.3))));
        }
        judged(case, &all)
    }

    #[test]
    fn bounds_hold_and_fail() {
        let good = lines("tree", 1.0, 1.0);
        assert!(good.matches(": holds").count() == 2 && good.contains("at most 0.40 (at 100 freedoms)"), "{good}");
        let bad = lines("flexible", 1.3, 2.0);
        assert_eq!(bad.matches("does not hold").count(), 2, "{bad}");
        assert_eq!(lines("alternate", 1.3, 1.0).matches("does not hold").count(), 1);
        assert_eq!(lines("alternate", 1.2, 1.0).matches("does not hold").count(), 0);
    }
}
