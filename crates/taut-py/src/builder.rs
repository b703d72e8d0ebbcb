//! Classes of what a world is made of.
//!
//! They are written as in Rust, `Body.solid(shape, density).at(p).named("load")`, or with the same words as keywords,
//! `Body.solid(shape, density, at=p, named="load")`. A method with several arguments takes a tuple as a keyword, one without any True.

use crate::convert::shown;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What can be said by keywords.
pub trait Worded: Sized {
    /// The class.
    const NAME: &'static str;
    /// All words.
    const WORDS: &'static [&'static str];
    /// The same with one word said.
    fn word(self, word: &str, value: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// The same with all words said, in their order.
    fn with(mut self, words: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        for (word, value) in words.into_iter().flatten() {
            self = self.word(&word.extract::<String>()?, &value)?;
        }
        Ok(self)
    }

    /// No such word.
    fn unknown(word: &str) -> PyErr {
        PyTypeError::new_err(format!("{} has no '{word}': expected {}", Self::NAME, Self::WORDS.join(", ")))
    }
}

/// A keyword without arguments.
pub fn flag(word: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| PyTypeError::new_err(format!("{word} = {}: expected True or False", shown(value))))
}

/// What is wrong with the value of a keyword, with its name.
pub fn said(word: &str, error: impl Into<PyErr>) -> PyErr {
    let error = error.into();
    Python::attach(|py| {
        let text = format!("{word} = {}", error.value(py));
        match () {
            () if error.is_instance_of::<PyTypeError>(py) => PyTypeError::new_err(text),
            // What the engine says of a value names it already.
            () if error.is_instance_of::<crate::error::Error>(py) => error,
            () if error.is_instance_of::<PyValueError>(py) => PyValueError::new_err(text),
            () => error,
        }
    })
}

macro_rules! builder {
    ($(#[$doc:meta])* $name:ident($inner:ty) {
        $( $(#[$at:meta])* fn $fun:ident($($a:ident: $t:ty),*); )*
    } $(rest { $($rest:tt)* })?) => {
        $(#[$doc])*
        #[pyclass(frozen, from_py_object, module = "taut")]
        #[derive(Clone, Debug)]
        pub struct $name(pub $inner);

        impl $crate::convert::Arg for $name {
            type Out = $inner;
            fn arg(self) -> $inner {
                self.0
            }
        }

        #[allow(unused_variables)]
        impl $crate::builder::Worded for $name {
            const NAME: &'static str = stringify!($name);
            const WORDS: &'static [&'static str] = &[$(stringify!($fun)),*];
            fn word(self, word: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
                match word {
                    $(stringify!($fun) => $crate::builder::builder!(@say self, word, value, $fun, $($a: $t),*),)*
                    _ => Err(Self::unknown(word)),
                }
            }
        }

        #[pymethods]
        impl $name {
            $(
                $(#[$at])*
                fn $fun(&self, $($a: $t),*) -> $name {
                    $name(self.0.clone().$fun($($crate::convert::Arg::arg($a)),*))
                }
            )*
            $($($rest)*)?
            fn __repr__(&self) -> String {
                format!("{:?}", self.0)
            }
        }
    };
    (@say $self:ident, $word:ident, $value:ident, $fun:ident, ) => {
        Ok(if $crate::builder::flag($word, $value)? { Self($self.0.$fun()) } else { $self })
    };
    (@say $self:ident, $word:ident, $value:ident, $fun:ident, $($a:ident: $t:ty),+) => {{
        #[allow(unused_parens)]
        let ($($a),+) = $value.extract::<($($t),+)>().map_err(|e| $crate::builder::said($word, e))?;
        Ok(Self($self.0.$fun($($crate::convert::Arg::arg($a)),+)))
    }};
}
pub(crate) use builder;
