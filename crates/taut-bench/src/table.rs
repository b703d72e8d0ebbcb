//! What is printed and written: lines, Markdown tables, CSV files.

use crate::Result;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where lines and tables go.
pub struct Report<'a> {
    out: Option<PathBuf>,
    print: &'a mut dyn FnMut(&str),
    progress: &'a mut dyn FnMut(&str),
}

impl<'a> Report<'a> {
    /// A report; `out` is the folder for CSV files, made when it is not there.
    pub fn new(out: Option<&Path>, print: &'a mut dyn FnMut(&str), progress: &'a mut dyn FnMut(&str)) -> Result<Self> {
        if let Some(dir) = out {
            std::fs::create_dir_all(dir)
                .map_err(|e| format!("out = {}: {e}; expected a folder that can be written", dir.display()))?;
        }
        Ok(Report { out: out.map(Path::to_path_buf), print, progress })
    }

    /// Prints a line.
    pub fn say(&mut self, line: &str) {
        (self.print)(line);
    }

    /// Says what is being done.
    pub fn doing(&mut self, line: &str) {
        (self.progress)(line);
    }

    /// Prints a table.
    pub fn table(&mut self, table: &Table) {
        for line in table.markdown() {
            self.say(&line);
        }
    }

    /// Writes rows to `NAME.csv` in the folder, if one was given.
    pub fn csv(&mut self, name: &str, table: &Table) -> Result<()> {
        let Some(dir) = &self.out else { return Ok(()) };
        let path = dir.join(format!("{name}.csv"));
        let fail = |e| format!("{}: {e}", path.display());
        let mut file = File::create(&path).map_err(fail)?;
        file.write_all(table.csv().as_bytes()).map_err(fail)
    }
}

/// A table of text.
#[derive(Clone, Debug, Default)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Table { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    fn markdown(&self) -> Vec<String> {
        let width = |c: usize| {
            let cells = self.rows.iter().filter_map(|r| r.get(c)).map(|s| s.chars().count());
            cells.chain([self.head[c].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let line = |cells: &[String]| {
            let padded: Vec<String> = cells.iter().zip(&widths).map(|(s, w)| format!("{s:<w$}")).collect();
            format!("| {} |", padded.join(" | "))
        };
        let rule = format!("|{}|", widths.iter().map(|w| "-".repeat(w + 2)).collect::<Vec<_>>().join("|"));
        let mut lines = vec![line(&self.head), rule];
        lines.extend(self.rows.iter().map(|r| line(r)));
        lines
    }

    fn csv(&self) -> String {
        let quote =
            |s: &String| if s.contains([',', '"']) { format!("\"{}\"", s.replace('"', "\"\"")) } else { s.clone() };
        let line = |r: &Vec<String>| r.iter().map(quote).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.head).chain(&self.rows).map(line).collect()
    }
}

/// Two significant digits.
pub fn short(x: f64) -> String {
    digits(x, 2)
}

/// So many significant digits; "-" for what is no number.
pub fn digits(x: f64, count: i32) -> String {
    if !x.is_finite() {
        return "-".into();
    }
    if x == 0.0 {
        return "0".into();
    }
    let (size, more) = (x.abs().log10().floor() as i32, count - 1);
    if (-3..4).contains(&size) {
        format!("{x:.*}", (more - size).max(0) as usize)
    } else {
        format!("{x:.*e}", more.max(0) as usize)
    }
}

/// A step, as a fraction where it is one sixtieth.
pub fn step(h: f64) -> String {
    if h == 1.0 / 60.0 { "1/60".into() } else { format!("{h}") }
}

/// A ratio: 1, 10, 100, 1e3, ...
pub fn ratio(r: f64) -> String {
    if r < 1e3 { format!("{r}") } else { format!("{r:e}") }
}
