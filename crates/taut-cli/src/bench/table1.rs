//! The tight cable of Tournier 2015 Table 1.

use super::say;
use crate::measure::elongation::{Cable, PUBLISHED, elongation};
use clap::Args as ClapArgs;
use taut::Stabiliser;

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

/// Prints the table; true when no elongation exceeds the published one.
pub fn table1(args: &Args) -> taut::Result<bool> {
    say(&format!(
        "cable of 500 kg over 10 m, {} rigid segments, 0.01 s, 3 s, kick {:e} m/s: largest elongation in %",
        args.segments, args.kick
    ));
    say(&format!("{:>10} {:>12} {:>12} {:>14}", "load t", "published", "default", "no stabiliser"));
    let mut met = true;
    for (tonnes, published) in PUBLISHED {
        let cable = Cable { tonnes, kick: args.kick, segments: args.segments };
        let ours = elongation(&cable, Stabiliser::Aligned)?;
        let none = elongation(&cable, Stabiliser::None)?;
        let show = |e: Option<f64>| e.map_or("diverged".into(), |e| format!("{e:.1e}"));
        met &= ours.is_some_and(|e| e <= published);
        say(&format!("{tonnes:>10.0e} {published:>12.0e} {:>12} {:>14}", show(ours), show(none)));
    }
    Ok(met)
}
