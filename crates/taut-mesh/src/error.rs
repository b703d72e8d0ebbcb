//! What can go wrong, in words a user can act on: where, which input, its value, what was expected.

use std::fmt;

/// Where in a file something was found.
///
/// Text is counted in lines from 1, whatever ends them; binary files in bytes from 0.
/// ```
/// use taut_mesh::Place;
/// assert_eq!(Place::Line(3).to_string(), "line 3");
/// assert_eq!(Place::Byte(84).to_string(), "byte 84");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Line of a text file, from 1.
    Line(usize),
    /// Offset in a binary file, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Every error of this crate. A call that returns one has made nothing.
///
/// ```
/// use taut_mesh::{Error, Format, Place, ReadOptions, read};
/// let refused = read(b"v 0 0 zero\n", Format::Obj, &ReadOptions::default());
/// let Err(Error::File { place, name, value, .. }) = refused else { panic!("a word was read as a number") };
/// assert_eq!((place, name.as_str(), value.as_str()), (Place::Line(1), "z", "zero"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A value was refused where it entered.
    Input {
        /// Name of the parameter.
        name: String,
        /// The value that was given.
        value: String,
        /// What would have been accepted.
        expected: String,
    },
    /// A file says something that cannot be.
    File {
        /// Name of the format, for example "Gmsh 4.1".
        format: &'static str,
        /// Line or byte at which the value starts.
        place: Place,
        /// What was being read.
        name: String,
        /// What stands there.
        value: String,
        /// What would have been accepted.
        expected: String,
    },
    /// A surface is open, or more than two triangles meet at an edge.
    Edge {
        /// The two nodes of the edge, the smaller first.
        edge: [u32; 2],
        /// How many triangles meet there.
        triangles: usize,
        /// What was expected of it.
        expected: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input { name, value, expected } => write!(f, "{name} is {value}; expected {expected}"),
            Error::File { format, place, name, value, expected } => {
                write!(f, "{format} file, {place}: {name} is {value}; expected {expected}")
            }
            Error::Edge { edge: [a, b], triangles, expected } => {
                write!(f, "the edge of nodes {a} and {b} has {triangles} triangles; expected {expected}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// An `Error::Input` from what was given and what would have been right.
pub(crate) fn input(name: &str, value: impl fmt::Display, expected: impl fmt::Display) -> Error {
    Error::Input { name: name.into(), value: value.to_string(), expected: expected.to_string() }
}

/// Refuses a length, m, that is not finite and above zero.
pub(crate) fn length(name: &str, value: f64) -> Result<f64, Error> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(input(name, value, "a finite length above 0 m")) }
}
