//! Sweeps: what `python/taut/_sweep.py` hands to executors. All that goes over a wire is JSON.

use crate::error::{InputError, raise_file};
use crate::scenes::read;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use taut_fleet::{Axis, Done, Journal, Source, Sweep, Task, run_task};

fn refused(message: String) -> PyErr {
    InputError::new_err(message)
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|e| refused(e.to_string()))
}

/// An axis as JSON, of `NAME=VALUES` as on the command line.
#[pyfunction]
pub fn _axis(text: &str) -> PyResult<String> {
    json(&Axis::parse(text).map_err(refused)?)
}

/// The source of a scene file as JSON, with the files that it names.
#[pyfunction]
pub fn _source(text: &str, folder: PathBuf) -> PyResult<String> {
    let parsed = read(text, &folder).map_err(raise_file)?;
    json(&Source::of_file(&parsed).map_err(refused)?)
}

/// Runs tasks, one after the other, and gives what they came to.
#[pyfunction]
pub fn _run_tasks(py: Python<'_>, tasks: Vec<String>) -> PyResult<Vec<String>> {
    py.detach(|| {
        let run = |text: &String| {
            let task: Task = serde_json::from_str(text).map_err(|e| refused(format!("task: {e}")))?;
            json(&run_task(&task))
        };
        tasks.iter().map(run).collect()
    })
}

/// A sweep that has been checked.
#[pyclass(frozen, module = "taut._taut", name = "_Sweep")]
pub struct PySweep(Sweep);

#[pymethods]
impl PySweep {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let sweep: Sweep = serde_json::from_str(text).map_err(|e| refused(format!("sweep: {e}")))?;
        sweep.check().map_err(refused)?;
        Ok(PySweep(sweep))
    }

    #[getter]
    fn count(&self) -> u64 {
        self.0.count()
    }

    fn task(&self, run: u64) -> PyResult<String> {
        json(&self.0.task(run))
    }
}

/// The journal of a sweep.
#[pyclass(frozen, module = "taut._taut", name = "_Journal")]
pub struct PyJournal(Mutex<Option<Journal>>);

impl PyJournal {
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<Journal>>> {
        self.0.lock().map_err(|_| PyRuntimeError::new_err("the journal is unusable since a call that failed in it"))
    }

    fn with<R>(&self, f: impl FnOnce(&mut Journal) -> Result<R, String>) -> PyResult<R> {
        let mut journal = self.lock()?;
        let journal = journal.as_mut().ok_or_else(|| refused("journal: expected one that is not finished".into()))?;
        f(journal).map_err(refused)
    }
}

#[pymethods]
impl PyJournal {
    #[new]
    fn new(out: PathBuf, sweep: &PySweep, overwrite: bool) -> PyResult<Self> {
        let journal = Journal::open(&out, &sweep.0, overwrite);
        let journal = journal.map_err(|e| refused(e.replace("leave to write over it", "overwrite=True")))?;
        Ok(PyJournal(Mutex::new(Some(journal))))
    }

    /// Runs that are still to be done.
    fn left(&self) -> PyResult<Vec<u64>> {
        self.with(|j| Ok(j.left()))
    }

    fn record(&self, done: &str) -> PyResult<()> {
        let done: Done = serde_json::from_str(done).map_err(|e| refused(format!("row: {e}")))?;
        self.with(|j| j.record(done))
    }

    /// Writes the table; gives all rows.
    fn finish(&self) -> PyResult<Vec<String>> {
        let rows = self.with(|j| Ok(j.rows().map(json).collect::<PyResult<Vec<String>>>()))??;
        let journal = self.lock()?.take();
        journal.map_or(Ok(()), |j| j.finish().map(drop)).map_err(refused)?;
        Ok(rows)
    }
}
