//! The scene library and scene files.

use crate::convert::ToPy;
use crate::error::{raise, raise_file, raise_import};
use crate::world::World;
use pyo3::exceptions::{PyOSError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use taut_scenes::file;

/// Builds a scene of the library.
#[pyfunction]
#[pyo3(signature = (name, **parameters))]
pub fn scene(name: &str, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<World> {
    let info = taut_scenes::find(name).map_err(raise)?;
    let mut given = Vec::new();
    for (name, value) in parameters.into_iter().flatten() {
        given.push((name.extract::<String>()?, value.str()?.to_string()));
    }
    let given: Vec<(&str, &str)> = given.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let (scene, _) = info.with(&given).map_err(raise)?;
    Ok(World::of(scene, info.dt, info.time))
}

/// What is in the library.
#[pyfunction]
pub fn scenes(py: Python<'_>) -> PyResult<Py<PyAny>> {
    taut_scenes::all().to_py(py)
}

/// Reads the text of a scene file and the files that it names, which lie in a folder.
pub(crate) fn read(text: &str, folder: &Path) -> Result<file::SceneFile, file::FileError> {
    let mut parsed = file::parse(text)?;
    let at = |name: &str| folder.join(name);
    let text_of = |name: &str| std::fs::read_to_string(at(name)).map_err(|e| format!("{}: {e}", at(name).display()));
    let bytes_of = |name: &str| std::fs::read(at(name)).map_err(|e| format!("{}: {e}", at(name).display()));
    file::load_tables(&mut parsed, text_of)?;
    file::load_meshes(&mut parsed, bytes_of)?;
    Ok(parsed)
}

/// Builds the world of the text of a scene file; `folder` is where the files lie that it names.
#[pyfunction]
#[pyo3(signature = (text, folder = PathBuf::new()))]
pub fn loads(text: &str, folder: PathBuf) -> PyResult<World> {
    let parsed = read(text, &folder).map_err(raise_file)?;
    let scene = file::build(&parsed).map_err(|e| raise_file(e.located(text)))?;
    Ok(World::of(scene, parsed.outputs.dt(), parsed.outputs.time()))
}

/// An error of the operating system at a path.
fn cannot_read(path: &Path, e: &std::io::Error) -> PyErr {
    PyOSError::new_err((e.raw_os_error(), format!("{}: {e}", path.display())))
}

/// Reads a URDF or MJCF as a scene file. What changes the motion and is not taken over is a warning of Python.
fn import(py: Python<'_>, path: &Path, options: &taut_import::Options) -> PyResult<file::SceneFile> {
    std::fs::metadata(path).map_err(|e| cannot_read(path, &e))?;
    let mut read = |path: &Path| std::fs::read(path).map_err(|e| e.to_string());
    let imported = py.detach(|| taut_import::import(path, &mut read, options)).map_err(raise_import)?;
    for warning in &imported.report.warnings {
        let text = CString::new(warning.to_string().replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(imported.file)
}

/// A URDF or MJCF as the text of a scene file.
#[pyfunction]
pub fn _imported(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    file::write(&import(py, &path, &taut_import::Options::default())?).map_err(raise_file)
}

/// Builds the world of a scene file, or of a model of another program: URDF (`.urdf`) or MJCF (`.xml`, `.mjcf`). Of a model, what changes
/// the motion and is not taken over is told as warnings. The other arguments are for models: the root of a URDF moves freely; its links
/// touch each other; nothing touches anything; moments of inertia that no body has are replaced; the keyframe to start from.
#[pyfunction]
#[pyo3(signature = (path, *, free_base = false, self_contacts = false, no_contacts = false, balance_inertia = false, keyframe = None))]
pub fn load(
    py: Python<'_>,
    path: PathBuf,
    free_base: bool,
    self_contacts: bool,
    no_contacts: bool,
    balance_inertia: bool,
    keyframe: Option<String>,
) -> PyResult<World> {
    let given = [
        ("free_base", free_base),
        ("self_contacts", self_contacts),
        ("no_contacts", no_contacts),
        ("balance_inertia", balance_inertia),
        ("keyframe", keyframe.is_some()),
    ];
    if taut_import::is_model(&path) {
        let options = taut_import::Options { free_base, self_contacts, no_contacts, balance_inertia, keyframe };
        let file = import(py, &path, &options)?;
        let scene = file::build(&file).map_err(raise_file)?;
        return Ok(World::of(scene, file.outputs.dt(), file.outputs.time()));
    }
    if let Some((name, _)) = given.iter().find(|g| g.1) {
        let expected = "it only with a model of another program (.urdf, .xml, .mjcf)";
        return Err(raise(taut::Error::input(*name, path.display(), expected)));
    }
    let text = std::fs::read_to_string(&path).map_err(|e| cannot_read(&path, &e))?;
    loads(&text, path.parent().map(Path::to_path_buf).unwrap_or_default())
}

/// A world that was pickled: its scene file, and its state if it had run.
#[pyfunction]
pub fn _unpickled(text: &str, state: &[u8], step: f64, time: f64) -> PyResult<World> {
    let parsed = file::parse(text).map_err(raise_file)?;
    let mut scene = file::build(&parsed).map_err(|e| raise_file(e.located(text)))?;
    if !state.is_empty() {
        scene.world.restore(&taut::State::from_bytes(state).map_err(raise)?).map_err(raise)?;
    }
    Ok(World::of(scene, step, time))
}

impl ToPy for taut_scenes::Value {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            taut_scenes::Value::Number(x) => x.to_py(py),
            taut_scenes::Value::Choice(word) => word.to_py(py),
        }
    }
}
