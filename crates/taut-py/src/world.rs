//! The world.

use crate::arrays::{Arrays, Items, Table, column};
use crate::convert::{Arg, P, Soft, ToPy, V3, choice, shown};
use crate::error::{busy, poisoned, raise, raise_file};
use crate::hooks::Raised;
use crate::ids::*;
use crate::joints::{Command, Joint, Limit, Locks, Role, Rubs, SpeedLimit, Strength};
use crate::parts::*;
use crate::record::Record;
use crate::ropes::{HeavyRope, Reeving, Winch, Winding};
use crate::shapes::{Groups, filter};
use crate::soft::{Cut, Deformable};
use crate::views::*;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use taut::assembly::{Assembly, Projection};
use taut_scenes::Scene;

type Words<'a, 'py> = &'a Bound<'py, PyDict>;

/// Default step, s, and simulated time, s, of a world that no scene gives its own.
const STEP: f64 = 1.0 / 60.0;
const TIME: f64 = 10.0;

/// A world with what moves it, and its arrays.
pub struct Inner {
    /// The world and its drive.
    pub scene: Mutex<Scene>,
    /// Arrays that have been asked for.
    pub arrays: Mutex<Arrays>,
    /// Default step, s, and time of a run, s.
    pub defaults: (f64, f64),
    /// What contact hooks have raised; copies have the same hooks.
    pub raised: Raised,
}

impl Inner {
    /// The scene, unless another thread has it.
    pub fn lock(&self) -> PyResult<MutexGuard<'_, Scene>> {
        match self.scene.try_lock() {
            Ok(scene) => Ok(scene),
            Err(TryLockError::WouldBlock) => Err(busy()),
            Err(TryLockError::Poisoned(_)) => Err(poisoned()),
        }
    }

    fn arrays(&self) -> PyResult<MutexGuard<'_, Arrays>> {
        self.arrays.try_lock().map_err(|_| busy())
    }

    /// Writes the arrays anew.
    pub fn refresh(&self, py: Python<'_>, scene: &Scene) -> PyResult<()> {
        let mut arrays = self.arrays()?;
        if arrays.is_empty() { Ok(()) } else { arrays.refresh(py, &scene.world) }
    }
}

/// A world of bodies, joints, ropes and whatever else, and what moves it from outside.
#[pyclass(frozen, weakref, module = "taut")]
#[derive(Clone)]
pub struct World(pub Arc<Inner>);

impl World {
    /// From a scene with its defaults.
    pub fn of(mut scene: Scene, step: f64, time: f64) -> Self {
        scene.world.set_clock(taut_scenes::clock);
        World(Arc::new(Inner {
            scene: Mutex::new(scene),
            arrays: Mutex::default(),
            defaults: (step, time),
            raised: Raised::default(),
        }))
    }

    /// Another world like this one.
    pub fn copied(&self) -> PyResult<Self> {
        let (scene, raised) = (self.0.lock()?.clone(), self.0.raised.clone());
        Ok(World(Arc::new(Inner {
            scene: Mutex::new(scene),
            arrays: Mutex::default(),
            defaults: self.0.defaults,
            raised,
        })))
    }

    /// Goes back to a state or a snapshot.
    pub fn back(&self, to: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut scene = self.0.lock()?;
        if let Ok(state) = to.cast::<State>() {
            return scene.world.restore(&state.get().0).map_err(raise);
        }
        let Ok(snapshot) = to.cast::<Snapshot>() else {
            return Err(PyTypeError::new_err(format!("{}: expected a State or a Snapshot", shown(to))));
        };
        // Of another world: the ground that it had is refused, with the reason.
        scene.world.body(snapshot.get().ground).map_err(raise)?;
        scene.restore(&snapshot.get().taken);
        Ok(())
    }

    /// Looks at the world.
    pub fn look<R: ToPy>(&self, py: Python<'_>, read: impl FnOnce(&taut::World) -> R) -> PyResult<Py<PyAny>> {
        read(&self.0.lock()?.world).to_py(py)
    }

    /// Looks at something that may not be there.
    pub fn ask<R: ToPy>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&taut::World) -> taut::Result<R>,
    ) -> PyResult<Py<PyAny>> {
        read(&self.0.lock()?.world).map_err(raise)?.to_py(py)
    }

    /// Changes the world.
    pub fn edit<R: ToPy>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut taut::World) -> taut::Result<R>,
    ) -> PyResult<Py<PyAny>> {
        let mut scene = self.0.lock()?;
        let result = change(&mut scene.world).map_err(raise)?;
        self.0.refresh(py, &scene)?;
        drop(scene);
        result.to_py(py)
    }
}

/// How a world is made again: a function, and what it takes.
type Reduced = (Py<PyAny>, (String, Py<PyBytes>, f64, f64));

/// What the options of a world are called.
const OPTIONS: &str = "gravity, coordinates, stabiliser, solver, resolved, minres_iterations, minres_tolerance, bounded, \
                       bounded_tolerance, sleep, parallel";

/// Options with some words said.
fn options(mut o: taut::Options, words: Option<Words<'_, '_>>) -> PyResult<taut::Options> {
    use taut_scenes::choices;
    for (word, value) in words.into_iter().flatten() {
        let word: String = word.extract()?;
        let said = |e: PyErr| crate::builder::said(&word, e);
        let refuse = |e: String| {
            let expected = e.strip_prefix("expected ").map_or(e.clone(), Into::into);
            raise(taut::Error::input(&word, shown(&value), expected))
        };
        let text = || value.extract::<String>().map_err(said);
        match word.as_str() {
            "gravity" => o.gravity = value.extract::<V3>().map_err(said)?.0,
            "coordinates" => o.coordinates = choices::coordinates(&text()?).map_err(refuse)?,
            "stabiliser" => {
                let choice = choices::stabiliser(&text()?).map_err(refuse)?;
                o.stabiliser = choice.stabiliser;
                o.resolved = choice.resolved.unwrap_or(o.resolved);
            }
            "solver" => o.solver = choices::solver(&text()?).map_err(refuse)?,
            "bounded" => o.bounded = choices::bounded(&text()?).map_err(refuse)?,
            "resolved" => o.resolved = value.extract().map_err(said)?,
            "minres_iterations" => o.minres_iterations = value.extract().map_err(said)?,
            "minres_tolerance" => o.minres_tolerance = value.extract().map_err(said)?,
            "bounded_tolerance" => o.bounded_tolerance = value.extract().map_err(said)?,
            "sleep" => o.sleep = value.extract().map_err(said)?,
            "parallel" => o.parallel = value.extract().map_err(said)?,
            _ => return Err(PyTypeError::new_err(format!("options have no '{word}': expected {OPTIONS}"))),
        }
    }
    Ok(o)
}

/// The options of a world as they are said.
fn told(py: Python<'_>, o: &taut::Options) -> PyResult<Py<PyAny>> {
    use taut::Stabiliser as S;
    let stabiliser = match o.stabiliser {
        S::Inertial(d) => {
            let all = if d.angular_only { "" } else { ",all" };
            format!("inertial:alpha={},theta={}{all}", d.alpha, d.theta)
        }
        S::ConstraintSpace { alpha } => format!("constraint-space:alpha={alpha}"),
        S::Aligned if !o.resolved => "aligned:base".into(),
        other => other.name().into(),
    };
    let bounded = match o.bounded {
        taut::settings::BoundedMethod::Pgs { sweeps } => format!("pgs:sweeps={sweeps}"),
        other => other.name().into(),
    };
    let fields = vec![
        ("gravity", o.gravity.to_py(py)?),
        ("coordinates", o.coordinates.name().to_py(py)?),
        ("stabiliser", stabiliser.to_py(py)?),
        ("solver", o.solver.to_py(py)?),
        ("resolved", o.resolved.to_py(py)?),
        ("minres_iterations", o.minres_iterations.to_py(py)?),
        ("minres_tolerance", o.minres_tolerance.to_py(py)?),
        ("bounded", bounded.to_py(py)?),
        ("bounded_tolerance", o.bounded_tolerance.to_py(py)?),
        ("sleep", o.sleep.to_py(py)?),
        ("parallel", o.parallel.to_py(py)?),
    ];
    Record::of(crate::record::Made::new("Options", fields)).to_py(py)
}

macro_rules! methods {
    (
        edits { $( $(#[$ea:meta])* fn $edit:ident($($e:ident: $et:ty),*); )* }
        asks { $( $(#[$aa:meta])* fn $ask:ident($($a:ident: $at:ty),*); )* }
        finds { $( $find:ident )* }
        looks { $( $(#[$la:meta])* fn $look:ident; )* }
        arrays { $( $column:ident )* }
        rest { $($rest:tt)* }
    ) => {
        #[pymethods]
        impl World {
            $(
                $(#[$ea])*
                fn $edit(&self, py: Python<'_>, $($e: $et),*) -> PyResult<Py<PyAny>> {
                    self.edit(py, |w| w.$edit($(Arg::arg($e)),*))
                }
            )*
            $(
                $(#[$aa])*
                fn $ask(&self, py: Python<'_>, $($a: $at),*) -> PyResult<Py<PyAny>> {
                    self.ask(py, |w| Ok(w.$ask($(Arg::arg($a)),*)?.to_py(py)))
                }
            )*
            $(
                fn $find(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
                    self.ask(py, |w| w.$find(name))
                }
            )*
            $(
                $(#[$la])*
                #[getter]
                fn $look(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.look(py, |w| w.$look())
                }
            )*
            $(
                #[getter]
                fn $column(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    let scene = self.0.lock()?;
                    self.0.arrays()?.get(py, &scene.world, column(stringify!($column))?)
                }
            )*
            $($rest)*
        }
    };
}

methods! {
    edits {
        fn set_pose(id: BodyId, pose: P);
        #[pyo3(signature = (id, velocity, angular = V3(taut::Vec3::ZERO)))]
        fn set_velocity(id: BodyId, velocity: V3, angular: V3);
        fn set_target(id: BodyId, pose: P);
        fn apply_force(id: BodyId, force: V3, point: V3);
        fn apply_torque(id: BodyId, torque: V3);
        fn apply_impulse(id: BodyId, impulse: V3, point: V3);
        fn apply_angular_impulse(id: BodyId, impulse: V3);
        fn set_damping(id: BodyId, linear: f64, angular: f64);
        fn set_gravity_scale(id: BodyId, scale: f64);
        fn set_body_enabled(id: BodyId, enabled: bool);
        fn set_user_data(id: BodyId, data: u64);
        fn set_locks(id: BodyId, locks: Locks);
        fn set_exposure(id: BodyId, exposure: Exposure);
        fn set_top_speed(id: BodyId, linear: f64, angular: f64);
        fn set_material(id: ColliderId, material: Material);
        fn set_groups(id: ColliderId, groups: Groups);
        fn set_collider_enabled(id: ColliderId, enabled: bool);
        fn set_sensor(id: ColliderId, sensor: bool);
        fn set_shape(id: ColliderId, shape: Shape);
        fn set_collider_pose(id: ColliderId, pose: P);
        fn set_collider_user_data(id: ColliderId, user_data: u64);
        fn set_pair_material(a: ColliderId, b: ColliderId, material: Material);
        fn set_collision(a: BodyId, b: BodyId, meet: bool);
        fn set_coupling(id: CouplingId, coupling: Coupling);
        fn set_limit(id: LimitOf, limit: Limit);
        fn set_length(id: JointId, length: f64);
        fn set_linear(id: JointId, soft: Soft);
        fn set_angular(id: JointId, soft: Soft);
        fn set_friction(id: JointId, friction: Rubs);
        fn set_speed_limit(id: JointId, limit: SpeedLimit);
        fn set_force_range(id: MotorOf, min: f64, max: f64);
        fn set_joint_enabled(id: JointId, enabled: bool);
        fn set_joint_user_data(id: JointId, data: u64);
        fn set_strength(id: JointId, strength: Option<Strength>);
        fn set_tree_role(id: JointId, role: Role);
        fn release_motor(motor: MotorOf);
        fn set_water(water: Option<Water>);
        fn set_wind(wind: Option<Wind>);
        fn set_mouse_target(id: ForceId, target: V3);
        fn set_tear_strength(id: DeformableId, strength: Option<f64>);
        fn set_activation(id: DeformableId, activation: f64);
        fn set_winch(winch: WinchId, winding: Winding);
        fn pay_out(id: RopeId, length: f64);
        fn cut_rope(rope: RopeId, length: f64);
        fn release_rope(end: RopeEnd);
        fn attach_rope(end: RopeEnd, body: BodyId, point: V3);
        fn attach_rope_with_slack(end: RopeEnd, body: BodyId, point: V3, slack: f64);
        fn name_rope(rope: RopeId, name: String);
        fn splice_ropes(a: RopeEnd, b: RopeEnd);
        fn cut_heavy_rope(rope: HeavyRopeId, length: f64);
        fn release_heavy_rope(rope: HeavyRopeId);
        fn attach_heavy_rope(rope: HeavyRopeId, body: BodyId);
        fn wake(id: BodyId);
    }
    asks {
        fn pose(id: BodyId);
        fn colliders_of(body: BodyId);
        fn afloat(id: BodyId);
        fn force(id: ForceId);
        fn force_name(id: ForceId);
        fn force_view(id: ForceId);
        fn is_asleep(id: BodyId);
        fn rope_reach(end: RopeEnd, body: BodyId, point: V3);
        fn drum(winch: WinchId);
        fn winch_rate(winch: WinchId, speed: f64);
        fn hauling(winch: WinchId);
        fn tree();
        fn energy();
        fn size();
    }
    finds { find_body find_joint find_motor find_force find_rope find_coupling find_deformable }
    looks {
        fn ground;
        fn time;
        fn sleeping;
        fn wind_now;
    }
    arrays {
        positions rotations velocities angular_velocities joint_forces joint_torques joint_gaps joint_tensions motor_positions motor_rates
        motor_efforts
    }
    rest {
        #[new]
        #[pyo3(signature = (**words))]
        fn new(words: Option<Words<'_, '_>>) -> PyResult<Self> {
            let mut world = taut::World::new();
            world.set_clock(taut_scenes::clock);
            taut_redmax::attach(&mut world);
            world.set_options(options(*world.options(), words)?).map_err(raise)?;
            let follow = world.ground();
            let scene =
                Scene { world, length: 1.0, energy_scale: 1.0, follow, window: TIME / 4.0, edges: Vec::new(), drive: None };
            Ok(World::of(scene, STEP, TIME))
        }

        // The step.

        #[pyo3(signature = (h = None))]
        fn step(&self, py: Python<'_>, h: Option<f64>) -> PyResult<Record> {
            let h = h.unwrap_or(self.0.defaults.0);
            let report = py.detach(|| Ok::<_, PyErr>(self.0.lock()?.step(h)))?.map_err(raise);
            self.0.refresh(py, &*self.0.lock()?)?;
            // What a hook raised comes first: it is why the step did not go as it should.
            crate::hooks::raise(&self.0.raised)?;
            Ok(Record::of(report?))
        }
        #[getter]
        fn default_step(&self) -> f64 {
            self.0.defaults.0
        }
        #[getter]
        fn default_time(&self) -> f64 {
            self.0.defaults.1
        }
        #[getter]
        fn steps(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.state().steps())
        }
        #[getter]
        fn hash(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.state().hash())
        }

        // Parts.

        fn add(&self, py: Python<'_>, part: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            macro_rules! try_each {
                ($($name:ident),*) => { $(if let Ok(part) = part.extract::<$name>() {
                    return self.edit(py, |w| w.add(part.0));
                })* };
            }
            try_each!(Body, Joint, Collider, Spring, Coupling, Reeving, HeavyRope, Winch);
            if let Ok(force) = part.extract::<Force>() {
                return self.edit(py, |w| w.add(force.force.named(force.name)));
            }
            if let Ok(soft) = part.extract::<Deformable>() {
                return self.edit(py, |w| w.add(soft.made));
            }
            let expected = "expected a Body, Joint, Collider, Force, Spring, Coupling, Reeving, HeavyRope, Winch or Deformable";
            Err(PyTypeError::new_err(format!("{}: {expected}", shown(part))))
        }
        fn remove(&self, py: Python<'_>, handle: &Bound<'_, PyAny>) -> PyResult<()> {
            let mut scene = self.0.lock()?;
            crate::ids::remove(&mut scene.world, handle)?;
            self.0.refresh(py, &scene)
        }
        fn body(&self, id: BodyId) -> PyResult<BodyRef> {
            BodyRef::new(self, id.0)
        }
        fn joint(&self, id: JointId) -> PyResult<JointRef> {
            JointRef::new(self, id.0)
        }
        fn motor(&self, id: MotorOf) -> PyResult<MotorRef> {
            MotorRef::new(self, id.0)
        }
        fn coupling(&self, id: CouplingId) -> PyResult<CouplingRef> {
            CouplingRef::new(self, id.0)
        }
        fn collider(&self, id: ColliderId) -> PyResult<ColliderView> {
            ColliderView::new(self, id.0)
        }
        fn rope(&self, id: RopeId) -> PyResult<RopeRef> {
            RopeRef::new(self, id.0)
        }
        fn heavy_rope(&self, id: HeavyRopeId) -> PyResult<HeavyRopeRef> {
            HeavyRopeRef::new(self, id.0)
        }
        fn deformable(&self, id: DeformableId) -> PyResult<DeformableRef> {
            DeformableRef::new(self, id.0)
        }
        fn bodies(&self) -> PyResult<Vec<BodyRef>> {
            let ids: Vec<_> = self.0.lock()?.world.bodies().map(|b| b.id()).collect();
            ids.into_iter().map(|id| BodyRef::new(self, id)).collect()
        }
        fn joints(&self) -> PyResult<Vec<JointRef>> {
            let ids: Vec<_> = self.0.lock()?.world.joints().map(|j| j.id()).collect();
            ids.into_iter().map(|id| JointRef::new(self, id)).collect()
        }
        fn motors(&self) -> PyResult<Vec<MotorRef>> {
            let ids: Vec<_> = self.0.lock()?.world.motors().map(|m| m.id()).collect();
            ids.into_iter().map(|id| MotorRef::new(self, id)).collect()
        }
        fn couplings(&self) -> PyResult<Vec<CouplingRef>> {
            let ids: Vec<_> = self.0.lock()?.world.couplings().map(|c| c.id()).collect();
            ids.into_iter().map(|id| CouplingRef::new(self, id)).collect()
        }
        fn colliders(&self) -> PyResult<Vec<ColliderView>> {
            let ids: Vec<_> = self.0.lock()?.world.colliders().collect();
            ids.into_iter().map(|id| ColliderView::new(self, id)).collect()
        }
        fn ropes(&self) -> PyResult<Vec<RopeRef>> {
            let ids: Vec<_> = self.0.lock()?.world.ropes().map(|r| r.id()).collect();
            ids.into_iter().map(|id| RopeRef::new(self, id)).collect()
        }
        fn heavy_ropes(&self) -> PyResult<Vec<HeavyRopeRef>> {
            let ids: Vec<_> = self.0.lock()?.world.heavy_ropes().map(|r| r.0).collect();
            ids.into_iter().map(|id| HeavyRopeRef::new(self, id)).collect()
        }
        fn deformables(&self) -> PyResult<Vec<DeformableRef>> {
            let ids: Vec<_> = self.0.lock()?.world.deformables().map(|d| d.id()).collect();
            ids.into_iter().map(|id| DeformableRef::new(self, id)).collect()
        }
        fn forces(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.forces().collect::<Vec<_>>())
        }
        fn body_ids(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| Items::of(w, Table::Bodies))
        }
        fn joint_ids(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| Items::of(w, Table::Joints))
        }
        fn motor_ids(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| Items::of(w, Table::Motors))
        }

        // Changes that Rust takes by reference, or by several types.

        fn set_mass(&self, py: Python<'_>, id: BodyId, mass: MassProperties) -> PyResult<Py<PyAny>> {
            self.edit(py, |w| w.set_mass(id.0, &mass.0))
        }
        #[pyo3(signature = (id, motion, mass = None))]
        fn set_motion(&self, py: Python<'_>, id: BodyId, motion: &str, mass: Option<MassProperties>) -> PyResult<Py<PyAny>> {
            use taut::Motion as M;
            let all = [("dynamic", M::Dynamic), ("particle", M::Particle), ("fixed", M::Fixed), ("kinematic", M::Kinematic)];
            let motion = choice("motion", motion, &all)?;
            self.edit(py, |w| w.set_motion(id.0, motion, mass.as_ref().map(|m| &m.0)))
        }
        #[pyo3(signature = (id, *, stiffness = None, damping = None))]
        fn set_drive(&self, py: Python<'_>, id: MotorOf, stiffness: Option<f64>, damping: Option<f64>) -> PyResult<Py<PyAny>> {
            use taut::Drive;
            let drive = match (stiffness, damping) {
                (None, None) => Drive::Rate,
                (k, c) => Drive::Servo { stiffness: k.unwrap_or(0.0), damping: c.unwrap_or(0.0) },
            };
            self.edit(py, |w| w.set_drive(id.0, drive))
        }
        #[pyo3(signature = (motor, command = None, *, target = None, rate = None))]
        fn set_motor(
            &self,
            py: Python<'_>,
            motor: MotorOf,
            command: Option<Command>,
            target: Option<f64>,
            rate: Option<f64>,
        ) -> PyResult<Py<PyAny>> {
            let command = match (command, target, rate) {
                (Some(command), None, None) => command.0,
                (None, None, None) | (Some(_), ..) => {
                    return Err(PyTypeError::new_err("set_motor: expected a Command, or target, rate or both of them"));
                }
                (None, target, rate) => {
                    taut::Command { target: target.unwrap_or(0.0), rate: rate.unwrap_or(0.0) }
                }
            };
            self.edit(py, |w| w.set_motor(motor.0, command))
        }
        #[pyo3(signature = (targets = None, rates = None))]
        fn set_motors(&self, py: Python<'_>, targets: Option<Vec<f64>>, rates: Option<Vec<f64>>) -> PyResult<Py<PyAny>> {
            self.edit(py, |w| command_all(w, targets.as_deref(), rates.as_deref()))
        }
        fn set_force(&self, py: Python<'_>, id: ForceId, force: Force) -> PyResult<Py<PyAny>> {
            self.edit(py, |w| w.set_force(id.0, force.force))
        }
        fn apply_effort(&self, py: Python<'_>, joint: JointId, effort: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            let effort = match effort.extract::<f64>() {
                Ok(one) => vec![one],
                Err(_) => effort.extract::<Vec<f64>>()?,
            };
            self.edit(py, |w| w.apply_effort(joint.0, &effort))
        }
        fn cut(&self, py: Python<'_>, id: DeformableId, along: Cut) -> PyResult<Py<PyAny>> {
            self.edit(py, |w| w.cut(id.0, &along.0))
        }
        fn check_cut(&self, py: Python<'_>, id: DeformableId, along: Cut) -> PyResult<Py<PyAny>> {
            self.ask(py, |w| w.check_cut(id.0, &along.0))
        }
        fn wake_all(&self) -> PyResult<()> {
            self.0.lock()?.world.wake_all();
            Ok(())
        }
        #[pyo3(signature = (*, gap = None, passes = None, keep = None))]
        fn assemble(&self, py: Python<'_>, gap: Option<f64>, passes: Option<usize>, keep: Option<bool>) -> PyResult<Py<PyAny>> {
            let d = Assembly::default();
            let assembly =
                Assembly { gap: gap.unwrap_or(d.gap), passes: passes.unwrap_or(d.passes), keep: keep.unwrap_or(d.keep) };
            self.edit(py, |w| w.assemble(&assembly))
        }
        #[pyo3(signature = (*, joints = None, limits = None, velocities = None, gap = None, passes = None))]
        fn project(
            &self,
            py: Python<'_>,
            joints: Option<Vec<JointId>>,
            limits: Option<bool>,
            velocities: Option<bool>,
            gap: Option<f64>,
            passes: Option<usize>,
        ) -> PyResult<Py<PyAny>> {
            let d = Projection::default();
            let projection = Projection {
                joints: joints.arg(),
                limits: limits.unwrap_or(d.limits),
                velocities: velocities.unwrap_or(d.velocities),
                gap: gap.unwrap_or(d.gap),
                passes: passes.unwrap_or(d.passes),
            };
            self.edit(py, |w| w.project(&projection))
        }
        #[pyo3(signature = (filter = None, modify = None))]
        fn set_contact_hooks(&self, filter: Option<Py<PyAny>>, modify: Option<Py<PyAny>>) -> PyResult<()> {
            self.0.lock()?.world.set_contact_hooks(crate::hooks::made(filter, modify, self.0.raised.clone()));
            Ok(())
        }

        // Options.

        #[getter]
        fn options(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            let options = *self.0.lock()?.world.options();
            told(py, &options)
        }
        #[pyo3(signature = (**words))]
        fn set_options(&self, py: Python<'_>, words: Option<Words<'_, '_>>) -> PyResult<Py<PyAny>> {
            let before = *self.0.lock()?.world.options();
            let wanted = options(before, words)?;
            self.edit(py, |w| w.set_options(wanted))
        }

        // What is there.

        #[getter]
        fn water(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.water().cloned())
        }
        #[getter]
        fn wind(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.wind().cloned())
        }
        fn water_at(&self, py: Python<'_>, place: V3) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.water_at(place.0))
        }
        fn contacts(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().collect::<Vec<_>>())
        }
        #[getter]
        fn contact_points(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.point).collect::<Vec<_>>())
        }
        #[getter]
        fn contact_normals(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.normal).collect::<Vec<_>>())
        }
        #[getter]
        fn contact_forces(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.force).collect::<Vec<_>>())
        }
        #[getter]
        fn contact_distances(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.distance).collect::<Vec<_>>())
        }
        #[getter]
        fn contact_bodies(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.bodies).collect::<Vec<_>>())
        }
        fn predict_contacts(&self, py: Python<'_>, h: f64) -> PyResult<Py<PyAny>> {
            // Hooks are asked, maybe by other threads.
            let found = py.detach(|| Ok::<_, PyErr>(self.0.lock()?.world.predict_contacts(h)))?;
            crate::hooks::raise(&self.0.raised)?;
            found.map_err(raise)?.to_py(py)
        }
        fn collisions(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.collisions().collect::<Vec<_>>())
        }
        fn pair_materials(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.pair_materials().collect::<Vec<_>>())
        }
        fn rows_in_order(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.rows_in_order())
        }
        fn dynamics(&self) -> PyResult<crate::dynamics::Dynamics> {
            self.0.lock()?.world.dynamics().map(crate::dynamics::Dynamics).map_err(raise)
        }

        // Queries.

        #[pyo3(signature = (origin, direction, max_distance, *, groups = None, exclude = None, sensors = false))]
        #[allow(clippy::too_many_arguments)]
        fn cast_ray(
            &self,
            py: Python<'_>,
            origin: V3,
            direction: V3,
            max_distance: f64,
            groups: Option<Groups>,
            exclude: Option<BodyId>,
            sensors: bool,
        ) -> PyResult<Py<PyAny>> {
            let filter = filter(groups, exclude, sensors);
            self.ask(py, |w| w.cast_ray(origin.0, direction.0, max_distance, &filter))
        }
        #[pyo3(signature = (origin, direction, max_distance, *, groups = None, exclude = None, sensors = false))]
        #[allow(clippy::too_many_arguments)]
        fn cast_ray_all(
            &self,
            py: Python<'_>,
            origin: V3,
            direction: V3,
            max_distance: f64,
            groups: Option<Groups>,
            exclude: Option<BodyId>,
            sensors: bool,
        ) -> PyResult<Py<PyAny>> {
            let filter = filter(groups, exclude, sensors);
            self.ask(py, |w| w.cast_ray_all(origin.0, direction.0, max_distance, &filter))
        }
        #[pyo3(signature = (shape, pose, displacement, *, groups = None, exclude = None, sensors = false))]
        #[allow(clippy::too_many_arguments)]
        fn cast_shape(
            &self,
            py: Python<'_>,
            shape: Shape,
            pose: P,
            displacement: V3,
            groups: Option<Groups>,
            exclude: Option<BodyId>,
            sensors: bool,
        ) -> PyResult<Py<PyAny>> {
            let filter = filter(groups, exclude, sensors);
            self.ask(py, |w| w.cast_shape(&shape.0, pose.0, displacement.0, &filter))
        }
        #[pyo3(signature = (shape, pose, *, groups = None, exclude = None, sensors = false))]
        fn overlaps(
            &self,
            py: Python<'_>,
            shape: Shape,
            pose: P,
            groups: Option<Groups>,
            exclude: Option<BodyId>,
            sensors: bool,
        ) -> PyResult<Py<PyAny>> {
            let filter = filter(groups, exclude, sensors);
            self.ask(py, |w| w.overlaps(&shape.0, pose.0, &filter))
        }
        #[pyo3(signature = (at, max_distance, *, groups = None, exclude = None, sensors = false))]
        fn closest_point(
            &self,
            py: Python<'_>,
            at: V3,
            max_distance: f64,
            groups: Option<Groups>,
            exclude: Option<BodyId>,
            sensors: bool,
        ) -> PyResult<Py<PyAny>> {
            let filter = filter(groups, exclude, sensors);
            self.ask(py, |w| w.closest_point(at.0, max_distance, &filter))
        }

        // Going back, copying, saving.

        #[getter]
        fn state(&self) -> PyResult<State> {
            Ok(State(self.0.lock()?.world.state().clone()))
        }
        fn snapshot(&self) -> PyResult<Snapshot> {
            let scene = self.0.lock()?;
            Ok(Snapshot { ground: scene.world.ground(), taken: scene.snapshot() })
        }
        fn restore(&self, py: Python<'_>, to: &Bound<'_, PyAny>) -> PyResult<()> {
            self.back(to)?;
            self.0.refresh(py, &*self.0.lock()?)
        }
        fn __copy__(&self) -> PyResult<World> {
            self.copied()
        }
        fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<World> {
            self.copied()
        }
        #[pyo3(signature = (path, *, overwrite = false))]
        fn save(&self, path: PathBuf, overwrite: bool) -> PyResult<Vec<String>> {
            let (text, warnings) = self.to_json()?;
            let mut file = std::fs::OpenOptions::new();
            file.write(true).create(true).truncate(overwrite).create_new(!overwrite);
            std::io::Write::write_all(&mut file.open(path)?, text.as_bytes())?;
            Ok(warnings)
        }
        fn to_json(&self) -> PyResult<(String, Vec<String>)> {
            let saved = taut_scenes::file::from_scene(&*self.0.lock()?).map_err(raise_file)?;
            Ok((taut_scenes::file::write(&saved.file).map_err(raise_file)?, saved.warnings))
        }
        fn __reduce__(&self, py: Python<'_>) -> PyResult<Reduced> {
            let (text, _) = self.to_json()?;
            let scene = self.0.lock()?;
            let state = scene.world.state();
            // A world before its first step is all in its file. One that has run is in its file and its state, where they go together.
            let started = scene.world.time() > 0.0;
            let bytes = if started { state.to_bytes() } else { Vec::new() };
            let lost = match () {
                () if scene.drive.is_some() => "what drives it from outside: programs, events, functions",
                () if scene.world.contact_hooks().is_some() => "its contact hooks, which are functions",
                () if started && crate::scenes::_unpickled(&text, &bytes, STEP, TIME).is_err() => {
                    "the state of a run: its parts were added in another order than a scene file adds them (bodies, then joints), or some \
                     were removed; pickle it before its first step, or copy it"
                }
                () => {
                    let (step, time) = self.0.defaults;
                    let make = py.import("taut._taut")?.getattr("_unpickled")?.unbind();
                    return Ok((make, (text, PyBytes::new(py, &bytes).unbind(), step, time)));
                }
            };
            let error = py.import("pickle")?.getattr("PicklingError")?;
            Err(PyErr::from_value(error.call1((format!("a world is not pickled with {lost}"),))?))
        }
        #[getter]
        fn fired(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.lock()?.fired().to_py(py)
        }
        #[getter]
        fn stopped(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.lock()?.stopped().cloned().to_py(py)
        }
        #[getter]
        fn follow(&self) -> PyResult<BodyId> {
            Ok(BodyId(self.0.lock()?.follow))
        }
        fn __repr__(&self) -> PyResult<String> {
            let scene = self.0.lock()?;
            let w = &scene.world;
            Ok(format!("World of {} bodies and {} joints at {} s", w.bodies().count(), w.joints().count(), w.time()))
        }
    }
}

/// Commands all motors of a world, in their order.
pub fn command_all(w: &mut taut::World, targets: Option<&[f64]>, rates: Option<&[f64]>) -> taut::Result<()> {
    let ids: Vec<taut::MotorId> = w.motors().map(|m| m.id()).collect();
    for (name, given) in [("targets", targets), ("rates", rates)] {
        if let Some(odd) = given.filter(|g| g.len() != ids.len()) {
            let expected = format!("{} numbers, one for each motor", ids.len());
            return Err(taut::Error::input(name, format!("{} numbers", odd.len()), expected));
        }
    }
    let at = |list: Option<&[f64]>, k: usize| list.map_or(0.0, |l| l[k]);
    let commands: Vec<taut::Command> =
        (0..ids.len()).map(|k| taut::Command { target: at(targets, k), rate: at(rates, k) }).collect();
    // All or none: what the engine would refuse is refused before anything is said.
    for (id, command) in ids.iter().zip(&commands) {
        command.validate(w.motor(*id)?.freedom())?;
    }
    ids.iter().zip(&commands).try_for_each(|(id, command)| w.set_motor(*id, *command))
}

/// All that a world needs to go on, as long as nothing is added, removed, cut or broken.
#[pyclass(frozen, module = "taut")]
pub struct State(pub taut::State);

#[pymethods]
impl State {
    #[getter]
    fn time(&self) -> f64 {
        self.0.time()
    }
    #[getter]
    fn steps(&self) -> u64 {
        self.0.steps()
    }
    #[getter]
    fn hash(&self) -> u64 {
        self.0.hash()
    }
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        taut::State::from_bytes(bytes).map(State).map_err(raise)
    }
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<State>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }
    fn __eq__(&self, other: &State) -> bool {
        self.0 == other.0
    }
    fn __repr__(&self) -> String {
        format!("State at {} s, hash {:016x}", self.0.time(), self.0.hash())
    }
}

/// A copy of a world and of what had happened in it, to go back to whatever is removed or changed later.
#[pyclass(frozen, module = "taut")]
pub struct Snapshot {
    ground: taut::BodyId,
    /// It.
    pub taken: taut_scenes::Snapshot,
}
