//! Where in a file something stands, errors, and what a file says that the scene does not.

use std::fmt;
use std::sync::Arc;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path as it was asked for.
    pub file: Arc<str>,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
}

impl Place {
    /// A file as a whole.
    pub fn file(path: &str) -> Self {
        Place { file: path.into(), line: 0 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 { f.write_str(&self.file) } else { write!(f, "{}, line {}", self.file, self.line) }
    }
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// Where.
    pub place: Place,
    /// What is wrong and what was expected.
    pub message: String,
}

impl Error {
    pub(crate) fn new(place: &Place, message: impl fmt::Display) -> Self {
        Error { place: place.clone(), message: message.to_string() }
    }

    /// In the words of the engine: name = value: expected that.
    pub(crate) fn input(
        place: &Place,
        name: impl fmt::Display,
        value: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Self {
        Error::new(place, format!("{name} = {value}: expected {expected}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for Error {}

/// Results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Something that a file says and the scene does not, or says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Where it stands first.
    pub place: Place,
    /// What is not taken over, and what stands for it.
    pub message: String,
    /// How often.
    pub times: usize,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = match self.times {
            0 | 1 => String::new(),
            2 => " (and once more)".into(),
            n => format!(" (and {} times more)", n - 1),
        };
        write!(f, "{}: {}{more}", self.place, self.message)
    }
}

/// All that was not taken over from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What may move otherwise than in the program that the file was made for.
    pub warnings: Vec<Note>,
    /// What has no part in the motion: pictures, cameras, sensors.
    pub unused: Vec<Note>,
}

impl Report {
    pub(crate) fn warn(&mut self, place: &Place, message: impl fmt::Display) {
        note(&mut self.warnings, place, message.to_string());
    }

    pub(crate) fn unused(&mut self, place: &Place, message: impl fmt::Display) {
        note(&mut self.unused, place, message.to_string());
    }
}

/// Notes of the same words are one that is counted.
fn note(notes: &mut Vec<Note>, place: &Place, message: String) {
    match notes.iter_mut().find(|n| n.message == message) {
        Some(n) => n.times += 1,
        None => notes.push(Note { place: place.clone(), message, times: 1 }),
    }
}
