//! The tight cable of Tournier 2015 Table 1.

use super::say;
use clap::Args as ClapArgs;
use taut::{Options, Stabiliser};

/// Options of the table.
#[derive(ClapArgs)]
pub struct Args {
    /// Sideways kick of the particles, m/s.
    #[arg(long, default_value_t = 1e-3)]
    kick: f64,
    /// Segments of the cable.
    #[arg(long, default_value_t = 10)]
    segments: usize,
}

/// Load in tonnes, and the published elongation in % with geometric stiffness.
const PUBLISHED: [(f64, f64); 6] = [(1e1, 5e-14), (1e2, 1e-13), (1e6, 9e-9), (1e9, 7e-9), (1e12, 8e-6), (1e15, 9e-3)];

/// Prints the table; true when no elongation exceeds the published one.
pub fn table1(args: &Args) -> taut::Result<bool> {
    say(&format!(
        "cable of 500 kg over 10 m, {} rigid segments, 0.01 s, 3 s, kick {:e} m/s: largest elongation in %",
        args.segments, args.kick
    ));
    say(&format!("{:>10} {:>12} {:>12} {:>14}", "load t", "published", "default", "no stabiliser"));
    let mut met = true;
    for (tonnes, published) in PUBLISHED {
        let ours = elongation(args, tonnes, Stabiliser::Aligned)?;
        let none = elongation(args, tonnes, Stabiliser::None)?;
        let show = |e: Option<f64>| e.map_or("diverged".into(), |e| format!("{e:.1e}"));
        met &= ours.is_some_and(|e| e <= published);
        say(&format!("{tonnes:>10.0e} {published:>12.0e} {:>12} {:>14}", show(ours), show(none)));
    }
    Ok(met)
}

/// Largest |sum of the segments - 10 m| in %, or `None` when the run diverged.
fn elongation(args: &Args, tonnes: f64, stabiliser: Stabiliser) -> taut::Result<Option<f64>> {
    let set = [
        ("load", (1e3 * tonnes).to_string()),
        ("kick", args.kick.to_string()),
        ("segments", args.segments.to_string()),
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
        let points: Vec<taut::Vec3> =
            s.world.bodies().filter_map(|b| s.world.body(b).ok()).map(|b| b.pose.pos).collect();
        let length: f64 = points.windows(2).map(|w| (w[1] - w[0]).length()).sum();
        worst = worst.max((length - 10.0).abs() / 10.0 * 100.0);
    }
    Ok(Some(worst))
}
