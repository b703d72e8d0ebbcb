//! The one tokenizer of all readers: words and numbers of text, numbers of binary files.
//!
//! Nothing is allocated for a count before the bytes that are left have been found able to hold it.

use crate::error::{Error, Place};

/// Longest part of a file that an error quotes, bytes.
const QUOTED: usize = 40;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Words between white space.
    Text,
    /// Binary, least significant byte first.
    Little,
    /// Binary, most significant byte first.
    Big,
}

/// A place in a file, and the ways to read on from it.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    format: &'static str,
    /// How the numbers that follow are written.
    pub coding: Coding,
    /// Whether places are counted in bytes, not lines.
    pub binary: bool,
}

type Result<T> = std::result::Result<T, Error>;

impl<'a> Cursor<'a> {
    /// The start of a file.
    pub fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0, format, coding: Coding::Text, binary: false }
    }

    /// Offset from the start, bytes.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Another name for the format, once its version is known.
    pub fn rename(&mut self, format: &'static str) {
        self.format = format;
    }

    /// The error that something at offset `at` is not as expected.
    pub fn error(&self, at: usize, name: &str, value: impl ToString, expected: impl ToString) -> Error {
        let place = if self.binary { Place::Byte(at) } else { Place::Line(line_of(self.bytes, at)) };
        Error::File {
            format: self.format,
            place,
            name: name.into(),
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }

    /// The next line without its end (`\n`, `\r\n` or `\r`); `None` at the end of the file.
    pub fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(rest.len());
        let end = match rest.get(length..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([_, ..]) => 1,
            _ => 0,
        };
        self.at += length + end;
        Some(&rest[..length])
    }

    /// Leaves white space behind.
    pub fn skip_space(&mut self) {
        self.at += self.bytes[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    }

    /// Leaves white space behind, where it has no meaning.
    pub fn skip_text_space(&mut self) {
        if self.coding == Coding::Text {
            self.skip_space();
        }
    }

    /// Whether nothing but white space is left.
    pub fn ended(&mut self) -> bool {
        self.skip_space();
        self.left() == 0
    }

    /// The next word of text.
    pub fn word(&mut self, name: &str) -> Result<&'a str> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let word = &rest[..rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())];
        if word.is_empty() {
            return Err(self.error(self.at, name, "missing", "a word, but the file ends"));
        }
        let start = self.at;
        self.at += word.len();
        std::str::from_utf8(word).map_err(|_| self.error(start, name, quote(word), "text"))
    }

    /// The next bytes of a binary file.
    pub fn take(&mut self, name: &str, count: usize) -> Result<&'a [u8]> {
        if count > self.left() {
            let expected = format!("{count} bytes, but {} are left", self.left());
            return Err(self.error(self.at, name, "missing", expected));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    /// An unsigned number of up to 8 bytes of a binary file.
    fn raw(&mut self, name: &str, width: usize) -> Result<u64> {
        let big = self.coding == Coding::Big;
        let bytes = self.take(name, width)?;
        let add = |sum: u64, &byte: &u8| (sum << 8) | u64::from(byte);
        Ok(if big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) })
    }

    /// A signed whole number; `width` is its bytes in a binary file.
    pub fn integer(&mut self, name: &str, width: usize) -> Result<i64> {
        if self.coding != Coding::Text {
            let unused = 64 - 8 * width as u32;
            return Ok(((self.raw(name, width)? << unused) as i64) >> unused);
        }
        let (start, word) = self.start_word(name)?;
        word.parse().map_err(|_| self.error(start, name, quote(word.as_bytes()), "a whole number"))
    }

    /// A whole number not below zero; `width` is its bytes in a binary file.
    pub fn natural(&mut self, name: &str, width: usize) -> Result<u64> {
        if self.coding != Coding::Text {
            return self.raw(name, width);
        }
        let (start, word) = self.start_word(name)?;
        word.parse().map_err(|_| self.error(start, name, quote(word.as_bytes()), "a whole number not below 0"))
    }

    /// How many items follow, of which each takes at least `least` bytes; more than the file can hold is refused.
    pub fn count(&mut self, name: &str, width: usize, least: usize) -> Result<usize> {
        let start = self.at;
        let count = self.natural(name, width)?;
        self.fits(start, name, count, least)
    }

    /// Refuses a number of items, read at `start`, that the rest of the file cannot hold.
    pub fn fits(&self, start: usize, name: &str, count: u64, least: usize) -> Result<usize> {
        // The last word of a text needs no white space after it.
        let most = (self.left() + 1) / least.max(1);
        match usize::try_from(count) {
            Ok(count) if count <= most => Ok(count),
            _ => {
                let expected = format!("at most {most}, which is what the {} bytes left can hold", self.left());
                Err(self.error(start, name, count, expected))
            }
        }
    }

    /// A finite number; `width` is its bytes in a binary file, 4 or 8.
    pub fn real(&mut self, name: &str, width: usize) -> Result<f64> {
        let (start, value) = match (self.coding, width) {
            (Coding::Text, _) => {
                let (start, word) = self.start_word(name)?;
                let value = word.parse().map_err(|_| self.error(start, name, quote(word.as_bytes()), "a number"))?;
                (start, value)
            }
            (_, 4) => (self.at, f64::from(f32::from_bits(self.raw(name, 4)? as u32))),
            _ => (self.at, f64::from_bits(self.raw(name, 8)?)),
        };
        if value.is_finite() { Ok(value) } else { Err(self.error(start, name, value, "a finite number")) }
    }

    /// The next word and where it starts.
    fn start_word(&mut self, name: &str) -> Result<(usize, &'a str)> {
        self.skip_space();
        Ok((self.at, self.word(name)?))
    }

    /// Leaves a number behind that nothing depends on, finite or not.
    pub fn skip(&mut self, name: &str, width: usize) -> Result<()> {
        match self.coding {
            Coding::Text => self.word(name).map(drop),
            _ => self.take(name, width).map(drop),
        }
    }

    /// The next line as words, so that a number cannot be taken from the line after it; `None` at the end of the file.
    pub fn line_words(&mut self) -> Option<Cursor<'a>> {
        let start = self.at;
        let length = self.line()?.len();
        Some(Cursor { bytes: &self.bytes[..start + length], at: start, ..self.clone() })
    }

    /// Moves behind the next occurrence of a text; false, without moving, when there is none.
    pub fn seek(&mut self, text: &str) -> bool {
        let rest = &self.bytes[self.at..];
        let found = rest.windows(text.len().max(1)).position(|window| window == text.as_bytes());
        if let Some(found) = found {
            self.at += found + text.len();
        }
        found.is_some()
    }
}

/// A part of a file as an error quotes it.
pub fn quote(bytes: &[u8]) -> String {
    let part = String::from_utf8_lossy(&bytes[..bytes.len().min(QUOTED)]);
    if bytes.len() > QUOTED { format!("\"{part}\"...") } else { part.into_owned() }
}

/// The line, from 1, in which an offset lies.
fn line_of(bytes: &[u8], at: usize) -> usize {
    let before = &bytes[..at.min(bytes.len())];
    let ends =
        before.iter().enumerate().filter(|&(i, &b)| b == b'\n' || (b == b'\r' && bytes.get(i + 1) != Some(&b'\n')));
    1 + ends.count()
}
