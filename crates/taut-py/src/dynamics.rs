//! The mechanism in its own freedoms, for controllers. What is computed is of the state when `World.dynamics()` was called.

use crate::convert::{ToPy, V3, table};
use crate::error::raise;
use crate::ids::{BodyId, JointId};
use pyo3::prelude::*;
use taut::control;

impl ToPy for control::Matrix {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.columns() == 0 {
            return table(py, Vec::new(), 1);
        }
        table(py, self.as_slice().to_vec(), self.columns())
    }
}

/// Mass matrix, bias, Jacobians, inverse and forward dynamics of a mechanism.
#[pyclass(frozen, module = "taut")]
pub struct Dynamics(pub control::Dynamics);

macro_rules! dynamics {
    ($($plain:ident)*; $($fallible:ident($($a:ident: $t:ty),*))*; $($rest:tt)*) => {
        #[pymethods]
        impl Dynamics {
            $(fn $plain(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.0.$plain().to_py(py)
            })*
            $(fn $fallible(&self, py: Python<'_>, $($a: $t),*) -> PyResult<Py<PyAny>> {
                self.0.$fallible($(crate::convert::Arg::arg($a)),*).map_err(raise)?.to_py(py)
            })*
            $($rest)*
        }
    };
}

fn joints(list: Vec<JointId>) -> Vec<taut::JointId> {
    list.into_iter().map(|j| j.0).collect()
}

dynamics! {
    mass_matrix bias gravity applied loop_jacobian loop_drift;
    jacobian(body: BodyId, point: V3) velocity(body: BodyId, point: V3) drift(body: BodyId, point: V3) holding();
    #[getter]
    fn dofs(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.dofs().to_py(py)
    }
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.velocities().to_py(py)
    }
    fn loop_rows(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.loop_rows().cloned().collect::<Vec<_>>().to_py(py)
    }
    fn find(&self, joint: JointId) -> Option<(usize, usize)> {
        self.0.find(joint.0).map(|r| (r.start, r.end))
    }
    fn find_body(&self, body: BodyId) -> Option<(usize, usize)> {
        self.0.find_body(body.0).map(|r| (r.start, r.end))
    }
    fn position(&self, dof: usize) -> Option<f64> {
        self.0.position(dof)
    }
    fn forward(&self, py: Python<'_>, force: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.forward(&force).map_err(raise)?.to_py(py)
    }
    fn loop_forces(&self, py: Python<'_>, force: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.loop_forces(&force).map_err(raise)?.to_py(py)
    }
    fn inverse(&self, py: Python<'_>, acceleration: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.inverse(&acceleration).map_err(raise)?.to_py(py)
    }
    fn follow(&self, py: Python<'_>, of: Vec<JointId>, acceleration: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.follow(&joints(of), &acceleration).map_err(raise)?.to_py(py)
    }
    fn hold_with(&self, py: Python<'_>, of: Vec<JointId>) -> PyResult<Py<PyAny>> {
        self.0.hold_with(&joints(of)).map_err(raise)?.to_py(py)
    }
    fn inverse_with(&self, py: Python<'_>, of: Vec<JointId>, acceleration: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.inverse_with(&joints(of), &acceleration).map_err(raise)?.to_py(py)
    }
}
