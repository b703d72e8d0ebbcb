//! How the time of a step grows: chains, cloth, nets.

use super::sheet::{Sheet, Target};
use crate::bench::scaling::case::{Case, measure};
use crate::bench::scaling::exponent;
use crate::bench::scaling::kinds::{KINDS, Kind};
use std::time::Duration;
use taut_bench::table::{Table, digits};

/// Links of the largest chain.
const MILLION: usize = 1_000_000;

/// Chains up to a million links.
pub fn growth(sheet: &mut Sheet<'_>) -> Result<(), String> {
    sheet.section(
        "Growth",
        "Chain of ball joints with a load of 1,000 links, swinging; 0.01 s. Mean over eight steps of the least time of each, taken again \
         and again from the same state. The residual is the largest that a step tells of.",
    );
    let kind = kind("chain")?;
    let cases = cases(sheet, kind, if sheet.quick { kind.quick } else { kind.sizes })?;
    let slope = exponent(&cases, |c| c.step_min).unwrap_or(f64::NAN);
    let bytes = cases.iter().map(|c| c.bytes as f64).fold(f64::NAN, f64::max);
    let mut table = Table::new(["links", "step us", "ns per body", "bytes per body", "residual", "failure"]);
    cases.iter().for_each(|c| table.row(chain_row(c)));
    if !sheet.quick {
        sheet.doing("growth: 1000000 links");
        let case = measure(kind, MILLION, Duration::ZERO).map_err(|e| format!("{MILLION} links: {e}"))?;
        table.row(chain_row(&case));
    }
    sheet.table("growth", &table)?;
    let text = if sheet.quick { "" } else { " The row of 1,000,000 is of one round and not in the fit." };
    sheet.say(&format!("\nFitted exponent over the bodies: {slope:.3}.{text}"));
    sheet.figure("chain: exponent of the least step", slope, Target::AtMost(1.03));
    sheet.figure("chain: bytes per body, largest", bytes, Target::Below(1500.0));
    Ok(())
}

fn chain_row(c: &Case) -> [String; 6] {
    [
        c.size.to_string(),
        digits(1e6 * c.step_min, 3),
        digits(1e9 * c.step_min / c.bodies as f64, 3),
        c.bytes.to_string(),
        digits(c.residual, 2),
        c.failure.clone().unwrap_or_default(),
    ]
}

/// Cloth and nets.
pub fn nets(sheet: &mut Sheet<'_>) -> Result<(), String> {
    sheet.section(
        "Cloth and nets",
        "Inextensible cloth with two heavy corners that falls from the horizontal, and a hanging net of rigid bodies on ball joints; \
         0.01 s. n bodies along a side. Times as above; the largest gap is in parts of the distance between neighbours, over the 11 first \
         steps.",
    );
    let head = ["scene", "n", "bodies", "step ms", "bare ms", "ratio", "largest gap %", "failure"];
    let mut table = Table::new(head);
    let mut slopes = Vec::new();
    for (name, large, goal) in [("cloth", 40, Target::Below(10.0)), ("net", 100, Target::AtMost(60.0))] {
        let kind = kind(name)?;
        let cases = cases(sheet, kind, if sheet.quick { kind.quick } else { kind.sizes })?;
        cases.iter().for_each(|c| table.row(net_row(c)));
        let largest = cases.iter().find(|c| c.size == large);
        let [time, gap] = largest.map_or([f64::NAN; 2], |c| [1e3 * c.step_min, gap(c)]);
        sheet.figure(format!("{name} {large} x {large}: ms a step"), time, goal);
        if name == "net" {
            sheet.figure(format!("{name} {large} x {large}: largest gap, % of a link"), gap, Target::Below(1.0));
        }
        slopes.push((name, exponent(&cases, |c| c.step_min).unwrap_or(f64::NAN)));
    }
    sheet.table("nets", &table)?;
    for (name, slope) in slopes {
        sheet.say(&format!("\nFitted exponent over the bodies, {name}: {slope:.3}."));
        sheet.figure(format!("{name}: exponent of the least step"), slope, Target::AtMost(1.15));
    }
    Ok(())
}

fn net_row(c: &Case) -> [String; 8] {
    [
        c.kind.name.into(),
        c.size.to_string(),
        c.bodies.to_string(),
        digits(1e3 * c.step_min, 3),
        digits(1e3 * c.bare_min, 3),
        digits(c.step_min / c.bare_min, 3),
        digits(gap(c), 2),
        c.failure.clone().unwrap_or_default(),
    ]
}

/// Largest gap in % of the distance between neighbours: 1 m in a net, a cloth is 1 m wide.
fn gap(c: &Case) -> f64 {
    let link = if c.kind.name == "cloth" { 1.0 / (c.size - 1) as f64 } else { 1.0 };
    100.0 * c.gap / link
}

fn kind(name: &str) -> Result<&'static Kind, String> {
    static ALL: [Kind; KINDS.len()] = KINDS;
    ALL.iter().find(|k| k.name == name).ok_or_else(|| format!("no kind of scene named {name}"))
}

fn cases(sheet: &mut Sheet<'_>, kind: &'static Kind, sizes: &[usize]) -> Result<Vec<Case>, String> {
    let time = sheet.time();
    let one = |&size: &usize| {
        sheet.doing(&format!("{} {size}", kind.name));
        measure(kind, size, time).map_err(|e| format!("{} {size}: {e}", kind.name))
    };
    sizes.iter().map(one).collect()
}
