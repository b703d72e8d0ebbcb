//! Joints of all kinds, their limits, motors, friction and strength.

use crate::builder::{Worded, builder};
use crate::convert::{Arg, Free, Soft, V3, choice, shown};
use crate::error::raise;
use crate::ids::BodyId;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taut::joints::{self, Joint as Engine, TreeRole};

type Words<'a, 'py> = &'a Bound<'py, PyDict>;

builder! {
    /// Compliance and damping of what gives.
    Softness(joints::Softness) {}
    rest {
        #[new]
        #[pyo3(signature = (compliance = 0.0, damping = 0.0))]
        fn new(compliance: f64, damping: f64) -> Self {
            Softness(joints::Softness { compliance, damping })
        }
        /// A spring of the given stiffness (N/m or N m/rad) and damping (N s/m or N m s/rad).
        #[staticmethod]
        #[pyo3(signature = (stiffness, damping = 0.0))]
        fn spring(stiffness: f64, damping: f64) -> Self {
            Softness(joints::Softness::spring(stiffness, damping))
        }
        /// Compliance without damping.
        #[staticmethod]
        fn compliance(compliance: f64) -> Self {
            Softness(joints::Softness::compliance(compliance))
        }
        /// The same with the compliance multiplied and the damping divided by a factor.
        fn softer(&self, factor: f64) -> Self {
            Softness(self.0.softer(factor))
        }
        /// Gives nothing.
        #[classattr]
        const RIGID: Softness = Softness(joints::Softness::RIGID);
    }
}

builder! {
    /// Bounds of what a joint leaves free.
    Limit(joints::Limit) {
        /// The same on one freedom among several.
        fn on(freedom: Free);
        /// The same with a soft stop.
        fn soft(soft: Soft);
        /// The same with a rebound.
        fn bouncing(restitution: f64);
    }
    rest {
        #[new]
        #[pyo3(signature = (lower, upper, **words))]
        fn new(lower: f64, upper: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Limit(joints::Limit::new(lower, upper)).with(words)
        }
        /// A ball joint swings by at most this angle, rad.
        #[staticmethod]
        #[pyo3(signature = (angle, **words))]
        fn cone(angle: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Limit(joints::Limit::cone(angle)).with(words)
        }
        /// A ball joint twists between two angles, rad.
        #[staticmethod]
        #[pyo3(signature = (lower, upper, **words))]
        fn twist(lower: f64, upper: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Limit(joints::Limit::twist(lower, upper)).with(words)
        }
    }
}

builder! {
    /// Bounds of how fast what a joint leaves free may move.
    SpeedLimit(joints::SpeedLimit) {
        /// The same on one freedom among several.
        fn on(freedom: Free);
    }
    rest {
        #[new]
        #[pyo3(signature = (lower, upper, **words))]
        fn new(lower: f64, upper: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            SpeedLimit(joints::SpeedLimit::new(lower, upper)).with(words)
        }
        /// The same in both directions, m/s or rad/s.
        #[staticmethod]
        #[pyo3(signature = (most, **words))]
        fn both(most: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            SpeedLimit(joints::SpeedLimit::both(most)).with(words)
        }
    }
}

builder! {
    /// What drives a joint.
    Motor(joints::Motor) {
        /// The same motor on one freedom among several.
        fn on(freedom: Free);
        /// The same motor with a bound on its force (N) or torque (N m) in both directions.
        fn limited(max_force: f64);
        /// The same motor with a force (N) or torque (N m) that is never negative: it only pushes.
        fn pushing(max_force: f64);
        /// The same motor with a force (N) or torque (N m) that is never positive: it only pulls, like a hoist on its rope.
        fn pulling(max_force: f64);
        /// The same motor with a force (N) or torque (N m) between two values, of which the first is not positive and the second not
        /// negative.
        fn force_range(min: f64, max: f64);
        /// Told at the start where to be, m or rad. For servos with stiffness: nothing else goes to a position, and any but zero is
        /// refused.
        fn target(target: f64);
        /// Told at the start how fast to move, m/s or rad/s.
        fn speed(rate: f64);
        /// Names it.
        fn named(name: String);
    }
    rest {
        /// A servo with kp (N/m, N m/rad) and kd (N s/m, N m s/rad).
        #[staticmethod]
        #[pyo3(signature = (stiffness, damping, **words))]
        fn servo(stiffness: f64, damping: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Motor(joints::Motor::servo(stiffness, damping)).with(words)
        }
        /// A motor that keeps the commanded rate.
        #[staticmethod]
        #[pyo3(signature = (**words))]
        fn rate(words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Motor(joints::Motor::rate()).with(words)
        }
        /// Servos on the two angles of a universal joint.
        #[staticmethod]
        fn universal(stiffness: f64, damping: f64) -> Vec<Self> {
            joints::Motor::universal(stiffness, damping).map(Motor).into()
        }
        /// Servos on the three angles of a ball joint.
        #[staticmethod]
        fn ball(stiffness: f64, damping: f64) -> Vec<Self> {
            joints::Motor::ball(stiffness, damping).map(Motor).into()
        }
    }
}

builder! {
    /// What a motor is told.
    Command(joints::Command) {}
    rest {
        #[new]
        #[pyo3(signature = (target = 0.0, rate = 0.0))]
        fn new(target: f64, rate: f64) -> Self {
            Command(joints::Command { target, rate })
        }
        /// Go to a position and stay there, m or rad. For servos with stiffness; other motors refuse any but zero.
        #[staticmethod]
        fn target(target: f64) -> Self {
            Command(joints::Command::target(target))
        }
        /// Move at a rate, m/s or rad/s.
        #[staticmethod]
        fn rate(rate: f64) -> Self {
            Command(joints::Command::rate(rate))
        }
    }
}

builder! {
    /// Dry friction of a joint.
    Friction(joints::Friction) {
        /// The same on one freedom among several.
        fn on(freedom: Free);
    }
    rest {
        #[new]
        #[pyo3(signature = (max = 0.0, per_load = 0.0, **words))]
        fn new(max: f64, per_load: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Friction(joints::Friction { per_load, ..joints::Friction::new(max) }).with(words)
        }
        /// Friction by the load alone: mu times the radius of a journal (m), or mu of a slide.
        #[staticmethod]
        #[pyo3(signature = (per_load, **words))]
        fn by_load(per_load: f64, words: Option<Words<'_, '_>>) -> PyResult<Self> {
            Friction(joints::Friction::by_load(per_load)).with(words)
        }
    }
}

/// Friction, or its greatest force or torque alone.
#[derive(Clone, Copy)]
pub struct Rubs(pub joints::Friction);

impl<'a, 'py> FromPyObject<'a, 'py> for Rubs {
    type Error = PyErr;
    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(friction) = value.extract::<Friction>() {
            return Ok(Rubs(friction.0));
        }
        let max: f64 = value
            .extract()
            .map_err(|_| PyTypeError::new_err(format!("{}: expected a Friction, or a number", shown(&value))))?;
        Ok(Rubs(joints::Friction::new(max)))
    }
}

impl Arg for Rubs {
    type Out = joints::Friction;
    fn arg(self) -> joints::Friction {
        self.0
    }
}

builder! {
    /// What a joint carries before it breaks.
    Strength(joints::Strength) {}
    rest {
        #[new]
        #[pyo3(signature = (force = f64::INFINITY, torque = f64::INFINITY))]
        fn new(force: f64, torque: f64) -> Self {
            Strength(joints::Strength { force, torque })
        }
    }
}

builder! {
    /// Axes along and about which nothing moves.
    Locks(joints::Locks) {}
    rest {
        #[new]
        #[pyo3(signature = (linear = [false; 3], angular = [false; 3]))]
        fn new(linear: [bool; 3], angular: [bool; 3]) -> Self {
            Locks(joints::Locks { linear, angular })
        }
        /// Nothing is locked.
        #[classattr]
        const NONE: Locks = Locks(joints::Locks::NONE);
        /// Everything is locked.
        #[classattr]
        const ALL: Locks = Locks(joints::Locks::ALL);
        /// No rotation.
        #[classattr]
        const ROTATION: Locks = Locks(joints::Locks::ROTATION);
        /// No translation.
        #[classattr]
        const TRANSLATION: Locks = Locks(joints::Locks::TRANSLATION);
        /// Motion in the plane of x and y.
        #[classattr]
        const PLANE_XY: Locks = Locks(joints::Locks::PLANE_XY);
    }
}

builder! {
    /// A frame on a body: an origin and three axes.
    Frame(taut::Frame) {}
    rest {
        #[new]
        fn new(origin: V3, axis: V3) -> PyResult<Self> {
            taut::Frame::new(origin.0, axis.0).map(Frame).map_err(raise)
        }
        /// A frame by its origin and its three axes, which must be a right-handed set of unit vectors.
        #[staticmethod]
        fn of(origin: V3, u: V3, v: V3, n: V3) -> PyResult<Self> {
            let frame = taut::Frame { origin: origin.0, u: u.0, v: v.0, n: n.0 };
            frame.validate("frame").map_err(raise)?;
            Ok(Frame(frame))
        }
    }
}

/// The frames of a joint on its two bodies.
#[derive(Clone, Copy)]
pub struct Pair(taut::Frames);

impl<'a, 'py> FromPyObject<'a, 'py> for Pair {
    type Error = PyErr;
    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (i, j): (Frame, Frame) = value.extract()?;
        Ok(Pair(taut::Frames { i: i.0, j: j.0 }))
    }
}

impl Arg for Pair {
    type Out = taut::Frames;
    fn arg(self) -> taut::Frames {
        self.0
    }
}

/// What a joint is in reduced coordinates, by its word.
#[derive(Clone, Copy)]
pub struct Role(pub TreeRole);

impl<'a, 'py> FromPyObject<'a, 'py> for Role {
    type Error = PyErr;
    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let all = [("auto", TreeRole::Auto), ("tree", TreeRole::Tree), ("loop", TreeRole::Loop)];
        choice("role", &value.extract::<String>()?, &all).map(Role)
    }
}

impl Arg for Role {
    type Out = TreeRole;
    fn arg(self) -> TreeRole {
        self.0
    }
}

builder! {
    /// A joint as it is added to a world.
    Joint(Engine) {
        /// Where it is, world, m. On a rod or a rope it places the end on the first body alone; the other end goes to the centre of
        /// the second body. `Joint.ends` places both.
        fn at(point: V3);
        /// Its main axis, world, of any length but zero: the axis of a hinge, the direction of a slide or a cable, the normal of a
        /// plane.
        fn axis(direction: V3);
        /// Where its axis U points, world: needed only where the axes across the main one matter. What of it lies along the main axis
        /// is left out.
        fn across(direction: V3);
        /// Its origins on the first and on the second body, world, m: the ends of a rod or a rope.
        fn ends(on_i: V3, on_j: V3);
        /// Frames in the coordinates of the two bodies, in place of a point and an axis in the world. Positions are then counted from
        /// where the frames coincide.
        fn frames(frames: Pair);
        /// Give of what it holds along lines, m/N, in place of rigid.
        fn linear(soft: Soft);
        /// Give of what it holds about axes, rad/(N m), in place of rigid.
        fn angular(soft: Soft);
        /// Length of a rod or a rope, m. Without it the distance of its ends when it is added.
        fn length(length: f64);
        /// Rigid stops of what the joint leaves free, m or rad from where it is added.
        fn limit(lower: f64, upper: f64);
        /// A stop with more to say: soft, bouncing, of one freedom among several.
        fn stop(limit: Limit);
        /// Several stops.
        fn stops(limits: Vec<Limit>);
        /// A motor.
        fn motor(motor: Motor);
        /// Several motors.
        fn motors(motors: Vec<Motor>);
        /// Springs and dampers on all that the joint leaves free, at rest where it is added: stiffness in N/m or N m/rad, damping in
        /// N s/m or N m s/rad. They are servos that hold zero, beside motors where there are any; their work is booked with that of
        /// motors.
        fn spring(stiffness: f64, damping: f64);
        /// The same on one freedom.
        fn spring_on(freedom: Free, stiffness: f64, damping: f64);
        /// Dry friction: a force (N) or torque (N m) that does not depend on the load, or a `Friction`.
        fn friction(friction: Rubs);
        /// Armature: inertia that the rates of what the joint leaves free feel, and nothing else, kg m^2 for turns and kg for slides. A
        /// rotor of 1e-4 kg m^2 behind a gear of 100 to 1 has one of 1 kg m^2. Joints that turn about several axes have it of their
        /// relative angular velocity. Zero is none.
        fn armature(armature: f64);
        /// How fast what it leaves free can go.
        fn speed_limit(limit: SpeedLimit);
        /// What it can carry before it breaks.
        fn strength(strength: Strength);
        /// What it is to be when coordinates are reduced.
        fn role(role: Role);
        /// Whole turns that it has made before it is added, for a freedom that goes round: its position counts from there. Without
        /// them the position is within half a turn of zero, or where that is outside its limits, of their middle.
        fn turns(turns: i32);
        /// Adds it switched off: it holds nothing until `World.set_joint_enabled`.
        fn disabled();
        /// A number of the user's own.
        fn user_data(data: u64);
        /// Names it, for reports, errors and `World.find_joint`.
        fn named(name: String);
    }
    rest {
        /// Its kind.
        #[getter]
        fn kind(&self) -> &'static str {
            self.0.kind().name()
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[pyclass(module = "taut")]
        pub struct $name;
        #[pymethods]
        impl $name {
            $(#[$doc])*
            #[staticmethod]
            #[pyo3(signature = (i, j, **words))]
            fn between(i: BodyId, j: BodyId, words: Option<Words<'_, '_>>) -> PyResult<Joint> {
                Joint(joints::$name::between(i.0, j.0)).with(words)
            }
        }
    )* };
}

kinds! {
    /// Nothing turns about an axis.
    AxialLock;
    /// A point of two bodies in common.
    Ball;
    /// Free along and about an axis.
    Cylindrical;
    /// A distance that is kept.
    Distance;
    /// A weld that is read as a sensor.
    ForceTorque;
    /// Free about an axis.
    Hinge;
    /// Free in a plane.
    Planar;
    /// A point on a line.
    PointOnLine;
    /// Free along an axis.
    Prismatic;
    /// Free to shift and not to turn.
    Translational;
    /// A cross with two axes.
    Universal;
    /// Nothing is free.
    Weld;
}

/// A joint with axes that are locked one by one.
#[pyclass(module = "taut")]
pub struct SixDof;

#[pymethods]
impl SixDof {
    /// A six-degree joint of body i to body j, with these axes locked.
    #[staticmethod]
    #[pyo3(signature = (i, j, locks, **words))]
    fn between(i: BodyId, j: BodyId, locks: Locks, words: Option<Words<'_, '_>>) -> PyResult<Joint> {
        Joint(joints::SixDof::between(i.0, j.0, locks.0)).with(words)
    }
}

/// A distance between two bounds.
#[pyclass(module = "taut")]
pub struct Range;

#[pymethods]
impl Range {
    /// Keeps body i between two distances (m) from body j.
    #[staticmethod]
    #[pyo3(signature = (i, j, shortest, longest, *, restitution = 0.0, **words))]
    fn between(
        i: BodyId,
        j: BodyId,
        shortest: f64,
        longest: f64,
        restitution: f64,
        words: Option<Words<'_, '_>>,
    ) -> PyResult<Joint> {
        let kind = joints::Range { restitution, ..joints::Range::new(shortest, longest) };
        Joint(Engine::of(kind, i.0, j.0)).with(words)
    }
}

/// A wheel with its suspension.
#[pyclass(module = "taut")]
pub struct Wheel;

#[pymethods]
impl Wheel {
    /// A wheel on a chassis: at the hub, axis along the suspension (up), across along the axle. With `steering` it turns about the
    /// suspension.
    #[staticmethod]
    #[pyo3(signature = (wheel, chassis, *, suspension = Soft(joints::Softness::RIGID), steering = false, **words))]
    fn between(
        wheel: BodyId,
        chassis: BodyId,
        suspension: Soft,
        steering: bool,
        words: Option<Words<'_, '_>>,
    ) -> PyResult<Joint> {
        let kind = joints::Wheel { suspension: suspension.0, steers: steering };
        Joint(kind.between(wheel.0, chassis.0)).with(words)
    }
}

/// A joint between segments of a cable.
#[pyclass(module = "taut")]
pub struct Cable;

const RIGID: Soft = Soft(joints::Softness::RIGID);

#[pymethods]
impl Cable {
    /// Between segments of a cable: what gives is a Softness, or (stiffness, damping).
    #[staticmethod]
    #[pyo3(signature = (i, j, *, axial = RIGID, bending, torsion, clamped_end = false, **words))]
    fn between(
        i: BodyId,
        j: BodyId,
        axial: Soft,
        bending: Soft,
        torsion: Soft,
        clamped_end: bool,
        words: Option<Words<'_, '_>>,
    ) -> PyResult<Joint> {
        let kind = joints::Cable { axial: axial.0, bending: bending.0, torsion: torsion.0 };
        Joint(Engine::of(if clamped_end { kind.clamped_end() } else { kind }, i.0, j.0)).with(words)
    }
    /// Of a round cable: length of a segment and radius, m; moduli, Pa.
    #[staticmethod]
    #[pyo3(signature = (i, j, *, length, radius, youngs, shear, clamped_end = false, **words))]
    #[allow(clippy::too_many_arguments)]
    fn from_material(
        i: BodyId,
        j: BodyId,
        length: f64,
        radius: f64,
        youngs: f64,
        shear: f64,
        clamped_end: bool,
        words: Option<Words<'_, '_>>,
    ) -> PyResult<Joint> {
        let kind = joints::Cable::from_material(length, radius, youngs, shear).map_err(raise)?;
        Joint(Engine::of(if clamped_end { kind.clamped_end() } else { kind }, i.0, j.0)).with(words)
    }
}

/// A joint between segments of a cable whose axial rows give too.
#[pyclass(module = "taut")]
pub struct FlexibleCable;

#[pymethods]
impl FlexibleCable {
    /// Between segments of a cable that gives in all directions: each a Softness, or (stiffness, damping).
    #[staticmethod]
    #[pyo3(signature = (i, j, *, axial, shear, bending, torsion, **words))]
    fn between(
        i: BodyId,
        j: BodyId,
        axial: Soft,
        shear: Soft,
        bending: Soft,
        torsion: Soft,
        words: Option<Words<'_, '_>>,
    ) -> PyResult<Joint> {
        let kind = joints::FlexibleCable { axial: axial.0, shear: shear.0, bending: bending.0, torsion: torsion.0 };
        Joint(Engine::of(kind, i.0, j.0)).with(words)
    }
}

/// A band that pulls softly, then hard.
#[pyclass(module = "taut")]
pub struct Ligament;

#[pymethods]
impl Ligament {
    /// Pulls with `soft_stiffness` (N/m) above its rest length, m, and with `stiffness` above the `strain`; rigid without.
    #[staticmethod]
    #[pyo3(signature = (i, j, *, soft_stiffness, strain, stiffness = f64::INFINITY, damping = 0.0, rest_length = None, **words))]
    #[allow(clippy::too_many_arguments)]
    fn between(
        i: BodyId,
        j: BodyId,
        soft_stiffness: f64,
        strain: f64,
        stiffness: f64,
        damping: f64,
        rest_length: Option<f64>,
        words: Option<Words<'_, '_>>,
    ) -> PyResult<Joint> {
        let kind = joints::Ligament { rest_length, soft_stiffness, strain, stiffness, damping };
        Joint(Engine::of(kind, i.0, j.0)).with(words)
    }
}
