//! What a figure consists of: panels, numbers and a verdict.

use crate::plot::panel::Panel;
use std::fmt;

/// A figure that has been computed.
pub struct Made {
    /// Width and height of the picture, pixels.
    pub size: (u32, u32),
    /// Panels side by side.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Every number of the picture.
    pub table: Table,
    /// How it compares with the paper.
    pub verdict: Verdict,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub enum Cell {
    Text(String),
    Number(f64),
    /// Not measured, or not published.
    Empty,
}

impl From<f64> for Cell {
    fn from(x: f64) -> Self {
        Cell::Number(x)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<Option<f64>> for Cell {
    fn from(x: Option<f64>) -> Self {
        x.map_or(Cell::Empty, Cell::Number)
    }
}

/// The numbers of a figure, for the CSV file.
pub struct Table {
    header: &'static [&'static str],
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table; headers carry their units.
    pub fn new(header: &'static [&'static str]) -> Self {
        Table { header, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn add<const N: usize>(&mut self, row: [Cell; N]) {
        debug_assert_eq!(N, self.header.len());
        self.rows.push(row.into());
    }

    /// As the text of a CSV file.
    pub fn csv(&self) -> String {
        let mut out = self.header.join(",") + "\n";
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .map(|c| match c {
                    Cell::Text(t) => t.clone(),
                    // The debug form is the shortest that reads back as the same number.
                    Cell::Number(x) => format!("{x:?}"),
                    Cell::Empty => String::new(),
                })
                .collect();
            out += &(cells.join(",") + "\n");
        }
        out
    }
}

/// How a figure compares with the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Reproduced,
    Better,
    NotReproduced,
    /// The rule does not hold in a run of `--quick`, which is too short to say that it never will.
    TooShort,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Word::Reproduced => "reproduced",
            Word::Better => "better",
            Word::NotReproduced => "not reproduced",
            Word::TooShort => "too short to judge",
        })
    }
}

/// The word, the numbers it follows from, and the rule by which it follows.
pub struct Verdict {
    pub word: Word,
    pub why: String,
    pub rule: &'static str,
}

impl Verdict {
    /// `reproduced` and `better` are what the rule says of the measured numbers; nothing is better that is not also reproduced.
    pub fn new(rule: &'static str, reproduced: bool, better: bool, why: String) -> Self {
        let word = match (reproduced, better) {
            (true, true) => Word::Better,
            (true, false) => Word::Reproduced,
            (false, _) => Word::NotReproduced,
        };
        Verdict { word, why, rule }
    }

    /// What a short run may say: it can meet the rule, and cannot show that a longer one would not.
    pub fn of_short_run(mut self) -> Self {
        if self.word == Word::NotReproduced {
            self.word = Word::TooShort;
        }
        self
    }

    /// As the text of a file.
    pub fn text(&self) -> String {
        format!("{}: {}\nRule: {}\n", self.word, self.why, self.rule)
    }
}
