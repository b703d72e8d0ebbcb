//! Records: what the engine tells, with its fields as attributes. A field becomes a Python value when it is looked at, so that a report
//! of thirty fields costs nothing until somebody reads one.

use crate::convert::ToPy;
use pyo3::exceptions::{PyAttributeError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What can be looked at field by field.
pub trait Look: Send + Sync {
    /// Name of its type.
    fn name(&self) -> &'static str;
    /// Names of its fields.
    fn fields(&self) -> Vec<&'static str>;
    /// One of them.
    fn field(&self, py: Python<'_>, name: &str) -> Option<PyResult<Py<PyAny>>>;
}

/// A named bundle of values that cannot be changed: a report, an event, a hit, a ledger.
#[pyclass(frozen, module = "taut")]
pub struct Record(Box<dyn Look>);

impl Record {
    /// A record of something.
    pub fn of(value: impl Look + 'static) -> Self {
        Record(Box::new(value))
    }

    fn get(&self, py: Python<'_>, name: &str) -> Option<PyResult<Py<PyAny>>> {
        if name == "kind" { Some(self.0.name().to_py(py)) } else { self.0.field(py, name) }
    }
}

#[pymethods]
impl Record {
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        self.get(py, name).unwrap_or_else(|| {
            let expected = self.0.fields().join(", ");
            Err(PyAttributeError::new_err(format!("{} has no '{name}': it has {expected}", self.0.name())))
        })
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        self.get(py, name).unwrap_or_else(|| Err(PyKeyError::new_err(name.to_owned())))
    }

    fn __dir__(&self) -> Vec<&'static str> {
        let mut all = self.0.fields();
        all.extend(["kind", "to_dict"]);
        all
    }

    /// All of it as a dictionary, records inside it too.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        for name in self.0.fields() {
            if let Some(value) = self.get(py, name) {
                let value = value?;
                match value.cast_bound::<Record>(py) {
                    Ok(inner) => out.set_item(name, inner.get().to_dict(py)?)?,
                    Err(_) => out.set_item(name, value)?,
                }
            }
        }
        Ok(out)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut parts = Vec::new();
        for name in self.0.fields() {
            if let Some(value) = self.get(py, name) {
                parts.push(format!("{name}={}", value?.bind(py).repr()?));
            }
        }
        Ok(format!("{}({})", self.0.name(), parts.join(", ")))
    }
}

impl ToPy for Record {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, self)?.into_any())
    }
}

/// A record that is made of values: one of a variant of an enumeration.
pub struct Made {
    name: &'static str,
    fields: Vec<(&'static str, Py<PyAny>)>,
}

impl Made {
    /// From the name of the variant and its fields.
    pub fn new(name: &'static str, fields: Vec<(&'static str, Py<PyAny>)>) -> Self {
        Made { name, fields }
    }
}

impl Look for Made {
    fn name(&self) -> &'static str {
        self.name
    }
    fn fields(&self) -> Vec<&'static str> {
        self.fields.iter().map(|f| f.0).collect()
    }
    fn field(&self, py: Python<'_>, name: &str) -> Option<PyResult<Py<PyAny>>> {
        self.fields.iter().find(|f| f.0 == name).map(|f| Ok(f.1.clone_ref(py)))
    }
}

/// Structures of the engine that are told as records: their fields, and after a semicolon methods that are told as fields.
macro_rules! records {
    ($($t:ty as $name:literal { $($field:ident),* $(; $($method:ident),*)? })*) => { $(
        impl $crate::record::Look for $t {
            fn name(&self) -> &'static str {
                $name
            }
            fn fields(&self) -> Vec<&'static str> {
                vec![$(stringify!($field),)* $($(stringify!($method),)*)?]
            }
            fn field(&self, py: Python<'_>, name: &str) -> Option<PyResult<Py<PyAny>>> {
                match name {
                    $(stringify!($field) => Some(self.$field.clone().to_py(py)),)*
                    $($(stringify!($method) => Some(self.$method().to_py(py)),)*)?
                    _ => None,
                }
            }
        }
        impl ToPy for $t {
            fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                $crate::record::Record::of(self).to_py(py)
            }
        }
    )* };
}

use taut::{assembly, control, field, joints, parts, queries, reports, settings, shapes, soft, views};

records! {
    taut::Energy as "Energy" { kinetic, gravity, elastic; total }
    taut::Ledger as "Ledger" { change, work, damping, stabiliser, constraints, contacts, elements, plastic, broken, fed, merged, integration, imbalance }
    taut::StepReport as "StepReport" {
        time, energy, ledger, max_gap, max_gap_joint, sum_gap, max_angle, solves, factorisations, right_hand_sides, refinements, iterations,
        residual, path, is_tree, panels, islands, resolved_islands, snapped_islands, dropped_rows, redundant_joints, smallest_pivot, bounded,
        parts, soft_error, guarded_islands, anytime, conflicts, events
    }
    reports::BoundedReport as "BoundedReport" {
        candidates, rows, largest, clusters, contacts, residual, joint_residual, overrun, overrun_sum, overrun_angle, coupling, solves,
        iterations, sweeps, unconverged, hurried, convex, penetration
    }
    reports::AnytimeReport as "AnytimeReport" {
        iterations, responses, passes, velocity_error, velocity_joint, gap, gap_joint, reached, contradiction
    }
    reports::Conflict as "Conflict" { joint, row, wanted, got, yielded, against }
    reports::Size as "Size" { bodies, rows, bounded, unknowns, islands, fill_blocks, factor_values, operations, bytes }
    reports::TreeReport as "TreeReport" { bodies, dofs, depth, tree, loops, loop_rows, free, cut_off }
    assembly::Assembled as "Assembled" { passes, gap, joint, closed, history }
    assembly::Projected as "Projected" { closed, passes, gap, joint, excess, moved, redundant, contradicting }
    control::Dof as "Dof" { joint, body, index, unit, name }
    control::Effort as "Effort" { joint, freedom, name, unit, value }
    control::Efforts as "Efforts" { efforts, loop_forces }
    control::LoopRow as "LoopRow" { joint, coupling, unit, pulls }
    control::Shortfall as "Shortfall" { dof, name, missing, unit }
    queries::PointHit as "PointHit" { collider, body, point, distance }
    queries::RayHit as "RayHit" { collider, body, point, normal, distance }
    queries::ShapeHit as "ShapeHit" { collider, body, fraction, point, normal }
    views::ContactView as "ContactView" { colliders, bodies, point, normal, distance, force }
    views::ForceView as "ForceView" { point, other, force }
    views::GuideView as "GuideView" { body, lead, centre, axis, mark, radius, about, hold, grips, is_grip, angles, run }
    taut::Wrench as "Wrench" { force, torque }
    taut::CutReport as "CutReport" { seams, copies, parts, energy }
    taut::RopeCut as "RopeCut" { ropes, ends, nodes, energy }
    taut::HeavyCut as "HeavyCut" { rope, line, nodes, links }
    taut::BodyState as "BodyState" { pos, rot, vel, omega }
    joints::Command as "Command" { target, rate }
    joints::Limit as "Limit" { freedom, lower, upper, soft, restitution }
    joints::Friction as "Friction" { freedom, max, per_load }
    joints::SpeedLimit as "SpeedLimit" { freedom, lower, upper }
    joints::Strength as "Strength" { force, torque }
    joints::Locks as "Locks" { linear, angular }
    joints::Motor as "Motor" { freedom, drive, min_force, max_force, command, spring, name }
    taut::Frame as "Frame" { origin, u, v, n }
    taut::Frames as "Frames" { i, j }
    taut::MassProperties as "MassProperties" { mass, center, inertia, solid }
    taut::Material as "Material" { friction, direction, restitution, compliance, damping, rule, surface_velocity }
    shapes::Groups as "Groups" { member, with }
    shapes::Facets as "Facets" { corners, triangles }
    field::Afloat as "Afloat" { volume, buoyancy, righting, drag }
    field::Surface as "Surface" { depth, normal, velocity, acceleration, rise }
    field::Wave as "Wave" { height, period, direction, phase }
    field::Water as "Water" { level, density, current, waves }
    field::Wind as "Wind" { velocity, density, gusts }
    field::Exposure as "Exposure" { form, drag, areas, added_mass, viscous }
    parts::Term as "Term" { joint, freedom, ratio }
    taut::Coupling as "Coupling" { terms, offset, soft, name }
    taut::Tie as "Tie" { body, weight, point }
    soft::Output as "Output" { cauchy, von_mises, stretches, j, energy, plastic_strain }
    soft::MeshReport as "MeshReport" { turned, one_sided, slivers, parts, kinds, extent, unit_suspect }
    settings::Budget as "Budget" { iterations, seconds, tolerance, gap }
    taut_scenes::Fired as "Fired" { name, time }
    taut_scenes::Stop as "Stop" { time, event, message }
}

/// Enumerations with fields, told as records named after the variant.
macro_rules! variants {
    ($($t:ty { $($variant:ident $({ $($field:ident),* })? $(( $($at:ident),* ))?),* })*) => { $(
        impl ToPy for $t {
            fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                type It = $t;
                #[allow(unreachable_patterns)]
                let (name, fields) = match self {
                    $(It::$variant $({ $($field),* })? $(( $($at),* ))? => (stringify!($variant), vec![
                        $($((stringify!($field), $field.to_py(py)?)),*)? $($((stringify!($at), $at.to_py(py)?)),*)?
                    ]),)*
                    // Variants that are added to the engine later have a name and no fields here until they are listed.
                    _ => ("Other", Vec::new()),
                };
                Record::of(Made::new(name, fields)).to_py(py)
            }
        }
    )* };
}

variants! {
    taut::Event {
        ContactBegan { colliders, impulse }, ContactEnded { colliders }, SensorBegan { colliders }, SensorEnded { colliders },
        LimitReached { joint, limit, upper }, JointBroken { joint, bodies, force, torque },
        Torn { deformable, seams, copies, parts, stress }, GuideTouched { rope, guide, collider }, GuideLeft { rope, guide, collider },
        DrumEmpty { rope, guide }, DrumFull { rope, guide }, GripBoarded { rope, guide, wheel }, GripLeft { rope, guide, wheel },
        TwoBlocked { rope, span }
    }
    taut::Force {
        Point { body, point, force }, Torque { body, torque }, Drag { body, linear, angular }, Spring(spring), Mouse(mouse)
    }
    taut::Shape {
        Ball { radius }, Cuboid { half }, Capsule { half_length, radius }, Cylinder { half_height, radius }, ConvexHull { points },
        Mesh { vertices, triangles }, HeightField { heights, scale }, HalfSpace { normal }, Compound { parts }
    }
    shapes::Solid { Cuboid { half }, Ball { radius }, Capsule { half_length, radius }, Cylinder { half_height, radius } }
    joints::Drive { Rate, Servo { stiffness, damping } }
    parts::Hold { Free, Efficiency(value), Friction(value), Ratios(value), Fast }
    field::Form { Colliders, Nothing, Ball { radius }, Prism { bottom, height, area, moments }, Areas }
    field::Gusts { None, Sine { amplitude, period }, Spectrum { deviation, period, seed } }
    views::RowsOf { Joint(joint), Locks(body), Force(force) }
}

records! {
    taut::Spring as "Spring" { i, j, point_i, point_j, stiffness, damping, rest_length }
    taut::MouseSpring as "MouseSpring" { body, point, target, frequency, damping_ratio }
    joints::Softness as "Softness" { compliance, damping; is_rigid }
}

impl ToPy for taut::Solver {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            taut::Solver::Structured(budget) => taut_scenes::choices::structured(&budget).to_py(py),
            taut::Solver::Pgs { sweeps } => format!("pgs:sweeps={sweeps}").to_py(py),
            other => other.name().to_py(py),
        }
    }
}

records! {
    taut_scenes::SceneInfo as "SceneInfo" { name, summary, source, parameters, dt, time }
    taut_scenes::Parameter as "Parameter" { name, unit, default, help, range, whole, choices }
}

impl ToPy for &joints::Motor {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.clone().to_py(py)
    }
}
