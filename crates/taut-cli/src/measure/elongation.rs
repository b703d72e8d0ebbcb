//! How far the tight cable of Tournier 2015 Table 1 stretches.

use taut::{Options, Stabiliser, Vec3};

/// Load in tonnes, and the published elongation in % with geometric stiffness. Without it only the first load is carried, to the
/// same elongation.
pub const PUBLISHED: [(f64, f64); 6] =
    [(1e1, 5e-14), (1e2, 1e-13), (1e6, 9e-9), (1e9, 7e-9), (1e12, 8e-6), (1e15, 9e-3)];

/// Length of the cable, m.
const LENGTH: f64 = 10.0;

/// The cable.
#[derive(Clone, Copy, Debug)]
pub struct Cable {
    /// Load, t.
    pub tonnes: f64,
    /// Sideways kick of the particles, m/s.
    pub kick: f64,
    /// Segments.
    pub segments: usize,
}

/// Largest |sum of the segments - 10 m| in % over 3 s at 0.01 s, or `None` when the run diverged.
pub fn elongation(cable: &Cable, stabiliser: Stabiliser) -> taut::Result<Option<f64>> {
    let set = [
        ("load", (1e3 * cable.tonnes).to_string()),
        ("kick", cable.kick.to_string()),
        ("segments", cable.segments.to_string()),
    ];
    let set: Vec<(&str, &str)> = set.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let (mut s, _) = taut_scenes::find("cable-table1")?.with(&set)?;
    s.world.set_options(Options { stabiliser, ..*s.world.options() })?;
    let mut worst: f64 = 0.0;
    for _ in 0..300 {
        let Ok(report) = s.world.step(0.01) else { return Ok(None) };
        if !(report.max_gap < 1.0) {
            return Ok(None);
        }
        let points: Vec<Vec3> = s.world.bodies().map(|b| b.pose().pos).collect();
        let length: f64 = points.windows(2).map(|w| (w[1] - w[0]).length()).sum();
        worst = worst.max((length - LENGTH).abs() / LENGTH * 100.0);
    }
    Ok(Some(worst))
}
