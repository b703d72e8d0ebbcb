//! `Auto` beside faer's sparse Cholesky on the very systems that the steps solve.

use super::say;
use crate::format::si;
use crate::measure::reduced::cases::Case;
use crate::measure::reduced::system::{HAS_DIRECT, HOW, Sample, sample};
use crate::output::complain;

/// Fewest freedoms that count.
const FROM: usize = 10;
/// Freedoms at which, and how many times faster auto has to be there; and the scene that need not.
const LARGE: f64 = 1000.0;
const TIMES: f64 = 5.0;
const EXCEPT: &str = "alternate";

/// Heading of the tables.
const HEADER: &str = "
factorisation and all solves of the system of one step, after 0.5 s; faer: Cholesky of the formed matrix (entries above 1e-10), in the
order of approximate minimum degree; faer/auto: forming it (a step has to, auto does not) and the symbolic factorisation are not counted
  size  freedoms  rows  entries   factor  whole step        auto    path  iterations  simplicial  supernodal     forming  faer/auto  difference";

/// The systems of a scene; nothing without faer.
pub fn case(case: &'static Case, quick: bool) -> Result<(String, Vec<Sample>), String> {
    if !HAS_DIRECT {
        return Ok((String::new(), Vec::new()));
    }
    let mut out = String::from(HEADER);
    let mut all = Vec::new();
    for &size in if quick { case.quick } else { case.sizes }.iter().filter(|&&n| (case.dofs)(n) >= FROM) {
        complain(&format!("{} {size}, beside faer ...", case.name));
        let s = sample(case, size, &[])?;
        out += &format!("\n{}", row(&s));
        all.push(s);
    }
    Ok((out, all))
}

/// The tables and the verdict without anything else; true when both bounds hold.
pub fn alone(cases: &[&'static Case], quick: bool) -> Result<bool, String> {
    if !HAS_DIRECT {
        return Err(format!("--systems: {HOW} --systems"));
    }
    let mut all = Vec::new();
    for of in cases {
        say(&format!("\n{}: {}", of.name, of.what));
        let (lines, samples) = case(of, quick)?;
        say(&lines);
        all.extend(samples);
    }
    let verdict = verdict(&all);
    say(&verdict);
    Ok(!verdict.contains("does not hold"))
}

fn row(s: &Sample) -> String {
    let (Some(auto), Some(c)) = (s.solved.first(), &s.cholesky) else { return String::new() };
    let [simple, nodal] = c.seconds.map(|t| si(t, "s"));
    format!(
        "{:>6} {:>9} {:>5} {:>8} {:>8} {:>11} {:>11} {:>7} {:>11.2} {simple:>11} {nodal:>11} {:>11} {:>10.2} {:>11.1e}",
        s.size,
        s.dofs,
        s.rows,
        c.entries,
        c.values,
        si(s.step, "s"),
        si(auto.seconds, "s"),
        if auto.is_direct { "direct" } else { "pcg" },
        auto.iterations,
        si(c.forming, "s"),
        s.ratio().unwrap_or(f64::NAN),
        c.off
    )
}

/// What auto has to reach against faer.
pub fn verdict(all: &[Sample]) -> String {
    if !HAS_DIRECT {
        return format!("\n{HOW}");
    }
    let holds = |x: bool| if x { "holds" } else { "does not hold in this run" };
    let least = |ratio: fn(&Sample) -> Option<f64>| {
        let ratios = all.iter().filter_map(|s| Some((ratio(s)?, s)));
        ratios.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let mut out = match (least(Sample::ratio), least(Sample::ratio_with_forming)) {
        (Some((bare, at)), Some((whole, s))) => format!(
            "\nauto is never slower than faer from {FROM} freedoms on: the matrix given {} (at worst faer takes {bare:.2} of its time: {} at {}), the matrix to be formed {} ({whole:.2}: {} at {})",
            holds(bare >= 1.0),
            at.case,
            at.dofs,
            holds(whole >= 1.0),
            s.case,
            s.dofs
        ),
        _ => "\nauto beside faer: no scene was measured".into(),
    };
    out += &slower(all);
    let mut names: Vec<&str> = all.iter().map(|s| s.case).filter(|&n| n != EXCEPT).collect();
    names.dedup();
    let least_at = |ratio: fn(&Sample) -> Option<f64>| {
        let at = names.iter().filter_map(|n| Some((ratio_at(LARGE, &of(all, n), ratio)?, *n)));
        at.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    out += &match (least_at(Sample::ratio), least_at(Sample::ratio_with_forming)) {
        (Some((bare, at)), Some((whole, s))) => format!(
            "\nat {LARGE} freedoms it is at least {TIMES} times faster, {EXCEPT} excepted: the matrix given {} (least {bare:.1} times: {at}), the matrix to be formed {} ({whole:.1}: {s})",
            holds(bare >= TIMES),
            holds(whole >= TIMES)
        ),
        _ => format!("\nat {LARGE} freedoms: no scene was measured on both sides of it"),
    };
    out
}

/// From how many freedoms on auto is not slower, scene by scene.
fn slower(all: &[Sample]) -> String {
    let mut names: Vec<&str> = all.iter().map(|s| s.case).collect();
    names.dedup();
    let from = |name: &&str| {
        let samples = of(all, name);
        let last = samples.iter().rposition(|s| s.ratio().is_some_and(|r| r < 1.0));
        match last.map(|k| samples.get(k + 1)) {
            None => format!("{name} all"),
            Some(Some(next)) => format!("{name} from {}", next.dofs),
            Some(None) => format!("{name} none"),
        }
    };
    let list: Vec<String> = names.iter().map(from).collect();
    if list.is_empty() {
        String::new()
    } else {
        format!("\nsizes at which and above which it is not, the matrix given: {}", list.join(", "))
    }
}

fn of<'a>(all: &'a [Sample], case: &str) -> Vec<&'a Sample> {
    all.iter().filter(|s| s.case == case).collect()
}

/// faer over auto at so many freedoms, between the sizes on both sides, straight in logarithms.
fn ratio_at(dofs: f64, samples: &[&Sample], ratio: fn(&Sample) -> Option<f64>) -> Option<f64> {
    let below = samples.iter().filter(|s| s.dofs as f64 <= dofs).max_by_key(|s| s.dofs)?;
    let above = samples.iter().filter(|s| s.dofs as f64 >= dofs).min_by_key(|s| s.dofs)?;
    let (a, b) = (ratio(below)?, ratio(above)?);
    let (x, y) = (below.dofs as f64, above.dofs as f64);
    let share = if y > x { (dofs / x).ln() / (y / x).ln() } else { 0.0 };
    Some(a * (b / a).powf(share))
}

#[cfg(all(test, feature = "direct"))]
mod tests {
    use super::*;
    use crate::measure::reduced::system::{Cholesky, Solved};
    use crate::measure::reduced::ways::Way;

    fn made(case: &'static str, dofs: usize, ratio: f64) -> Sample {
        let solved = vec![Solved { way: Way::Auto, seconds: 1.0, is_direct: true, iterations: 0.0 }];
        let cholesky = Some(Cholesky { seconds: [ratio, 2.0 * ratio], forming: 1.0, entries: 1, values: 1, off: 0.0 });
        Sample { case, size: dofs, dofs, rows: 0, step: 1.0, solved, cholesky }
    }

    #[test]
    fn the_bounds_hold_and_fail() {
        let all = [made("rigid", 100, 2.0), made("rigid", 10_000, 32.0), made("alternate", 1000, 1.5)];
        let good = verdict(&all);
        assert!(good.contains("given holds (at worst faer takes 1.50 of its time: alternate at 1000), "), "{good}");
        assert!(good.contains("formed holds (2.50: alternate at 1000)"), "{good}");
        assert!(good.contains("given: rigid all, alternate all"), "{good}");
        assert!(
            good.contains("given holds (least 8.0 times: rigid), the matrix to be formed holds (9.9: rigid)"),
            "{good}"
        );
        let bad = verdict(&[made("rigid", 100, 0.5), made("rigid", 1000, 3.5)]);
        assert_eq!(bad.matches("does not hold").count(), 3, "{bad}");
        assert!(bad.contains("rigid from 1000"), "{bad}");
        assert!(verdict(&[]).contains("no scene was measured"));
    }
}
