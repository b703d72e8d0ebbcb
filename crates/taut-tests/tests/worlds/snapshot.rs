//! Snapshots repeat bit for bit, equal worlds stay equal, and a step that fails changes nothing.

use crate::common::{Plan, ball, chain, four_bar, world};
use taut::{Ball, Body, Distance, Error, MouseSpring, Options, Pose, Solver, Stabiliser, State, Vec3, World};

/// Everything a state holds, bit for bit.
fn assert_same(a: &State, b: &State, what: &str) {
    assert_eq!(a, b, "{what}");
    assert_eq!(a.hash(), b.hash(), "{what}");
}

const STABILISERS: [Stabiliser; 3] = [Stabiliser::Aligned, Stabiliser::None, Stabiliser::Full];

/// A tree with a heavy end, a four-bar (where it can be solved) and a string of particles.
fn scene(stabiliser: Stabiliser, seed: u64) -> World {
    let mut w = world(Options { stabiliser, ..Options::default() });
    let ids = Plan::tree(seed, 6, 100.0).build(&mut w, &Pose::IDENTITY, 0..6);
    if w.options().path() == Solver::BlockLdlt {
        four_bar(&mut w, 1.0);
    }
    let mut last = w.ground();
    for k in 0..4 {
        let (at, from) = (Vec3::new(f64::from(k + 1), 0.5, 2.0), Vec3::new(f64::from(k), 0.5, 2.0));
        let b = w.add(Body::particle(if k == 3 { 50.0 } else { 0.5 }).at(at)).unwrap();
        w.add(Distance::between(b, last).length(1.0).ends(at, from)).unwrap();
        last = b;
    }
    w.add(MouseSpring::new(ids[5], Vec3::ZERO, Vec3::Y)).unwrap();
    w
}

fn run(w: &mut World, steps: u32) {
    for k in 0..steps {
        // Steps of unequal length: the state must know the last one.
        w.step(if k % 3 == 0 { 0.01 } else { 1.0 / 60.0 }).unwrap();
    }
}

#[test]
fn a_restored_snapshot_repeats_bit_for_bit() {
    for stabiliser in STABILISERS {
        for seed in 0..4 {
            let mut w = scene(stabiliser, seed);
            for before in [0, 1, 20] {
                run(&mut w, before);
                let snapshot = w.state().clone();
                run(&mut w, 30);
                let first = w.state().clone();
                let what = format!("{} seed {seed} after {before} steps", stabiliser.name());
                w.restore(&snapshot).unwrap();
                assert_same(w.state(), &snapshot, &what);
                run(&mut w, 30);
                assert_same(w.state(), &first, &what);
                // The reports are the same too, and so they are in a clone of the world.
                w.restore(&snapshot).unwrap();
                let mut twin = w.clone();
                assert_eq!(w.step(0.01).unwrap(), twin.step(0.01).unwrap(), "{what}");
                assert_same(w.state(), twin.state(), &what);
            }
        }
    }
}

#[test]
fn equal_worlds_stay_equal_and_a_disturbed_one_does_not() {
    for stabiliser in STABILISERS {
        let (mut a, mut b, mut c) = (scene(stabiliser, 1), scene(stabiliser, 1), scene(stabiliser, 1));
        let id = c.bodies().nth(2).unwrap().id();
        c.set_velocity(id, c[id].vel + Vec3::X * 1e-12, c[id].omega).unwrap();
        for step in 0..50 {
            let reports = (a.step(0.01).unwrap(), b.step(0.01).unwrap());
            c.step(0.01).unwrap();
            assert_eq!(reports.0, reports.1, "{} step {step}", stabiliser.name());
            assert_same(a.state(), b.state(), stabiliser.name());
            assert_ne!(a.state().hash(), c.state().hash(), "{} step {step}", stabiliser.name());
        }
        assert_eq!((a.state().steps(), a.state().time()), (50, a.time()));
    }
}

#[test]
fn looking_does_not_change_what_follows() {
    let (mut a, mut b) = (scene(Stabiliser::Aligned, 2), scene(Stabiliser::Aligned, 2));
    for _ in 0..20 {
        a.step(0.01).unwrap();
        b.energy().unwrap();
        b.size().unwrap();
        b.joints().for_each(|j| assert!((j.force() + j.torque()).is_finite() && j.gap() + j.energy() < 1e3));
        b.step(0.01).unwrap();
        b.energy().unwrap();
    }
    assert_same(a.state(), b.state(), "looked at");
}

#[test]
fn the_energy_between_steps_is_that_of_the_report() {
    let mut w = scene(Stabiliser::Aligned, 3);
    for _ in 0..20 {
        let reported = w.step(0.01).unwrap().energy;
        let now = w.energy().unwrap();
        assert!((reported.total() - now.total()).abs() < 1e-12 * reported.kinetic.max(1.0), "{reported:?} {now:?}");
    }
}

#[test]
fn a_snapshot_is_refused_after_an_edit() {
    type Edit = fn(&mut World);
    let edits: [(&str, Edit); 5] = [
        ("a body added", |w| {
            w.add(Body::particle(1.0)).unwrap();
        }),
        ("a body removed", |w| {
            w.remove(w.bodies().last().unwrap().id()).unwrap();
        }),
        ("a joint removed", |w| {
            w.remove(w.joints().last().unwrap().id()).unwrap();
        }),
        ("a joint replaced", |w| {
            let last = w.joints().last().unwrap();
            let (id, (i, j)) = (last.id(), last.bodies());
            w.remove(id).unwrap();
            w.add(Ball::between(i, j)).unwrap();
        }),
        ("a force added", |w| {
            let body = w.bodies().last().unwrap().id();
            w.add(taut::Force::Point { body, point: Vec3::ZERO, force: Vec3::X }).unwrap();
        }),
    ];
    for (name, edit) in edits {
        let mut w = world(Options::default());
        chain(&mut w, 3, Vec3::X, 0.0, Ball::between);
        run(&mut w, 3);
        let snapshot = w.state().clone();
        edit(&mut w);
        let after = w.state().clone();
        let error = w.restore(&snapshot).unwrap_err();
        assert!(error.to_string().contains("snapshot edition"), "{name}: {error}");
        assert_same(w.state(), &after, name);
        w.step(0.01).unwrap();
    }
}

/// A step must fail, blame `culprit` and leave everything as it was; `w` must go on once `cure` was applied.
fn assert_fails(w: &mut World, culprit: &str, cure: impl Fn(&mut World)) {
    let (before, bodies) = (w.state().clone(), w.bodies().count());
    for _ in 0..2 {
        let done = w.step(0.01);
        let Err(Error::Step { time, culprit: blamed, .. }) = &done else { panic!("should blame {culprit}: {done:?}") };
        assert!(blamed.contains(culprit), "blames {blamed}, not {culprit}");
        assert_eq!(*time, before.time());
        assert_same(w.state(), &before, culprit);
        assert_eq!(w.bodies().count(), bodies);
    }
    cure(w);
    w.step(0.01).unwrap();
}

#[test]
fn a_rod_without_direction_fails_the_step_and_is_named() {
    let mut w = world(Options::default());
    chain(&mut w, 3, Vec3::X, 0.0, Ball::between);
    let (a, b) = (Vec3::new(0.0, 2.0, 0.0), Vec3::new(1.0, 2.0, 0.0));
    let p = w.add(Body::particle(1.0).at(a).named("left")).unwrap();
    let q = w.add(Body::particle(1.0).at(b).named("right")).unwrap();
    w.add(Distance::between(p, q).named("rod")).unwrap();
    run(&mut w, 5);
    let place = w.pose(p).unwrap();
    w.set_pose(q, place).unwrap();
    assert_fails(&mut w, "joint 'rod'", |w| w.set_pose(q, Pose::at(place.pos + Vec3::X)).unwrap());
}

#[test]
fn a_force_too_large_for_the_numbers_fails_the_step_and_names_the_body() {
    let mut w = world(Options::default());
    let (bodies, _) = chain(&mut w, 2, Vec3::X, 0.0, Ball::between);
    let light = w.add(Body::dynamic(ball(1e-3, 1e-2)).at(Vec3::Y).named("feather")).unwrap();
    run(&mut w, 3);
    let force = taut::Force::Point { body: light, point: Vec3::ZERO, force: Vec3::X * 1e308 };
    let id = w.add(force).unwrap();
    assert_fails(&mut w, "body 'feather'", |w| w.remove(id).unwrap());
    assert!(w[bodies[0]].pos.is_finite());
}

#[test]
fn a_step_never_leaves_a_state_that_is_not_finite() {
    for size in [1e100, 1e150, 1e200, 1e250, 1e300, 1e305] {
        for (name, force, torque) in [("force", Vec3::Y * size, Vec3::ZERO), ("torque", Vec3::ZERO, Vec3::Y * size)] {
            let mut w = world(Options::default());
            let b = w.add(Body::dynamic(crate::common::rod(1.0, 1.0, 0.1)).at(Vec3::X)).unwrap();
            run(&mut w, 2);
            w.apply_force(b, force, w[b].pos).unwrap();
            w.apply_torque(b, torque).unwrap();
            let before = w.state().clone();
            let done = w.step(0.01);
            let v = w.body(b).unwrap();
            let finite = v.position().is_finite() && v.rotation().is_finite() && v.velocity().is_finite();
            assert!(finite && v.angular_velocity().is_finite(), "{name} {size:e}: {v:?} after {done:?}");
            if done.is_err() {
                assert_same(w.state(), &before, name);
            }
        }
    }
}

#[test]
fn the_load_of_a_failed_step_waits_for_the_next_and_can_be_taken_back() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(1e-3, 1e-2)).named("feather")).unwrap();
    w.apply_force(b, Vec3::X * 1e308, Vec3::ZERO).unwrap();
    assert_fails(&mut w, "body 'feather'", |w| w.apply_force(b, Vec3::X * -1e308, Vec3::ZERO).unwrap());
    assert_eq!(w[b].vel.x, 0.0);
}
