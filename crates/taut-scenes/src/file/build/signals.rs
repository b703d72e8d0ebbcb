//! Signals of a scene file into those of a script.

use crate::drive::{Signal, Sine};
use crate::file::error::{FileError, Path};
use crate::file::signal::{self, Form};

/// Deepest sums of sums.
const DEEPEST: usize = 16;

/// The signal.
pub(super) fn signal(s: &signal::Signal, path: &Path) -> Result<Signal, FileError> {
    read(s, path, 0)
}

/// Three signals.
pub(super) fn three(list: &[signal::Signal; 3], path: &Path) -> Result<[Signal; 3], FileError> {
    let one = |k: usize| signal(&list[k], &path.index(k));
    Ok([one(0)?, one(1)?, one(2)?])
}

fn read(s: &signal::Signal, path: &Path, depth: usize) -> Result<Signal, FileError> {
    Ok(match &s.0 {
        Form::Constant(c) => Signal::Constant(c.value.value),
        Form::Steps(s) => {
            if s.values.len() != s.times.len() {
                let expected = format!("{} values, one for each time", s.times.len());
                return Err(FileError::input(path.key("values"), format!("{} values", s.values.len()), expected));
            }
            let points: Vec<[f64; 2]> = s.times.iter().zip(&s.values).map(|(t, x)| [t.value, x.value]).collect();
            check(&points, |k| path.key("times").index(k), &path.key("times"))?;
            Signal::Steps(points)
        }
        Form::Ramp(p) => Signal::Ramp(points(p, path)?),
        Form::Smooth(p) => Signal::Smooth(points(p, path)?),
        Form::Sine(s) => Signal::Sine(sine(s, path)?),
        Form::Table(t) => {
            let expected = "a scene file that was opened as a file: a table lies beside it";
            return Err(FileError::input(path.key("file"), format!("'{}'", t.file), expected));
        }
        Form::Sum(sum) => {
            if depth == DEEPEST || sum.of.is_empty() {
                let given = if sum.of.is_empty() { "nothing" } else { "sums of sums" };
                let expected = format!("at least one signal, and sums at most {DEEPEST} deep");
                return Err(FileError::input(path.key("of"), given, expected));
            }
            let parts = sum.of.iter().enumerate().map(|(k, s)| read(s, &path.key("of").index(k), depth + 1));
            Signal::Sum(parts.collect::<Result<_, _>>()?)
        }
    })
}

fn points(p: &signal::Points, path: &Path) -> Result<Vec<[f64; 2]>, FileError> {
    let points: Vec<[f64; 2]> = p.points.iter().map(|p| p.map(|x| x.value)).collect();
    check(&points, |k| path.key("points").index(k), &path.key("points"))?;
    Ok(points)
}

/// Refuses no points, and times that do not grow.
fn check(points: &[[f64; 2]], place: impl Fn(usize) -> Path, list: &Path) -> Result<(), FileError> {
    if points.is_empty() {
        return Err(FileError::new(list.clone(), "an empty list: expected at least one point"));
    }
    match points.windows(2).position(|p| !(p[1][0] > p[0][0])) {
        Some(k) => {
            let expected = format!("a later time than that before it, {} s", points[k][0]);
            Err(FileError::input(place(k + 1), points[k + 1][0], expected))
        }
        None => Ok(()),
    }
}

fn sine(s: &signal::Sine, path: &Path) -> Result<Sine, FileError> {
    let range = [s.from.map_or(0.0, |x| x.value), s.until.map_or(f64::INFINITY, |x| x.value)];
    if !(s.frequency.value > 0.0) {
        return Err(FileError::input(path.key("frequency"), s.frequency.value, "a number of Hz greater than zero"));
    }
    if !(range[1] > range[0]) {
        let expected = format!("a time after it begins, {} s", range[0]);
        return Err(FileError::input(path.key("until"), range[1], expected));
    }
    Ok(Sine {
        amplitude: s.amplitude.value,
        frequency: s.frequency.value,
        phase: s.phase.map_or(0.0, |x| x.value),
        offset: s.offset.map_or(0.0, |x| x.value),
        range,
    })
}
