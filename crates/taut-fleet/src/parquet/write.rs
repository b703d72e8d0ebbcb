//! Writes Parquet files.

use super::thrift::{Node, unsigned};
use super::{BOOLEAN, BYTE_ARRAY, DOUBLE, INT64, MAGIC, PLAIN, RLE};
use crate::cell::Cell;
use crate::table::{Column, Kind, misfit};
use std::io::{BufWriter, Result, Write};

/// Rows of a group: what is in memory at a time.
const GROUP: usize = 1 << 16;

/// Writes a file row by row.
pub struct Writer<W: Write> {
    out: BufWriter<W>,
    columns: Vec<Buffer>,
    /// Rows in the buffers.
    waiting: usize,
    /// Bytes written.
    at: u64,
    rows: u64,
    groups: Vec<Node>,
}

/// The cells of a column that are not written yet.
struct Buffer {
    column: Column,
    levels: Vec<u8>,
    /// The level of the run at the end, and how long it is.
    run: (bool, u64),
    values: Vec<u8>,
    /// Booleans so far: eight to a byte.
    bits: usize,
}

impl<W: Write> Writer<W> {
    /// Writes the first bytes.
    pub(crate) fn new(out: W, columns: &[Column]) -> Result<Self> {
        let mut out = BufWriter::new(out);
        out.write_all(MAGIC)?;
        let columns = columns.iter().map(Buffer::new).collect();
        Ok(Writer { out, columns, waiting: 0, at: MAGIC.len() as u64, rows: 0, groups: Vec::new() })
    }

    /// Takes a row.
    pub(crate) fn push(&mut self, row: &[Cell]) -> Result<()> {
        if row.len() != self.columns.len() {
            let message = format!("a row of {} cells, expected {}", row.len(), self.columns.len());
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, message));
        }
        self.columns.iter_mut().zip(row).try_for_each(|(buffer, cell)| buffer.push(cell))?;
        self.waiting += 1;
        if self.waiting == GROUP { self.group() } else { Ok(()) }
    }

    /// Writes what is in the buffers as a group.
    fn group(&mut self) -> Result<()> {
        let (first, mut chunks) = (self.at, Vec::new());
        for buffer in &mut self.columns {
            let page = buffer.page(self.waiting);
            self.out.write_all(&page)?;
            chunks.push(buffer.chunk(self.waiting, self.at, page.len()));
            self.at += page.len() as u64;
            *buffer = Buffer::new(&buffer.column);
        }
        let bytes = (self.at - first) as i64;
        self.groups.push(Node::fields([
            (1, Node::List(chunks)),
            (2, Node::Large(bytes)),
            (3, Node::Large(self.waiting as i64)),
        ]));
        self.rows += self.waiting as u64;
        self.waiting = 0;
        Ok(())
    }

    /// Writes what is left and the description of the file.
    pub(crate) fn finish(mut self) -> Result<()> {
        if self.waiting > 0 {
            self.group()?;
        }
        let root = Node::fields([(4, Node::text("schema")), (5, Node::Small(self.columns.len() as i32))]);
        let schema = std::iter::once(root).chain(self.columns.iter().map(Buffer::schema)).collect();
        let meta = Node::fields([
            (1, Node::Small(2)),
            (2, Node::List(schema)),
            (3, Node::Large(self.rows as i64)),
            (4, Node::List(std::mem::take(&mut self.groups))),
            (6, Node::text(concat!("taut version ", env!("CARGO_PKG_VERSION")))),
        ]);
        let mut bytes = Vec::new();
        meta.write(&mut bytes);
        self.out.write_all(&bytes)?;
        self.out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        self.out.flush()
    }
}

impl Buffer {
    fn new(column: &Column) -> Self {
        Buffer { column: column.clone(), levels: Vec::new(), run: (false, 0), values: Vec::new(), bits: 0 }
    }

    fn push(&mut self, cell: &Cell) -> Result<()> {
        match (self.column.kind, cell) {
            (_, Cell::Missing) => {}
            (Kind::Bool, Cell::Bool(b)) => {
                if self.bits.is_multiple_of(8) {
                    self.values.push(0);
                }
                if let Some(last) = self.values.last_mut() {
                    *last |= u8::from(*b) << (self.bits % 8);
                }
                self.bits += 1;
            }
            (Kind::Whole, Cell::Whole(n)) => self.values.extend(n.to_le_bytes()),
            (Kind::Number, Cell::Number(x)) => self.values.extend(x.to_le_bytes()),
            (Kind::Text, Cell::Text(t)) => {
                self.values.extend((t.len() as u32).to_le_bytes());
                self.values.extend(t.as_bytes());
            }
            (kind, other) => return Err(misfit(&self.column.name, other, kind)),
        }
        let there = *cell != Cell::Missing;
        if self.run.0 != there {
            self.end_run();
            self.run.0 = there;
        }
        self.run.1 += 1;
        Ok(())
    }

    fn end_run(&mut self) {
        if self.run.1 > 0 {
            unsigned(self.run.1 << 1, &mut self.levels);
            self.levels.push(u8::from(self.run.0));
            self.run.1 = 0;
        }
    }

    fn kind(&self) -> i64 {
        match self.column.kind {
            Kind::Bool => BOOLEAN,
            Kind::Whole => INT64,
            Kind::Number => DOUBLE,
            Kind::Text => BYTE_ARRAY,
        }
    }

    /// The page of so many rows, with its header.
    fn page(&mut self, rows: usize) -> Vec<u8> {
        self.end_run();
        let size = Node::Small((4 + self.levels.len() + self.values.len()) as i32);
        let [plain, rle] = [PLAIN, RLE].map(|e| Node::Small(e as i32));
        let data = Node::fields([(1, Node::Small(rows as i32)), (2, plain), (3, rle.clone()), (4, rle)]);
        let header = Node::fields([(1, Node::Small(0)), (2, size.clone()), (3, size), (5, data)]);
        let mut out = Vec::new();
        header.write(&mut out);
        out.extend((self.levels.len() as u32).to_le_bytes());
        out.extend(&self.levels);
        out.extend(&self.values);
        out
    }

    /// What is told of the page: so many rows, where it begins, and its bytes.
    fn chunk(&self, rows: usize, at: u64, bytes: usize) -> Node {
        let encodings = [PLAIN, RLE].map(|e| Node::Small(e as i32)).to_vec();
        let meta = Node::fields([
            (1, Node::Small(self.kind() as i32)),
            (2, Node::List(encodings)),
            (3, Node::List(vec![Node::text(&self.column.name)])),
            (4, Node::Small(0)),
            (5, Node::Large(rows as i64)),
            (6, Node::Large(bytes as i64)),
            (7, Node::Large(bytes as i64)),
            (9, Node::Large(at as i64)),
        ]);
        Node::fields([(2, Node::Large(at as i64)), (3, meta)])
    }

    /// Type, that it may be missing, and name.
    fn schema(&self) -> Node {
        let mut fields =
            vec![(1, Node::Small(self.kind() as i32)), (3, Node::Small(1)), (4, Node::text(&self.column.name))];
        if self.column.kind == Kind::Text {
            // Bytes that are a text in UTF-8, in the old way and in the new one.
            fields.extend([(6, Node::Small(0)), (10, Node::fields([(1, Node::fields([]))]))]);
        }
        Node::fields(fields)
    }
}
