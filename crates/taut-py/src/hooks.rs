//! Contacts that Python filters and changes while they are found.
//!
//! The functions are called from within a step, which has let go of the interpreter's lock, maybe from several threads. What one of them
//! raises is kept and raised by the step.

use crate::convert::{ToPy, V3};
use crate::ids::ColliderId;
use crate::record::{Made, Record};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};
use taut::hooks::{ContactEdit as Edit, ContactHooks, ContactPair};

/// What a function has raised.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// Two functions of Python.
struct Hooks {
    filter: Option<Py<PyAny>>,
    modify: Option<Py<PyAny>>,
    raised: Raised,
}

/// The hooks; none when there is no function.
pub fn made(filter: Option<Py<PyAny>>, modify: Option<Py<PyAny>>, raised: Raised) -> Option<Arc<dyn ContactHooks>> {
    if filter.is_none() && modify.is_none() { None } else { Some(Arc::new(Hooks { filter, modify, raised })) }
}

/// Raises what was kept.
pub fn raise(raised: &Raised) -> PyResult<()> {
    let kept = raised.lock().map_or(None, |mut kept| kept.take());
    kept.map_or(Ok(()), Err)
}

impl Hooks {
    /// The first error is kept; later ones are of the same step.
    fn keep<T>(&self, result: PyResult<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                if let Ok(mut kept) = self.raised.lock() {
                    kept.get_or_insert(error);
                }
                None
            }
        }
    }
}

fn pair(py: Python<'_>, p: &ContactPair<'_>) -> PyResult<Py<PyAny>> {
    let fields = vec![
        ("colliders", p.colliders.to_py(py)?),
        ("bodies", p.bodies.to_py(py)?),
        ("collider_names", p.collider_names.to_py(py)?),
        ("body_names", p.body_names.to_py(py)?),
        ("user_data", p.user_data.to_py(py)?),
        ("sensors", p.sensors.to_py(py)?),
        ("poses", p.poses.to_py(py)?),
        ("velocities", p.velocities.to_py(py)?),
        ("angular_velocities", p.angular_velocities.to_py(py)?),
    ];
    Record::of(Made::new("ContactPair", fields)).to_py(py)
}

impl ContactHooks for Hooks {
    fn filter(&self, p: &ContactPair<'_>) -> bool {
        let Some(function) = &self.filter else { return true };
        let asked = Python::attach(|py| function.call1(py, (pair(py, p)?,))?.is_truthy(py));
        self.keep(asked).unwrap_or(true)
    }

    fn modify(&self, contact: &mut Edit<'_>) {
        let Some(function) = &self.modify else { return };
        let edited = Python::attach(|py| {
            let edit = Py::new(py, ContactEdit::of(py, contact)?)?;
            function.call1(py, (edit.clone_ref(py),))?;
            let edit = edit.borrow(py);
            Ok((
                edit.friction,
                edit.restitution,
                edit.compliance,
                edit.damping,
                edit.surface,
                edit.runs.clone(),
                edit.gone,
            ))
        });
        let Some((friction, restitution, compliance, damping, surface, runs, gone)) = self.keep(edited) else { return };
        (contact.friction, contact.restitution) = (friction, restitution);
        (contact.compliance, contact.damping) = (compliance, damping);
        contact.surface_velocity = surface;
        for (collider, velocity) in runs {
            contact.run_surface(collider, velocity);
        }
        if gone {
            contact.discard();
        }
    }
}

/// A contact point that may be changed.
#[pyclass(module = "taut")]
pub struct ContactEdit {
    /// The two colliders.
    #[pyo3(get)]
    pair: Py<PyAny>,
    /// Coefficients along the two tangents.
    #[pyo3(get, set)]
    friction: [f64; 2],
    /// Rebound speed over impact speed, 0 to 1.
    #[pyo3(get, set)]
    restitution: f64,
    /// Give of the surfaces, m/N.
    #[pyo3(get, set)]
    compliance: f64,
    /// Damping of the surfaces, N s/m.
    #[pyo3(get, set)]
    damping: f64,
    /// How far the surfaces are apart along the normal, m; negative in each other.
    #[pyo3(get)]
    distance: f64,
    /// The two colliders, with normal and velocity as seen from them.
    seen: [(taut::ColliderId, Option<taut::Vec3>, Option<taut::Vec3>); 2],
    surface: taut::Vec3,
    point: taut::Vec3,
    normal: taut::Vec3,
    velocity: taut::Vec3,
    tangents: [taut::Vec3; 2],
    runs: Vec<(taut::ColliderId, taut::Vec3)>,
    gone: bool,
}

impl ContactEdit {
    fn of(py: Python<'_>, c: &Edit<'_>) -> PyResult<Self> {
        Ok(ContactEdit {
            pair: pair(py, c.pair())?,
            friction: c.friction,
            restitution: c.restitution,
            compliance: c.compliance,
            damping: c.damping,
            distance: c.distance(),
            seen: [c.pair().colliders.0, c.pair().colliders.1].map(|id| (id, c.normal_from(id), c.velocity_from(id))),
            surface: c.surface_velocity,
            point: c.point(),
            normal: c.normal(),
            velocity: c.velocity(),
            tangents: c.tangents(),
            runs: Vec::new(),
            gone: false,
        })
    }
}

#[pymethods]
impl ContactEdit {
    /// World point between the surfaces, m.
    #[getter]
    fn point(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.point.to_py(py)
    }
    /// Unit normal from collider b to collider a.
    #[getter]
    fn normal(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.normal.to_py(py)
    }
    /// Velocity of the body of a relative to that of b at the point when the step begins, m/s; without surface velocities.
    #[getter]
    fn velocity(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.velocity.to_py(py)
    }
    /// Unit tangents that the two coefficients of friction belong to, across the normal and each other.
    #[getter]
    fn tangents(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.tangents.to_py(py)
    }
    /// Velocity of the surfaces against each other, in the world, m/s.
    #[getter]
    fn surface_velocity(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.surface.to_py(py)
    }
    #[setter]
    fn set_surface_velocity(&mut self, velocity: V3) {
        self.surface = velocity.0;
    }
    /// Unit normal out of the surface of a collider; none if it is not one of the two.
    fn normal_from(&self, py: Python<'_>, collider: ColliderId) -> PyResult<Py<PyAny>> {
        self.seen.iter().find(|s| s.0 == collider.0).and_then(|s| s.1).to_py(py)
    }
    /// Velocity of the other body at the point as seen from the body of a collider, m/s; none if it is not one of the two.
    fn velocity_from(&self, py: Python<'_>, collider: ColliderId) -> PyResult<Py<PyAny>> {
        self.seen.iter().find(|s| s.0 == collider.0).and_then(|s| s.2).to_py(py)
    }
    /// Lets the surface of a collider run at a velocity relative to its body, in the world, m/s, in place of what the materials say:
    /// a conveyor belt. Says whether it is one of the two.
    fn run_surface(&mut self, collider: ColliderId, velocity: V3) -> bool {
        let there = self.seen.iter().any(|s| s.0 == collider.0);
        if there {
            self.runs.push((collider.0, velocity.0));
        }
        there
    }
    /// The two do not touch here.
    fn discard(&mut self) {
        self.gone = true;
    }
}
