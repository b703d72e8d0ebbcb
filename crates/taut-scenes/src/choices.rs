//! The words for stabilisers, solvers, times and parameters, as read on the command line and in the page.

use taut::{Coordinates, Solver, Stabiliser, settings::BoundedMethod, settings::Budget, settings::InertialDamping};

/// A stabiliser as given on the command line; `resolved` is set by `aligned` and `aligned:base`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The stabiliser.
    pub stabiliser: Stabiliser,
    /// Whether islands that resolve their motion are integrated with second order.
    pub resolved: Option<bool>,
}

/// What `--stabiliser` takes.
pub const STABILISERS: &str = "none, full, symmetric, low-rank, inertial[:alpha=1,theta=0.5,all], \
                               constraint-space[:alpha=1], aligned or aligned:base";

/// Reads `NAME` or `NAME:OPTION,OPTION`.
pub fn stabiliser(text: &str) -> Result<Choice, String> {
    let (name, rest) = text.split_once(':').map_or((text, None), |(n, r)| (n, Some(r)));
    let mut resolved = None;
    let mut inertial = InertialDamping::default();
    let mut alpha = 1.0;
    for option in rest.map(|r| r.split(',')).into_iter().flatten() {
        let (key, value) = option.split_once('=').map_or((option, None), |(k, v)| (k, Some(v)));
        match (name, key, value) {
            ("inertial", "alpha", Some(v)) => inertial.alpha = plain(v)?,
            ("inertial", "theta", Some(v)) => inertial.theta = plain(v)?,
            ("inertial", "all", None) => inertial.angular_only = false,
            ("constraint-space", "alpha", Some(v)) => alpha = plain(v)?,
            ("aligned", "base", None) => resolved = Some(false),
            _ => return Err(format!("option '{option}' of '{name}': expected {STABILISERS}")),
        }
    }
    let stabiliser = match name {
        "none" => Stabiliser::None,
        "full" => Stabiliser::Full,
        "symmetric" => Stabiliser::Symmetric,
        "low-rank" => Stabiliser::LowRank,
        "inertial" => Stabiliser::Inertial(inertial),
        "constraint-space" => Stabiliser::ConstraintSpace { alpha },
        "aligned" => Stabiliser::Aligned,
        _ => return Err(format!("expected {STABILISERS}")),
    };
    if stabiliser == Stabiliser::Aligned && resolved.is_none() {
        resolved = Some(true);
    }
    Ok(Choice { stabiliser, resolved })
}

fn plain(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("'{text}': expected a number"))
}

/// Reads coordinates.
pub fn coordinates(text: &str) -> Result<Coordinates, String> {
    match text {
        "maximal" => Ok(Coordinates::Maximal),
        "reduced" => Ok(Coordinates::Reduced),
        _ => Err("expected maximal or reduced".into()),
    }
}

/// Sweeps of projected Gauss-Seidel when not stated.
const SWEEPS: usize = 100;

/// Reads a solver.
pub fn solver(text: &str) -> Result<Solver, String> {
    if let Some(rest) = text.strip_prefix("structured") {
        return budget(rest).map(Solver::Structured);
    }
    let (name, sweeps) = swept(text)?;
    let pgs = Solver::Pgs { sweeps };
    let reduced = [Solver::Articulated, Solver::Elimination, Solver::Pcg, Solver::PartialPcg];
    let mut all = vec![Solver::Auto, Solver::BlockLdlt, Solver::DenseLu, Solver::DenseCholesky, Solver::Minres];
    all.extend(reduced);
    all.push(pgs);
    let names: Vec<&str> = all.iter().map(Solver::name).collect();
    let found = all.into_iter().find(|s| s.name() == name);
    found.ok_or_else(|| format!("expected one of {}[:sweeps={SWEEPS}], structured[{BUDGET}]", names.join(", ")))
}

/// What `structured` takes.
const BUDGET: &str = ":iterations=N,seconds=T,tolerance=1e-10,gap=M";

/// Reads the budget after the name of the structured solver.
fn budget(rest: &str) -> Result<Budget, String> {
    let mut budget = Budget::default();
    if rest.is_empty() {
        return Ok(budget);
    }
    let wrong = |option: &str| format!("option '{option}' of 'structured': expected {BUDGET}, each of them or none");
    let options = rest.strip_prefix(':').ok_or_else(|| format!("'structured{rest}': expected structured[{BUDGET}]"))?;
    for option in options.split(',') {
        let (key, value) = option.split_once('=').ok_or_else(|| wrong(option))?;
        match key {
            "iterations" => budget.iterations = Some(value.parse().map_err(|_| wrong(option))?),
            "seconds" => budget.seconds = Some(plain(value)?),
            "tolerance" => budget.tolerance = plain(value)?,
            "gap" => budget.gap = Some(plain(value)?),
            _ => return Err(wrong(option)),
        }
    }
    Ok(budget)
}

/// The structured solver with its budget, as it is read.
pub fn structured(b: &Budget) -> String {
    let options = [
        b.iterations.map(|x| format!("iterations={x}")),
        b.seconds.map(|x| format!("seconds={x}")),
        (b.tolerance != Budget::default().tolerance).then(|| format!("tolerance={}", b.tolerance)),
        b.gap.map(|x| format!("gap={x}")),
    ];
    let given: Vec<String> = options.into_iter().flatten().collect();
    if given.is_empty() { "structured".into() } else { format!("structured:{}", given.join(",")) }
}

/// Reads a method for bounded rows.
pub fn bounded(text: &str) -> Result<BoundedMethod, String> {
    use BoundedMethod::*;
    let (name, sweeps) = swept(text)?;
    let all = [Auto, Newton, Pivoting, ActiveSet, Convex, Pgs { sweeps }];
    let names: Vec<&str> = all.iter().map(BoundedMethod::name).collect();
    let found = all.into_iter().find(|m| m.name() == name);
    found.ok_or_else(|| format!("expected one of {}[:sweeps={SWEEPS}]", names.join(", ")))
}

/// A name, and the sweeps of `pgs:sweeps=N`.
fn swept(text: &str) -> Result<(&str, usize), String> {
    let Some((name, option)) = text.split_once(':') else { return Ok((text, SWEEPS)) };
    match (name, option.strip_prefix("sweeps=").map(str::parse)) {
        ("pgs", Some(Ok(sweeps))) if sweeps > 0 => Ok((name, sweeps)),
        ("pgs", _) => Err(format!("option '{option}' of 'pgs': expected sweeps=N, a whole number of at least 1")),
        _ => Err(format!("option '{option}' of '{name}': expected none; only pgs has sweeps")),
    }
}

/// Reads a number.
pub fn number(text: &str) -> Result<f64, String> {
    plain(text)
}

/// Reads a time in seconds: a number, or a fraction such as 1/60.
pub fn seconds(text: &str) -> Result<f64, String> {
    let expected = "expected a positive, finite number of s, or a fraction such as 1/60";
    fraction(text).filter(|x| *x > 0.0).ok_or_else(|| expected.into())
}

/// Reads a moment of a run in seconds, which may be its start.
pub fn moment(text: &str) -> Result<f64, String> {
    let expected = "expected a finite number of s, zero or more, or a fraction such as 1/60";
    fraction(text).filter(|x| *x >= 0.0).ok_or_else(|| expected.into())
}

/// A finite number, or a fraction.
fn fraction(text: &str) -> Option<f64> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let value = top.trim().parse::<f64>().ok()? / bottom.trim().parse::<f64>().ok()?;
    value.is_finite().then_some(value)
}

/// Reads `NAME=VALUE`.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.trim().into())),
        _ => Err("expected NAME=VALUE".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stabilisers_are_read() {
        let s = |t: &str| stabiliser(t).unwrap().stabiliser;
        assert_eq!(s("none"), Stabiliser::None);
        assert_eq!(s("inertial"), Stabiliser::Inertial(InertialDamping::default()));
        let d = InertialDamping { alpha: 0.25, theta: 0.75, angular_only: false };
        assert_eq!(s("inertial:alpha=0.25,theta=0.75,all"), Stabiliser::Inertial(d));
        assert_eq!(s("constraint-space:alpha=2"), Stabiliser::ConstraintSpace { alpha: 2.0 });
        assert_eq!(stabiliser("aligned").unwrap().resolved, Some(true));
        assert_eq!(stabiliser("aligned:base").unwrap().resolved, Some(false));
        for bad in ["", "alined", "none:alpha=1", "aligned:", "inertial:alpha", "inertial:alpha=x", "inertial:all=1"] {
            assert!(stabiliser(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn solvers_of_bounded_rows_are_read() {
        assert_eq!(bounded("auto"), Ok(BoundedMethod::Auto));
        assert_eq!(bounded("active-set"), Ok(BoundedMethod::ActiveSet));
        assert_eq!(bounded("pgs"), Ok(BoundedMethod::Pgs { sweeps: 100 }));
        assert_eq!(bounded("pgs:sweeps=7"), Ok(BoundedMethod::Pgs { sweeps: 7 }));
        assert_eq!(solver("pgs:sweeps=7"), Ok(Solver::Pgs { sweeps: 7 }));
        for bad in ["", "gauss", "pgs:", "pgs:7", "pgs:sweeps=0", "pgs:sweeps=-1", "pgs:sweeps=x", "newton:sweeps=3"] {
            assert!(bounded(bad).is_err() && solver(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn budgets_are_read() {
        assert_eq!(solver("structured"), Ok(Solver::Structured(Budget::default())));
        let all = Budget { iterations: Some(20), seconds: Some(1e-3), tolerance: 1e-6, gap: Some(1e-4) };
        assert_eq!(
            solver("structured:iterations=20,seconds=1e-3,tolerance=1e-6,gap=1e-4"),
            Ok(Solver::Structured(all))
        );
        for bad in ["structured:", "structuredx", "structured:20", "structured:iterations=-1", "structured:gap=x"] {
            let error = solver(bad).unwrap_err();
            assert!(error.contains("expected"), "{bad}: {error}");
        }
    }

    #[test]
    fn times_are_read() {
        assert_eq!(seconds("0.01"), Ok(0.01));
        assert_eq!(seconds("1/60"), Ok(1.0 / 60.0));
        assert_eq!(seconds(" 1 / 240 "), Ok(1.0 / 240.0));
        for bad in ["", "0", "-1", "nan", "inf", "1/0", "0/0", "1/2/3", "1 s", "/", "1e999"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
