//! Tables as CSV or Parquet files: columns with a kind, rows of cells.

use crate::cell::Cell;
use crate::parquet;
use crate::row::Row;
use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::path::Path;

/// What a column holds; every column may have cells without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Yes or no.
    Bool,
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Texts.
    Text,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// By the ending of a file; none for another.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_lowercase().as_str() {
            "csv" => Some(Format::Csv),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

/// A table in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Of rows that name their values. Columns stand in the order in which they come up; where a row has no value, it is missing. A column
    /// in which numbers and words meet is one of texts.
    pub fn of<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        let mut known = std::collections::BTreeMap::new();
        for row in rows.clone() {
            for (name, cell) in &row.0 {
                let at = *known.entry(name.as_str()).or_insert_with(|| {
                    columns.push(Column { name: name.clone(), kind: Kind::Bool });
                    (columns.len() - 1, None::<Kind>)
                });
                let kind = joined(at.1, cell);
                known.insert(name, (at.0, kind));
            }
        }
        for (at, kind) in known.values() {
            columns[*at].kind = kind.unwrap_or(Kind::Number);
        }
        let cells = |row: &Row| {
            let mut out = vec![Cell::Missing; columns.len()];
            for (name, cell) in &row.0 {
                if let Some((at, _)) = known.get(name.as_str()) {
                    out[*at] = fitted(cell, columns[*at].kind);
                }
            }
            out
        };
        let rows = rows.map(cells).collect();
        Table { columns, rows }
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// What the output refuses.
    pub fn write(&self, format: Format, out: impl Write) -> Result<()> {
        let mut writer = Writer::new(format, out, &self.columns)?;
        self.rows.iter().try_for_each(|row| writer.push(row))?;
        writer.finish()
    }

    /// Reads a table that was written here.
    ///
    /// # Errors
    ///
    /// What is no such table, in words.
    pub fn read(format: Format, bytes: &[u8]) -> std::result::Result<Self, String> {
        match format {
            Format::Parquet => parquet::read(bytes),
            Format::Csv => read_csv(std::str::from_utf8(bytes).map_err(|e| e.to_string())?),
        }
    }

    /// The number of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == name)
    }
}

/// The kind that holds a cell too.
fn joined(kind: Option<Kind>, cell: &Cell) -> Option<Kind> {
    let own = match cell {
        Cell::Missing => return kind,
        Cell::Bool(_) => Kind::Bool,
        Cell::Whole(_) => Kind::Whole,
        Cell::Number(_) => Kind::Number,
        Cell::Text(_) => Kind::Text,
    };
    Some(match kind {
        None => own,
        Some(k) if k == own => k,
        Some(Kind::Whole | Kind::Number) if matches!(own, Kind::Whole | Kind::Number) => Kind::Number,
        Some(_) => Kind::Text,
    })
}

/// A cell as its column holds it.
fn fitted(cell: &Cell, kind: Kind) -> Cell {
    match (cell, kind) {
        (Cell::Whole(n), Kind::Number) => Cell::Number(*n as f64),
        (Cell::Missing, _) | (Cell::Text(_), Kind::Text) => cell.clone(),
        (other, Kind::Text) => Cell::Text(other.to_string()),
        (other, _) => other.clone(),
    }
}

/// Writes a table row by row.
pub enum Writer<W: Write> {
    /// As CSV.
    Csv(BufWriter<W>),
    /// As Parquet.
    Parquet(Box<parquet::Writer<W>>),
}

impl<W: Write> Writer<W> {
    /// Writes what comes before the rows.
    ///
    /// # Errors
    ///
    /// What the output refuses.
    pub fn new(format: Format, out: W, columns: &[Column]) -> Result<Self> {
        if format == Format::Parquet {
            return parquet::Writer::new(out, columns).map(Box::new).map(Writer::Parquet);
        }
        let mut out = BufWriter::new(out);
        let names: Vec<String> = columns.iter().map(|c| quoted(&c.name)).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Writer::Csv(out))
    }

    /// Writes a row: a cell for every column, of its kind or missing.
    ///
    /// # Errors
    ///
    /// What the output refuses.
    pub fn push(&mut self, row: &[Cell]) -> Result<()> {
        match self {
            Writer::Parquet(p) => p.push(row),
            Writer::Csv(out) => {
                for (k, cell) in row.iter().enumerate() {
                    let comma = if k == 0 { "" } else { "," };
                    match cell {
                        Cell::Text(t) => write!(out, "{comma}{}", quoted(t))?,
                        other => write!(out, "{comma}{other}")?,
                    }
                }
                writeln!(out)
            }
        }
    }

    /// Writes what comes after the rows.
    ///
    /// # Errors
    ///
    /// What the output refuses.
    pub fn finish(self) -> Result<()> {
        match self {
            Writer::Csv(mut out) => out.flush(),
            Writer::Parquet(p) => p.finish(),
        }
    }
}

/// A text as a cell: quoted where it has a comma, a quote or a line break in it.
pub fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Reads CSV. The kinds of the columns are those that hold all their cells.
fn read_csv(text: &str) -> std::result::Result<Table, String> {
    let mut lines = records(text)?.into_iter();
    let names = lines.next().ok_or("expected a header")?;
    let mut rows: Vec<Row> = Vec::new();
    for (k, cells) in lines.enumerate() {
        if cells.len() != names.len() {
            let (n, wanted) = (cells.len(), names.len());
            return Err(format!("line {}: {n} cells, expected {wanted} as in the header", k + 2));
        }
        rows.push(Row(names.iter().cloned().zip(cells.iter().map(|c| guessed(c))).collect()));
    }
    let mut table = Table::of(rows.iter());
    if rows.is_empty() {
        table.columns = names.into_iter().map(|name| Column { name, kind: Kind::Number }).collect();
    }
    Ok(table)
}

fn guessed(text: &str) -> Cell {
    let whole = || text.parse().map(Cell::Whole).ok();
    let number = || text.parse().map(Cell::Number).ok();
    let boolean = || text.parse().map(Cell::Bool).ok();
    if text.is_empty() {
        Cell::Missing
    } else {
        whole().or_else(number).or_else(boolean).unwrap_or_else(|| Cell::Text(text.to_owned()))
    }
}

/// The cells of all lines.
fn records(text: &str) -> std::result::Result<Vec<Vec<String>>, String> {
    let (mut out, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    let mut inside = false;
    while let Some(c) = letters.next() {
        match c {
            '"' if inside && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => inside = !inside,
            ',' if !inside => row.push(std::mem::take(&mut cell)),
            '\r' if !inside && letters.peek() == Some(&'\n') => {}
            '\n' if !inside => {
                row.push(std::mem::take(&mut cell));
                out.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    if inside {
        return Err("expected the end of a quoted cell".into());
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        out.push(row);
    }
    Ok(out)
}

/// An error of a row that does not fit its columns.
pub(crate) fn misfit(column: &str, cell: &Cell, kind: Kind) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("column '{column}': {cell:?}, expected {kind:?} or nothing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let text = |t: &str| Cell::Text(t.into());
        let row = |list: &[(&str, Cell)]| Row(list.iter().map(|(n, c)| ((*n).to_owned(), c.clone())).collect());
        vec![
            row(&[
                ("run", Cell::Whole(0)),
                ("x", Cell::Number(0.1)),
                ("word", text("a, \"b\"\nc")),
                ("on", Cell::Bool(true)),
            ]),
            row(&[("run", Cell::Whole(1)), ("x", Cell::Whole(2)), ("message", text("why"))]),
            row(&[("run", Cell::Whole(2)), ("x", Cell::Missing), ("word", text("µ")), ("on", Cell::Bool(false))]),
        ]
    }

    #[test]
    fn rows_make_a_table_that_both_formats_give_back() {
        let rows = rows();
        let table = Table::of(rows.iter());
        let kinds: Vec<(&str, Kind)> = table.columns.iter().map(|c| (c.name.as_str(), c.kind)).collect();
        let wanted = [
            ("run", Kind::Whole),
            ("x", Kind::Number),
            ("word", Kind::Text),
            ("on", Kind::Bool),
            ("message", Kind::Text),
        ];
        assert_eq!(kinds, wanted);
        assert_eq!(table.rows[1][1], Cell::Number(2.0));
        for format in [Format::Csv, Format::Parquet] {
            let mut bytes = Vec::new();
            table.write(format, &mut bytes).unwrap();
            assert_eq!(Table::read(format, &bytes).unwrap(), table, "{format:?}");
        }
    }

    #[test]
    fn broken_csv_is_refused() {
        assert!(Table::read(Format::Csv, b"a,b\n1\n").unwrap_err().contains("line 2"));
        assert!(Table::read(Format::Csv, b"").unwrap_err().contains("header"));
        assert!(Table::read(Format::Csv, b"a\n\"1\n").unwrap_err().contains("quoted"));
        assert!(Table::read(Format::Csv, b"a\n\xff\n").is_err());
    }
}
