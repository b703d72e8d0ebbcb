//! FMUs: what `python/taut/_fmu.py` writes.

use crate::convert::ToPy;
use crate::error::{InputError, raise, raise_file};
use crate::record::{Made, Record};
use crate::scenes::read;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use taut_fmu::{Model, Recipe, Variable, Version};
use taut_scenes::file;

type Words = Vec<(String, String)>;

fn refused(message: String) -> PyErr {
    InputError::new_err(message)
}

/// The name of the library that goes into an FMU.
#[pyfunction]
pub fn _fmu_library() -> String {
    taut_fmu::library_name()
}

/// A scene that becomes an FMU.
#[pyclass(frozen, module = "taut._taut", name = "_Fmu")]
pub struct PyFmu {
    recipe: Recipe,
    file: Option<String>,
}

#[pymethods]
impl PyFmu {
    /// A scene of the library, with parameters.
    #[staticmethod]
    fn of_library(name: &str, set: Words, dt: Option<f64>, signals: Option<Vec<String>>) -> PyResult<Self> {
        let info = taut_scenes::find(name).map_err(raise)?;
        let scene = Some(name.to_owned());
        let (dt, time) = (dt.unwrap_or(info.dt), info.time);
        Self::checked(Recipe { name: name.into(), scene, parameters: set, signals, dt, time }, None)
    }

    /// The text of a scene file with the folder of the files that it names, and with values at places; its name, step and time where it
    /// says none.
    #[staticmethod]
    fn of_file(
        of: (String, PathBuf, String),
        set: Words,
        times: (Option<f64>, Option<f64>, Option<f64>),
        signals: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let (text, folder, name) = of;
        let (dt, step, time) = times;
        let parsed = read(&text, &folder).map_err(raise_file)?;
        let parsed = if set.is_empty() { parsed } else { taut_fleet::set_places(&parsed, &set).map_err(refused)? };
        let recipe = Recipe {
            name: parsed.name.clone().unwrap_or(name),
            scene: None,
            // They are in the text.
            parameters: Vec::new(),
            signals,
            dt: dt.or(step).unwrap_or_else(|| parsed.outputs.dt()),
            time: time.unwrap_or_else(|| parsed.outputs.time()),
        };
        Self::checked(recipe, Some(file::write(&parsed).map_err(raise_file)?))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.recipe.name
    }

    fn variables(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let model = Model::new(&self.recipe, self.file.as_deref()).map_err(refused)?;
        let all: Vec<Record> = model.variables().iter().map(|v| variable(py, v)).collect::<PyResult<_>>()?;
        all.to_py(py)
    }

    /// The bytes of the archive.
    fn pack<'py>(&self, py: Python<'py>, fmi: u8, library: &str) -> PyResult<Bound<'py, PyBytes>> {
        let version = if fmi == 2 { Version::Two } else { Version::Three };
        let bytes = py.detach(|| {
            let library = taut_fmu::read_library(Path::new(library)).map_err(|e| refused(format!("library = {e}")))?;
            taut_fmu::pack(&self.recipe, self.file.as_deref(), &library, version).map_err(refused)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl PyFmu {
    fn checked(recipe: Recipe, file: Option<String>) -> PyResult<Self> {
        let dt = recipe.dt;
        if dt > 0.0 && dt.is_finite() {
            return Ok(PyFmu { recipe, file });
        }
        Err(raise(taut::Error::input("dt", dt.to_string(), "a positive, finite number of s")))
    }
}

/// A variable as it is told.
fn variable(py: Python<'_>, v: &Variable) -> PyResult<Record> {
    let fields = vec![
        ("name", v.name.as_str().to_py(py)?),
        ("role", v.role.name().to_py(py)?),
        ("type", v.kind.name().to_py(py)?),
        ("unit", v.unit.as_str().to_py(py)?),
        ("start", v.start.to_py(py)?),
        ("description", v.description.as_str().to_py(py)?),
    ];
    Ok(Record::of(Made::new("FmuVariable", fields)))
}
