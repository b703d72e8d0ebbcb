//! The comparison as text and as JSON.

use super::binary::{Binary, Measure};
use super::{Row, Trouble};
use crate::format::{number, si};
use serde_json::{Value, json};

/// What is compared, and the names of the columns.
pub fn heading(binaries: &[Binary; 2], measure: Measure, repeats: u32, limit: f64) -> String {
    let [a, b] = binaries;
    let what = match measure {
        Measure::Time => format!("median time of a step, {repeats} pairs of runs, one thread"),
        Measure::Instructions => "instructions of a step, one thread".to_string(),
    };
    format!(
        "A {} ({})\nB {} ({})\n{what}; over: ratio B/A above {limit} + spread\n{:<18} {:>11} {:>11} {:>8} {:>8} {:>6}",
        a.path.display(),
        a.version,
        b.path.display(),
        b.version,
        "cell",
        "A",
        "B",
        "ratio",
        "spread",
        "bits"
    )
}

/// A line.
pub fn row(row: &Row, measure: Measure, limit: f64) -> String {
    let name = row.cell.name;
    let c = match &row.result {
        Ok(c) => c,
        Err(Trouble::Missing(why)) => return format!("{name:<18} {why}"),
        Err(Trouble::Failed(why)) => return format!("{name:<18} {why}  FAILED"),
    };
    let [a, b] = [c.a, c.b].map(|x| match measure {
        Measure::Time => si(x, "s"),
        Measure::Instructions => number(x),
    });
    let bits = if c.same_bits { "same" } else { "other" };
    let over = if row.is_over(limit) { "  OVER" } else { "" };
    format!("{name:<18} {a:>11} {b:>11} {:>8.4} {:>8.4} {bits:>6}{over}", c.ratio.median, c.ratio.spread)
}

/// The last line.
pub fn verdict(rows: &[Row], over: usize) -> String {
    let ratios: Vec<f64> = rows.iter().filter_map(|r| r.result.as_ref().ok()).map(|c| c.ratio.median.ln()).collect();
    let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
    format!(
        "cells compared: {}, geometric mean of the ratios {mean:.4}; over the limit or failed: {over}",
        ratios.len()
    )
}

/// The whole comparison as one object; costs in s or in instructions.
pub fn json(
    binaries: &[Binary; 2],
    rows: &[Row],
    measure: Measure,
    (repeats, limit): (u32, f64),
) -> Result<String, String> {
    let binary = |b: &Binary| json!({ "path": b.path.display().to_string(), "version": b.version });
    let cells: Vec<Value> = rows.iter().map(|r| cell(r, limit)).collect();
    let [a, b] = binaries;
    let unit = match measure {
        Measure::Time => "seconds per step",
        Measure::Instructions => "instructions per step",
    };
    let all =
        json!({ "a": binary(a), "b": binary(b), "unit": unit, "repeats": repeats, "limit": limit, "cells": cells });
    serde_json::to_string_pretty(&all).map(|t| t + "\n").map_err(|e| e.to_string())
}

fn cell(row: &Row, limit: f64) -> Value {
    let (name, over) = (row.cell.name, row.is_over(limit));
    match &row.result {
        Ok(c) => json!({
            "name": name, "a": c.a, "b": c.b, "ratio": c.ratio.median, "spread": c.ratio.spread,
            "same_bits": c.same_bits, "over": over,
        }),
        Err(Trouble::Missing(why)) => json!({ "name": name, "missing": why, "over": over }),
        Err(Trouble::Failed(why)) => json!({ "name": name, "failure": why, "over": over }),
    }
}
