//! Parquet files (parquet.apache.org, format 2): flat columns that may have no value, in groups of rows with one page a column, values plain
//! and not compressed. Written so that every reader of Parquet reads them; read are those that are written so.
//!
//! ```text
//! "PAR1"  { page of each column } of each group  FileMetaData  its length, 4 bytes  "PAR1"
//! page = PageHeader  length of the levels, 4 bytes  levels  values
//! ```
//! The levels say which rows have a value (1): runs, each a number and a byte. Headers are structs in Thrift's compact form (`thrift`).

mod read;
mod thrift;
mod write;

pub(crate) use read::read;
pub use write::Writer;

/// First and last bytes of a file.
const MAGIC: &[u8; 4] = b"PAR1";

/// Numbers of the types of values.
const BOOLEAN: i64 = 0;
const INT64: i64 = 2;
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;

/// Numbers of encodings: of values and of levels.
const PLAIN: i64 = 0;
const RLE: i64 = 3;
