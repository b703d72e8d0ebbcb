//! One value of a table.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One value of a table, or of a parameter. In JSON it is null, a boolean, a number or a string. A number that is not finite becomes null there.
///
/// ```
/// use taut_fleet::Cell;
/// let cells: Vec<Cell> = serde_json::from_str("[null, true, 3, 3.0, \"word\"]").unwrap();
/// assert_eq!(cells[2..4], [Cell::Whole(3), Cell::Number(3.0)]);
/// assert_eq!(serde_json::to_string(&cells).unwrap(), "[null,true,3,3.0,\"word\"]");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// No value.
    Missing,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

impl Cell {
    /// A number; missing where it is not finite.
    pub fn finite(x: f64) -> Self {
        if x.is_finite() { Cell::Number(x) } else { Cell::Missing }
    }

    /// A count.
    pub fn count(n: u64) -> Self {
        i64::try_from(n).map_or(Cell::Missing, Cell::Whole)
    }

    /// Reads what a user wrote: a number, a fraction such as 1/60, or else a word.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
        let number = |t: &str| t.trim().parse::<f64>().ok();
        match number(top).zip(number(bottom)).map(|(a, b)| a / b) {
            Some(x) if x.is_finite() => Cell::Number(x),
            _ => Cell::Text(text.to_owned()),
        }
    }

    /// Its number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Cell::Number(x) => Some(*x),
            Cell::Whole(n) => Some(*n as f64),
            _ => None,
        }
    }

    /// Its text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Cell::Text(t) = self { Some(t) } else { None }
    }
}

impl fmt::Display for Cell {
    /// The shortest text that reads back as the same value; nothing where it is missing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Missing => Ok(()),
            Cell::Bool(b) => write!(f, "{b}"),
            Cell::Whole(n) => write!(f, "{n}"),
            Cell::Number(x) => write!(f, "{x:?}"),
            Cell::Text(t) => f.write_str(t),
        }
    }
}

impl From<Option<f64>> for Cell {
    fn from(x: Option<f64>) -> Self {
        x.map_or(Cell::Missing, Cell::Number)
    }
}
