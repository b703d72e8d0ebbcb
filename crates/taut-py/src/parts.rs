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
    /// At a point, axes along those of the world.
    #[staticmethod]
    fn at(pos: V3) -> Self {
        Pose(taut::Pose::at(pos.0))
    }
    /// Position, m.
    #[getter]
    fn pos(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.pos.to_py(py)
    }
    /// Rotation, (x, y, z, w).
    #[getter]
    fn rot(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.rot.to_py(py)
    }
    /// A world point in this pose's coordinates.
    fn to_local(&self, py: Python<'_>, point: V3) -> PyResult<Py<PyAny>> {
        self.0.to_local(point.0).to_py(py)
    }
    /// A local point in world coordinates.
    fn to_world(&self, py: Python<'_>, point: V3) -> PyResult<Py<PyAny>> {
        self.0.to_world(point.0).to_py(py)
    }
    /// A pose given in this one, in world coordinates.
    fn compose(&self, inner: P) -> Self {
        Pose(self.0.compose(&inner.0))
    }
    /// A world pose in this pose's coordinates.
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
    /// No rotation.
    #[classattr]
    const IDENTITY: (f64, f64, f64, f64) = (0.0, 0.0, 0.0, 1.0);
    /// A turn about an axis of any length by an angle, rad.
    #[staticmethod]
    fn from_axis_angle(py: Python<'_>, axis: V3, angle: f64) -> PyResult<Py<PyAny>> {
        let length = axis.0.length();
        if !(length.is_finite() && length > 0.0 && angle.is_finite()) {
            let given = format!("{} by {angle}", axis.0);
            return Err(raise(taut::Error::input("rotation", given, "a direction and a finite angle, rad")));
        }
        Quat::from_axis_angle(axis.0 / length, angle).to_py(py)
    }
    /// A turn about x, rad.
    #[staticmethod]
    fn from_rotation_x(py: Python<'_>, angle: f64) -> PyResult<Py<PyAny>> {
        Quat::from_rotation_x(angle).to_py(py)
    }
    /// A turn about y, rad.
    #[staticmethod]
    fn from_rotation_y(py: Python<'_>, angle: f64) -> PyResult<Py<PyAny>> {
        Quat::from_rotation_y(angle).to_py(py)
    }
    /// A turn about z, rad.
    #[staticmethod]
    fn from_rotation_z(py: Python<'_>, angle: f64) -> PyResult<Py<PyAny>> {
        Quat::from_rotation_z(angle).to_py(py)
    }
    /// The shortest turn of one direction to another.
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
        /// A ball of a radius, m.
        #[staticmethod]
        fn ball(radius: f64) -> Self {
            Shape(taut::Shape::ball(radius))
        }
        /// A box of half edges, m.
        #[staticmethod]
        fn cuboid(half: V3) -> Self {
            Shape(taut::Shape::cuboid(half.0))
        }
        /// A capsule along y: half the length of its axis and the radius, m.
        #[staticmethod]
        fn capsule(half_length: f64, radius: f64) -> Self {
            Shape(taut::Shape::capsule(half_length, radius))
        }
        /// A cylinder along y: half the height and the radius, m.
        #[staticmethod]
        fn cylinder(half_height: f64, radius: f64) -> Self {
            Shape(taut::Shape::cylinder(half_height, radius))
        }
        /// Flat ground: everything below y = 0.
        #[staticmethod]
        fn ground() -> Self {
            Shape(taut::Shape::ground())
        }
        /// Everything behind the plane through the origin with this normal.
        #[staticmethod]
        fn half_space(normal: V3) -> Self {
            Shape(taut::Shape::HalfSpace { normal: normal.0 })
        }
        /// The smallest convex solid around points, m.
        #[staticmethod]
        fn convex_hull(points: Vec<V3>) -> Self {
            Shape(taut::Shape::ConvexHull { points: points.arg() })
        }
        /// Triangles, counter-clockwise from the front; vertices in m. For bodies that do not move freely.
        #[staticmethod]
        fn mesh(vertices: Vec<V3>, triangles: Vec<[u32; 3]>) -> Self {
            Shape(taut::Shape::Mesh { vertices: vertices.arg(), triangles })
        }
        /// Heights in rows along z of heights along x; `scale` is the width along x, the unit of the heights and the depth along z,
        /// m.
        #[staticmethod]
        fn height_field(heights: Vec<Vec<f64>>, scale: V3) -> Self {
            Shape(taut::Shape::HeightField { heights, scale: scale.0 })
        }
        /// Several convex shapes, each with its pose.
        #[staticmethod]
        fn compound(parts: Vec<(P, Shape)>) -> Self {
            Shape(taut::Shape::Compound { parts: parts.into_iter().map(|(p, s)| (p.0, s.0)).collect() })
        }
        /// What it is called in messages.
        #[getter]
        fn name(&self) -> &'static str {
            self.0.name()
        }
        /// Whether it has a volume: all but meshes, height fields and half spaces.
        #[getter]
        fn is_solid(&self) -> bool {
            self.0.is_solid()
        }
        /// Refuses sizes, points and triangles that make no shape.
        fn validate(&self) -> PyResult<()> {
            self.0.validate().map_err(raise)
        }
        /// Corners (m) and triangles, counter-clockwise from outside, of hulls, meshes and height fields, just as bodies collide with
        /// them; none for other shapes.
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
        /// A solid of a shape and a density (kg/m^3). Its centre is that of the shape's matter: a body whose pose is its centre of
        /// mass carries the collider at minus this centre. Parts of a compound that overlap count twice.
        #[staticmethod]
        fn of(shape: Shape, density: f64) -> PyResult<Self> {
            taut::MassProperties::of(&shape.0, density).map(MassProperties).map_err(raise)
        }
        /// A body of `mass` (kg) with the principal moments `moments` (kg m^2) along its axes.
        #[staticmethod]
        fn from_diagonal(mass: f64, moments: V3) -> PyResult<Self> {
            taut::MassProperties::from_diagonal(mass, moments.0).map(MassProperties).map_err(raise)
        }
        /// A solid box of `density` (kg/m^3) and `half_extents` (m).
        #[staticmethod]
        fn cuboid(density: f64, half_extents: V3) -> PyResult<Self> {
            taut::MassProperties::cuboid(density, half_extents.0).map(MassProperties).map_err(raise)
        }
        /// A solid ball of `density` (kg/m^3) and `radius` (m).
        #[staticmethod]
        fn sphere(density: f64, radius: f64) -> PyResult<Self> {
            taut::MassProperties::sphere(density, radius).map(MassProperties).map_err(raise)
        }
        /// A solid capsule along y of `density` (kg/m^3): a cylinder of `half_height` (m, may be 0) and `radius` (m) with half a ball
        /// on either end.
        #[staticmethod]
        fn capsule(density: f64, half_height: f64, radius: f64) -> PyResult<Self> {
            taut::MassProperties::capsule(density, half_height, radius).map(MassProperties).map_err(raise)
        }
        /// A solid cylinder along y of `density` (kg/m^3), `half_height` (m) and `radius` (m).
        #[staticmethod]
        fn cylinder(density: f64, half_height: f64, radius: f64) -> PyResult<Self> {
            taut::MassProperties::cylinder(density, half_height, radius).map(MassProperties).map_err(raise)
        }
        /// A solid of `density` (kg/m^3) bounded by a closed convex mesh: `vertices` (m) and `triangles` counter-clockwise seen from
        /// outside. A vertex may stand in front of a face by 1e-9 of the diagonal of the bounding box.
        #[staticmethod]
        fn convex_mesh(density: f64, vertices: Vec<V3>, triangles: Vec<[u32; 3]>) -> PyResult<Self> {
            let vertices: Vec<taut::Vec3> = vertices.arg();
            taut::MassProperties::convex_mesh(density, &vertices, &triangles).map(MassProperties).map_err(raise)
        }
        /// The same distribution of matter with the total mass `mass` (kg).
        fn with_mass(&self, mass: f64) -> PyResult<Self> {
            self.0.with_mass(mass).map(MassProperties).map_err(raise)
        }
        /// Mass, kg.
        #[getter]
        fn mass(&self) -> f64 {
            self.0.mass
        }
        /// Centre of mass in the frame of the shape, m.
        #[getter]
        fn center(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.center.to_py(py)
        }
        /// Inertia about the centre of mass along the axes of the shape, kg m^2.
        #[getter]
        fn inertia(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.inertia.to_py(py)
        }
    }
}

builder! {
    /// A body as it is added to a world.
    Body(taut::Body) {
        /// Places the centre of mass, m.
        fn at(pos: V3);
        /// Orients the body.
        fn rotated(rot: Q);
        /// Places the centre of mass at a pose that another world had, to the last bit: its rotation is not normalised again and must
        /// be of length 1 to 1e-12.
        fn posed(pose: P);
        /// Sets the start velocity (m/s) and angular velocity (rad/s, world frame).
        fn moving(velocity: V3, angular_velocity: V3);
        /// Sets the decay rates of linear and angular velocity, 1/s.
        fn damped(linear: f64, angular: f64);
        /// Sets how much of gravity it feels, no unit.
        fn gravity_scale(scale: f64);
        /// Keeps it from moving or turning in some directions of the world.
        fn locked(locks: Locks);
        /// What water and wind see of it, in place of its colliders.
        fn exposed(exposure: Exposure);
        /// How fast it can go, m/s, and turn, rad/s: something without weight holds it back from there on. Infinite where nothing
        /// does.
        fn top_speed(linear: f64, angular: f64);
        /// Adds it switched off.
        fn disabled();
        /// Gives it a collider; several may be given.
        fn collider(collider: Collider);
        /// A number of the user's own.
        fn user_data(data: u64);
        /// Names the body, for reports, errors and `World.find_body`.
        fn named(name: String);
    }
    rest {
        /// A rigid body.
        #[staticmethod]
        #[pyo3(signature = (mass, **words))]
        fn dynamic(mass: MassProperties, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::dynamic(mass.0)).with(words)
        }
        /// A rigid body of a shape and a density (kg/m^3), which collides with this shape.
        #[staticmethod]
        #[pyo3(signature = (shape, density, **words))]
        fn solid(shape: Shape, density: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::solid(shape.0, density).map_err(raise)?).with(words)
        }
        /// A point mass, kg.
        #[staticmethod]
        #[pyo3(signature = (mass, **words))]
        fn particle(mass: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::particle(mass)).with(words)
        }
        /// A body that does not move.
        #[staticmethod]
        #[pyo3(signature = (**words))]
        fn fixed(words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Body(taut::Body::fixed()).with(words)
        }
        /// A body that the user moves.
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
        /// A coefficient along a direction in the frame of the collider and one across it.
        fn elliptic(along: f64, across: f64, direction: V3);
        /// Give (m/N) and damping (N s/m) of the surface.
        fn soft(compliance: f64, damping: f64);
        /// How it meets other materials.
        fn combined(rule: Rule);
        /// Velocity of the surface relative to its body, in the frame of the collider, m/s.
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
        /// Puts it on a body.
        fn on(body: BodyId);
        /// Places it in the frame of the body, m.
        fn at(pos: V3);
        /// Turns it in the frame of the body.
        fn rotated(rot: Q);
        /// Places it in the frame of the body at a pose that another collider had, to the last bit: its rotation is not normalised
        /// again and must be of length 1 to 1e-12.
        fn posed(pose: P);
        /// Sets what it is made of.
        fn of(material: Material);
        /// Sets friction and keeps the rest of the material.
        fn friction(friction: f64);
        /// Sets the restitution, 0 to 1, and keeps the rest of the material.
        fn restitution(restitution: f64);
        /// Sets whom it meets.
        fn grouped(member: u32, with_: u32);
        /// Makes it a sensor: it tells what overlaps it at the start of each step and pushes nothing.
        fn sensing();
        /// Switches it off until `World.set_collider_enabled` switches it on.
        fn disabled();
        /// Gives it a number of the user's own.
        fn user_data(user_data: u64);
        /// Names it.
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
    /// A force, N, at a point of a body, m from its centre in its own axes.
    #[staticmethod]
    #[pyo3(signature = (body, point, force, *, named = String::new()))]
    fn point(body: BodyId, point: V3, force: V3, named: String) -> Self {
        Force { force: taut::Force::Point { body: body.0, point: point.0, force: force.0 }, name: named }
    }
    /// A torque on a body, N m.
    #[staticmethod]
    #[pyo3(signature = (body, torque, *, named = String::new()))]
    fn torque(body: BodyId, torque: V3, named: String) -> Self {
        Force { force: taut::Force::Torque { body: body.0, torque: torque.0 }, name: named }
    }
    /// Resistance to all motion of a body, N s/m and N m s/rad.
    #[staticmethod]
    #[pyo3(signature = (body, linear = 0.0, angular = 0.0, *, named = String::new()))]
    fn drag(body: BodyId, linear: f64, angular: f64, named: String) -> Self {
        Force { force: taut::Force::Drag { body: body.0, linear, angular }, name: named }
    }
    /// A spring between points of two bodies, m from their centres in their own axes. `Spring.between` takes points of the world.
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
    /// A spring that pulls a point of a body, m from its centre in its own axes, to a target in the world, m.
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
    /// The same with a name, to be added to a world.
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
        /// Its ends on the two bodies, world, m.
        fn ends(on_i: V3, on_j: V3);
        /// Stiffness, N/m. Zero makes a pure damper.
        fn stiffness(stiffness: f64);
        /// Damping along the line, N s/m.
        fn damping(damping: f64);
        /// Length without force, m; without it the distance of its ends when it is added.
        fn rest_length(length: f64);
        /// Names it.
        fn named(name: String);
    }
    rest {
        /// A spring of body i to body j, between their centres and as long as they are apart until told otherwise.
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
        /// With another freedom, which counts `ratio` (per rad or per m) in the sum.
        fn term(joint: JointId, freedom: Free, ratio: f64);
        /// The first freedom moves `ratio` times as far as the last: q_first = ratio q_last, for two of them, plus the offset.
        /// Without two freedoms it changes nothing.
        fn ratio(ratio: f64);
        /// What the sum stays at, in its unit.
        fn offset(offset: f64);
        /// With give: compliance in units of the sum per N (N m), and damping.
        fn soft(soft: Soft);
        /// With a name.
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
    /// Between the wheels of two hinges (or cylindrical joints), `Freedom.Turn` of both.
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
    /// On a cylindrical joint, whose `Freedom.Slide` then goes with its `Freedom.Turn`.
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
    /// Between the `Freedom.Turn` of a hinge and the `Freedom.Slide` of a prismatic joint.
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
    /// The follower does what the leader does (ratio 1, offset 0), until `Coupling.ratio` and `Coupling.offset` say otherwise. Of
    /// each joint it is the only freedom, a turn (rad) or a slide (m).
    #[staticmethod]
    #[pyo3(signature = (leader, follower, **words))]
    fn of(leader: JointId, follower: JointId, words: Option<Words<'_, '_>>) -> PyResult<Coupling> {
        Coupling(taut::Mimic::of(leader.0, follower.0)).with(words)
    }
}

builder! {
    /// What water and wind see of a body.
    Exposure(field::Exposure) {
        /// Sets the drag coefficient, no unit.
        fn drag(drag: f64);
        /// Sets the areas that a flow along its own axes sees, m^2.
        fn areas(areas: V3);
        /// Sets the mass of water that it takes along, in parts of what it displaces, in every direction.
        fn added_mass(share: f64);
        /// Sets the resistance of water in proportion to the velocity, N s/m, and to the angular velocity, N m s/rad.
        fn viscous(linear: f64, angular: f64);
    }
    rest {
        #[new]
        #[pyo3(signature = (**words))]
        fn new(words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Exposure(field::Exposure::new()).with(words)
        }
        /// Neither water nor wind act on it.
        #[staticmethod]
        fn none() -> Self {
            Exposure(field::Exposure::none())
        }
        /// An area that every flow sees, m^2, and no volume.
        #[staticmethod]
        #[pyo3(signature = (area, **words))]
        fn area(area: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Exposure(field::Exposure::area(area)).with(words)
        }
        /// A ball of this radius about its centre, m.
        #[staticmethod]
        #[pyo3(signature = (radius, **words))]
        fn ball(radius: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Exposure(field::Exposure::ball(radius)).with(words)
        }
        /// A piece of cable, of a diameter and a length (m), that a particle stands for: its volume, and diameter times length as
        /// area.
        #[staticmethod]
        #[pyo3(signature = (diameter, length, **words))]
        fn strand(diameter: f64, length: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Exposure(field::Exposure::strand(diameter, length)).with(words)
        }
        /// A hull of a constant waterplane: the middle of its bottom, m, depth to the deck, m, area, m^2, and moments of the
        /// waterplane about x and z, m^4.
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
        /// Its length on deep water under this gravity (m/s^2), m.
        fn length(&self, gravity: f64) -> f64 {
            self.0.length(gravity)
        }
    }
}

builder! {
    /// The water of a world.
    Water(field::Water) {
        /// Sets the density, kg/m^3: 1025 for the sea.
        fn density(density: f64);
        /// Lets all of it flow, m/s.
        fn current(velocity: V3);
        /// Adds a wave.
        fn wave(wave: Wave);
    }
    rest {
        /// Still fresh water up to a level, m.
        #[staticmethod]
        #[pyo3(signature = (level = 0.0, **words))]
        fn still(level: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Water(field::Water::still(level)).with(words)
        }
        /// The water at a place (m) and time (s) under a gravity (m/s^2). Without gravity there are no waves.
        fn at(&self, py: Python<'_>, place: V3, time: f64, gravity: V3) -> PyResult<Py<PyAny>> {
            self.0.at(place.0, time, gravity.0).to_py(py)
        }
    }
}

builder! {
    /// The wind of a world.
    Wind(field::Wind) {
        /// Sets the density of the air, kg/m^3.
        fn density(density: f64);
        /// Lets it change.
        fn gusts(gusts: Gusts);
    }
    rest {
        /// A wind that does not change, m/s.
        #[staticmethod]
        #[pyo3(signature = (velocity, **words))]
        fn steady(velocity: V3, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Wind(field::Wind::steady(velocity.0)).with(words)
        }
        /// Its velocity at a time (s), m/s.
        fn at(&self, py: Python<'_>, time: f64) -> PyResult<Py<PyAny>> {
            self.0.at(time).to_py(py)
        }
    }
}

builder! {
    /// How a wind changes.
    Gusts(field::Gusts) {}
    rest {
        /// A sine: amplitude, m/s, and period, s.
        #[staticmethod]
        fn sine(amplitude: f64, period: f64) -> Self {
            Gusts(field::Gusts::Sine { amplitude, period })
        }
        /// A turbulent wind: standard deviation, m/s, period, s, and seed.
        #[staticmethod]
        #[pyo3(signature = (deviation, period, seed = 0))]
        fn spectrum(deviation: f64, period: f64, seed: u64) -> Self {
            Gusts(field::Gusts::Spectrum { deviation, period, seed })
        }
    }
}
