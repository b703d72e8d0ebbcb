//! Bodies, shapes, masses, materials, colliders, forces, couplings, water and wind.

use crate::builder::{Worded, builder};
use crate::convert::{Arg, Free, M3, P, Q, Soft, ToPy, V3, choice};
use crate::error::raise;
use crate::ids::{BodyId, JointId};
use crate::joints::Locks;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut::shapes::Combine;
use taut::{Quat, field};

type Words<'a, 'py> = &'a Bound<'py, PyDict>;

/// A position and a rotation.
#[pyclass(frozen, from_py_object, module = "taut")]
#[derive(Clone, Debug)]
pub struct Pose(pub taut::Pose);

#[pymethods]
impl Pose {
    #[new]
    #[pyo3(signature = (pos = V3(taut::Vec3::ZERO), rot = Q(Quat::IDENTITY)))]
    fn new(pos: V3, rot: Q) -> Self {
        Pose(taut::Pose { pos: pos.0, rot: rot.0 })
    }
    #[staticmethod]
    fn at(pos: V3) -> Self {
        Pose(taut::Pose::at(pos.0))
    }
    #[getter]
    fn pos(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.pos.to_py(py)
    }
    #[getter]
    fn rot(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.rot.to_py(py)
    }
    fn to_local(&self, py: Python<'_>, point: V3) -> PyResult<Py<PyAny>> {
        self.0.to_local(point.0).to_py(py)
    }
    fn to_world(&self, py: Python<'_>, point: V3) -> PyResult<Py<PyAny>> {
        self.0.to_world(point.0).to_py(py)
    }
    fn compose(&self, inner: P) -> Self {
        Pose(self.0.compose(&inner.0))
    }
    fn relative(&self, outer: P) -> Self {
        Pose(self.0.relative(&outer.0))
    }
    fn __repr__(&self) -> String {
        format!("Pose(pos={:?}, rot={:?})", self.0.pos.to_array(), self.0.rot.to_array())
    }
    fn __eq__(&self, other: &Pose) -> bool {
        self.0 == other.0
    }
}

impl ToPy for taut::Pose {
    fn to_py(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Pose(self))?.into_any())
    }
}

/// Unit quaternions, (x, y, z, w).
#[pyclass(name = "Quat", module = "taut")]
pub struct Quaternions;

#[pymethods]
impl Quaternions {
    #[classattr]
    const IDENTITY: (f64, f64, f64, f64) = (0.0, 0.0, 0.0, 1.0);
    #[staticmethod]
    fn from_axis_angle(py: Python<'_>, axis: V3, angle: f64) -> PyResult<Py<PyAny>> {
        let length = axis.0.length();
        if !(length.is_finite() && length > 0.0 && angle.is_finite()) {
            let given = format!("{} by {angle}", axis.0);
            return Err(raise(taut::Error::input("rotation", given, "a direction and a finite angle, rad")));
        }
        Quat::from_axis_angle(axis.0 / length, angle).to_py(py)
    }
    #[staticmethod]
    fn from_rotation_x(py: Python<'_>, angle: f64) -> PyResult<Py<PyAny>> {
        Quat::from_rotation_x(angle).to_py(py)
    }
    #[staticmethod]
    fn from_rotation_y(py: Python<'_>, angle: f64) -> PyResult<Py<PyAny>> {
        Quat::from_rotation_y(angle).to_py(py)
    }
    #[staticmethod]
    fn from_rotation_z(py: Python<'_>, angle: f64) -> PyResult<Py<PyAny>> {
        Quat::from_rotation_z(angle).to_py(py)
    }
    #[staticmethod]
    fn from_rotation_arc(py: Python<'_>, a: V3, b: V3) -> PyResult<Py<PyAny>> {
        let (from, to) = (a.0.normalize_or_zero(), b.0.normalize_or_zero());
        if !(from.is_normalized() && to.is_normalized()) {
            let given = format!("{} to {}", a.0, b.0);
            return Err(raise(taut::Error::input("rotation", given, "two directions that are not zero")));
        }
        Quat::from_rotation_arc(from, to).to_py(py)
    }
}

builder! {
    /// A solid, for masses and colliders.
    Shape(taut::Shape) {}
    rest {
        #[staticmethod]
        fn ball(radius: f64) -> Self {
            Shape(taut::Shape::ball(radius))
        }
        #[staticmethod]
        fn cuboid(half: V3) -> Self {
            Shape(taut::Shape::cuboid(half.0))
        }
        #[staticmethod]
        fn capsule(half_length: f64, radius: f64) -> Self {
            Shape(taut::Shape::capsule(half_length, radius))
        }
        #[staticmethod]
        fn cylinder(half_height: f64, radius: f64) -> Self {
            Shape(taut::Shape::cylinder(half_height, radius))
        }
        #[staticmethod]
        fn ground() -> Self {
            Shape(taut::Shape::ground())
        }
        #[staticmethod]
        fn half_space(normal: V3) -> Self {
            Shape(taut::Shape::HalfSpace { normal: normal.0 })
        }
        #[staticmethod]
        fn convex_hull(points: Vec<V3>) -> Self {
            Shape(taut::Shape::ConvexHull { points: points.arg() })
        }
        #[staticmethod]
        fn mesh(vertices: Vec<V3>, triangles: Vec<[u32; 3]>) -> Self {
            Shape(taut::Shape::Mesh { vertices: vertices.arg(), triangles })
        }
        #[staticmethod]
        fn height_field(heights: Vec<Vec<f64>>, scale: V3) -> Self {
            Shape(taut::Shape::HeightField { heights, scale: scale.0 })
        }
        #[staticmethod]
        fn compound(parts: Vec<(P, Shape)>) -> Self {
            Shape(taut::Shape::Compound { parts: parts.into_iter().map(|(p, s)| (p.0, s.0)).collect() })
        }
        #[getter]
        fn name(&self) -> &'static str {
            self.0.name()
        }
        #[getter]
        fn is_solid(&self) -> bool {
            self.0.is_solid()
        }
        fn validate(&self) -> PyResult<()> {
            self.0.validate().map_err(raise)
        }
        fn facets(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.facets().map_err(raise)?.to_py(py)
        }
    }
}

builder! {
    /// Mass, centre and inertia.
    MassProperties(taut::MassProperties) {}
    rest {
        #[new]
        fn new(mass: f64, inertia: M3) -> PyResult<Self> {
            taut::MassProperties::new(mass, inertia.0).map(MassProperties).map_err(raise)
        }
        #[staticmethod]
        fn of(shape: Shape, density: f64) -> PyResult<Self> {
            taut::MassProperties::of(&shape.0, density).map(MassProperties).map_err(raise)
        }
        #[staticmethod]
        fn from_diagonal(mass: f64, moments: V3) -> PyResult<Self> {
            taut::MassProperties::from_diagonal(mass, moments.0).map(MassProperties).map_err(raise)
        }
        #[staticmethod]
        fn cuboid(density: f64, half_extents: V3) -> PyResult<Self> {
            taut::MassProperties::cuboid(density, half_extents.0).map(MassProperties).map_err(raise)
        }
        #[staticmethod]
        fn sphere(density: f64, radius: f64) -> PyResult<Self> {
            taut::MassProperties::sphere(density, radius).map(MassProperties).map_err(raise)
        }
        #[staticmethod]
        fn capsule(density: f64, half_height: f64, radius: f64) -> PyResult<Self> {
            taut::MassProperties::capsule(density, half_height, radius).map(MassProperties).map_err(raise)
        }
        #[staticmethod]
        fn cylinder(density: f64, half_height: f64, radius: f64) -> PyResult<Self> {
            taut::MassProperties::cylinder(density, half_height, radius).map(MassProperties).map_err(raise)
        }
        #[staticmethod]
        fn convex_mesh(density: f64, vertices: Vec<V3>, triangles: Vec<[u32; 3]>) -> PyResult<Self> {
            let vertices: Vec<taut::Vec3> = vertices.arg();
            taut::MassProperties::convex_mesh(density, &vertices, &triangles).map(MassProperties).map_err(raise)
        }
        fn with_mass(&self, mass: f64) -> PyResult<Self> {
            self.0.with_mass(mass).map(MassProperties).map_err(raise)
        }
        #[getter]
        fn mass(&self) -> f64 {
            self.0.mass
        }
        #[getter]
        fn center(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.center.to_py(py)
        }
        #[getter]
        fn inertia(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.inertia.to_py(py)
        }
    }
}

builder! {
    /// A body as it is added to a world.
    Body(taut::Body) {
        fn at(pos: V3);
        fn rotated(rot: Q);
        fn posed(pose: P);
        fn moving(velocity: V3, angular_velocity: V3);
        fn damped(linear: f64, angular: f64);
        fn gravity_scale(scale: f64);
        fn locked(locks: Locks);
        fn exposed(exposure: Exposure);
        fn top_speed(linear: f64, angular: f64);
        fn disabled();
        fn collider(collider: Collider);
        fn user_data(data: u64);
        fn named(name: String);
    }
    rest {
        #[staticmethod]
        #[pyo3(signature = (mass, **words))]
        fn dynamic(mass: MassProperties, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::dynamic(mass.0)).with(words)
        }
        #[staticmethod]
        #[pyo3(signature = (shape, density, **words))]
        fn solid(shape: Shape, density: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::solid(shape.0, density).map_err(raise)?).with(words)
        }
        #[staticmethod]
        #[pyo3(signature = (mass, **words))]
        fn particle(mass: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::particle(mass)).with(words)
        }
        #[staticmethod]
        #[pyo3(signature = (**words))]
        fn fixed(words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::fixed()).with(words)
        }
        #[staticmethod]
        #[pyo3(signature = (**words))]
        fn kinematic(words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::kinematic()).with(words)
        }
    }
}

builder! {
    /// How a surface rubs, throws back and gives.
    Material(taut::Material) {
        fn elliptic(along: f64, across: f64, direction: V3);
        fn soft(compliance: f64, damping: f64);
        fn combined(rule: Rule);
        fn moving(surface_velocity: V3);
    }
    rest {
        #[new]
        #[pyo3(signature = (friction = 0.5, restitution = 0.0, **words))]
        fn new(friction: f64, restitution: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Material(taut::Material::new(friction, restitution)).with(words)
        }
    }
}

/// How the materials of a pair meet, by its word.
#[derive(Clone, Copy, Debug)]
pub struct Rule(Combine);

impl<'a, 'py> FromPyObject<'a, 'py> for Rule {
    type Error = PyErr;
    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let all = [
            ("average", Combine::Average),
            ("min", Combine::Min),
            ("multiply", Combine::Multiply),
            ("max", Combine::Max),
            ("geometric", Combine::Geometric),
        ];
        choice("rule", &value.extract::<String>()?, &all).map(Rule)
    }
}

impl Arg for Rule {
    type Out = Combine;
    fn arg(self) -> Combine {
        self.0
    }
}

builder! {
    /// A shape on a body that meets others.
    Collider(taut::Collider) {
        fn on(body: BodyId);
        fn at(pos: V3);
        fn rotated(rot: Q);
        fn posed(pose: P);
        fn of(material: Material);
        fn friction(friction: f64);
        fn restitution(restitution: f64);
        fn grouped(member: u32, with: u32);
        fn sensing();
        fn disabled();
        fn user_data(user_data: u64);
        fn named(name: String);
    }
    rest {
        #[new]
        #[pyo3(signature = (shape, **words))]
        fn new(shape: Shape, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Collider(taut::Collider::new(shape.0)).with(words)
        }
    }
}

/// A force between or on bodies, with the name that it may have.
#[pyclass(frozen, from_py_object, module = "taut")]
#[derive(Clone, Debug)]
pub struct Force {
    /// It.
    pub force: taut::Force,
    /// Its name; empty for none.
    pub name: String,
}

#[pymethods]
impl Force {
    #[staticmethod]
    #[pyo3(signature = (body, point, force, *, named = String::new()))]
    fn point(body: BodyId, point: V3, force: V3, named: String) -> Self {
        Force { force: taut::Force::Point { body: body.0, point: point.0, force: force.0 }, name: named }
    }
    #[staticmethod]
    #[pyo3(signature = (body, torque, *, named = String::new()))]
    fn torque(body: BodyId, torque: V3, named: String) -> Self {
        Force { force: taut::Force::Torque { body: body.0, torque: torque.0 }, name: named }
    }
    #[staticmethod]
    #[pyo3(signature = (body, linear = 0.0, angular = 0.0, *, named = String::new()))]
    fn drag(body: BodyId, linear: f64, angular: f64, named: String) -> Self {
        Force { force: taut::Force::Drag { body: body.0, linear, angular }, name: named }
    }
    #[staticmethod]
    #[pyo3(signature = (i, j, point_i, point_j, stiffness, damping, rest_length, *, named = String::new()))]
    #[allow(clippy::too_many_arguments)]
    fn spring(
        i: BodyId,
        j: BodyId,
        point_i: V3,
        point_j: V3,
        stiffness: f64,
        damping: f64,
        rest_length: f64,
        named: String,
    ) -> Self {
        let (i, j) = (i.0, j.0);
        let spring = taut::Spring { i, j, point_i: point_i.0, point_j: point_j.0, stiffness, damping, rest_length };
        Force { force: taut::Force::Spring(spring), name: named }
    }
    #[staticmethod]
    #[pyo3(signature = (body, point, target, frequency = None, damping_ratio = None, *, named = String::new()))]
    fn mouse(
        body: BodyId,
        point: V3,
        target: V3,
        frequency: Option<f64>,
        damping_ratio: Option<f64>,
        named: String,
    ) -> Self {
        let mut mouse = taut::MouseSpring::new(body.0, point.0, target.0);
        mouse.frequency = frequency.unwrap_or(mouse.frequency);
        mouse.damping_ratio = damping_ratio.unwrap_or(mouse.damping_ratio);
        Force { force: taut::Force::Mouse(mouse), name: named }
    }
    fn named(&self, name: String) -> Self {
        Force { name, ..self.clone() }
    }
    fn __repr__(&self) -> String {
        format!("{:?}", self.force)
    }
}

builder! {
    /// A spring between two bodies, placed by points in the world.
    Spring(taut::parts::SpringBuilder) {
        fn ends(on_i: V3, on_j: V3);
        fn stiffness(stiffness: f64);
        fn damping(damping: f64);
        fn rest_length(length: f64);
        fn named(name: String);
    }
    rest {
        #[staticmethod]
        #[pyo3(signature = (i, j, **words))]
        fn between(i: BodyId, j: BodyId, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Spring(taut::Spring::between(i.0, j.0)).with(words)
        }
    }
}

builder! {
    /// A sum of positions of joints that is kept.
    Coupling(taut::Coupling) {
        fn term(joint: JointId, freedom: Free, ratio: f64);
        fn ratio(ratio: f64);
        fn offset(offset: f64);
        fn soft(soft: Soft);
        fn named(name: String);
    }
    rest {
        #[new]
        #[pyo3(signature = (terms = Vec::new(), **words))]
        fn new(terms: Vec<(JointId, Free, f64)>, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            let add = |c: taut::Coupling, (joint, freedom, ratio): (JointId, Free, f64)| c.term(joint.0, freedom.0, ratio);
            Coupling(terms.into_iter().fold(taut::Coupling::new(), add)).with(words)
        }
    }
}

/// Two hinges of which one turns in proportion to the other.
#[pyclass(module = "taut")]
pub struct Gear;

#[pymethods]
impl Gear {
    #[staticmethod]
    #[pyo3(signature = (a, b, ratio, **words))]
    fn between(a: JointId, b: JointId, ratio: f64, words: Option<Words<'_, '_>>) -> PyResult<Coupling> {
        Coupling(taut::Gear::between(a.0, b.0).ratio(ratio)).with(words)
    }
}

/// A cylindrical joint that slides as it turns.
#[pyclass(module = "taut")]
pub struct Screw;

#[pymethods]
impl Screw {
    #[staticmethod]
    #[pyo3(signature = (cylindrical, pitch, **words))]
    fn on(cylindrical: JointId, pitch: f64, words: Option<Words<'_, '_>>) -> PyResult<Coupling> {
        Coupling(taut::Screw::on(cylindrical.0).pitch(pitch)).with(words)
    }
}

/// A hinge that drives a slide.
#[pyclass(module = "taut")]
pub struct RackAndPinion;

#[pymethods]
impl RackAndPinion {
    #[staticmethod]
    #[pyo3(signature = (pinion_hinge, rack_prismatic, radius, **words))]
    fn between(
        pinion_hinge: JointId,
        rack_prismatic: JointId,
        radius: f64,
        words: Option<Words<'_, '_>>,
    ) -> PyResult<Coupling> {
        Coupling(taut::RackAndPinion::between(pinion_hinge.0, rack_prismatic.0).radius(radius)).with(words)
    }
}

/// A joint that moves as another does.
#[pyclass(module = "taut")]
pub struct Mimic;

#[pymethods]
impl Mimic {
    #[staticmethod]
    #[pyo3(signature = (leader, follower, **words))]
    fn of(leader: JointId, follower: JointId, words: Option<Words<'_, '_>>) -> PyResult<Coupling> {
        Coupling(taut::Mimic::of(leader.0, follower.0)).with(words)
    }
}

builder! {
    /// What water and wind see of a body.
    Exposure(field::Exposure) {
        fn drag(drag: f64);
        fn areas(areas: V3);
        fn added_mass(share: f64);
        fn viscous(linear: f64, angular: f64);
    }
    rest {
        #[new]
        #[pyo3(signature = (**words))]
        fn new(words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Exposure(field::Exposure::new()).with(words)
        }
        #[staticmethod]
        fn none() -> Self {
            Exposure(field::Exposure::none())
        }
        #[staticmethod]
        #[pyo3(signature = (area, **words))]
        fn area(area: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Exposure(field::Exposure::area(area)).with(words)
        }
        #[staticmethod]
        #[pyo3(signature = (radius, **words))]
        fn ball(radius: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Exposure(field::Exposure::ball(radius)).with(words)
        }
        #[staticmethod]
        #[pyo3(signature = (diameter, length, **words))]
        fn strand(diameter: f64, length: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Exposure(field::Exposure::strand(diameter, length)).with(words)
        }
        #[staticmethod]
        #[pyo3(signature = (bottom, height, area, moments, **words))]
        fn prism(bottom: V3, height: f64, area: f64, moments: [f64; 2], words: Option<Words<'_, '_>>) -> PyResult<Self> {
            let form = field::Form::Prism { bottom: bottom.0, height, area, moments };
            Exposure(field::Exposure { form, ..field::Exposure::new() }).with(words)
        }
    }
}

builder! {
    /// A wave of deep water.
    Wave(field::Wave) {}
    rest {
        #[new]
        #[pyo3(signature = (height, period, direction, phase = 0.0))]
        fn new(height: f64, period: f64, direction: V3, phase: f64) -> Self {
            Wave(field::Wave { height, period, direction: direction.0, phase })
        }
        fn length(&self, gravity: f64) -> f64 {
            self.0.length(gravity)
        }
    }
}

builder! {
    /// The water of a world.
    Water(field::Water) {
        fn density(density: f64);
        fn current(velocity: V3);
        fn wave(wave: Wave);
    }
    rest {
        #[staticmethod]
        #[pyo3(signature = (level = 0.0, **words))]
        fn still(level: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Water(field::Water::still(level)).with(words)
        }
        fn at(&self, py: Python<'_>, place: V3, time: f64, gravity: V3) -> PyResult<Py<PyAny>> {
            self.0.at(place.0, time, gravity.0).to_py(py)
        }
    }
}

builder! {
    /// The wind of a world.
    Wind(field::Wind) {
        fn density(density: f64);
        fn gusts(gusts: Gusts);
    }
    rest {
        #[staticmethod]
        #[pyo3(signature = (velocity, **words))]
        fn steady(velocity: V3, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Wind(field::Wind::steady(velocity.0)).with(words)
        }
        fn at(&self, py: Python<'_>, time: f64) -> PyResult<Py<PyAny>> {
            self.0.at(time).to_py(py)
        }
    }
}

builder! {
    /// How a wind changes.
    Gusts(field::Gusts) {}
    rest {
        #[staticmethod]
        fn sine(amplitude: f64, period: f64) -> Self {
            Gusts(field::Gusts::Sine { amplitude, period })
        }
        #[staticmethod]
        #[pyo3(signature = (deviation, period, seed = 0))]
        fn spectrum(deviation: f64, period: f64, seed: u64) -> Self {
            Gusts(field::Gusts::Spectrum { deviation, period, seed })
        }
    }
}
