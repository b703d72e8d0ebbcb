//! The tables, on the screen and as CSV.

use crate::format::si;
use crate::measure::reduced::run::{Measured, STEP, TIME};
use crate::output::OutputFile;
use std::io::Write as _;

/// What all tables have in common.
pub const HEADING: &str =
    "scenes of Baxter's thesis, 5 s in steps of 0.01 s; all ways but maximal take RedMax's step in reduced coordinates
sides: right-hand sides in a step; iterations: per right-hand side, mean and worst step, 0 where the solve is direct
gap: largest gap of a joint over the length of the scene; times are of this machine as busy as it is now";

/// Head of the table of a scene.
pub const HEADER: &str = "way            size   bodies  freedoms  steps  least step      median  per freedom  sides  iterations  worst       gap";

/// One line of it.
pub fn row(m: &Measured) -> String {
    let whole = m.steps as f64 * STEP >= TIME - 0.5 * STEP;
    let why = m.failure.as_ref().map(|f| format!("  {f}")).unwrap_or_default();
    format!(
        "{:<12} {:>6} {:>8} {:>9} {:>6} {:>11} {:>11} {:>12} {:>6.1} {:>11.2} {:>6.2} {:>9.1e}{}{why}",
        m.way.name(),
        m.size,
        m.bodies,
        m.dofs,
        m.steps,
        si(m.least, "s"),
        si(m.median, "s"),
        si(m.least / m.dofs as f64, "s"),
        m.sides,
        m.iterations,
        m.worst,
        m.gap,
        if whole || m.failure.is_some() { "" } else { "  cut short" },
    )
}

/// Writes every number.
pub fn write_csv(file: OutputFile, all: &[Measured]) -> Result<(), String> {
    let mut out = String::from(
        "scene,way,size,bodies,freedoms,steps,least_s,median_s,right_hand_sides,iterations,worst_iterations,gap_rel,failure\n",
    );
    for m in all {
        out += &format!(
            "{},{},{},{},{},{},{:?},{:?},{:?},{:?},{:?},{:?},{}\n",
            m.case,
            m.way.name(),
            m.size,
            m.bodies,
            m.dofs,
            m.steps,
            m.least,
            m.median,
            m.sides,
            m.iterations,
            m.worst,
            m.gap,
            m.failure.as_deref().unwrap_or("").replace(',', ";")
        );
    }
    file.begin()?.write_all(out.as_bytes()).map_err(|e| format!("--csv: {e}"))
}
