//! What a program in C can do wrong: each is an error with words, and the world goes on.
#![allow(unsafe_code, reason = "calls as C makes them")]

use std::ffi::CStr;
use std::ptr::{null, null_mut, without_provenance_mut};
use taut_c::*;

fn last_error() -> String {
    // SAFETY: the text holds until the next call that fails in this thread.
    unsafe { CStr::from_ptr(taut_last_error()) }.to_str().unwrap().to_owned()
}

fn new_world() -> *mut TautWorld {
    let mut world = null_mut();
    // SAFETY: a place for a handle.
    assert_eq!(unsafe { taut_world_new(&mut world) }, TautStatus::Ok);
    world
}

fn add(world: *mut TautWorld, def: TautBodyDef) -> Result<TautBody, String> {
    let mut body = TautBody { id: 0 };
    // SAFETY: a definition and a place for a handle.
    let status = unsafe { taut_add_body(world, &def, &mut body) };
    if status == TautStatus::Ok { Ok(body) } else { Err(format!("{status:?}: {}", last_error())) }
}

fn particle() -> TautBodyDef {
    TautBodyDef { motion: TautMotion::Particle as i32, mass: 2.0, ..taut_body_def() }
}

#[test]
fn handles_that_name_nothing_are_errors() {
    let world = new_world();
    let (mut time, mut pose) = (0.0, [0.0; 7]);
    for bad in [null_mut(), without_provenance_mut(0xdead_beef), without_provenance_mut(usize::MAX)] {
        // SAFETY: handles are never dereferenced.
        assert_eq!(unsafe { taut_world_time(bad, &mut time) }, TautStatus::BadHandle);
        assert!(last_error().contains("world"), "{}", last_error());
    }
    // A snapshot is no world.
    let mut snapshot = null_mut();
    // SAFETY: handles are never dereferenced; so below.
    unsafe {
        assert_eq!(taut_world_snapshot(world, &mut snapshot), TautStatus::Ok);
        assert_eq!(taut_world_time(snapshot.cast(), &mut time), TautStatus::BadHandle);
        assert_eq!(taut_world_free(snapshot.cast()), TautStatus::BadHandle);
    }
    let (body, other) = (add(world, particle()).unwrap(), new_world());
    let foreign = add(other, particle()).unwrap();
    let bad = [0, u64::MAX, body.id + 1, body.id ^ (1 << 32), foreign.id];
    for id in bad {
        // SAFETY: as above.
        let status = unsafe { taut_read_poses(world, &TautBody { id }, 1, pose.as_mut_ptr()) };
        assert_eq!(status, TautStatus::BadHandle, "{id:#x}");
    }
    // SAFETY: as above.
    unsafe {
        assert_eq!(taut_remove_body(world, body), TautStatus::Ok);
        assert_eq!(taut_remove_body(world, body), TautStatus::BadHandle);
        assert!(last_error().contains("removed"), "{}", last_error());
        assert_eq!(taut_world_restore(other, snapshot), TautStatus::BadInput);
        assert_eq!(taut_world_free(other), TautStatus::Ok);
        assert_eq!(taut_world_free(other), TautStatus::BadHandle);
        assert_eq!(taut_snapshot_free(snapshot), TautStatus::Ok);
        assert_eq!(taut_world_restore(world, snapshot), TautStatus::BadHandle);
        assert_eq!(taut_world_free(world), TautStatus::Ok);
    }
}

#[test]
fn null_is_an_error_where_something_is_needed() {
    let world = new_world();
    let body = add(world, particle()).unwrap();
    let none = TautBody { id: 0 };
    // SAFETY: NULL is allowed everywhere, by the rules of the header.
    let all = unsafe {
        [
            taut_world_new(null_mut()),
            taut_world_from_scene(null(), null(), 0, &mut null_mut()),
            taut_world_from_scene(c"chain".as_ptr(), null(), 2, &mut null_mut()),
            taut_world_from_file(null(), &mut null_mut()),
            taut_world_from_text(null(), null(), &mut null_mut()),
            taut_world_add(world, null()),
            taut_world_save(world, null_mut(), 0, null_mut()),
            taut_world_set_option(world, null(), null()),
            taut_world_hash(world, null_mut()),
            taut_world_state_write(world, null_mut(), 0, null_mut()),
            taut_world_state_read(world, null(), 8),
            taut_world_state_read(world, null(), 0),
            taut_find_body(world, null(), &mut TautBody { id: 0 }),
            taut_bodies(world, null_mut(), 0, null_mut()),
            taut_read_poses(world, &body, 1, null_mut()),
            taut_read_poses(world, null(), 2, null_mut()),
            taut_read_poses(world, &body, usize::MAX, null_mut()),
            taut_add_body(world, null(), &mut TautBody { id: 0 }),
            taut_add_joint(world, &taut_joint_def(), null_mut()),
            taut_apply_force(world, body, null(), null()),
            taut_set_pose(world, body, null()),
            taut_set_velocity(world, body, null()),
        ]
    };
    assert!(all.iter().all(|s| *s == TautStatus::BadInput), "{all:?}");
    // SAFETY: the same.
    unsafe {
        assert_eq!(taut_set_pose(world, none, [0.0; 7].as_ptr()), TautStatus::BadHandle);
        assert_eq!(taut_world_free(world), TautStatus::Ok);
    }
}

#[test]
fn values_are_refused_by_name() {
    let world = new_world();
    let def = taut_body_def;
    let cases = [
        (TautBodyDef { motion: 7, ..particle() }, "motion = 7: expected 0 to 3"),
        (TautBodyDef { mass: f64::NAN, ..particle() }, "mass = NaN"),
        (TautBodyDef { mass: -1.0, ..particle() }, "mass = -1"),
        (TautBodyDef { shape: -2, ..particle() }, "shape = -2"),
        (def(), "expected a shape with a density or a mass"),
        (TautBodyDef { shape: 5, ..def() }, "half"),
        (TautBodyDef { rotation: [0.0; 4], ..particle() }, "rotation"),
        (TautBodyDef { position: [f64::INFINITY; 3], ..particle() }, "position"),
        (TautBodyDef { name: c"\xff".as_ptr(), ..particle() }, "expected UTF-8"),
    ];
    for (def, words) in cases {
        let error = add(world, def).unwrap_err();
        assert!(error.contains("BadInput") && error.contains(words), "{words}: {error}");
    }
    let mut report = TautReport::default();
    // SAFETY: texts end with a zero, places are places.
    unsafe {
        let options = [(c"gravity", c"1,2"), (c"gravty", c"1"), (c"sleep", c"maybe"), (c"solver", c"magic")];
        for (name, value) in options {
            assert_eq!(taut_world_set_option(world, name.as_ptr(), value.as_ptr()), TautStatus::BadInput);
            assert!(last_error().contains("expected"), "{}", last_error());
        }
        assert_eq!(taut_world_set_option(world, c"gravity".as_ptr(), c"0, 0, -1.62".as_ptr()), TautStatus::Ok);
        let (mut text, mut length) = ([1; 12], 0);
        let told = |text: &mut [i8; 12], length: &mut usize, capacity| {
            taut_world_option(world, c"gravity".as_ptr(), text.as_mut_ptr().cast(), capacity, length)
        };
        assert_eq!(told(&mut text, &mut length, 9), TautStatus::TooSmall);
        assert_eq!((length, text[0]), (9, 1));
        assert_eq!(told(&mut text, &mut length, 10), TautStatus::Ok);
        assert_eq!(CStr::from_ptr(text.as_ptr().cast()), c"0,0,-1.62");
        let body = add(world, particle()).unwrap();
        assert_eq!(taut_world_step(world, f64::NAN, &mut report), TautStatus::BadInput);
        assert_eq!(taut_world_step(world, 1.0, &mut report), TautStatus::Ok);
        assert!(report.time == 1.0 && report.kinetic > 0.0 && report.imbalance.abs() < 1e-12, "{report:?}");
        let mut velocity = [0.0; 6];
        assert_eq!(taut_read_velocities(world, &body, 1, velocity.as_mut_ptr()), TautStatus::Ok);
        // The first step kicks by half.
        assert_eq!(velocity, [0.0, 0.0, -0.81, 0.0, 0.0, 0.0]);
        assert_eq!(taut_world_free(world), TautStatus::Ok);
    }
}

#[test]
fn what_is_added_in_words_finds_what_is_there_and_fails_as_a_whole() {
    let world = new_world();
    let body = add(world, TautBodyDef { name: c"ball".as_ptr(), ..particle() }).unwrap();
    let rope = c"{\"taut\":1,\"joints\":[{\"type\":\"rope\",\"name\":\"line\",\"bodies\":[\"ball\",\"ground\"],\"points\":[[0,0,0],[0,1,0]]}]}";
    let twice = c"{\"taut\":1,\"bodies\":[{\"type\":\"particle\",\"name\":\"x\",\"mass\":1},{\"type\":\"particle\",\"name\":\"ball\",\"mass\":1}]}";
    let (mut joint, mut count) = (TautJoint { id: 0 }, 0);
    // SAFETY: texts end with a zero, places are places.
    unsafe {
        assert_eq!(taut_world_add(world, rope.as_ptr()), TautStatus::Ok, "{}", last_error());
        assert_eq!(taut_world_add(world, rope.as_ptr()), TautStatus::BadInput);
        assert!(last_error().contains("a name that no other joint has"), "{}", last_error());
        assert_eq!(taut_world_add(world, twice.as_ptr()), TautStatus::BadInput);
        assert_eq!(taut_bodies(world, null_mut(), 0, &mut count), TautStatus::Ok);
        assert_eq!(count, 2);
        for whole in [c"{\"taut\":1,\"outputs\":{\"dt\":0.1}}", c"{\"taut\":1,\"settings\":{\"sleep\":false}}"] {
            assert_eq!(taut_world_add(world, whole.as_ptr()), TautStatus::BadInput);
            assert!(last_error().contains("belongs to a whole scene"), "{}", last_error());
        }
        assert_eq!(taut_find_joint(world, c"line".as_ptr(), &mut joint), TautStatus::Ok);
        let mut loads = [0.0; 8];
        assert_eq!(taut_world_step(world, 0.01, null_mut()), TautStatus::Ok);
        assert_eq!(taut_read_joints(world, &joint, 1, loads.as_mut_ptr()), TautStatus::Ok);
        assert!((loads[7] - 2.0 * 9.81).abs() < 1e-9, "{loads:?}");
        assert_eq!(taut_remove_body(world, body), TautStatus::Ok);
        assert_eq!(taut_read_joints(world, &joint, 1, loads.as_mut_ptr()), TautStatus::BadHandle);
        assert_eq!(taut_world_free(world), TautStatus::Ok);
    }
}

#[test]
fn a_world_that_two_threads_use_at_once_is_refused_to_one_of_them() {
    let world = new_world();
    for k in 0..200 {
        add(world, TautBodyDef { position: [f64::from(k), 0.0, 0.0], ..particle() }).unwrap();
    }
    let address = world.addr();
    let run = move || {
        let world: *mut TautWorld = without_provenance_mut(address);
        // SAFETY: handles are never dereferenced.
        let each = (0..500).map(|_| unsafe { taut_world_step(world, 1e-3, null_mut()) });
        let (mut done, mut busy) = (0, 0);
        for status in each {
            match status {
                TautStatus::Ok => done += 1,
                TautStatus::Busy => busy += 1,
                other => panic!("{other:?}: {}", last_error()),
            }
        }
        (done, busy)
    };
    let other = std::thread::spawn(run);
    let (mine, theirs) = (run(), other.join().unwrap());
    let mut time = 0.0;
    // SAFETY: a place for a number.
    assert_eq!(unsafe { taut_world_time(world, &mut time) }, TautStatus::Ok);
    // Every step that was not refused was taken, and none besides.
    assert!((time - 1e-3 * f64::from(mine.0 + theirs.0)).abs() < 1e-9, "{time} {mine:?} {theirs:?}");
    assert_eq!(mine.0 + mine.1 + theirs.0 + theirs.1, 1000);
    // SAFETY: handles are never dereferenced.
    assert_eq!(unsafe { taut_world_free(world) }, TautStatus::Ok);
}
