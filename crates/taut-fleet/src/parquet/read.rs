//! Reads Parquet files that were written here.

use super::thrift::{Node, Reader};
use super::{BOOLEAN, BYTE_ARRAY, DOUBLE, INT64, MAGIC, PLAIN, RLE};
use crate::cell::Cell;
use crate::table::{Column, Kind, Table};

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Table, String> {
    let broken = || "expected a Parquet file that is whole".to_owned();
    let body = bytes.strip_suffix(MAGIC).filter(|b| b.starts_with(MAGIC)).ok_or_else(broken)?;
    let (body, length) = body.split_last_chunk::<4>().ok_or_else(broken)?;
    let start = body.len().checked_sub(u32::from_le_bytes(*length) as usize).ok_or_else(broken)?;
    let meta = Reader(&body[start..]).fields().ok_or_else(broken)?;
    let columns: Vec<Column> = meta.list(2).iter().skip(1).map(column).collect::<Option<_>>().ok_or_else(foreign)?;
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for group in meta.list(4) {
        let chunks = group.list(1);
        if chunks.len() != columns.len() {
            return Err(broken());
        }
        let mut cells = Vec::with_capacity(columns.len());
        for (c, k) in columns.iter().zip(chunks) {
            cells.push(chunk(body, c, k.field(3).ok_or_else(broken)?)?);
        }
        let count = cells.first().map_or(0, Vec::len);
        if cells.iter().any(|c| c.len() != count) {
            return Err(broken());
        }
        let mut across: Vec<_> = cells.into_iter().map(Vec::into_iter).collect();
        rows.extend((0..count).map(|_| across.iter_mut().map(|c| c.next().unwrap_or(Cell::Missing)).collect()));
    }
    Ok(Table { columns, rows })
}

/// What is said of a file that somebody else wrote.
fn foreign() -> String {
    "expected a Parquet file as Taut writes it: flat columns, plain values, no compression".into()
}

/// A column of the schema.
fn column(node: &Node) -> Option<Column> {
    let kind = match node.number(1)? {
        BOOLEAN => Kind::Bool,
        INT64 => Kind::Whole,
        DOUBLE => Kind::Number,
        BYTE_ARRAY => Kind::Text,
        _ => return None,
    };
    (node.number(3) == Some(1)).then_some(Column { name: node.string(4)?, kind })
}

/// The cells of a column in a group.
fn chunk(body: &[u8], column: &Column, meta: &Node) -> Result<Vec<Cell>, String> {
    let broken = || format!("column '{}': expected pages that are whole", column.name);
    if meta.number(4) != Some(0) || meta.number(11).is_some() {
        return Err(foreign());
    }
    let at = |n| meta.number(n).and_then(|x| usize::try_from(x).ok()).ok_or_else(broken);
    let mut reader = Reader(body.get(at(9)?..).ok_or_else(broken)?);
    let mut out = Vec::new();
    let rows = at(5)?;
    while out.len() < rows {
        let header = reader.fields().ok_or_else(broken)?;
        let size = header.number(3).and_then(|n| usize::try_from(n).ok()).ok_or_else(broken)?;
        let page = reader.take(size).ok_or_else(broken)?;
        let data = header.field(5).filter(|_| header.number(1) == Some(0)).ok_or_else(foreign)?;
        if data.number(2) != Some(PLAIN) || data.number(3) != Some(RLE) {
            return Err(foreign());
        }
        let count = data.number(1).and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0).ok_or_else(broken)?;
        cells(Reader(page), column.kind, count, &mut out).ok_or_else(broken)?;
    }
    Ok(out)
}

/// The cells of a page.
fn cells(mut page: Reader<'_>, kind: Kind, count: usize, out: &mut Vec<Cell>) -> Option<()> {
    let length = u32::from_le_bytes(page.array()?) as usize;
    let mut levels = Reader(page.take(length)?);
    let (first, mut bits) = (out.len(), 0_usize);
    while out.len() - first < count {
        let head = levels.unsigned()?;
        let [level] = levels.array()?;
        // Runs only: what is packed otherwise was not written here.
        if head & 1 == 1 || level > 1 || (head >> 1) as usize > count - (out.len() - first) || head == 0 {
            return None;
        }
        for _ in 0..head >> 1 {
            out.push(if level == 0 { Cell::Missing } else { value(&mut page, kind, &mut bits)? });
        }
    }
    Some(())
}

fn value(page: &mut Reader<'_>, kind: Kind, bits: &mut usize) -> Option<Cell> {
    Some(match kind {
        Kind::Bool => {
            let bit = page.0.get(*bits / 8)? >> (*bits % 8) & 1;
            *bits += 1;
            Cell::Bool(bit == 1)
        }
        Kind::Whole => Cell::Whole(i64::from_le_bytes(page.array()?)),
        Kind::Number => Cell::Number(f64::from_le_bytes(page.array()?)),
        Kind::Text => {
            let length = u32::from_le_bytes(page.array()?) as usize;
            Cell::Text(String::from_utf8(page.take(length)?.to_vec()).ok()?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Format;

    fn table() -> Table {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let columns =
            vec![column("b", Kind::Bool), column("n", Kind::Whole), column("x", Kind::Number), column("t", Kind::Text)];
        let row = |k: i64| {
            let cells = [
                Cell::Bool(k % 3 == 0),
                Cell::Whole(k - 50_000),
                Cell::Number(1.0 / k as f64),
                Cell::Text(format!("µ{k}")),
            ];
            let there = |(c, cell): (usize, Cell)| if (k + c as i64) % 7 == 0 { Cell::Missing } else { cell };
            cells.into_iter().enumerate().map(there).collect()
        };
        // More than one group.
        Table { columns, rows: (0..70_000).map(row).collect() }
    }

    fn bytes(table: &Table) -> Vec<u8> {
        let mut out = Vec::new();
        table.write(Format::Parquet, &mut out).unwrap();
        out
    }

    #[test]
    fn groups_and_missing_cells_come_back() {
        let table = table();
        assert_eq!(read(&bytes(&table)).unwrap(), table);
        let none = Table { rows: Vec::new(), ..table };
        assert_eq!(read(&bytes(&none)).unwrap(), none);
    }

    #[test]
    fn damaged_files_are_refused_or_read_and_never_crash() {
        let whole = bytes(&Table { rows: table().rows[..40].to_vec(), ..table() });
        for n in 0..whole.len() {
            assert!(read(&whole[..n]).is_err(), "cut at {n}");
            for bit in 0..8 {
                let mut bad = whole.clone();
                bad[n] ^= 1 << bit;
                if let Ok(t) = read(&bad) {
                    assert!(t.rows.len() <= 10_000);
                }
            }
        }
    }

    #[test]
    fn cells_of_another_kind_are_refused() {
        let columns = vec![Column { name: "x".into(), kind: Kind::Number }];
        let table = Table { columns, rows: vec![vec![Cell::Whole(1)]] };
        let e = table.write(Format::Parquet, Vec::new()).unwrap_err().to_string();
        assert!(e.contains("'x'") && e.contains("Number"), "{e}");
    }
}
