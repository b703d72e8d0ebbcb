//! Worlds: making them, stepping them.

use crate::call::{Fault, TautStatus, call, copy_text, list, optional_text, out, text};
use crate::registry::Registry;
use std::collections::BTreeMap;
use std::ffi::c_char;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use taut::{BodyId, ColliderId, ForceId, JointId, MotorId, RopeId, StepReport, WinchId, World};
use taut_scenes::file::{self, Opened};
use taut_scenes::{Scene, choices, find};

/// A world.
pub struct TautWorld(());

/// What a handle of a world stands for.
pub(crate) struct Held {
    pub scene: Scene,
    /// Made from code.
    coded: bool,
    /// The scene's own step and time, s.
    pub times: [f64; 2],
    /// What was odd about its making, a line each.
    pub warnings: Vec<String>,
    pub parts: Parts,
}

pub(crate) static WORLDS: Registry<Held> = Registry::new("world");

/// Parts of a world that C has handles of. A handle is the number of the world and a place in one of these lists.
pub(crate) struct Parts {
    world: u32,
    pub bodies: Table<BodyId>,
    pub joints: Table<JointId>,
    pub motors: Table<MotorId>,
    pub colliders: Table<ColliderId>,
    pub forces: Table<ForceId>,
    pub ropes: Table<RopeId>,
    /// With their names.
    pub winches: Vec<(String, WinchId)>,
}

/// Parts of one kind.
pub(crate) struct Table<T> {
    list: Vec<T>,
    places: BTreeMap<T, usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { list: Vec::new(), places: BTreeMap::new() }
    }
}

impl Parts {
    fn new() -> Self {
        static WORLDS: AtomicU32 = AtomicU32::new(1);
        Parts {
            world: WORLDS.fetch_add(1, Ordering::Relaxed),
            bodies: Table::default(),
            joints: Table::default(),
            motors: Table::default(),
            colliders: Table::default(),
            forces: Table::default(),
            ropes: Table::default(),
            winches: Vec::new(),
        }
    }

    /// The handle of a place.
    pub fn handle(&self, place: usize) -> u64 {
        (u64::from(self.world) << 32) | (place as u64 + 1)
    }

    /// The place of a handle, when it is one of so many.
    pub fn place(&self, handle: u64, count: usize, what: &str) -> Result<usize, Fault> {
        let place = (handle & 0xffff_ffff).wrapping_sub(1) as usize;
        if handle >> 32 == u64::from(self.world) && place < count {
            return Ok(place);
        }
        let message = match handle {
            0 => format!("{what} = 0: expected a handle of a {what}"),
            _ => format!("{what} = {handle:#x}: expected a handle of a {what} that this world gave"),
        };
        Err(Fault::new(TautStatus::BadHandle, message))
    }
}

impl<T: Copy + Ord> Table<T> {
    /// The place of a part, which may be new.
    pub fn note(&mut self, part: T) -> usize {
        *self.places.entry(part).or_insert_with(|| {
            self.list.push(part);
            self.list.len() - 1
        })
    }

    pub fn get(&self, place: usize) -> T {
        self.list[place]
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }
}

impl Held {
    pub(crate) fn new(scene: Scene, times: [f64; 2]) -> Self {
        Held { scene, coded: false, times, warnings: Vec::new(), parts: Parts::new() }
    }

    fn opened(opened: Opened) -> Self {
        let Opened { file, scene, warnings } = opened;
        let mut held = Held::new(scene, [file.outputs.dt(), file.outputs.time()]);
        held.parts.winches = file.winches_in(&held.scene.world);
        held.warnings = warnings;
        held
    }

    pub(crate) fn world(&mut self) -> &mut World {
        &mut self.scene.world
    }
}

/// Works with a world.
pub(crate) fn on(world: *const TautWorld, work: impl FnOnce(&mut Held) -> Result<(), Fault>) -> TautStatus {
    call(|| WORLDS.with(world, work))
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn taut_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// An empty world with a ground. Its own step is 1/60 s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_new(world: *mut *mut TautWorld) -> TautStatus {
    call(|| {
        // SAFETY: see the rules of the crate.
        let to = unsafe { out(world, "world") }?;
        let mut world = World::new();
        world.set_clock(taut_scenes::clock);
        taut_redmax::attach(&mut world);
        let (follow, none) = (world.ground(), file::Outputs::default());
        // A world made from code is not judged by lengths and energies of a scene.
        let scene =
            Scene { world, length: 1.0, energy_scale: 1.0, follow, window: 1.0, edges: Vec::new(), drive: None };
        to.put(WORLDS.add(Held { coded: true, ..Held::new(scene, [none.dt(), none.time()]) }));
        Ok(())
    })
}

/// A scene of the library by its name, as `taut list` tells it, with `count` parameters such as "links=20".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_from_scene(
    name: *const c_char,
    parameters: *const *const c_char,
    count: usize,
    world: *mut *mut TautWorld,
) -> TautStatus {
    call(|| {
        // SAFETY: see the rules of the crate.
        let (to, name) = unsafe { (out(world, "world")?, text(name, "name")?) };
        // SAFETY: the same.
        let given = unsafe { list(parameters, count, "parameters") }?.iter().map(|p| unsafe { text(*p, "parameter") });
        let read = |p: &str| choices::assignment(p).map_err(|e| Fault::input(format_args!("parameter = {p}: {e}")));
        let given: Vec<(String, String)> = given.map(|p| read(p?)).collect::<Result<_, _>>()?;
        let info = find(name)?;
        let given: Vec<(&str, &str)> = given.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let (mut scene, _) = info.with(&given)?;
        scene.world.set_clock(taut_scenes::clock);
        to.put(WORLDS.add(Held::new(scene, [info.dt, info.time])));
        Ok(())
    })
}

/// A scene file. Tables and meshes that it names are looked for in its folder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_from_file(path: *const c_char, world: *mut *mut TautWorld) -> TautStatus {
    call(|| {
        // SAFETY: see the rules of the crate.
        let (to, path) = unsafe { (out(world, "world")?, text(path, "path")?) };
        let opened = file::open(Path::new(path)).map_err(|e| Fault::input(format_args!("{path}: {e}")))?;
        to.put(WORLDS.add(Held::opened(opened)));
        Ok(())
    })
}

/// A scene file as text. Tables and meshes that it names are looked for in `folder`; with NULL it may name none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_from_text(
    json: *const c_char,
    folder: *const c_char,
    world: *mut *mut TautWorld,
) -> TautStatus {
    call(|| {
        // SAFETY: see the rules of the crate.
        let (to, json, folder) =
            unsafe { (out(world, "world")?, text(json, "json")?, optional_text(folder, "folder")?) };
        let opened = file::open_text(json, folder.map(Path::new)).map_err(Fault::input)?;
        to.put(WORLDS.add(Held::opened(opened)));
        Ok(())
    })
}

/// Frees a world. Its handle and those of its parts name nothing afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_free(world: *mut TautWorld) -> TautStatus {
    call(|| WORLDS.remove(world))
}

/// Adds what a scene file describes: bodies, joints, couplings, ropes over sheaves, winches, deformables, forces, colliders of the ground,
/// water and wind. It may name bodies, deformables and colliders that are there already; it has no programs, events, settings and outputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_add(world: *mut TautWorld, json: *const c_char) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let json = unsafe { text(json, "json") }?;
        let mut part = file::parse(json)?;
        let located = |e: file::FileError| Fault::input(e.located(json));
        let none = |_: &str| "expected its numbers in the text".to_owned();
        file::load_tables(&mut part, |name| Err(none(name))).map_err(located)?;
        held.warnings.extend(file::load_meshes(&mut part, |name| Err(none(name))).map_err(located)?);
        file::add(&part, held.world()).map_err(located)?;
        let winches = part.winches_in(held.world());
        held.parts.winches.extend(winches);
        Ok(())
    })
}

/// Writes the world as a scene file into `buffer`, with a zero at its end, and its length without the zero into `length`. With NULL for
/// `buffer` the length is told alone. `taut_world_warnings` tells what a file cannot say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_save(
    world: *mut TautWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> TautStatus {
    on(world, |held| {
        let scene = &held.scene;
        let mut saved = if held.coded { file::from_world(&scene.world)? } else { file::from_scene(scene)? };
        (saved.file.outputs.dt, saved.file.outputs.time) = (Some(held.times[0].into()), Some(held.times[1].into()));
        held.warnings = saved.warnings;
        let json = file::write(&saved.file)?;
        // SAFETY: see the rules of the crate.
        unsafe { copy_text(&json, buffer, capacity, length) }
    })
}

/// What was odd about the making, adding to or saving of the world, a line each; empty when nothing was. As `taut_world_save` writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_warnings(
    world: *mut TautWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe { copy_text(&held.warnings.join("\n"), buffer, capacity, length) })
}

/// What a step tells.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct TautReport {
    /// Time after the step, s.
    pub time: f64,
    /// Energy of motion after the step, J.
    pub kinetic: f64,
    /// Of height, J.
    pub gravity: f64,
    /// Of springs and soft joints, J.
    pub elastic: f64,
    /// Largest opening of a rigid joint, m.
    pub max_gap: f64,
    /// Sum of the openings of all rigid joints, m.
    pub sum_gap: f64,
    /// Largest angular error of a rigid joint, rad.
    pub max_angle: f64,
    /// Largest excess of rigid ropes and limits of length, m.
    pub overrun: f64,
    /// Largest excess of rigid limits of angle, rad.
    pub overrun_angle: f64,
    /// Deepest penetration of rigid contacts at the start of the step, m.
    pub penetration: f64,
    /// Worst relative residual of the linear solve.
    pub residual: f64,
    /// Residual of rows with bounds, m/s or rad/s.
    pub bounded_residual: f64,
    /// Change of the energy in the step, J. What follows says where it came from (positive) and went (negative).
    pub change: f64,
    /// Work of forces, motors and driven bodies, J.
    pub work: f64,
    /// Damping and friction in joints, J.
    pub damping: f64,
    /// The stabiliser, J.
    pub stabiliser: f64,
    /// Joints and ropes beyond what they store, J.
    pub constraints: f64,
    /// Contacts, J.
    pub contacts: f64,
    /// Elements of deformables beyond what they store, J.
    pub elements: f64,
    /// Work of deformables that yield, J.
    pub plastic: f64,
    /// What broke or was cut held, J.
    pub broken: f64,
    /// Rope that has run in or out, J.
    pub fed: f64,
    /// Pieces of rope divided or joined, J.
    pub merged: f64,
    /// Error of the integration, J.
    pub integration: f64,
    /// `change` less all of these, J: rounding and the residual of the solve.
    pub imbalance: f64,
    /// Linear solves of the island with most.
    pub solves: u64,
    /// Contact points that push.
    pub contact_points: u64,
    /// Joints that broke in the step.
    pub broken_joints: u64,
    /// Rows that contradict each other.
    pub conflicts: u64,
}

impl TautReport {
    fn of(r: &StepReport) -> Self {
        let (e, l, b) = (&r.energy, &r.ledger, &r.bounded);
        let broken = |e: &&taut::Event| matches!(e, taut::Event::JointBroken { .. });
        TautReport {
            time: r.time,
            kinetic: e.kinetic,
            gravity: e.gravity,
            elastic: e.elastic,
            max_gap: r.max_gap,
            sum_gap: r.sum_gap,
            max_angle: r.max_angle,
            overrun: b.overrun,
            overrun_angle: b.overrun_angle,
            penetration: b.penetration,
            residual: r.residual,
            bounded_residual: b.residual,
            change: l.change,
            work: l.work,
            damping: l.damping,
            stabiliser: l.stabiliser,
            constraints: l.constraints,
            contacts: l.contacts,
            elements: l.elements,
            plastic: l.plastic,
            broken: l.broken,
            fed: l.fed,
            merged: l.merged,
            integration: l.integration,
            imbalance: l.imbalance,
            solves: r.solves as u64,
            contact_points: b.contacts as u64,
            broken_joints: r.events.iter().filter(broken).count() as u64,
            conflicts: r.conflicts.len() as u64,
        }
    }
}

/// Advances by `h` seconds. `report` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_step(world: *mut TautWorld, h: f64, report: *mut TautReport) -> TautStatus {
    on(world, |held| {
        let Some(told) = held.scene.next_step(h)? else {
            let said = held.scene.stopped().map_or("", |s| s.message.as_str());
            return Err(Fault::new(TautStatus::Stopped, format!("an event of the scene has ended the run: {said}")));
        };
        if !report.is_null() {
            // SAFETY: it is not NULL; see the rules of the crate.
            unsafe { out(report, "report") }?.put(TautReport::of(&told));
        }
        Ok(())
    })
}

/// Simulated time, s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_time(world: *const TautWorld, time: *mut f64) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe { out(time, "time") }.map(|to| to.put(held.scene.world.time())))
}

/// The step that the scene is meant to be run with, s, and for how long, s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_defaults(world: *const TautWorld, dt: *mut f64, time: *mut f64) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (dt, time) = unsafe { (out(dt, "dt")?, out(time, "time")?) };
        dt.put(held.times[0]);
        time.put(held.times[1]);
        Ok(())
    })
}

/// A hash of the state: equal runs have equal ones, on every machine. `taut run --json` has it as `state_hash`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_world_hash(world: *const TautWorld, hash: *mut u64) -> TautStatus {
    // SAFETY: see the rules of the crate.
    on(world, |held| unsafe { out(hash, "hash") }.map(|to| to.put(held.scene.world.state().hash())))
}
