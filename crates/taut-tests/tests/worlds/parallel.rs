//! Islands side by side on threads: the same bits, the same errors.

use crate::common::mixed::mixed;
use crate::common::{ball, world};
use rayon::ThreadPoolBuilder;
use taut::{
    Ball, Body, Collider, Coordinates, Distance, MassProperties, Options, Result, Rope, Shape, StepReport, Vec3, World,
};

const STEP: f64 = 1.0 / 60.0;

fn on(threads: usize, work: impl FnOnce() + Send) {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
}

fn built(parallel: bool) -> World {
    let mut w = world(Options { parallel, ..Options::default() });
    mixed(&mut w, 40);
    w
}

#[test]
fn a_world_can_be_sent_and_shared() {
    fn both<T: Send + Sync>() {}
    both::<World>();
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let mut alone = built(false);
    let expected: Vec<(StepReport, u64)> =
        (0..100).map(|_| (alone.step(STEP).unwrap(), alone.state().hash())).collect();
    // The world has what could go wrong: loops, panels, rows with bounds that act, clusters of several islands.
    let any = |f: &dyn Fn(&StepReport) -> bool| expected.iter().any(|(r, _)| f(r));
    assert!(any(&|r| r.panels > 0 && r.bounded.contacts > 0 && r.bounded.rows > 50 && r.redundant_joints > 0));
    assert!(any(&|r| r.bounded.clusters < r.islands && r.resolved_islands > 0 && !r.events.is_empty()));
    for threads in [1, 2, 3] {
        on(threads, || {
            let mut w = built(true);
            for (k, (report, hash)) in expected.iter().enumerate() {
                assert_eq!(&w.step(STEP).unwrap(), report, "{threads} threads, step {k}");
                assert_eq!(w.state().hash(), *hash, "{threads} threads, step {k}");
            }
            assert!(w.state() == alone.state(), "{threads} threads");
            // Desks are there if and only if threads were used.
            let (with, without) = (w.size().unwrap().bytes, alone.clone().size().unwrap().bytes);
            assert_eq!(with > without + without / 2, threads > 1, "{with} {without}");
        });
    }
}

/// Loops of four links under heavy loads, in reduced coordinates: the loads fall through them until they snap taut.
fn loops(parallel: bool) -> World {
    let mut w = world(Options { parallel, coordinates: Coordinates::Reduced, ..Options::default() });
    for k in 0..40 {
        let at = |x: f64, y: f64| Vec3::new(x, y, f64::from(k));
        let corners = [at(0.0, 0.0), at(0.0, 0.2), at(0.2, 0.2), at(0.4, 0.2), at(0.4, 0.0)];
        let load = ball(200.0 * f64::from(k + 1), 0.1);
        let kick = Vec3::new(0.5, 0.0, 0.0);
        let load = w.add(Body::dynamic(load).at(corners[2] + 0.1 * Vec3::Y).moving(kick, Vec3::ZERO)).unwrap();
        let mut last = w.ground();
        for c in 0..4 {
            let link = w.add(Body::dynamic(ball(0.2, 0.05)).at(0.5 * (corners[c] + corners[c + 1]))).unwrap();
            w.add(Ball::between(link, last).at(corners[c])).unwrap();
            if c == 1 {
                w.add(Ball::between(load, link).at(corners[2])).unwrap();
            }
            last = link;
        }
        w.add(Ball::between(last, w.ground()).at(corners[4])).unwrap();
    }
    w
}

#[test]
fn loops_that_snap_taut_have_the_same_bits_on_threads() {
    let mut alone = loops(false);
    let expected: Vec<(StepReport, u64)> = (0..90).map(|_| (alone.step(STEP).unwrap(), alone.state().hash())).collect();
    let snaps: usize = expected.iter().map(|(r, _)| r.snapped_islands).sum();
    let gap = expected.iter().map(|(r, _)| r.max_gap).fold(0.0, f64::max);
    assert!(snaps >= 40 && gap < 1e-9, "{snaps} snaps, {gap} m");
    on(2, || {
        let mut w = loops(true);
        for (k, (report, hash)) in expected.iter().enumerate() {
            assert_eq!(&w.step(STEP).unwrap(), report, "step {k}");
            assert_eq!(w.state().hash(), *hash, "step {k}");
        }
    });
}

/// Adds a mechanism whose matrix cannot be factorised: the masses are finite, their sum is not.
fn add_broken(w: &mut World, name: &str, x: f64) {
    let at = |y: f64| Vec3::new(x, y, -5.0);
    let a = w.add(Body::particle(1e308).at(at(1.0)).named(format!("{name} a"))).unwrap();
    let b = w.add(Body::particle(1e308).at(at(2.0)).named(format!("{name} b"))).unwrap();
    w.add(Distance::between(a, b)).unwrap();
}

#[test]
fn the_first_island_that_fails_is_reported_and_nothing_has_changed() {
    let broken = |parallel: bool| {
        let mut w = world(Options { parallel, ..Options::default() });
        mixed(&mut w, 15);
        add_broken(&mut w, "first", -10.0);
        mixed(&mut w, 15);
        add_broken(&mut w, "second", -20.0);
        w
    };
    let failure = |r: Result<StepReport>| r.unwrap_err().to_string();
    let expected = failure(broken(false).step(STEP));
    assert!(expected.contains("first"), "{expected}");
    on(2, || {
        let mut w = broken(true);
        let before = w.state().clone();
        for _ in 0..20 {
            assert_eq!(failure(w.step(STEP)), expected);
            assert!(w.state() == &before);
        }
    });
}

#[test]
fn worlds_can_be_stepped_inside_a_pool_that_steps_other_worlds() {
    let mut alone = built(false);
    (0..10).for_each(|_| drop(alone.step(STEP).unwrap()));
    on(2, || {
        let (mut a, mut b) = (built(true), built(true));
        let run = |w: &mut World| (0..10).for_each(|_| drop(w.step(STEP).unwrap()));
        rayon::join(|| run(&mut a), || run(&mut b));
        assert!(a.state() == alone.state());
        assert!(b.state() == alone.state());
    });
}

#[test]
fn a_mechanism_moves_as_if_it_were_alone() {
    // Forces of one cluster that is solved again must not reach the stiffness of another.
    let load = |w: &mut World, x: f64, height: f64| {
        let (at, hook) = (Vec3::new(x + 0.3, -height, 0.0), Vec3::new(x, 0.0, 0.0));
        let b = w.add(Body::dynamic(crate::common::ball(5.0, 0.1)).at(at)).unwrap();
        w.add(Rope::between(b, w.ground()).length(1.0).ends(at + Vec3::Y * 0.1, hook)).unwrap();
        b
    };
    let (mut two, mut one) = (World::new(), World::new());
    load(&mut two, 0.0, 0.2);
    let (b, alone) = (load(&mut two, 50.0, 1.05), load(&mut one, 50.0, 1.05));
    for k in 0..100 {
        two.step(STEP).unwrap();
        one.step(STEP).unwrap();
        assert_eq!(two.pose(b), one.pose(alone), "step {k}");
    }
}

/// Rods that fall into a box, enough of them that threads share the search for contacts, with a sensor above the floor.
fn hopper(parallel: bool) -> World {
    let mut w = world(Options { parallel, ..Options::default() });
    let ground = w.ground();
    w.add(Collider::new(Shape::ground()).on(ground)).unwrap();
    w.add(Collider::new(Shape::cuboid(Vec3::new(2.0, 0.3, 2.0))).sensing().on(ground)).unwrap();
    for k in 0..343 {
        let (x, y, z) = (k % 7, k / 49, (k / 7) % 7);
        let at = Vec3::new(0.2 * f64::from(x), 0.1 + 0.11 * f64::from(y), 0.1 * f64::from(z));
        let turn = Vec3::new(0.3, 0.1 * f64::from(k % 11), 0.2);
        let collider = Collider::new(Shape::cuboid(Vec3::new(0.09, 0.04, 0.04)));
        let mass = MassProperties::cuboid(500.0, Vec3::new(0.09, 0.04, 0.04)).unwrap();
        w.add(Body::dynamic(mass).at(at).moving(-Vec3::Y, turn).collider(collider)).unwrap();
    }
    w
}

#[test]
fn contacts_that_threads_find_have_the_same_bits() {
    let mut alone = hopper(false);
    let expected: Vec<(StepReport, u64)> = (0..60).map(|_| (alone.step(STEP).unwrap(), alone.state().hash())).collect();
    assert!(expected.iter().any(|(r, _)| r.bounded.contacts > 500), "threads have nothing to share");
    assert!(expected.iter().any(|(r, _)| !r.events.is_empty()), "the sensor sees nothing");
    for threads in [2, 3] {
        on(threads, || {
            let mut w = hopper(true);
            for (k, (report, hash)) in expected.iter().enumerate() {
                assert_eq!(&w.step(STEP).unwrap(), report, "{threads} threads, step {k}");
                assert_eq!(w.state().hash(), *hash, "{threads} threads, step {k}");
            }
            assert_eq!(w.predict_contacts(STEP).unwrap(), alone.predict_contacts(STEP).unwrap());
        });
    }
}
