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
    ($($(#[$pm:meta])* $plain:ident)*; $($(#[$am:meta])* $fallible:ident($($a:ident: $t:ty),*))*; $($rest:tt)*) => {
        #[pymethods]
        impl Dynamics {
            $($(#[$pm])* fn $plain(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.0.$plain().to_py(py)
            })*
            $($(#[$am])* fn $fallible(&self, py: Python<'_>, $($a: $t),*) -> PyResult<Py<PyAny>> {
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
    /// The mass matrix M, kg, kg m and kg m^2: symmetric, positive definite, without the loops.
    mass_matrix
    /// The force that keeps zero acceleration against inertia and gravity, N or N m: Coriolis, centrifugal and gyroscopic terms, what
    /// moving roots bring, and `Dynamics.gravity`.
    bias
    /// The part of `Dynamics.bias` that gravity makes, N or N m: what carries the weights.
    gravity
    /// What acts by itself at each freedom, N or N m: springs, drag, damping, constant forces, compliant rows and stops, loads that
    /// wait for the next step. It is on the side of `force`, so a spring that lifts an arm has the sign of the torque that would.
    applied
    /// The Jacobian G of the loop rows over the freedoms, in the order of `Dynamics.loop_rows`.
    loop_jacobian
    /// Accelerations of the loop rows while all rates are constant, m/s^2 or rad/s^2: the loops stay closed while G a is their
    /// opposite.
    loop_drift
    ;
    /// The Jacobian of a world point fixed to a body, 6 rows over the freedoms: velocity of the point, then angular velocity, world
    /// axes. Zero for bodies that do not move by themselves. A particle has no extent: of one the point does not matter, and its
    /// angular rows are zero.
    jacobian(body: BodyId, point: V3)
    /// Velocity (m/s) of a world point fixed to a body, and angular velocity (rad/s): its Jacobian times the rates, and what moving
    /// roots bring.
    velocity(body: BodyId, point: V3)
    /// Acceleration (m/s^2) of a world point fixed to a body, and angular acceleration (rad/s^2), while all rates are constant: what
    /// is to be added to the Jacobian times the accelerations of the freedoms.
    drift(body: BodyId, point: V3)
    /// The efforts that hold the pose at rest: of the joints that have motors, or of all joints of the forest where none has. See
    /// `Dynamics.hold_with`.
    holding()
    ;
    /// All freedoms, from the roots on. Vectors and matrices have this order.
    #[getter]
    fn dofs(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.dofs().to_py(py)
    }
    /// Rates q' of all freedoms, m/s or rad/s. After a step they belong half a step before the pose, like all velocities.
    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.velocities().to_py(py)
    }
    /// The rows of joints that are not in the forest, rigid ones only: those of joints that close loops, of rods, of joints without a
    /// chart, and taut ropes. Then the rigid couplings.
    fn loop_rows(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.loop_rows().cloned().collect::<Vec<_>>().to_py(py)
    }
    /// Which freedoms a joint has; none when it is not in the forest or not in this world.
    fn find(&self, joint: JointId) -> Option<(usize, usize)> {
        self.0.find(joint.0).map(|r| (r.start, r.end))
    }
    /// Which freedoms the joint that carries a body has, or a free body itself; none for one that does not move by itself.
    fn find_body(&self, body: BodyId) -> Option<(usize, usize)> {
        self.0.find_body(body.0).map(|r| (r.start, r.end))
    }
    /// Where a freedom is, m or rad: body i of its joint against body j, turns about one axis with their whole turns; of a free body
    /// the centre of mass. None for the turns of balls and free bodies, for which no number stands, and beyond the last freedom.
    fn position(&self, dof: usize) -> Option<f64> {
        self.0.position(dof)
    }
    /// Forward dynamics: the accelerations of all freedoms, m/s^2 or rad/s^2, under a force (N) or torque (N m) at each. What acts by
    /// itself (`Dynamics.applied`) and the joints that close loops do their share.
    fn forward(&self, py: Python<'_>, force: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.forward(&force).map_err(raise)?.to_py(py)
    }
    /// The forces of the loop rows in `Dynamics.forward`, N or N m, on body i of their joints; tension of rods and ropes is negative.
    fn loop_forces(&self, py: Python<'_>, force: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.loop_forces(&force).map_err(raise)?.to_py(py)
    }
    /// Inverse dynamics (recursive Newton-Euler): the force or torque at every freedom for a wanted acceleration of every freedom,
    /// m/s^2 or rad/s^2. What acts by itself (`Dynamics.applied`) does its share.
    fn inverse(&self, py: Python<'_>, acceleration: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.inverse(&acceleration).map_err(raise)?.to_py(py)
    }
    /// The accelerations of all freedoms when those of some joints are given and nothing else pushes: loops stay closed, and what
    /// neither joints nor loops decide moves as it will. One number for each freedom that the joints push at, in the order of
    /// `Dynamics.inverse_with`, which then tells the efforts.
    fn follow(&self, py: Python<'_>, of: Vec<JointId>, acceleration: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.follow(&joints(of), &acceleration).map_err(raise)?.to_py(py)
    }
    /// The efforts of these joints that hold the pose at rest, as if nothing moved: against gravity, springs, constant forces and
    /// loads that wait for the next step, without drag and damping.
    fn hold_with(&self, py: Python<'_>, of: Vec<JointId>) -> PyResult<Py<PyAny>> {
        self.0.hold_with(&joints(of)).map_err(raise)?.to_py(py)
    }
    /// Inverse dynamics with loops: the efforts of these joints, chosen as in `Dynamics.hold_with`, that give all freedoms the wanted
    /// accelerations, m/s^2 or rad/s^2, at the present velocity. The accelerations must keep the loops closed; `Dynamics.follow`
    /// makes such from those of a few joints.
    fn inverse_with(&self, py: Python<'_>, of: Vec<JointId>, acceleration: Vec<f64>) -> PyResult<Py<PyAny>> {
        self.0.inverse_with(&joints(of), &acceleration).map_err(raise)?.to_py(py)
    }
}
