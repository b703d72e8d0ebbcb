//! Pictures of a sweep: over one thing that was varied a curve, over two a map.

use super::Picture;
use super::axis::Axis;
use super::panel::{BLUE, Curve, DARK, Map, ORANGE, Panel};
use std::collections::BTreeMap;
use taut_fleet::Cell;
use taut_fleet::table::{Kind, Table};
use taut_scenes::nearest;

/// Width and height of the picture, pixels.
const SIZE: (u32, u32) = (960, 620);
/// Numbers that span more than this factor stand on a logarithmic axis.
const WIDE: f64 = 50.0;
/// More different values than this are a cloud, and no curve.
const MANY: usize = 200;

/// What is drawn.
pub struct Wanted<'a> {
    /// Title of the picture.
    pub title: String,
    /// The column that is shown; "stable" is the share of stable runs.
    pub value: &'a str,
    /// The columns over which it is shown; the first two that were varied where there are none.
    pub over: &'a [String],
}

/// The runs that have the same values of what was varied.
struct Group {
    place: Vec<f64>,
    /// Of the stable ones.
    values: Vec<f64>,
    runs: usize,
    stable: usize,
}

/// Something that was varied.
struct Varied {
    axis: Axis,
    column: usize,
    /// Its values, or the numbers of its words.
    values: Vec<f64>,
}

/// The picture of a table of runs.
pub fn map(table: &Table, wanted: &Wanted<'_>) -> Result<Picture, String> {
    let over = over(table, wanted.over)?;
    let groups = groups(table, &over, column(table, wanted.value)?)?;
    let panel = match over.as_slice() {
        [x] => line(x, &groups, wanted.value, seeds(table)),
        [x, y] => tiles(x, y, &groups, wanted.value),
        _ => return Err("--over: expected one or two names".into()),
    };
    Ok(Picture { title: wanted.title.clone(), size: SIZE, columns: 1, panels: vec![panel] })
}

/// The number of the column that is shown; none for the share of stable runs.
fn column(table: &Table, name: &str) -> Result<Option<usize>, String> {
    if name == "stable" {
        return Ok(None);
    }
    let numbers =
        || table.columns.iter().filter(|c| matches!(c.kind, Kind::Number | Kind::Whole)).map(|c| c.name.as_str());
    let at = table.column(name).filter(|_| numbers().any(|n| n == name));
    at.map(Some).ok_or_else(|| {
        let hint = nearest(name, numbers()).map_or(String::new(), |n| format!("; did you mean {n}?"));
        let all: Vec<&str> = std::iter::once("stable").chain(numbers()).collect();
        format!("--value {name}: expected one of {}{hint}", all.join(", "))
    })
}

/// What it is shown over.
fn over(table: &Table, names: &[String]) -> Result<Vec<Varied>, String> {
    // What was set stands between the number of a run and its seed.
    let end = table.column("seed").ok_or("expected the table of a sweep, with a column 'seed'")?;
    let varied: Vec<Varied> = (1..end).map(|c| values(table, c)).filter(|v| v.values.len() > 1).collect();
    let known: Vec<String> = varied.iter().map(|v| v.axis.label.clone()).collect();
    if let Some(wrong) = names.iter().find(|n| !known.contains(n)) {
        return Err(format!("--over {wrong}: expected one of {}, which were varied", known.join(", ")));
    }
    if varied.is_empty() {
        return Err("--plot: expected a sweep in which something was varied".into());
    }
    let chosen = |v: &Varied| names.is_empty() || names.contains(&v.axis.label);
    let mut out: Vec<Varied> = varied.into_iter().filter(chosen).collect();
    let place = |v: &Varied| names.iter().position(|n| *n == v.axis.label);
    out.sort_by_key(place);
    out.truncate(if names.is_empty() { 2 } else { names.len() });
    Ok(out)
}

/// A column with its values and its axis.
fn values(table: &Table, column: usize) -> Varied {
    let label = table.columns[column].name.clone();
    let cells = || table.rows.iter().filter_map(|r| r.get(column));
    if matches!(table.columns[column].kind, Kind::Text | Kind::Bool) {
        // In the order in which they were given.
        let mut words: Vec<String> = Vec::new();
        cells().filter(|c| **c != Cell::Missing).map(Cell::to_string).for_each(|w| {
            if !words.contains(&w) {
                words.push(w);
            }
        });
        let values = (0..words.len()).map(|k| k as f64).collect();
        return Varied { axis: Axis::words(label, words), column, values };
    }
    let mut values: Vec<f64> = cells().filter_map(Cell::number).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    // As they are spaced: where their logarithms are more even than they are, on a logarithmic axis.
    let uneven = |f: &dyn Fn(f64) -> f64| {
        let steps = || values.windows(2).map(|w| f(w[1]) - f(w[0]));
        steps().fold(0.0, f64::max) / steps().fold(f64::INFINITY, f64::min)
    };
    let log = values.len() > 2 && values[0] > 0.0 && uneven(&f64::ln) < uneven(&|x| x);
    let ends = || values.iter().copied();
    let axis = if log { Axis::log(label, ends()) } else { Axis::around(label, ends()) };
    Varied { axis, column, values }
}

/// The axis of what is shown: logarithmic where it spans much.
fn scaled(label: String, values: &[f64]) -> Axis {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least > 0.0 && most > WIDE * least {
        Axis::log(label, [least, most].into_iter())
    } else {
        Axis::around(label, [least, most].into_iter())
    }
}

impl Varied {
    /// Where a cell stands on the axis.
    fn place(&self, cell: &Cell) -> Option<f64> {
        if self.axis.words.is_empty() {
            return cell.number();
        }
        let word = cell.to_string();
        self.axis.words.iter().position(|w| *w == word).map(|k| k as f64)
    }

    /// The borders around its values: half way between them.
    fn borders(&self) -> Vec<f64> {
        let places: Vec<f64> = self.values.iter().map(|v| self.axis.place(*v)).collect();
        let half = |k: usize| 0.5 * (places[k + 1] - places[k]);
        let last = places.len() - 1;
        let first = places[0] - if last > 0 { half(0) } else { 0.5 };
        let between = (0..last).map(|k| places[k] + half(k));
        let end = places[last] + if last > 0 { half(last - 1) } else { 0.5 };
        std::iter::once(first).chain(between).chain([end]).map(|p| self.axis.value(p)).collect()
    }
}

fn groups(table: &Table, over: &[Varied], value: Option<usize>) -> Result<Vec<Group>, String> {
    let verdict = table.column("verdict").ok_or("expected the table of a sweep, with a column 'verdict'")?;
    // Numbers in the order of their values: bits of what is not negative are; others are turned round.
    let key = |x: f64| x.to_bits() as i64 ^ (((x.to_bits() as i64) >> 63) as u64 >> 1) as i64;
    let mut found: BTreeMap<Vec<i64>, Group> = BTreeMap::new();
    for row in &table.rows {
        let Some(place) = over.iter().map(|v| v.place(&row[v.column])).collect::<Option<Vec<f64>>>() else { continue };
        let new = Group { place: place.clone(), values: Vec::new(), runs: 0, stable: 0 };
        let group = found.entry(place.into_iter().map(key).collect()).or_insert(new);
        group.runs += 1;
        if row[verdict].text() == Some("stable") {
            group.stable += 1;
            group.values.extend(value.and_then(|c| row[c].number()));
        }
    }
    Ok(found.into_values().collect())
}

impl Group {
    /// The share of stable runs, or the median of what is shown.
    fn value(&self, name: &str) -> Option<f64> {
        if name == "stable" {
            return Some(self.stable as f64 / self.runs.max(1) as f64);
        }
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }
}

/// How the value is called: of several runs the median is shown.
fn label(name: &str, groups: &[Group]) -> String {
    match (name, groups.iter().any(|g| g.runs > 1)) {
        ("stable", _) => "share of stable runs".into(),
        (_, true) => format!("{name} (median)"),
        (_, false) => name.to_owned(),
    }
}

/// The axis of the value.
fn scale(name: &str, groups: &[Group], all: &[f64]) -> Axis {
    if name == "stable" { Axis::linear(label(name, groups), 0.0..1.0) } else { scaled(label(name, groups), all) }
}

/// What stands on an axis: its name, with the unit of what every sweep can vary.
fn named(axis: &Axis) -> Axis {
    let unit = if ["dt", "time"].contains(&axis.label.as_str()) { " [s]" } else { "" };
    Axis { label: format!("{}{unit}", axis.label), ..axis.clone() }
}

/// Whether there is more than one seed.
fn seeds(table: &Table) -> bool {
    table.column("seed").is_some_and(|c| values(table, c).values.len() > 1)
}

fn line(x: &Varied, groups: &[Group], name: &str, seeds: bool) -> Panel {
    let at = |g: &Group| g.place[0];
    let middle: Vec<(f64, f64)> = groups.iter().filter_map(|g| Some((at(g), g.value(name)?))).collect();
    let all: Vec<(f64, f64)> = groups.iter().flat_map(|g| g.values.iter().map(|v| (at(g), *v))).collect();
    let shown = if all.is_empty() { &middle } else { &all };
    let mut y = scale(name, groups, &shown.iter().map(|p| p.1).collect::<Vec<_>>());
    if name == "stable" {
        y.range = -0.03..1.03;
    }
    let mut curves = Vec::new();
    // Values that were drawn for every seed make a cloud.
    let drawn = groups.len() > MANY || (seeds && groups.iter().all(|g| g.runs == 1));
    if (drawn && name != "stable") || groups.iter().any(|g| g.values.len() > 1) {
        curves.push(Curve::cloud("runs", BLUE, all));
    }
    if !drawn || name == "stable" {
        let curve = Curve::dots(if curves.is_empty() { "" } else { "median" }, DARK, middle);
        // Words have no order that a line could mean.
        curves.push(if x.axis.words.is_empty() { curve } else { Curve::cloud(curve.name, DARK, curve.points) });
    }
    let bottom = y.range.start;
    let off: Vec<(f64, f64)> = groups.iter().filter(|g| g.stable < g.runs).map(|g| (at(g), bottom)).collect();
    if !off.is_empty() && name != "stable" {
        curves.push(Curve::crosses("runs that were not stable", ORANGE, off));
    }
    Panel::new("", named(&x.axis), y, curves)
}

fn tiles(x: &Varied, y: &Varied, groups: &[Group], name: &str) -> Panel {
    let (across, up) = (x.borders(), y.borders());
    let index = |v: &Varied, at: f64| v.values.iter().position(|w| *w == at);
    let tile = |g: &Group| {
        let (i, j) = (index(x, g.place[0])?, index(y, g.place[1])?);
        Some(([across[i], across[i + 1], up[j], up[j + 1]], g.value(name)?))
    };
    let tiles: Vec<([f64; 4], f64)> = groups.iter().filter_map(tile).collect();
    let scale = scale(name, groups, &tiles.iter().map(|t| t.1).collect::<Vec<_>>());
    let whole = |v: &Varied, borders: &[f64]| Axis { range: borders[0]..borders[borders.len() - 1], ..named(&v.axis) };
    let off: Vec<(f64, f64)> = groups.iter().filter(|g| g.stable < g.runs).map(|g| (g.place[0], g.place[1])).collect();
    let word = if groups.iter().all(|g| g.runs == 1) { "not stable" } else { "not all stable" };
    let curves = if off.is_empty() || name == "stable" { vec![] } else { vec![Curve::crosses(word, ORANGE, off)] };
    Panel { map: Some(Map { tiles, scale }), ..Panel::new("", whole(x, &across), whole(y, &up), curves) }
}
