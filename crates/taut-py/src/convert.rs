//! From Python's values to the engine's and back.
//!
//! [`Arg`] is what a method takes, [`ToPy`] what it returns. Vectors come back as numpy arrays of their own.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use taut::{Freedom, Mat3, Pose, Quat, Softness, Vec3};

/// A value that the engine takes in another form than Python gives it.
pub trait Arg {
    /// What the engine takes.
    type Out;
    /// It.
    fn arg(self) -> Self::Out;
}

macro_rules! plain {
    ($($t:ty),*) => { $(impl Arg for $t { type Out = $t; fn arg(self) -> $t { self } })* };
}

plain!(f64, bool, u32, u64, usize, i32, String);

impl<T: Arg> Arg for Option<T> {
    type Out = Option<T::Out>;
    fn arg(self) -> Self::Out {
        self.map(T::arg)
    }
}

impl<T: Arg> Arg for Vec<T> {
    type Out = Vec<T::Out>;
    fn arg(self) -> Self::Out {
        self.into_iter().map(T::arg).collect()
    }
}

/// A Python value in the words of an error, cut short.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| "?".into(), |r| r.to_string());
    let short: String = text.chars().take(80).collect();
    if short.len() < text.len() { short + "..." } else { short }
}

/// Exactly `N` numbers, from a sequence or an array.
pub fn numbers<const N: usize>(value: &Bound<'_, PyAny>) -> PyResult<[f64; N]> {
    let refuse = || PyTypeError::new_err(format!("{}: expected {N} numbers", shown(value)));
    // numpy would drop the imaginary part of a complex number, with a warning.
    let odd = |a: &Bound<'_, PyUntypedArray>| !b"fiu".contains(&a.dtype().kind());
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() || value.cast().is_ok_and(odd) {
        return Err(refuse());
    }
    value.extract::<[f64; N]>().map_err(|_| refuse())
}

macro_rules! given {
    ($($(#[$doc:meta])* $name:ident($inner:ty): $value:ident => $read:expr;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub $inner);
        impl<'a, 'py> FromPyObject<'a, 'py> for $name {
            type Error = PyErr;
            fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                let $value: &Bound<'py, PyAny> = &value;
                Ok($name($read))
            }
        }
        impl Arg for $name {
            type Out = $inner;
            fn arg(self) -> $inner {
                self.0
            }
        }
    )* };
}

given! {
    /// Three numbers.
    V3(Vec3): v => Vec3::from_array(numbers(v)?);
    /// A unit quaternion, (x, y, z, w).
    Q(Quat): v => Quat::from_array(numbers(v)?);
    /// A pose, or a pair of a position and a rotation.
    P(Pose): v => pose(v)?;
    /// A 3 x 3 matrix by its rows, or three numbers of its diagonal.
    M3(Mat3): v => matrix(v)?;
    /// What gives: a softness, or the pair of stiffness and damping.
    Soft(Softness): v => softness(v)?;
    /// A freedom by its word.
    Free(Freedom): v => freedom(v)?;
}

fn pose(v: &Bound<'_, PyAny>) -> PyResult<Pose> {
    if let Ok(pose) = v.extract::<crate::parts::Pose>() {
        return Ok(pose.0);
    }
    let (pos, rot): (V3, Q) = v
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{}: expected a Pose, or (position, rotation)", shown(v))))?;
    Ok(Pose { pos: pos.0, rot: rot.0 })
}

fn matrix(v: &Bound<'_, PyAny>) -> PyResult<Mat3> {
    if let Ok(diagonal) = numbers::<3>(v) {
        return Ok(Mat3::from_diagonal(Vec3::from_array(diagonal)));
    }
    let rows: [V3; 3] = v
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{}: expected three numbers, or a 3 x 3 matrix", shown(v))))?;
    Ok(Mat3::from_cols(rows[0].0, rows[1].0, rows[2].0).transpose())
}

fn softness(v: &Bound<'_, PyAny>) -> PyResult<Softness> {
    if let Ok(soft) = v.extract::<crate::joints::Softness>() {
        return Ok(soft.0);
    }
    let [stiffness, damping] = numbers(v)
        .map_err(|_| PyTypeError::new_err(format!("{}: expected a Softness, or (stiffness, damping)", shown(v))))?;
    Ok(Softness::spring(stiffness, damping))
}

fn freedom(v: &Bound<'_, PyAny>) -> PyResult<Freedom> {
    let expected =
        "expected a freedom: turn, slide, shift-u, about-u, swing, twist, lean-nv, spin, rise, steer or length";
    let word: String = v.extract().map_err(|_| PyTypeError::new_err(format!("{}: {expected}", shown(v))))?;
    match taut_scenes::file::Freedom::parse(&word) {
        Some(taut_scenes::file::Freedom::Of(f)) => Ok(f),
        _ => Err(PyValueError::new_err(format!("'{word}': {expected}"))),
    }
}

/// A word out of several.
pub fn choice<T: Copy>(name: &str, word: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(w, _)| *w == word).map(|(_, t)| *t).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(w, _)| *w).collect();
        crate::error::raise(taut::Error::input(name, word, format!("one of {}", words.join(", "))))
    })
}

/// What becomes a Python value.
pub trait ToPy: Sized {
    /// The value.
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>>;
    /// Several of them: a list, or an array of numbers.
    fn many(all: Vec<Self>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let list = all.into_iter().map(|x| x.to_py(py)).collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, list)?.into_any().unbind())
    }
}

macro_rules! native {
    ($($t:ty),*) => { $(impl ToPy for $t {
        fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            Ok(self.into_pyobject(py)?.to_owned().into_any().unbind())
        }
    })* };
}
native!(bool, u32, u64, usize, i32, String, &str);

impl ToPy for () {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(py.None())
    }
}

impl ToPy for f64 {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.into_pyobject(py)?.into_any().unbind())
    }
    fn many(all: Vec<f64>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(PyArray1::from_vec(py, all).into_any().unbind())
    }
}

/// An array of rows of `width` numbers.
pub fn table(py: Python<'_>, all: Vec<f64>, width: usize) -> PyResult<Py<PyAny>> {
    let rows = all.len() / width;
    Ok(PyArray1::from_vec(py, all).reshape([rows, width])?.into_any().unbind())
}

impl ToPy for Vec3 {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(PyArray1::from_slice(py, &self.to_array()).into_any().unbind())
    }
    fn many(all: Vec<Vec3>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        table(py, all.iter().flat_map(|v| v.to_array()).collect(), 3)
    }
}

impl ToPy for Quat {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(PyArray1::from_slice(py, &self.to_array()).into_any().unbind())
    }
}

impl ToPy for Mat3 {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        table(py, self.transpose().to_cols_array().to_vec(), 3)
    }
}

impl<T: ToPy> ToPy for Option<T> {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.map_or_else(|| Ok(py.None()), |x| x.to_py(py))
    }
}

impl<T: ToPy> ToPy for Vec<T> {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        T::many(self, py)
    }
}

impl<T: ToPy + Clone> ToPy for &[T] {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        T::many(self.to_vec(), py)
    }
}

impl<T: ToPy, const N: usize> ToPy for [T; N] {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        T::many(self.into_iter().collect(), py)
    }
}

impl<A: ToPy, B: ToPy> ToPy for (A, B) {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(PyTuple::new(py, [self.0.to_py(py)?, self.1.to_py(py)?])?.into_any().unbind())
    }
}

impl<A: ToPy, B: ToPy, C: ToPy> ToPy for (A, B, C) {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(PyTuple::new(py, [self.0.to_py(py)?, self.1.to_py(py)?, self.2.to_py(py)?])?.into_any().unbind())
    }
}

impl ToPy for Py<PyAny> {
    fn to_py(self, _: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self)
    }
}

impl ToPy for Freedom {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        taut_scenes::file::Freedom::Of(self).word().to_py(py)
    }
}

/// Enumerations that are told by a word: the name of the variant, with small letters and hyphens.
macro_rules! words {
    ($($t:ty),*) => { $(impl $crate::convert::ToPy for $t {
        fn to_py(self, py: pyo3::Python<'_>) -> pyo3::PyResult<pyo3::Py<pyo3::PyAny>> {
            $crate::convert::hyphened(&format!("{self:?}")).to_py(py)
        }
    })* };
}
words!(
    taut::Motion,
    taut::TreeRole,
    taut::joints::Chart,
    taut::control::Unit,
    taut::shapes::Combine,
    taut::soft::CellKind
);

/// "PointOnLine" as "point-on-line".
pub fn hyphened(name: &str) -> String {
    let mut out = String::new();
    for (k, c) in name.chars().enumerate() {
        if c.is_uppercase() && k > 0 {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}
