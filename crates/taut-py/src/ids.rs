//! Handles. They are the engine's: a handle to something removed names nothing, and one of another world is refused.

use crate::convert::{Arg, ToPy};
use crate::error::raise;
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident { $($rest:tt)* })*) => { $(
        $(#[$doc])*
        #[pyclass(frozen, from_py_object, module = "taut")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name(pub taut::$name);

        impl Arg for $name {
            type Out = taut::$name;
            fn arg(self) -> taut::$name {
                self.0
            }
        }

        impl ToPy for taut::$name {
            fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                Ok(Py::new(py, $name(self))?.into_any())
            }
        }

        #[pymethods]
        impl $name {
            fn __repr__(&self) -> String {
                format!("{:?}", self.0)
            }
            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other.extract::<$name>().is_ok_and(|o| o == *self)
            }
            fn __hash__(&self) -> u64 {
                let mut h = DefaultHasher::new();
                format!("{:?}", self.0).hash(&mut h);
                h.finish()
            }
            $($rest)*
        }
    )* };
}

handles! {
    /// A body of a world.
    BodyId {}
    /// A joint of a world.
    JointId {
        /// One of its motors, by its place.
        #[pyo3(signature = (index = 0))]
        fn motor(&self, index: usize) -> MotorId {
            MotorId(self.0.motor(index))
        }
        /// One of its limits, by its place.
        #[pyo3(signature = (index = 0))]
        fn limit(&self, index: usize) -> LimitId {
            LimitId(self.0.limit(index))
        }
    }
    /// A collider of a world.
    ColliderId {}
    /// A coupling of a world.
    CouplingId {}
    /// A force of a world.
    ForceId {}
    /// A rope over guides of a world.
    RopeId {}
    /// A rope with mass of a world.
    HeavyRopeId {}
    /// A deformable of a world.
    DeformableId {}
    /// A motor of a joint.
    MotorId {
        /// Its joint.
        #[getter]
        fn joint(&self) -> JointId {
            JointId(self.0.joint())
        }
    }
    /// A limit of a joint.
    LimitId {
        /// Its joint.
        #[getter]
        fn joint(&self) -> JointId {
            JointId(self.0.joint())
        }
    }
    /// A winch of a world.
    WinchId {
        /// The body of its drum.
        #[getter]
        fn rotor(&self) -> BodyId {
            BodyId(self.0.rotor)
        }
        /// The hinge of the rotor, with its motor and brake.
        #[getter]
        fn hinge(&self) -> JointId {
            JointId(self.0.hinge)
        }
        /// Pitch radius, m.
        #[getter]
        fn radius(&self) -> f64 {
            self.0.radius
        }
    }
    /// An end of a rope.
    RopeEnd {
        /// The first end of a rope.
        #[staticmethod]
        fn first_of(rope: RopeId) -> Self {
            RopeEnd(taut::RopeEnd::first_of(rope.0))
        }
        /// The last end of a rope.
        #[staticmethod]
        fn last_of(rope: RopeId) -> Self {
            RopeEnd(taut::RopeEnd::last_of(rope.0))
        }
        /// The other end.
        fn other(&self) -> Self {
            RopeEnd(self.0.other())
        }
        /// Its rope.
        #[getter]
        fn rope(&self) -> RopeId {
            RopeId(self.0.rope)
        }
        /// Whether it is the last end.
        #[getter]
        fn last(&self) -> bool {
            self.0.last
        }
    }
}

/// A motor, or a joint for its first one.
#[derive(Clone, Copy)]
pub struct MotorOf(pub taut::MotorId);

impl<'a, 'py> FromPyObject<'a, 'py> for MotorOf {
    type Error = PyErr;
    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match value.extract::<JointId>() {
            Ok(joint) => Ok(MotorOf(joint.0.into())),
            Err(_) => Ok(MotorOf(value.extract::<MotorId>()?.0)),
        }
    }
}

impl Arg for MotorOf {
    type Out = taut::MotorId;
    fn arg(self) -> taut::MotorId {
        self.0
    }
}

/// A limit, or a joint for its first one.
#[derive(Clone, Copy)]
pub struct LimitOf(pub taut::LimitId);

impl<'a, 'py> FromPyObject<'a, 'py> for LimitOf {
    type Error = PyErr;
    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match value.extract::<JointId>() {
            Ok(joint) => Ok(LimitOf(joint.0.into())),
            Err(_) => Ok(LimitOf(value.extract::<LimitId>()?.0)),
        }
    }
}

impl Arg for LimitOf {
    type Out = taut::LimitId;
    fn arg(self) -> taut::LimitId {
        self.0
    }
}

/// Takes a part out of a world by its handle, whatever it is.
pub fn remove(world: &mut taut::World, handle: &Bound<'_, PyAny>) -> PyResult<()> {
    macro_rules! try_each {
        ($($name:ident),*) => { $(if let Ok(id) = handle.extract::<$name>() {
            return world.remove(id.0).map_err(raise);
        })* };
    }
    try_each!(BodyId, JointId, ColliderId, CouplingId, ForceId, RopeId, DeformableId);
    let given = crate::convert::shown(handle);
    let expected = "expected the handle of a body, joint, collider, coupling, force, rope over guides or deformable";
    Err(pyo3::exceptions::PyTypeError::new_err(format!("{given}: {expected}")))
}
