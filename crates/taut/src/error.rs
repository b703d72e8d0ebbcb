//! What can go wrong, in words a user can act on: which input, its value, what was expected.

use std::fmt;

/// Every error of the engine. A call that returns one has changed nothing.
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
    /// A handle that does not (or no longer does) name anything in this world.
    Handle {
        /// "body", "joint", "force" or "collider".
        what: &'static str,
        /// The handle, as printed.
        handle: String,
        /// What would have been accepted.
        expected: String,
    },
    /// A stabiliser was paired with a solver that cannot take its matrix.
    Pairing {
        /// Name of the stabiliser.
        stabiliser: &'static str,
        /// Name of the solver.
        solver: &'static str,
        /// Why they do not fit and what does.
        expected: &'static str,
    },
    /// The step could not be taken; the state is as it was before.
    Step {
        /// Time at the start of the step, s.
        time: f64,
        /// The body, joint or row that is to blame.
        culprit: String,
        /// What happened.
        reason: String,
    },
    /// The parts could not be brought together; the state is as it was before.
    Assembly {
        /// The joint that is open most.
        joint: String,
        /// By how much, m (rad).
        gap: f64,
        /// How much would have been accepted, m (rad).
        expected: f64,
        /// Passes that were made.
        passes: usize,
    },
}

impl Error {
    /// An [`Error::Input`].
    pub fn input(name: impl Into<String>, value: impl fmt::Display, expected: impl Into<String>) -> Self {
        Error::Input { name: name.into(), value: value.to_string(), expected: expected.into() }
    }

    /// An [`Error::Step`].
    pub fn step(time: f64, culprit: impl Into<String>, reason: impl Into<String>) -> Self {
        Error::Step { time, culprit: culprit.into(), reason: reason.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input { name, value, expected } => write!(f, "{name} = {value}: expected {expected}"),
            Error::Handle { what, handle, expected } => write!(f, "{what} {handle}: expected {expected}"),
            Error::Pairing { stabiliser, solver, expected } => {
                write!(f, "stabiliser {stabiliser} with solver {solver}: expected {expected}")
            }
            Error::Assembly { joint, gap, expected, passes } => {
                write!(
                    f,
                    "assembly stopped after {passes} passes with {joint} open by {gap:.3e} m (rad): expected at most {expected:e}; \
                     joints contradict each other, or the parts are too far from where they fit; the state is unchanged"
                )
            }
            Error::Step { time, culprit, reason } => {
                write!(f, "step at t = {time} s failed at {culprit}: {reason}; the state is unchanged")
            }
        }
    }
}

impl std::error::Error for Error {}

/// `Result` with the engine's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Refuses anything that is not finite and positive.
pub fn positive(name: &str, value: f64, unit: &str) -> Result<f64> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(Error::input(name, value, format!("a positive, finite number of {unit}")))
    }
}

/// Refuses anything that is not finite and at least zero.
pub(crate) fn non_negative(name: &str, value: f64, unit: &str) -> Result<f64> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(Error::input(name, value, format!("a finite number of {unit}, zero or more")))
    }
}

/// Refuses a number that is not finite.
pub(crate) fn finite(name: &str, value: f64, unit: &str) -> Result<f64> {
    if value.is_finite() { Ok(value) } else { Err(Error::input(name, value, format!("a finite number of {unit}"))) }
}

/// Refuses a vector with a component that is not finite.
pub(crate) fn finite_vec(name: &str, value: glam::DVec3, unit: &str) -> Result<glam::DVec3> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::input(name, value, format!("three finite numbers of {unit}")))
    }
}
