//! The scenes of Baxter's thesis (RedMax) from small to large, run for 5 s: time of a step, solves, and how they grow.

pub mod cases;
#[cfg(feature = "direct")]
mod cholesky;
pub mod run;
pub mod system;
pub mod ways;

use super::line;
use run::Measured;

/// Scenes below this many degrees of freedom are left out of the fits, as in the thesis: overhead, not growth.
pub const FIT_FROM: usize = 60;

/// Fitted power law of a positive value over the degrees of freedom: exponent, and the value at one of them. Runs that failed are left
/// out: what a scene costs while it diverges says nothing.
pub fn power_law(measured: &[&Measured], value: fn(&Measured) -> f64) -> Option<(f64, f64)> {
    let sound = measured.iter().filter(|m| m.dofs >= FIT_FROM && m.failure.is_none());
    let large = sound.filter(|m| value(m) > 0.0 && value(m).is_finite());
    let points: Vec<(f64, f64)> = large.map(|m| ((m.dofs as f64).ln(), value(m).ln())).collect();
    let (slope, _) = line(&points)?;
    let n = points.len() as f64;
    let (x, y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    Some((slope, (y - slope * x).exp()))
}

#[cfg(test)]
mod tests {
    use super::run::{Measured, measure};
    use super::{cases::CASES, power_law, ways::Way};
    use std::time::{Duration, Instant};

    #[test]
    fn a_small_scene_is_measured_and_a_power_law_found() {
        let begin = Instant::now();
        let mut m: Vec<Measured> =
            [70, 100].map(|n| measure(&CASES[0], n, Way::Maximal, Duration::from_millis(50)).unwrap()).into();
        let taken = begin.elapsed().as_secs_f64();
        for m in &mut m {
            assert!(m.failure.is_none() && m.steps >= 1 && m.dofs == m.size && m.bodies == m.size);
            // In seconds: half of the steps took the median or more, and no run took longer than both.
            assert!(0.0 < m.least && m.least <= m.median, "{} {}", m.least, m.median);
            assert!(0.5 * m.median * m.steps as f64 <= taken, "{} steps of {} s in {taken} s", m.steps, m.median);
            m.least = 2.0 * (m.dofs as f64).powi(3);
        }
        let (exponent, factor) = power_law(&m.iter().collect::<Vec<_>>(), |m| m.least).unwrap();
        assert!((exponent - 3.0).abs() < 1e-9 && (factor - 2.0).abs() < 1e-9, "{exponent} {factor}");
        assert!(power_law(&[&m[0]], |m| m.least).is_none());
        m[1].failure = Some("diverged".into());
        assert!(power_law(&m.iter().collect::<Vec<_>>(), |m| m.least).is_none());
    }
}
