//! What the four panels of a run show: curves and ranges, in units that suit the numbers.

use super::axis::{Axis, SMALLEST};
use super::panel::{BLUE, Curve, DARK, GREEN, ORANGE, PURPLE, Panel};
use super::record::{Point, Record};
use crate::format::prefix;
use plotters::style::RGBColor;

/// The panels of a record.
pub fn panels(record: &Record) -> Vec<Panel> {
    let points = settled(&record.points);
    let mut out = vec![energies(points), gaps(points), height(points, record), path(points, record)];
    if !record.joints.is_empty() {
        out.push(forces(points, record));
    }
    out
}

/// Colours of several curves of one kind.
const COLOURS: [RGBColor; 5] = [BLUE, ORANGE, GREEN, PURPLE, DARK];

/// What the followed joints carry.
fn forces(points: &[Point], record: &Record) -> Panel {
    let (p, factor) = prefix(points.iter().flat_map(|p| &p.forces).copied().fold(0.0, f64::max));
    let curve = |(k, (name, _)): (usize, &(String, _))| {
        Curve::line(name.as_str(), COLOURS[k % COLOURS.len()], over_time(points, |p| p.forces[k] / factor))
    };
    let curves = record.joints.iter().enumerate().map(curve).collect();
    timed("force that joints carry".into(), format!("force [{p}N]"), points, curves)
}

/// Without a last point that leaves everything before it far behind: the end of a run that diverged.
fn settled(points: &[Point]) -> &[Point] {
    let Some((last, before)) = points.split_last() else { return points };
    let size = |p: &Point| p.energy.iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    let largest = |f: &dyn Fn(&Point) -> f64| before.iter().map(f).fold(0.0, f64::max);
    let off = size(last) > 30.0 * largest(&size) || last.gap > 30.0 * largest(&|p| p.gap);
    if off && before.len() > 1 { before } else { points }
}

fn energies(points: &[Point]) -> Panel {
    let largest = points.iter().flat_map(|p| p.energy).fold(0.0_f64, |m, e| m.max(e.abs()));
    let (p, factor) = prefix(largest);
    let curve = |k: usize, name: &str, colour| Curve::line(name, colour, over_time(points, |p| p.energy[k] / factor));
    let mut curves = vec![curve(0, "kinetic", BLUE), curve(1, "gravity", ORANGE)];
    if points.iter().any(|p| p.energy[2] != 0.0) {
        curves.push(curve(2, "elastic", GREEN));
    }
    curves.push(curve(3, "total", DARK));
    timed("energy".into(), format!("energy [{p}J]"), points, curves)
}

fn gaps(points: &[Point]) -> Panel {
    let (p, factor) = prefix(points.iter().map(|p| p.gap).fold(0.0, f64::max));
    let curve = Curve::line("", BLUE, over_time(points, |p| p.gap / factor));
    let mut panel = timed("largest gap of a joint".into(), format!("gap [{p}m]"), points, vec![curve]);
    panel.y.range.start = 0.0;
    panel
}

fn height(points: &[Point], record: &Record) -> Panel {
    let up = record.up;
    let (p, factor) = metres(points);
    let name = if record.others.is_empty() { "" } else { record.follow.trim_matches('\'') };
    let mut curves = vec![Curve::line(name, BLUE, over_time(points, |p| up.dot(p.position) / factor))];
    for (k, (name, _)) in record.others.iter().enumerate() {
        let colour = COLOURS[(k + 1) % COLOURS.len()];
        curves.push(Curve::line(name.as_str(), colour, over_time(points, |p| up.dot(p.others[k]) / factor)));
    }
    let title = if record.others.is_empty() { format!("height of {}", record.follow) } else { "height".into() };
    timed(title, format!("height [{p}m]"), points, curves)
}

/// The prefix of metres for positions.
fn metres(points: &[Point]) -> (&'static str, f64) {
    let all = points.iter().flat_map(|p| p.others.iter().chain([&p.position]));
    prefix(all.map(|p| p.abs().max_element()).fold(0.0, f64::max))
}

/// The path in the plane of the two world axes along which the body moves most; the one nearer to up is drawn upwards.
fn path(points: &[Point], record: &Record) -> Panel {
    let up = record.up;
    let range = |k: usize| {
        let xs = || points.iter().map(|p| p.position[k]);
        xs().fold(f64::NEG_INFINITY, f64::max) - xs().fold(f64::INFINITY, f64::min)
    };
    let least = (0..3).rev().min_by(|a, b| range(*a).total_cmp(&range(*b))).unwrap_or(2);
    let (mut a, mut b) = ((least + 1) % 3, (least + 2) % 3);
    if a > b {
        (a, b) = (b, a);
    }
    if up[a].abs() > up[b].abs() {
        (a, b) = (b, a);
    }
    let (p, factor) = metres(points);
    let at: Vec<(f64, f64)> = points.iter().map(|p| (p.position[a] / factor, p.position[b] / factor)).collect();
    let curve = Curve::line("", BLUE, at);
    let label = |k: usize| format!("{} [{p}m]", ["x", "y", "z"][k]);
    let x = Axis::around(label(a), curve.points.iter().map(|p| p.0));
    let y = Axis::around(label(b), curve.points.iter().map(|p| p.1));
    Panel { equal: true, ends: true, ..Panel::new(format!("path of {}", record.follow), x, y, vec![curve]) }
}

fn over_time(points: &[Point], f: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
    points.iter().map(|p| (p.time, f(p))).collect()
}

fn timed(title: String, label: String, points: &[Point], curves: Vec<Curve>) -> Panel {
    // A sum of steps ends a little off; the last label should still be there.
    let end = points.last().map_or(1.0, |p| (p.time * (1.0 + 1e-9)).max(SMALLEST));
    let y = Axis::around(label, curves.iter().flat_map(|c| &c.points).map(|p| p.1));
    Panel::new(title, Axis::linear("time [s]", 0.0..end), y, curves)
}
