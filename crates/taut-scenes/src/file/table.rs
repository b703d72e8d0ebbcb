//! Tables of signals: columns of CSV files, read into the scene file itself.

use super::SceneFile;
use super::error::{FileError, Path};
use super::program::Program;
use super::quantity::Number;
use super::signal::{Column, Form, Interpolation, Points, Signal, Steps, Table};

/// Most lines of a table.
const LONGEST: usize = 1_000_000;

/// Reads the tables of a scene file and puts their points in the place of them, so that the file needs no other. `read` gives the text of a
/// CSV file by its path from the folder of the scene file, or says why it cannot. Without tables it is not called.
///
/// The columns of a line are separated by commas, semicolons or tabs. The first line may have names. Empty lines and lines that begin
/// with `#` are left out.
pub fn load_tables(
    file: &mut SceneFile,
    mut read: impl FnMut(&str) -> Result<String, String>,
) -> Result<(), FileError> {
    for (k, program) in file.programs.iter_mut().enumerate() {
        let at = Path::of("programs").index(k);
        for (path, signal) in signals(program, &at) {
            load(signal, &path, &mut read)?;
        }
    }
    Ok(())
}

/// All signals of a program with their places.
pub(super) fn signals<'a>(program: &'a mut Program, at: &Path) -> Vec<(Path, &'a mut Signal)> {
    let mut out = Vec::new();
    let mut one = |name: &str, s: &'a mut Option<Signal>| out.extend(s.as_mut().map(|s| (at.key(name), s)));
    match program {
        Program::Motor(p) => {
            one("target", &mut p.target);
            one("rate", &mut p.rate);
        }
        Program::Force(p) => {
            one("scale", &mut p.scale);
            one("rest_length", &mut p.rest_length);
            for (name, list) in [("vector", &mut p.vector), ("target", &mut p.target)] {
                out.extend(three(list.as_mut(), &at.key(name)));
            }
        }
        Program::Body(p) => {
            let lists = [
                ("position", &mut p.position),
                ("velocity", &mut p.velocity),
                ("angular_velocity", &mut p.angular_velocity),
            ];
            for (name, list) in lists {
                out.extend(three(list.as_mut(), &at.key(name)));
            }
            out.extend(p.turn.as_mut().map(|t| (at.key("turn").key("angle"), &mut t.angle)));
        }
        Program::Joint(p) => out.push((at.key("length"), &mut p.length)),
        Program::Rope(p) => out.push((at.key("pay_out"), &mut p.pay_out)),
        Program::Gravity(p) => out.extend(three(Some(&mut p.gravity), &at.key("gravity"))),
    }
    out
}

fn three<'a>(list: Option<&'a mut [Signal; 3]>, at: &Path) -> impl Iterator<Item = (Path, &'a mut Signal)> {
    list.into_iter().flatten().enumerate().map(|(k, s)| (at.index(k), s))
}

fn load(
    signal: &mut Signal,
    path: &Path,
    read: &mut impl FnMut(&str) -> Result<String, String>,
) -> Result<(), FileError> {
    match &mut signal.0 {
        Form::Sum(sum) => {
            for (k, part) in sum.of.iter_mut().enumerate() {
                load(part, &path.key("of").index(k), read)?;
            }
        }
        Form::Table(table) => {
            let refuse = |field: &str, e: String| FileError::new(path.key(field), format!("{}: {e}", table.file));
            beside(&table.file, "a CSV file", &path.key("file"))?;
            let text = read(&table.file).map_err(|e| refuse("file", e))?;
            signal.0 = points(table, &text).map_err(|(field, e)| refuse(field, e))?;
        }
        _ => {}
    }
    Ok(())
}

/// Refuses a path that does not start from the folder of the scene file.
pub(super) fn beside(file: &str, what: &str, path: &Path) -> Result<(), FileError> {
    if !file.is_empty() && !std::path::Path::new(file).has_root() {
        return Ok(());
    }
    let expected = format!("the path of {what} from the folder of the scene file");
    Err(FileError::input(path.clone(), format!("'{file}'"), expected))
}

/// The points of a table; an error has the field that it goes with.
fn points(table: &Table, text: &str) -> Result<Form, (&'static str, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(k, l)| (k + 1, l.trim()));
    let mut lines = lines.filter(|(_, l)| !l.is_empty() && !l.starts_with('#')).peekable();
    let Some(&(_, first)) = lines.peek() else { return Err(("file", "empty: expected lines of numbers".into())) };
    let names: Vec<&str> = cells(first).collect();
    let named = names.iter().any(|c| c.parse::<f64>().is_err());
    if named {
        lines.next();
    }
    let column = |field: &'static str, given: &Option<Column>, default: usize| match given {
        None if default < names.len() => Ok(default),
        None => Err((field, format!("{} columns: expected at least {}", names.len(), default + 1))),
        Some(Column::Number(k)) if *k < names.len() => Ok(*k),
        Some(Column::Number(k)) => Err((field, format!("column {k}: expected a number below {}", names.len()))),
        Some(Column::Name(name)) => names.iter().position(|n| named && n == name).ok_or_else(|| {
            let known = if named { format!("one of {}", names.join(", ")) } else { "a first line with names".into() };
            (field, format!("column '{name}': expected {known}"))
        }),
    };
    let (time, value) = (column("time", &table.time, 0)?, column("value", &table.value, 1)?);
    let scale = table.scale.map_or(1.0, |s| s.value);
    let mut points: Vec<[f64; 2]> = Vec::new();
    for (number, line) in lines {
        let row: Vec<&str> = cells(line).collect();
        let cell = |field, k: usize| {
            let text = row.get(k).copied().unwrap_or("");
            let x = text.parse::<f64>().ok().filter(|x| x.is_finite());
            x.ok_or_else(|| (field, format!("line {number}: '{text}': expected a number in column {k}")))
        };
        let (t, x) = (cell("time", time)?, scale * cell("value", value)?);
        if points.last().is_some_and(|p| !(t > p[0])) {
            return Err(("time", format!("line {number}: {t} s: expected a later time than in the line before")));
        }
        if points.len() == LONGEST {
            return Err(("file", format!("line {number}: expected at most {LONGEST} lines")));
        }
        points.push([t, x]);
    }
    if points.is_empty() {
        return Err(("file", "no lines of numbers: expected at least one".into()));
    }
    Ok(match table.interpolation.unwrap_or_default() {
        Interpolation::Linear => Form::Ramp(Points { points: points.iter().map(|p| p.map(Number::from)).collect() }),
        Interpolation::Step => Form::Steps(Steps {
            times: points.iter().map(|p| p[0].into()).collect(),
            values: points.iter().map(|p| p[1].into()).collect(),
        }),
    })
}

/// The cells of a line, without quotes around them.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    let separator = [';', '\t', ','].into_iter().find(|s| line.contains(*s)).unwrap_or(',');
    line.split(separator).map(|c| c.trim().trim_matches('"').trim())
}
