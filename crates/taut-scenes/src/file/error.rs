//! What is wrong with a scene file, and where.

use super::read;
use std::fmt;

/// One step into a JSON document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A field of an object.
    Key(String),
    /// An element of an array.
    Index(usize),
}

/// A place in a JSON document, such as `bodies[3].mass`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// The place of a field of the whole document.
    pub fn of(key: &str) -> Self {
        Path::default().key(key)
    }

    /// A field of this place.
    pub fn key(&self, key: &str) -> Self {
        self.then(Step::Key(key.to_owned()))
    }

    /// An element of this place.
    pub fn index(&self, k: usize) -> Self {
        self.then(Step::Index(k))
    }

    fn then(&self, step: Step) -> Self {
        Path(self.0.iter().cloned().chain([step]).collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if k == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(i) => write!(f, "[{i}]")?,
            }
        }
        Ok(())
    }
}

/// An error in a scene file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileError {
    /// The place in the document; empty for the document as a whole.
    pub path: Path,
    /// Line and column, from 1, where known.
    pub position: Option<(usize, usize)>,
    /// What is wrong and what was expected.
    pub message: String,
}

impl FileError {
    pub(super) fn new(path: Path, message: impl fmt::Display) -> Self {
        FileError { path, position: None, message: message.to_string() }
    }

    /// In the words of the engine: name = value: expected that.
    pub(super) fn input(path: Path, value: impl fmt::Display, expected: impl Into<String>) -> Self {
        let name = path.0.iter().rev().find_map(|s| if let Step::Key(k) = s { Some(k.clone()) } else { None });
        FileError::new(path, taut::Error::input(name.unwrap_or_default(), value, expected))
    }

    /// The same with line and column looked up in the text of the file.
    pub fn located(mut self, text: &str) -> Self {
        if self.position.is_none() {
            self.position = read::locate(text, &self.path);
        }
        self
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string();
        match (path.is_empty(), self.position) {
            (true, None) => {}
            (true, Some((line, column))) => write!(f, "line {line}, column {column}: ")?,
            (false, None) => write!(f, "{path}: ")?,
            (false, Some((line, column))) => write!(f, "{path} (line {line}, column {column}): ")?,
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileError {}

/// Puts a place to an error of the engine.
pub(super) trait At<T> {
    /// The error belongs to this place.
    fn at(self, path: &Path) -> Result<T, FileError>;

    /// The error belongs to the field of the place that goes with the words the engine used, (words, field); else to the place.
    fn among(self, path: &Path, fields: &[(&str, &str)]) -> Result<T, FileError>;
}

impl<T> At<T> for taut::Result<T> {
    fn at(self, path: &Path) -> Result<T, FileError> {
        self.map_err(|e| FileError::new(path.clone(), e))
    }

    fn among(self, path: &Path, fields: &[(&str, &str)]) -> Result<T, FileError> {
        self.map_err(|e| {
            let name = if let taut::Error::Input { name, .. } = &e { name.as_str() } else { "" };
            let field = fields.iter().find(|(words, _)| name.contains(words));
            FileError::new(field.map_or(path.clone(), |(_, f)| path.key(f)), e)
        })
    }
}
