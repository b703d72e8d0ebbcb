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
        finds { $( $(#[$fm:meta])* $find:ident )* }
        looks { $( $(#[$la:meta])* fn $look:ident; )* }
        arrays { $( $(#[$cm:meta])* $column:ident )* }
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
                $(#[$fm])*
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
                $(#[$cm])*
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
        /// Moves a body at once (for a kinematic body that should push others, use `set_target`).
        fn set_pose(id: BodyId, pose: P);
        /// Sets velocity (m/s) and angular velocity (rad/s, world frame); a kinematic body goes on moving like that.
        #[pyo3(signature = (id, velocity, angular = V3(taut::Vec3::ZERO)))]
        fn set_velocity(id: BodyId, velocity: V3, angular: V3);
        /// Where a kinematic body must be after the next step; it moves there at constant velocity.
        fn set_target(id: BodyId, pose: P);
        /// Pushes a body at a world point during the next step, N; forces add up.
        fn apply_force(id: BodyId, force: V3, point: V3);
        /// Twists a body during the next step, N m, world frame; torques add up.
        fn apply_torque(id: BodyId, torque: V3);
        /// Hits a body at a world point: changes its velocities at once by an impulse, N s. Joints answer in the next step.
        fn apply_impulse(id: BodyId, impulse: V3, point: V3);
        /// Gives a body a spin at once: an angular impulse, N m s, world frame.
        fn apply_angular_impulse(id: BodyId, impulse: V3);
        /// Sets the decay rates of linear and angular velocity, 1/s.
        fn set_damping(id: BodyId, linear: f64, angular: f64);
        /// Sets how much of gravity a body feels, no unit: 1 is all, 0 none.
        fn set_gravity_scale(id: BodyId, scale: f64);
        /// Switches a body on or off. One that is off stands where it is, carries nothing and meets nothing; its joints and forces
        /// rest. It goes on with the velocity it had.
        fn set_body_enabled(id: BodyId, enabled: bool);
        /// Gives a body a number of the user's own.
        fn set_user_data(id: BodyId, data: u64);
        /// Locks directions of the world in which a body can then not move or turn, from where it is now.
        fn set_locks(id: BodyId, locks: Locks);
        /// Says what water and wind see of a body.
        fn set_exposure(id: BodyId, exposure: Exposure);
        /// How fast a body can go, m/s, and turn, rad/s; infinite where nothing holds it.
        fn set_top_speed(id: BodyId, linear: f64, angular: f64);
        /// Changes what a collider is made of.
        fn set_material(id: ColliderId, material: Material);
        /// Changes whom a collider meets.
        fn set_groups(id: ColliderId, groups: Groups);
        /// Switches a collider on or off. One that is off meets nothing and no query sees it; it keeps its handle, its material and
        /// all else. What it touched wakes, and the next step tells that its contacts have ended.
        fn set_collider_enabled(id: ColliderId, enabled: bool);
        /// Makes a collider a sensor, which only tells what overlaps it, or one that pushes again.
        fn set_sensor(id: ColliderId, sensor: bool);
        /// Gives a collider another shape. The mass of its body stays what it is. Where the new shape reaches into others, the next
        /// steps push them apart.
        fn set_shape(id: ColliderId, shape: Shape);
        /// Places a collider anew in the frame of its body, m. The mass of the body stays what it is.
        fn set_collider_pose(id: ColliderId, pose: P);
        /// Gives a collider a number of the user's own.
        fn set_collider_user_data(id: ColliderId, user_data: u64);
        /// A material for one pair of colliders, in place of their own. It is not combined; its direction and surface velocity are
        /// those of the surface of `a`.
        fn set_pair_material(a: ColliderId, b: ColliderId, material: Material);
        /// Whether two bodies meet, whatever their joints. By default they do unless a joint joins them.
        fn set_collision(a: BodyId, b: BodyId, meet: bool);
        /// Changes a coupling: its ratios, offset, give, or what it couples. The force of the last step and the turns of freedoms
        /// that stay are kept. Without an offset the sum stays at what it is now, as when a gearbox is shifted. With one the error
        /// that it leaves is closed: at once when it is small, by parts in the positions alone when it is not. It is a change of
        /// structure: snapshots from before it no longer fit.
        fn set_coupling(id: CouplingId, coupling: Coupling);
        /// Changes a limit: its range, give and rebound. The freedom stays. For a rope it is the range of its length, and made
        /// shorter it hauls like `World.set_length`.
        fn set_limit(id: LimitOf, limit: Limit);
        /// Gives a rod or a rope another length, m. A hoist does this before every step: what hangs on it then moves at the rate of
        /// the length. The tension stays what it was until the step. Before its first step a rope is not hauled in: the world steps
        /// like one that was built with this length.
        fn set_length(id: JointId, length: f64);
        /// Gives all linear rows of a joint another give, m/N.
        fn set_linear(id: JointId, soft: Soft);
        /// Gives all angular rows of a joint another give, rad/(N m).
        fn set_angular(id: JointId, soft: Soft);
        /// Changes the dry friction of a freedom of a joint, or adds it where there is none.
        fn set_friction(id: JointId, friction: Rubs);
        /// Gives a joint another armature, kg m^2 for turns and kg for slides; zero takes it away. The rates stay what they are.
        fn set_armature(id: JointId, armature: f64);
        /// Changes the bound of the speed of a freedom of a joint, or adds it where there is none.
        fn set_speed_limit(id: JointId, limit: SpeedLimit);
        /// Changes the range of a motor's force, N or N m: infinite when nothing bounds it, `0.0` on one side for a motor that only
        /// pushes or only pulls.
        fn set_force_range(id: MotorOf, min: f64, max: f64);
        /// Switches a joint on or off. One that is off holds nothing; it goes on with the multipliers it had.
        fn set_joint_enabled(id: JointId, enabled: bool);
        /// Gives a joint a number of the user's own.
        fn set_joint_user_data(id: JointId, data: u64);
        /// Sets what a joint can carry; beyond it the joint breaks within the step and is gone. `None` makes it unbreakable.
        fn set_strength(id: JointId, strength: Option<Strength>);
        /// Says whether a joint is to be coordinates or rows when coordinates are reduced.
        fn set_tree_role(id: JointId, role: Role);
        /// Lets a motor go: it does nothing until it is told something again.
        fn release_motor(motor: MotorOf);
        /// Fills the world with water up to a level, or takes it away. All bodies wake.
        fn set_water(water: Option<Water>);
        /// Lets a wind blow, or stops it. All bodies wake.
        fn set_wind(wind: Option<Wind>);
        /// Moves the target of a mouse spring, m.
        fn set_mouse_target(id: ForceId, target: V3);
        /// Sets the stress that a deformable can carry, Pa; beyond it, it tears at the end of the step. `None` makes it untearable.
        fn set_tear_strength(id: DeformableId, strength: Option<f64>);
        /// Activates the fibres of a deformable, 0 (slack) to 1.
        fn set_activation(id: DeformableId, activation: f64);
        /// Tells a winch what to do, in the terms of its rope. Before it has a rope, hauling turns it about its axis.
        fn set_winch(winch: WinchId, winding: Winding);
        /// Pays out so much of a rope at its end, m; a negative length hauls it in. What is hauled in within a step moves what hangs
        /// on it in that step.
        fn pay_out(id: RopeId, length: f64);
        /// Cuts a rope over guides with so much of it between its start and the cut, m, without stretch; what is wound on a drum at
        /// its start does not count. The part from the start goes on as this rope, with its handle; the rest is a new rope, named
        /// after it with a number ("hoist 2", `World.name_rope` names it otherwise). Guides are shared out in their order; where the
        /// cut is on the wrap of one, neither part touches that guide any more. Both new ends hang free (`World.release_rope`). Other
        /// bodies keep their velocities. Older snapshots do not fit any more. On an error nothing has changed.
        fn cut_rope(rope: RopeId, length: f64);
        /// Lets an end of a rope over guides go: it is a particle then, which the rope drags along and which runs through its guides,
        /// one after the other, until it is out of all of them. It is part of the rope, has a thousandth of the mass of the lightest
        /// body that moves freely on it, and goes when the end is tied or spliced, or the rope removed. From a drum the rope parts
        /// where it leaves it: what is wound stays there. Returns the particle; that of an end which is free already, where nothing
        /// changes.
        fn release_rope(end: RopeEnd);
        /// Ties an end of a rope over guides to a body, at a point of the world, m. The rope keeps its length and its guides; where
        /// it does not reach it is refused, for it would have to be stretched: `World.rope_reach` says by how much, and
        /// `World.pay_out` makes it longer. A rope that then comes taut stops what pulls it apart without a rebound.
        fn attach_rope(end: RopeEnd, body: BodyId, point: V3);
        /// The same, with a rope that is made so much longer than its way then is, m: with 0 it is tied as it is found. At least 0:
        /// it is not stretched.
        fn attach_rope_with_slack(end: RopeEnd, body: BodyId, point: V3, slack: f64);
        /// Gives a rope over guides another name.
        fn name_rope(rope: RopeId, name: String);
        /// Makes one rope of two by joining an end of each, which must hang free. It goes on as the first one, with its handle, its
        /// name and its direction; the other one is turned round where it must be. Their lengths add up; where they do not reach, and
        /// where their E A differ, it is refused.
        fn splice_ropes(a: RopeEnd, b: RopeEnd);
        /// Cuts a rope with mass at so much of what is out, m from the last guide or the hawse: the rod there is taken out. What is
        /// above goes on as this rope, what is below is particles and rods like any others. Above its first particle it is cut off as
        /// a whole: the rope without mass that led to it has a free end then, and goes on as a rope over guides. On an error nothing
        /// has changed.
        fn cut_heavy_rope(rope: HeavyRopeId, length: f64);
        /// Unties the last particle of a rope with mass from what holds it.
        fn release_heavy_rope(rope: HeavyRopeId);
        /// Ties the last particle of a rope with mass to a body, where it is now.
        fn attach_heavy_rope(rope: HeavyRopeId, body: BodyId);
        /// Wakes a body and all that sleeps with it.
        fn wake(id: BodyId);
    }
    asks {
        /// Pose of a body.
        fn pose(id: BodyId);
        /// The colliders of a body, in the order they were added.
        fn colliders_of(body: BodyId);
        /// What water and wind do to a body at its pose, velocity and time; nothing to one that does not move freely.
        fn afloat(id: BodyId);
        /// The force behind a handle.
        fn force(id: ForceId);
        /// Name of a force; empty without one.
        fn force_name(id: ForceId);
        /// Looks at a force: where it acts and how strongly. One on a body that is switched off, or between bodies that do not move
        /// freely, does not act.
        fn force_view(id: ForceId);
        /// Whether a body sleeps.
        fn is_asleep(id: BodyId);
        /// Slack that a rope over guides would have with an end at a point of a body, m; negative where it does not reach.
        fn rope_reach(end: RopeEnd, body: BodyId, point: V3);
        /// The drum of a winch as it is now, for the rope that is wound on it.
        fn drum(winch: WinchId);
        /// The rate of a winch's motor, rad/s, that hauls in its rope at a speed, m/s: for `World.set_motor` with its hinge.
        fn winch_rate(winch: WinchId, speed: f64);
        /// How fast a winch hauls in its rope, m/s; negative when it pays out.
        fn hauling(winch: WinchId);
        /// Which joints are coordinates and which stay rows when coordinates are reduced.
        fn tree();
        /// Energies now, centred in time like those of the step report; what sleeps is in them.
        fn energy();
        /// Rows, unknowns and memory of the present structure. After a change of structure it costs as much as laying the world out
        /// for a step, until a step has done so.
        fn size();
    }
    finds {
        /// The body of that name; an error when there is none, or several.
        find_body
        /// The joint of that name; an error when there is none, or several.
        find_joint
        /// The motor of that name, or where none has it the only motor of the joint of that name; an error when there is none, or
        /// several.
        find_motor
        /// The force of that name; an error when there is none, or several.
        find_force
        /// The rope over guides of that name; an error when there is none, or several.
        find_rope
        /// The coupling of that name; an error when there is none, or several.
        find_coupling
        /// The deformable of that name.
        find_deformable
    }
    looks {
        /// The fixed body at the origin that every world has.
        fn ground;
        /// Simulated time, s.
        fn time;
        /// Bodies that sleep.
        fn sleeping;
        /// Velocity of the wind now, m/s; zero without one.
        fn wind_now;
    }
    arrays {
        /// Centres of mass of all bodies, m, a row each. The same array each time: it follows the world and cannot be written. It
        /// ends in NaN when a row comes or goes.
        positions
        /// Rotations of all bodies, a row (x, y, z, w) each. The same array each time: it follows the world and cannot be written. It
        /// ends in NaN when a row comes or goes.
        rotations
        /// Velocities of the centres of all bodies, m/s, a row each. The same array each time: it follows the world and cannot be
        /// written. It ends in NaN when a row comes or goes.
        velocities
        /// Angular velocities of all bodies in the axes of the world, rad/s, a row each. The same array each time: it follows the
        /// world and cannot be written. It ends in NaN when a row comes or goes.
        angular_velocities
        /// Forces of all joints on their first bodies, N, a row each. The same array each time: it follows the world and cannot be
        /// written. It ends in NaN when a row comes or goes.
        joint_forces
        /// Torques of all joints on their first bodies, N m, a row each. The same array each time: it follows the world and cannot be
        /// written. It ends in NaN when a row comes or goes.
        joint_torques
        /// Openings of all joints, m, a number each. The same array each time: it follows the world and cannot be written. It ends in
        /// NaN when a row comes or goes.
        joint_gaps
        /// Tensions of all joints, N, a number each. The same array each time: it follows the world and cannot be written. It ends in
        /// NaN when a row comes or goes.
        joint_tensions
        /// Positions of all motors, m or rad, a number each. The same array each time: it follows the world and cannot be written. It
        /// ends in NaN when a row comes or goes.
        motor_positions
        /// Rates of all motors, m/s or rad/s, a number each. The same array each time: it follows the world and cannot be written. It
        /// ends in NaN when a row comes or goes.
        motor_rates
        /// What all motors push with, N or N m, a number each. The same array each time: it follows the world and cannot be written.
        /// It ends in NaN when a row comes or goes.
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

        /// Advances by `h` seconds (default: the step of the scene), moved by what drives the scene, without the interpreter's lock.
        /// On an error nothing has changed.
        #[pyo3(signature = (h = None))]
        fn step(&self, py: Python<'_>, h: Option<f64>) -> PyResult<Record> {
            let h = h.unwrap_or(self.0.defaults.0);
            // Held until the arrays are written: no other thread is told of a step that is half done.
            let mut scene = self.0.lock()?;
            let stepped = &mut *scene;
            let report = py.detach(|| stepped.step(h)).map_err(raise);
            self.0.refresh(py, &scene)?;
            drop(scene);
            // What a hook raised comes first: it is why the step did not go as it should.
            crate::hooks::raise(&self.0.raised)?;
            Ok(Record::of(report?))
        }
        /// The step of the scene, s; 1/60 where none says.
        #[getter]
        fn default_step(&self) -> f64 {
            self.0.defaults.0
        }
        /// The simulated time of a run of the scene, s; 10 where none says.
        #[getter]
        fn default_time(&self) -> f64 {
            self.0.defaults.1
        }
        /// Steps taken.
        #[getter]
        fn steps(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.state().steps())
        }
        /// A hash of the motion: equal runs have equal hashes on every machine, native, in the browser and in Python.
        #[getter]
        fn hash(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.state().hash())
        }

        // Parts.

        /// Adds a Body, Joint, Collider, Force, Spring, Coupling, Reeving, HeavyRope, Winch or Deformable, and returns its handle.
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
        /// Takes a body (with its joints, forces and colliders), joint, collider, coupling, force, rope over guides or deformable
        /// out.
        fn remove(&self, py: Python<'_>, handle: &Bound<'_, PyAny>) -> PyResult<()> {
            let mut scene = self.0.lock()?;
            crate::ids::remove(&mut scene.world, handle)?;
            self.0.refresh(py, &scene)
        }
        /// Looks at a body.
        fn body(&self, id: BodyId) -> PyResult<BodyRef> {
            BodyRef::new(self, id.0)
        }
        /// Looks at a joint.
        fn joint(&self, id: JointId) -> PyResult<JointRef> {
            JointRef::new(self, id.0)
        }
        /// Looks at a motor. The handle of a joint stands for its only motor.
        fn motor(&self, id: MotorOf) -> PyResult<MotorRef> {
            MotorRef::new(self, id.0)
        }
        /// Looks at a coupling.
        fn coupling(&self, id: CouplingId) -> PyResult<CouplingRef> {
            CouplingRef::new(self, id.0)
        }
        /// Looks at a collider.
        fn collider(&self, id: ColliderId) -> PyResult<ColliderView> {
            ColliderView::new(self, id.0)
        }
        /// Looks at a rope over guides.
        fn rope(&self, id: RopeId) -> PyResult<RopeRef> {
            RopeRef::new(self, id.0)
        }
        /// Looks at a heavy rope.
        fn heavy_rope(&self, id: HeavyRopeId) -> PyResult<HeavyRopeRef> {
            HeavyRopeRef::new(self, id.0)
        }
        /// A deformable, to be read.
        fn deformable(&self, id: DeformableId) -> PyResult<DeformableRef> {
            DeformableRef::new(self, id.0)
        }
        /// All bodies.
        fn bodies(&self) -> PyResult<Vec<BodyRef>> {
            let ids: Vec<_> = self.0.lock()?.world.bodies().map(|b| b.id()).collect();
            ids.into_iter().map(|id| BodyRef::new(self, id)).collect()
        }
        /// All joints.
        fn joints(&self) -> PyResult<Vec<JointRef>> {
            let ids: Vec<_> = self.0.lock()?.world.joints().map(|j| j.id()).collect();
            ids.into_iter().map(|id| JointRef::new(self, id)).collect()
        }
        /// All motors.
        fn motors(&self) -> PyResult<Vec<MotorRef>> {
            let ids: Vec<_> = self.0.lock()?.world.motors().map(|m| m.id()).collect();
            ids.into_iter().map(|id| MotorRef::new(self, id)).collect()
        }
        /// All couplings.
        fn couplings(&self) -> PyResult<Vec<CouplingRef>> {
            let ids: Vec<_> = self.0.lock()?.world.couplings().map(|c| c.id()).collect();
            ids.into_iter().map(|id| CouplingRef::new(self, id)).collect()
        }
        /// All colliders.
        fn colliders(&self) -> PyResult<Vec<ColliderView>> {
            let ids: Vec<_> = self.0.lock()?.world.colliders().collect();
            ids.into_iter().map(|id| ColliderView::new(self, id)).collect()
        }
        /// All ropes over guides.
        fn ropes(&self) -> PyResult<Vec<RopeRef>> {
            let ids: Vec<_> = self.0.lock()?.world.ropes().map(|r| r.id()).collect();
            ids.into_iter().map(|id| RopeRef::new(self, id)).collect()
        }
        /// All ropes with mass.
        fn heavy_ropes(&self) -> PyResult<Vec<HeavyRopeRef>> {
            let ids: Vec<_> = self.0.lock()?.world.heavy_ropes().map(|r| r.0).collect();
            ids.into_iter().map(|id| HeavyRopeRef::new(self, id)).collect()
        }
        /// All deformables.
        fn deformables(&self) -> PyResult<Vec<DeformableRef>> {
            let ids: Vec<_> = self.0.lock()?.world.deformables().map(|d| d.id()).collect();
            ids.into_iter().map(|id| DeformableRef::new(self, id)).collect()
        }
        /// All forces that act until they are removed, in a fixed order.
        fn forces(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.forces().collect::<Vec<_>>())
        }
        /// Handles of the rows of arrays of bodies.
        fn body_ids(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| Items::of(w, Table::Bodies))
        }
        /// Handles of the rows of arrays of joints.
        fn joint_ids(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| Items::of(w, Table::Joints))
        }
        /// Handles of the rows of arrays of motors.
        fn motor_ids(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| Items::of(w, Table::Motors))
        }

        // Changes that Rust takes by reference, or by several types.

        /// Gives a body another mass and inertia about its centre of mass, which stays where it is.
        fn set_mass(&self, py: Python<'_>, id: BodyId, mass: MassProperties) -> PyResult<Py<PyAny>> {
            self.edit(py, |w| w.set_mass(id.0, &mass.0))
        }
        /// Makes a body move in another way. One that begins to move freely needs a mass; one that stops keeps its pose and stands
        /// still. Particles stay particles.
        #[pyo3(signature = (id, motion, mass = None))]
        fn set_motion(&self, py: Python<'_>, id: BodyId, motion: &str, mass: Option<MassProperties>) -> PyResult<Py<PyAny>> {
            use taut::Motion as M;
            let all = [("dynamic", M::Dynamic), ("particle", M::Particle), ("fixed", M::Fixed), ("kinematic", M::Kinematic)];
            let motion = choice("motion", motion, &all)?;
            self.edit(py, |w| w.set_motion(id.0, motion, mass.as_ref().map(|m| &m.0)))
        }
        /// Makes a motor a servo with stiffness and damping, or without them a rate motor.
        #[pyo3(signature = (id, *, stiffness = None, damping = None))]
        fn set_drive(&self, py: Python<'_>, id: MotorOf, stiffness: Option<f64>, damping: Option<f64>) -> PyResult<Py<PyAny>> {
            use taut::Drive;
            let drive = match (stiffness, damping) {
                (None, None) => Drive::Rate,
                (k, c) => Drive::Servo { stiffness: k.unwrap_or(0.0), damping: c.unwrap_or(0.0) },
            };
            self.edit(py, |w| w.set_drive(id.0, drive))
        }
        /// Tells a motor (or the first one of a joint) a command, or a `target` (m, rad), a `rate` (m/s, rad/s), or both.
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
        /// Tells all motors `targets` and `rates`, in the order of `motor_ids`.
        #[pyo3(signature = (targets = None, rates = None))]
        fn set_motors(&self, py: Python<'_>, targets: Option<Vec<f64>>, rates: Option<Vec<f64>>) -> PyResult<Py<PyAny>> {
            self.edit(py, |w| command_all(w, targets.as_deref(), rates.as_deref()))
        }
        /// Changes a force: its strength, its points, the numbers of a spring. Kind and bodies stay, and so does the tension of a
        /// spring until the next step.
        fn set_force(&self, py: Python<'_>, id: ForceId, force: Force) -> PyResult<Py<PyAny>> {
            self.edit(py, |w| w.set_force(id.0, force.force))
        }
        /// Pushes at the freedoms of a joint during the next step, N or N m each: on body i, and the opposite on body j; efforts add
        /// up. One number for each freedom that the joint leaves, in the order of `crate.control.Dof.index`. Of a joint without a
        /// chart (a wheel, one that gives way) one for each motor, or where it has none for each of its `crate.JointRef.freedoms`
        /// that no row of it holds: the spin of a wheel, and its steering. Loads of `World.apply_force` and these are the same:
        /// `World.dynamics` counts them as acting until the step is done.
        fn apply_effort(&self, py: Python<'_>, joint: JointId, effort: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            let effort = match effort.extract::<f64>() {
                Ok(one) => vec![one],
                Err(_) => effort.extract::<Vec<f64>>()?,
            };
            self.edit(py, |w| w.apply_effort(joint.0, &effort))
        }
        /// Cuts a deformable, which stays one with more parts. Joints, springs and forces on a node stay on it; its copies have its
        /// colliders, its locks and what it is bound to. A cut that meets nothing changes nothing; after any other, older snapshots
        /// do not fit. On an error nothing has changed.
        fn cut(&self, py: Python<'_>, id: DeformableId, along: Cut) -> PyResult<Py<PyAny>> {
            self.edit(py, |w| w.cut(id.0, &along.0))
        }
        /// Whether a cut can be made, as `World.cut` would say, without making it.
        fn check_cut(&self, py: Python<'_>, id: DeformableId, along: Cut) -> PyResult<Py<PyAny>> {
            self.ask(py, |w| w.check_cut(id.0, &along.0))
        }
        /// Wakes all bodies.
        fn wake_all(&self) -> PyResult<()> {
            self.0.lock()?.world.wake_all();
            Ok(())
        }
        /// Brings scattered parts together before a run.
        #[pyo3(signature = (*, gap = None, passes = None, keep = None))]
        fn assemble(&self, py: Python<'_>, gap: Option<f64>, passes: Option<usize>, keep: Option<bool>) -> PyResult<Py<PyAny>> {
            let d = Assembly::default();
            let assembly =
                Assembly { gap: gap.unwrap_or(d.gap), passes: passes.unwrap_or(d.passes), keep: keep.unwrap_or(d.keep) };
            self.edit(py, |w| w.assemble(&assembly))
        }
        /// Moves bodies by the least change by mass until the chosen joints, and their limits, are closed; see `Projection`. Forces
        /// of the last step are forgotten. Couplings, ropes over guides and contacts are not looked at. Where it does not succeed
        /// nothing has changed, and the report tells what stands against it.
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
        /// Functions that filter pairs of colliders (`filter(pair)` says whether they may touch) and change contact points
        /// (`modify(contact)`). What they raise, the step raises. Without arguments there are none.
        #[pyo3(signature = (filter = None, modify = None))]
        fn set_contact_hooks(&self, filter: Option<Py<PyAny>>, modify: Option<Py<PyAny>>) -> PyResult<()> {
            self.0.lock()?.world.set_contact_hooks(crate::hooks::made(filter, modify, self.0.raised.clone()));
            Ok(())
        }

        // Options.

        /// The options as they are said to `set_options`.
        #[getter]
        fn options(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            let options = *self.0.lock()?.world.options();
            told(py, &options)
        }
        /// Changes the options that are named: gravity, coordinates, stabiliser, solver, resolved, minres_iterations,
        /// minres_tolerance, bounded, bounded_tolerance, sleep, parallel.
        #[pyo3(signature = (**words))]
        fn set_options(&self, py: Python<'_>, words: Option<Words<'_, '_>>) -> PyResult<Py<PyAny>> {
            let before = *self.0.lock()?.world.options();
            let wanted = options(before, words)?;
            self.edit(py, |w| w.set_options(wanted))
        }

        // What is there.

        /// The water, if there is any.
        #[getter]
        fn water(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.water().cloned())
        }
        /// The wind, if there is one.
        #[getter]
        fn wind(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.wind().cloned())
        }
        /// The water at a place (m), now; none where there is none.
        fn water_at(&self, py: Python<'_>, place: V3) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.water_at(place.0))
        }
        /// Contact points of the last step that push, in a fixed order; those of bodies that sleep come last, as they were when they
        /// fell asleep.
        fn contacts(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().collect::<Vec<_>>())
        }
        /// Points of the contacts of the last step, m, a row each: an array of its own.
        #[getter]
        fn contact_points(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.point).collect::<Vec<_>>())
        }
        /// Normals of the contacts of the last step, a row each: an array of its own.
        #[getter]
        fn contact_normals(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.normal).collect::<Vec<_>>())
        }
        /// Forces of the contacts of the last step, N, a row each: an array of its own.
        #[getter]
        fn contact_forces(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.force).collect::<Vec<_>>())
        }
        /// Distances of the surfaces at the contacts of the last step, m: an array of its own.
        #[getter]
        fn contact_distances(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.distance).collect::<Vec<_>>())
        }
        /// Pairs of bodies of the contacts of the last step.
        #[getter]
        fn contact_bodies(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.contacts().map(|c| c.bodies).collect::<Vec<_>>())
        }
        /// Contact points that a step of length `h` (s) from here would begin with, in a fixed order: all that can matter within it.
        /// Their forces are not known yet: zero.
        fn predict_contacts(&self, py: Python<'_>, h: f64) -> PyResult<Py<PyAny>> {
            // Hooks are asked, maybe by other threads.
            let found = py.detach(|| Ok::<_, PyErr>(self.0.lock()?.world.predict_contacts(h)))?;
            crate::hooks::raise(&self.0.raised)?;
            found.map_err(raise)?.to_py(py)
        }
        /// Pairs of bodies that meet or do not because the user has said so (`World.set_collision`), in a fixed order.
        fn collisions(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.collisions().collect::<Vec<_>>())
        }
        /// Pairs of colliders with a material of their own (`World.set_pair_material`), in a fixed order; it is in the frame of the
        /// first.
        fn pair_materials(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.pair_materials().collect::<Vec<_>>())
        }
        /// Joints, locks and forces in the order in which they were added.
        fn rows_in_order(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.look(py, |w| w.rows_in_order())
        }
        /// The mechanism in its own freedoms, for controllers.
        fn dynamics(&self) -> PyResult<crate::dynamics::Dynamics> {
            self.0.lock()?.world.dynamics().map(crate::dynamics::Dynamics).map_err(raise)
        }

        // Queries.

        /// The first collider along a ray from `origin` (m) in a direction of any length but zero, within `max_distance` (m).
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
        /// All colliders along a ray, nearest first.
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
        /// The first collider that a shape touches when it is moved from `pose` by `displacement` (m) without turning. The shape is
        /// convex or a compound.
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
        /// All colliders that overlap a shape, convex or compound, in a fixed order.
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
        /// The nearest point of any collider within `max_distance` (m) of a point.
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

        /// The state; clone it to keep a snapshot.
        #[getter]
        fn state(&self) -> PyResult<State> {
            Ok(State(self.0.lock()?.world.state().clone()))
        }
        /// A copy of all of it with what has happened in it, to go back to whatever is removed, breaks or is changed later.
        fn snapshot(&self) -> PyResult<Snapshot> {
            let scene = self.0.lock()?;
            Ok(Snapshot { ground: scene.world.ground(), taken: scene.snapshot() })
        }
        /// Goes back to a `State` or a `Snapshot`.
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
        /// Writes a scene file and returns what it does not say, a sentence each. An existing file stays, unless `overwrite`.
        #[pyo3(signature = (path, *, overwrite = false))]
        fn save(&self, path: PathBuf, overwrite: bool) -> PyResult<Vec<String>> {
            let (text, warnings) = self.to_json()?;
            let mut file = std::fs::OpenOptions::new();
            file.write(true).create(true).truncate(overwrite).create_new(!overwrite);
            std::io::Write::write_all(&mut file.open(path)?, text.as_bytes())?;
            Ok(warnings)
        }
        /// The text of a scene file, and what it does not say, a sentence each.
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
        /// The events of the scene that have fired, in the order of time.
        #[getter]
        fn fired(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.lock()?.fired().to_py(py)
        }
        /// The end that an event of the scene has asked for.
        #[getter]
        fn stopped(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.0.lock()?.stopped().cloned().to_py(py)
        }
        /// The body that the scene is followed by in tables.
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
    /// Simulated time, s.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time()
    }
    /// Steps taken.
    #[getter]
    fn steps(&self) -> u64 {
        self.0.steps()
    }
    /// A hash of the motion (FNV-1a over time, poses, velocities, multipliers and turns of couplings): equal runs have equal hashes
    /// on every machine.
    #[getter]
    fn hash(&self) -> u64 {
        self.0.hash()
    }
    /// All of it as bytes, to keep in a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }
    /// A state from bytes; refuses damaged, cut and foreign ones.
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
