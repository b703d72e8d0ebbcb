//! Exceptions. Every refusal of the engine is a `taut.Error` with the engine's message; what was refused is in its attributes.
//!
//! The classes are written in Python (`python/taut/_errors.py`): some of them have two bases.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::{import_exception, intern};

use crate::convert::ToPy;

import_exception!(taut._errors, Error);
import_exception!(taut._errors, InputError);
import_exception!(taut._errors, HandleError);
import_exception!(taut._errors, PairingError);
import_exception!(taut._errors, StepError);
import_exception!(taut._errors, AssemblyError);
import_exception!(taut._errors, UnbalancedError);
import_exception!(taut._errors, FileError);
import_exception!(taut._errors, BusyError);

/// An exception with attributes.
fn with(error: PyErr, attributes: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<()>) -> PyErr {
    Python::attach(|py| match attributes(py, error.value(py).as_any()) {
        Ok(()) => error,
        Err(other) => other,
    })
}

macro_rules! attributes {
    ($py:ident, $value:ident; $($name:ident),*) => {{
        $($value.setattr(intern!($py, stringify!($name)), $name.to_py($py)?)?;)*
        Ok(())
    }};
}

/// The exception of an error of the engine.
pub fn raise(error: taut::Error) -> PyErr {
    use taut::Error as E;
    let text = error.to_string();
    match error {
        E::Input { name, value, expected } => {
            with(InputError::new_err(text), |py, v| attributes!(py, v; name, value, expected))
        }
        E::Handle { what, handle, expected } => {
            with(HandleError::new_err(text), |py, v| attributes!(py, v; what, handle, expected))
        }
        E::Pairing { stabiliser, solver, expected } => {
            with(PairingError::new_err(text), |py, v| attributes!(py, v; stabiliser, solver, expected))
        }
        E::Step { time, culprit, reason } => {
            with(StepError::new_err(text), |py, v| attributes!(py, v; time, culprit, reason))
        }
        E::Assembly { joint, gap, expected, passes } => {
            with(AssemblyError::new_err(text), |py, v| attributes!(py, v; joint, gap, expected, passes))
        }
        E::Unbalanced { joints, missing } => {
            with(UnbalancedError::new_err(text), |py, v| attributes!(py, v; joints, missing))
        }
        _ => Error::new_err(text),
    }
}

/// The exception of an error in a scene file.
pub fn raise_file(error: taut_scenes::file::FileError) -> PyErr {
    let path = error.path.to_string();
    let (line, column) = error.position.unzip();
    with(FileError::new_err(error.to_string()), |py, v| attributes!(py, v; path, line, column))
}

/// The exception of an error in a model of another program.
pub fn raise_import(error: taut_import::Error) -> PyErr {
    let (path, column) = (error.place.file.to_string(), None::<usize>);
    let line = Some(error.place.line).filter(|line| *line > 0);
    with(FileError::new_err(error.to_string()), |py, v| attributes!(py, v; path, line, column))
}

/// The exception of an error of a mesh.
pub fn raise_mesh(error: impl std::fmt::Display) -> PyErr {
    InputError::new_err(error.to_string())
}

/// The world is being stepped by another thread.
pub fn busy() -> PyErr {
    BusyError::new_err(
        "world: expected one that no other thread uses at this moment; copies of it (copy.copy) are independent",
    )
}

/// A thread has died inside the engine: a fault of Taut.
pub fn poisoned() -> PyErr {
    PyRuntimeError::new_err(
        "the world is unusable since a call that failed inside the engine; please report this as a fault of Taut",
    )
}
