//! Many worlds of one kind, stepped on all cores.

use crate::arrays::{Column, Items, Shared, Table, column};
use crate::convert::{ToPy, shown};
use crate::error::raise;
use crate::world::{Snapshot, State, World, command_all};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rayon::prelude::*;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use taut::{Motion, Together};
use taut_scenes::Scene;

/// An array of all worlds.
struct Held {
    column: &'static Column,
    items: Items,
    array: Shared,
    fresh: bool,
}

/// Copies of a world.
#[pyclass(frozen, weakref, module = "taut")]
pub struct Batch {
    worlds: Vec<World>,
    /// Bodies, joints and motors of the world that they are copies of: the rows of all arrays.
    items: [Items; 3],
    /// Threads of its own; none: those of all.
    pool: Option<rayon::ThreadPool>,
    arrays: Mutex<Vec<Held>>,
}

/// How long steps are taken before Python may interrupt.
const BEAT: Duration = Duration::from_millis(100);

/// Less than a world takes, bytes.
const LEAST: usize = 4096;

/// Steps of some of the worlds, the first of which has this number: which of all steps.
type Steps<'a> = dyn Fn(usize, &mut [&mut Scene], Range<usize>) -> Vec<taut::Result<()>> + Sync + 'a;

/// What is done with some of the worlds, the first of which has this number: an answer for each.
type Work<'a, T> = dyn Fn(usize, &mut [&mut Scene]) -> Vec<taut::Result<T>> + Sync + 'a;

thread_local! {
    /// Memory to step worlds side by side, of each thread.
    static TOGETHER: RefCell<Together> = RefCell::default();
}

/// What is done with each world for itself.
fn single<T>(
    work: impl Fn(usize, &mut Scene) -> taut::Result<T>,
) -> impl Fn(usize, &mut [&mut Scene]) -> Vec<taut::Result<T>> {
    move |first, scenes| scenes.iter_mut().enumerate().map(|(k, scene)| work(first + k, scene)).collect()
}

/// Does something with worlds that nothing drives: side by side where they may.
fn together<T>(scenes: &mut [&mut Scene], act: impl FnOnce(&mut Together, &mut [&mut taut::World]) -> T) -> T {
    let mut worlds: Vec<&mut taut::World> = scenes.iter_mut().map(|scene| &mut scene.world).collect();
    TOGETHER.with_borrow_mut(|memory| act(memory, &mut worlds))
}

/// Numbers of an array of a certain shape, from anything that numpy makes an array of.
fn floats(value: &Bound<'_, PyAny>, name: &str, shape: &[usize]) -> PyResult<Vec<f64>> {
    let array = value.py().import("numpy")?.call_method1("asarray", (value,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !"fiu".contains(&kind) {
        let dtype = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{name} = array of {dtype}: expected an array of numbers")));
    }
    let array: PyReadonlyArrayDyn<'_, f64> = array.call_method1("astype", ("float64",))?.extract()?;
    if array.shape() != shape {
        let expected = format!("an array of shape {shape:?}");
        return Err(raise(taut::Error::input(name, format!("array of shape {:?}", array.shape()), expected)));
    }
    let array = array.as_array();
    if let Some((k, odd)) = array.iter().enumerate().find(|(_, x)| !x.is_finite()) {
        // The last index goes fastest.
        let (mut rest, mut place) = (k, Vec::new());
        for length in shape.iter().rev() {
            place.insert(0, (rest % length).to_string());
            rest /= length;
        }
        return Err(raise(taut::Error::input(format!("{name}[{}]", place.join(", ")), odd, "a finite number")));
    }
    Ok(array.iter().copied().collect())
}

impl Batch {
    fn scenes(&self) -> PyResult<Vec<MutexGuard<'_, Scene>>> {
        self.worlds.iter().map(|w| w.0.lock()).collect()
    }

    fn held(&self) -> PyResult<MutexGuard<'_, Vec<Held>>> {
        self.arrays.try_lock().map_err(|_| crate::error::busy())
    }

    /// Does something with every world on all threads, with so many at a time; the answers in their order.
    fn each<T: Send>(&self, scenes: &mut [&mut Scene], size: usize, work: &Work<'_, T>) -> Vec<taut::Result<T>> {
        if scenes.len() <= size {
            return work(0, scenes);
        }
        let of = |(k, some): (usize, &mut [&mut Scene])| work(size * k, some);
        let mut all = || scenes.par_chunks_mut(size).enumerate().flat_map_iter(of).collect();
        match &self.pool {
            None => all(),
            Some(pool) => pool.install(all),
        }
    }

    /// The same without Python's lock; then all arrays are written. All worlds are held meanwhile: where another thread has one of them,
    /// nothing is done.
    fn act<T: Send>(&self, py: Python<'_>, work: &Work<'_, T>) -> PyResult<Vec<taut::Result<T>>> {
        let mut held = self.held()?;
        let mut scenes = self.scenes()?;
        let mut worked: Vec<&mut Scene> = scenes.iter_mut().map(|scene| &mut **scene).collect();
        // The first speaks for all: they are copies.
        let abreast = worked.first_mut().is_some_and(|s| s.drive.is_none() && Together::fits(&mut s.world));
        let size = if abreast { Together::WORLDS } else { 1 };
        let answers = py.detach(|| self.each(&mut worked, size, work));
        self.refresh(py, &mut held, &scenes)?;
        drop((held, scenes));
        self.worlds.iter().try_for_each(|w| crate::hooks::raise(&w.0.raised))?;
        Ok(answers)
    }

    /// The same; what failed is raised.
    fn run(&self, py: Python<'_>, work: &Work<'_, ()>) -> PyResult<()> {
        self.raise(py, self.act(py, work)?)
    }

    /// Raises the first error, with the worlds that have failed.
    fn raise(&self, py: Python<'_>, answers: Vec<taut::Result<()>>) -> PyResult<()> {
        let all = answers.into_iter().enumerate();
        let (failed, mut errors): (Vec<usize>, Vec<taut::Error>) =
            all.filter_map(|(k, a)| a.err().map(|e| (k, e))).unzip();
        if errors.is_empty() {
            return Ok(());
        }
        let error = raise(errors.swap_remove(0));
        let note = format!("in world {} of the batch; {} of {} failed", failed[0], failed.len(), self.worlds.len());
        error.value(py).setattr("worlds", failed)?;
        error.value(py).setattr("__notes__", vec![note])?;
        Err(error)
    }

    /// Takes steps, so many at a time that an interrupt is heard within a fraction of a second. A world that has failed takes no more, the
    /// others go on, and the error is raised in the end.
    fn advance(&self, py: Python<'_>, steps: usize, work: &Steps<'_>) -> PyResult<()> {
        let mut done: Vec<taut::Result<()>> = self.worlds.iter().map(|_| Ok(())).collect();
        let (mut from, mut many) = (0, 1);
        loop {
            let (to, begin) = (steps.min(from + many), Instant::now());
            let stopped: Vec<bool> = done.iter().map(Result::is_err).collect();
            let answers = self.act(py, &|first, scenes: &mut [&mut Scene]| {
                let count = scenes.len();
                if !stopped[first..first + count].contains(&true) {
                    return work(first, scenes, from..to);
                }
                let one = |k: usize| match stopped[first + k] {
                    true => vec![Ok(())],
                    false => work(first + k, &mut scenes[k..=k], from..to),
                };
                (0..count).flat_map(one).collect()
            })?;
            for (done, answer) in done.iter_mut().zip(answers) {
                if done.is_ok() {
                    *done = answer;
                }
            }
            from = to;
            if from == steps {
                return self.raise(py, done);
            }
            py.check_signals()?;
            many = if begin.elapsed() < BEAT { 2 * many } else { (many / 2).max(1) };
        }
    }

    /// The rows of a table.
    fn rows(&self, table: Table) -> &Items {
        &self.items[table as usize]
    }

    /// Refuses what goes by rows while a world has other rows than the others.
    fn check_rows(&self, table: Table) -> PyResult<()> {
        let scenes = self.scenes()?;
        match scenes.iter().position(|s| !self.rows(table).are_of(&s.world)) {
            None => Ok(()),
            Some(k) => {
                let expected = "worlds with all that they were copied with; tell the others one by one, as batch[k]";
                Err(raise(taut::Error::input("batch", format!("world {k} with other rows"), expected)))
            }
        }
    }

    fn refresh(&self, py: Python<'_>, held: &mut [Held], scenes: &[MutexGuard<'_, Scene>]) -> PyResult<()> {
        for h in held.iter_mut() {
            h.fresh = h.array.is_held(py);
            if h.fresh {
                self.write(py, h, scenes)?;
            }
        }
        self.worlds.iter().zip(scenes).try_for_each(|(w, scene)| w.0.refresh(py, scene))
    }

    /// Writes an array. A world that no longer has the bodies, joints or motors that the copies had at first has NaN.
    fn write(&self, py: Python<'_>, held: &Held, scenes: &[MutexGuard<'_, Scene>]) -> PyResult<()> {
        let each = held.items.len() * held.column.width;
        let worlds: Vec<&taut::World> = scenes.iter().map(|s| &s.world).collect();
        held.array.write(py, |out| {
            if each == 0 {
                return;
            }
            let one = |(out, world): (&mut [f64], &&taut::World)| match held.items.are_of(world) {
                true => held.column.write(world, out),
                false => out.fill(f64::NAN),
            };
            match &self.pool {
                None => out.par_chunks_mut(each).zip(&worlds).for_each(one),
                Some(pool) => pool.install(|| out.par_chunks_mut(each).zip(&worlds).for_each(one)),
            }
        })
    }

    fn array(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let column = column(name)?;
        let mut held = self.held()?;
        let scenes = self.scenes()?;
        if let Some(h) = held.iter_mut().find(|h| h.column.name == name) {
            if !h.fresh {
                self.write(py, h, &scenes)?;
                h.fresh = true;
            }
            return Ok(h.array.view(py));
        }
        let items = self.rows(column.table).clone();
        let shape = [vec![scenes.len()], column.shape(items.len())].concat();
        let new = Held { column, items, array: Shared::new(py, shape)?, fresh: true };
        self.write(py, &new, &scenes)?;
        let view = new.array.view(py);
        held.push(new);
        Ok(view)
    }

    /// Takes steps with every world and writes what is asked for after each into arrays of all worlds, (worlds, steps, ...).
    fn record(
        &self,
        py: Python<'_>,
        (steps, h): (usize, f64),
        [targets, rates]: [Option<&[f64]>; 2],
        columns: &[(&'static Column, Items)],
        arrays: &mut [&mut [f64]],
    ) -> PyResult<()> {
        // Every world writes into its own part of the arrays.
        let n = self.worlds.len();
        let mut parts: Vec<_> = arrays
            .iter_mut()
            .map(|a| {
                let each = (a.len() / n).max(1);
                a.chunks_mut(each)
            })
            .collect();
        let parts: Vec<Mutex<Vec<&mut [f64]>>> =
            (0..n).map(|_| parts.iter_mut().map(|p| p.next().unwrap_or_default()).collect()).map(Mutex::new).collect();
        let write = |k: usize, step: usize, world: &taut::World| {
            let Ok(mut parts) = parts[k].lock() else { return };
            // Columns of the same table have the same rows.
            let mut last = None;
            for ((column, items), out) in columns.iter().zip(parts.iter_mut()) {
                let each = items.len() * column.width;
                let out = &mut out[step * each..(step + 1) * each];
                let fits = match last {
                    Some((table, fits)) if table == column.table => fits,
                    _ => items.are_of(world),
                };
                last = Some((column.table, fits));
                match fits {
                    true => column.write(world, out),
                    false => out.fill(f64::NAN),
                }
            }
        };
        let told = targets.is_some() || rates.is_some();
        self.advance(py, steps, &|first, scenes, now| {
            let alone = single(|k, scene: &mut Scene| {
                let own = (part(targets, k, n), part(rates, k, n));
                for step in now.clone() {
                    if told {
                        command_all(&mut scene.world, part(own.0, step, steps), part(own.1, step, steps))?;
                    }
                    scene.step(h)?;
                    write(k, step, &scene.world);
                }
                Ok(())
            });
            if told || scenes.iter().any(|s| s.drive.is_some()) {
                return alone(first, scenes);
            }
            together(scenes, |memory, worlds| {
                memory.step_watched(worlds, h, now.len(), |k, step, world| write(first + k, now.start + step, world))
            })
        })
    }

    fn chosen(&self, worlds: Option<Vec<usize>>) -> PyResult<Vec<usize>> {
        let all = worlds.unwrap_or_else(|| (0..self.worlds.len()).collect());
        match all.iter().find(|k| **k >= self.worlds.len()) {
            Some(k) => Err(PyIndexError::new_err(format!("world {k}: expected one of {}", self.worlds.len()))),
            None => Ok(all),
        }
    }

    /// Numbers for every body of every world, world after world.
    fn of_bodies(&self, value: &Bound<'_, PyAny>, name: &str, width: usize) -> PyResult<Vec<f64>> {
        self.check_rows(Table::Bodies)?;
        floats(value, name, &[self.worlds.len(), self.rows(Table::Bodies).len(), width])
    }

    fn of_motors(
        &self,
        value: Option<&Bound<'_, PyAny>>,
        name: &str,
        steps: Option<usize>,
    ) -> PyResult<Option<Vec<f64>>> {
        if value.is_some() {
            self.check_rows(Table::Motors)?;
        }
        let motors = self.rows(Table::Motors).len();
        let mut shape = vec![self.worlds.len()];
        shape.extend(steps);
        shape.push(motors);
        value.map(|v| floats(v, name, &shape)).transpose()
    }
}

/// The part of world `k` of `n`.
fn part(all: Option<&[f64]>, k: usize, n: usize) -> Option<&[f64]> {
    all.map(|a| &a[k * a.len() / n..(k + 1) * a.len() / n])
}

fn row<const N: usize>(all: &[f64], k: usize) -> [f64; N] {
    std::array::from_fn(|i| all[N * k + i])
}

macro_rules! columns {
    ($($(#[$cm:meta])* $column:ident)*; $($rest:tt)*) => {
        #[pymethods]
        impl Batch {
            $($(#[$cm])*
            #[getter]
            fn $column(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.array(py, stringify!($column))
            })*
            $($rest)*
        }
    };
}

columns! {
    /// Centres of mass of all bodies, m, a row each, of every world: the first index is the world. The same array each time; a world
    /// that lost or gained a row has NaN.
    positions
    /// Rotations of all bodies, a row (x, y, z, w) each, of every world: the first index is the world. The same array each time; a
    /// world that lost or gained a row has NaN.
    rotations
    /// Velocities of the centres of all bodies, m/s, a row each, of every world: the first index is the world. The same array each
    /// time; a world that lost or gained a row has NaN.
    velocities
    /// Angular velocities of all bodies in the axes of the world, rad/s, a row each, of every world: the first index is the world.
    /// The same array each time; a world that lost or gained a row has NaN.
    angular_velocities
    /// Forces of all joints on their first bodies, N, a row each, of every world: the first index is the world. The same array each
    /// time; a world that lost or gained a row has NaN.
    joint_forces
    /// Torques of all joints on their first bodies, N m, a row each, of every world: the first index is the world. The same array
    /// each time; a world that lost or gained a row has NaN.
    joint_torques
    /// Openings of all joints, m, a number each, of every world: the first index is the world. The same array each time; a world that
    /// lost or gained a row has NaN.
    joint_gaps
    /// Tensions of all joints, N, a number each, of every world: the first index is the world. The same array each time; a world that
    /// lost or gained a row has NaN.
    joint_tensions
    /// Positions of all motors, m or rad, a number each, of every world: the first index is the world. The same array each time; a
    /// world that lost or gained a row has NaN.
    motor_positions
    /// Rates of all motors, m/s or rad/s, a number each, of every world: the first index is the world. The same array each time; a
    /// world that lost or gained a row has NaN.
    motor_rates
    /// What all motors push with, N or N m, a number each, of every world: the first index is the world. The same array each time; a
    /// world that lost or gained a row has NaN.
    motor_efforts
    ;

    #[new]
    #[pyo3(signature = (world, n, *, threads = None))]
    fn new(world: &World, n: usize, threads: Option<usize>) -> PyResult<Self> {
        if n == 0 {
            return Err(raise(taut::Error::input("n", n, "at least one world")));
        }
        let pool = match threads {
            None => None,
            Some(0) => return Err(raise(taut::Error::input("threads", 0, "at least one thread"))),
            Some(k) => {
                let made = rayon::ThreadPoolBuilder::new().num_threads(k).build();
                Some(made.map_err(|e| raise(taut::Error::input("threads", k, format!("threads that start: {e}"))))?)
            }
        };
        // Less than any world takes: what cannot be had is told before half of it is there.
        let least = n.checked_mul(LEAST).ok_or(());
        if least.and_then(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| ())).is_err() {
            return Err(PyMemoryError::new_err(format!("n = {n}: expected worlds that fit into memory")));
        }
        let worlds = (0..n).map(|_| world.copied()).collect::<PyResult<_>>()?;
        let scene = world.0.lock()?;
        let items = [Table::Bodies, Table::Joints, Table::Motors].map(|t| Items::of(&scene.world, t));
        drop(scene);
        Ok(Batch { worlds, items, pool, arrays: Mutex::default() })
    }
    fn __len__(&self) -> usize {
        self.worlds.len()
    }
    fn __getitem__(&self, k: isize) -> PyResult<World> {
        let n = self.worlds.len() as isize;
        let at = if k < 0 { k + n } else { k };
        if !(0..n).contains(&at) {
            return Err(PyIndexError::new_err(format!("world {k}: expected one of {n}")));
        }
        Ok(self.worlds[at as usize].clone())
    }
    /// Takes so many steps of `h` seconds (default: those of the scene) with every world, on all threads and without the
    /// interpreter's lock. A world that fails stays as it was while the others go on; the error then names the failed ones in
    /// `worlds`.
    #[pyo3(signature = (h = None, steps = 1))]
    fn step(&self, py: Python<'_>, h: Option<f64>, steps: usize) -> PyResult<()> {
        let h = h.unwrap_or(self.worlds[0].0.defaults.0);
        self.advance(py, steps, &|first, scenes, now| match scenes.iter().all(|s| s.drive.is_none()) {
            true => together(scenes, |memory, worlds| memory.step(worlds, h, now.len())),
            false => single(|_, scene: &mut Scene| now.clone().try_for_each(|_| scene.step(h).map(|_| ())))(first, scenes),
        })
    }
    /// Takes so many steps with every world and returns a dictionary of arrays, (worlds, steps, ...), of what is recorded after
    /// each step. `targets` and `rates`, (worlds, steps, motors), command all motors before each step.
    #[pyo3(signature = (steps, h = None, *, targets = None, rates = None, record = vec!["positions".to_owned()]))]
    fn rollout<'py>(
        &self,
        py: Python<'py>,
        steps: usize,
        h: Option<f64>,
        targets: Option<&Bound<'py, PyAny>>,
        rates: Option<&Bound<'py, PyAny>>,
        record: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let h = h.unwrap_or(self.worlds[0].0.defaults.0);
        let targets = self.of_motors(targets, "targets", Some(steps))?;
        let rates = self.of_motors(rates, "rates", Some(steps))?;
        let columns = record
            .iter()
            .map(|name| column(name).map(|c| (c, self.rows(c.table).clone())))
            .collect::<PyResult<Vec<_>>>()?;
        let n = self.worlds.len();
        // Numpy's own memory comes in large pages where the machine has them, and there may be too little.
        let numpy = py.import("numpy")?;
        let zeros = |(column, items): &(&Column, Items)| -> PyResult<Bound<'_, PyArrayDyn<f64>>> {
            let shape = [vec![n, steps], column.shape(items.len())].concat();
            Ok(numpy.call_method1("zeros", (PyTuple::new(py, shape)?,))?.extract()?)
        };
        let made = columns.iter().map(zeros).collect::<PyResult<Vec<_>>>()?;
        let mut held = made.iter().map(|a| a.try_readwrite()).collect::<Result<Vec<_>, _>>()?;
        let mut arrays = held.iter_mut().map(|a| a.as_slice_mut()).collect::<Result<Vec<_>, _>>()?;
        self.record(py, (steps, h), [targets.as_deref(), rates.as_deref()], &columns, &mut arrays)?;
        drop(held);
        let out = PyDict::new(py);
        for ((column, _), array) in columns.iter().zip(made) {
            out.set_item(column.name, array)?;
        }
        Ok(out)
    }
    /// Commands all motors of all worlds: `targets` and `rates` are arrays (worlds, motors).
    #[pyo3(signature = (targets = None, rates = None))]
    fn set_motors(
        &self,
        py: Python<'_>,
        targets: Option<&Bound<'_, PyAny>>,
        rates: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let targets = self.of_motors(targets, "targets", None)?;
        let rates = self.of_motors(rates, "rates", None)?;
        let n = self.worlds.len();
        let told = |k| (part(targets.as_deref(), k, n), part(rates.as_deref(), k, n));
        self.run(py, &single(|k, scene| command_all(&mut scene.world, told(k).0, told(k).1)))
    }
    /// Places all bodies of all worlds: arrays (worlds, bodies, 3) and (worlds, bodies, 4). Rows of fixed bodies are left out.
    fn set_poses(&self, py: Python<'_>, positions: &Bound<'_, PyAny>, rotations: &Bound<'_, PyAny>) -> PyResult<()> {
        let (pos, rot) = (self.of_bodies(positions, "positions", 3)?, self.of_bodies(rotations, "rotations", 4)?);
        let work = single(|k, scene| {
            let ids: Vec<_> = scene.world.bodies().map(|b| (b.id(), b.motion())).collect();
            for (i, (id, _)) in ids.iter().enumerate().filter(|(_, b)| b.1 != Motion::Fixed) {
                let at = k * ids.len() + i;
                let pose = taut::Pose {
                    pos: taut::Vec3::from_array(row(&pos, at)),
                    rot: taut::Quat::from_array(row(&rot, at)),
                };
                scene.world.set_pose(*id, pose)?;
            }
            Ok(())
        });
        self.run(py, &work)
    }
    /// Sets velocities and angular velocities of all bodies of all worlds: arrays (worlds, bodies, 3). Rows of fixed bodies are left
    /// out.
    fn set_velocities(&self, py: Python<'_>, velocities: &Bound<'_, PyAny>, angular: &Bound<'_, PyAny>) -> PyResult<()> {
        let (vel, omega) = (self.of_bodies(velocities, "velocities", 3)?, self.of_bodies(angular, "angular", 3)?);
        let work = single(|k, scene| {
            let ids: Vec<_> = scene.world.bodies().map(|b| (b.id(), b.motion())).collect();
            for (i, (id, _)) in ids.iter().enumerate().filter(|(_, b)| b.1 != Motion::Fixed) {
                let at = k * ids.len() + i;
                scene.world.set_velocity(
                    *id,
                    taut::Vec3::from_array(row(&vel, at)),
                    taut::Vec3::from_array(row(&omega, at)),
                )?;
            }
            Ok(())
        });
        self.run(py, &work)
    }
    /// Pushes all bodies of all worlds at their centres in the next step: an array (worlds, bodies, 3), N. Rows of fixed bodies are left
    /// out.
    fn apply_forces(&self, py: Python<'_>, forces: &Bound<'_, PyAny>) -> PyResult<()> {
        let forces = self.of_bodies(forces, "forces", 3)?;
        let work = single(|k, scene| {
            let ids: Vec<_> = scene.world.bodies().map(|b| (b.id(), b.position(), b.motion())).collect();
            for (i, (id, position, _)) in ids.iter().enumerate().filter(|(_, b)| b.2 != Motion::Fixed) {
                let force = taut::Vec3::from_array(row(&forces, k * ids.len() + i));
                if force != taut::Vec3::ZERO {
                    scene.world.apply_force(*id, force, *position)?;
                }
            }
            Ok(())
        });
        self.run(py, &work)
    }
    /// Brings all worlds, or those of the list, back to a state or a snapshot of any of them.
    #[pyo3(signature = (to, worlds = None))]
    fn restore(&self, py: Python<'_>, to: &Bound<'_, PyAny>, worlds: Option<Vec<usize>>) -> PyResult<()> {
        if !(to.is_instance_of::<State>() || to.is_instance_of::<Snapshot>()) {
            return Err(PyTypeError::new_err(format!("{}: expected a State or a Snapshot", shown(to))));
        }
        for k in self.chosen(worlds)? {
            self.worlds[k].back(to)?;
        }
        self.refresh(py, &mut self.held()?, &self.scenes()?)
    }
    /// Times of the worlds, s.
    #[getter]
    fn times(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.scenes()?.iter().map(|s| s.world.time()).collect::<Vec<_>>().to_py(py)
    }
    /// Hashes of the motion of the worlds.
    #[getter]
    fn hashes(&self) -> PyResult<Vec<u64>> {
        Ok(self.scenes()?.iter().map(|s| s.world.state().hash()).collect())
    }
    /// Handles of the rows of arrays of bodies: they hold in every world.
    fn body_ids(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.rows(Table::Bodies).clone().to_py(py)
    }
    fn __repr__(&self) -> String {
        format!("Batch of {} worlds", self.worlds.len())
    }
}
