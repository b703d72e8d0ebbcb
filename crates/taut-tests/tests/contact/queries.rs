//! Queries change nothing, run on several threads at once, and see the world as it is.

use crate::common::Rng;
use crate::common::touch::*;
use taut::{
    Ball, Body, BodyId, Collider, Energy, Material, Pose, Quat, Shape, Vec3, World, queries::PointHit,
    queries::QueryFilter, queries::RayHit, queries::ShapeHit,
};

/// Whatever a program does with worlds on threads, it may.
fn assert_shareable<T: Send + Sync + Clone + std::fmt::Debug + 'static>() {}

#[test]
fn a_world_can_be_sent_shared_copied_and_printed() {
    assert_shareable::<World>();
    assert_shareable::<QueryFilter>();
}

/// A heap of solids over ground, some of them on the way down.
fn heap(seed: u64, count: usize) -> (World, Vec<BodyId>) {
    let (mut w, mut r) = (World::new(), Rng(seed));
    plane(&mut w, Vec3::Y, Material::default());
    let bodies = (0..count)
        .map(|k| {
            let at = Vec3::new(r.range(-1.5, 1.5), 0.4 + 0.25 * k as f64, r.range(-1.5, 1.5));
            let rot = r.quat();
            solid(&mut w, random_shape(&mut r), Material::default(), Pose { pos: at, rot }).0
        })
        .collect();
    (w, bodies)
}

/// What all kinds of queries answer.
#[derive(Debug, PartialEq)]
struct Seen {
    rays: Vec<Vec<RayHit>>,
    casts: Vec<Option<ShapeHit>>,
    overlaps: Vec<usize>,
    nearest: Vec<Option<PointHit>>,
    contacts: usize,
    energy: Energy,
    rows: usize,
}

fn look(w: &World, seed: u64, count: usize) -> Seen {
    let (mut r, all) = (Rng(seed), QueryFilter::default());
    let mut seen = Seen {
        rays: Vec::new(),
        casts: Vec::new(),
        overlaps: Vec::new(),
        nearest: Vec::new(),
        contacts: w.predict_contacts(STEP).unwrap().len(),
        energy: w.energy().unwrap(),
        rows: w.size().unwrap().unknowns,
    };
    for _ in 0..count {
        let (from, way, at) = (r.vec(3.0) + 2.0 * Vec3::Y, r.vec(1.0), r.vec(2.0));
        seen.rays.push(w.cast_ray_all(from, way, 20.0, &all).unwrap());
        seen.casts.push(w.cast_shape(&Shape::ball(0.1), Pose::at(from), 5.0 * way, &all).unwrap());
        seen.overlaps.push(w.overlaps(&cube(0.3), Pose::at(at), &all).unwrap().len());
        seen.nearest.push(w.closest_point(at, 1.0, &all).unwrap());
    }
    seen
}

#[test]
fn queries_from_two_threads_at_once_agree_with_one_after_another() {
    let (mut w, _) = heap(7, 30);
    for round in 0..20 {
        // The first query after a step refreshes the boxes: the two threads meet there.
        w.step(STEP).unwrap();
        let (alone, shared) = (w.clone(), &w);
        let (a, b) = std::thread::scope(|s| {
            let a = s.spawn(move || look(shared, round, 20));
            let b = s.spawn(move || look(shared, round + 100, 20));
            (a.join().unwrap(), b.join().unwrap())
        });
        assert_eq!(a, look(&alone, round, 20), "round {round}");
        assert_eq!(b, look(&alone, round + 100, 20), "round {round}");
    }
}

#[test]
fn a_world_that_was_looked_at_takes_the_same_steps() {
    let (mut looked, _) = heap(3, 25);
    let mut left = looked.clone();
    for k in 0..60 {
        if k % 3 == 0 {
            look(&looked, k, 5);
            let copy = looked.clone();
            look(&copy, k, 2);
        }
        let (a, b) = (looked.step(STEP).unwrap(), left.step(STEP).unwrap());
        assert_eq!(looked.state().hash(), left.state().hash(), "step {k}");
        assert_eq!(a, b, "step {k}");
    }
}

#[test]
fn after_every_step_queries_see_what_a_new_world_would() {
    let (mut w, bodies) = heap(11, 20);
    let all = QueryFilter::default();
    for k in 0..30 {
        w.step(STEP).unwrap();
        // The same bodies at the same places, with boxes made anew.
        let mut anew = w.clone();
        let snapshot = anew.state().clone();
        anew.restore(&snapshot).unwrap();
        assert_eq!(look(&w, k, 10), look(&anew, k, 10), "step {k}");
        for &b in &bodies {
            let at = w.body(b).unwrap().position();
            let found = w.overlaps(&Shape::ball(0.01), Pose::at(at), &all).unwrap();
            assert!(found.contains(&w.colliders_of(b).unwrap()[0]), "step {k}: {b:?} is not where it is");
        }
    }
}

fn down(w: &World, x: f64) -> Option<RayHit> {
    w.cast_ray(Vec3::new(x, 10.0, 0.0), -Vec3::Y, 100.0, &QueryFilter::default()).unwrap()
}

#[test]
fn queries_see_moved_added_removed_and_restored_colliders_at_once() {
    let mut w = World::new();
    let floor = plane(&mut w, Vec3::Y, Material::default());
    let (b, c) = solid(&mut w, Shape::ball(0.5), Material::default(), Pose::at(Vec3::Y * 3.0));
    let height = |w: &World, x: f64| down(w, x).map(|h| (h.collider, (1e9 * h.point.y).round() / 1e9));
    assert_eq!(height(&w, 0.0), Some((c, 3.5)));
    // Moved before any step, and after one.
    w.set_pose(b, Pose::at(Vec3::new(2.0, 3.0, 0.0))).unwrap();
    assert_eq!((height(&w, 0.0), height(&w, 2.0)), (Some((floor, 0.0)), Some((c, 3.5))));
    w.step(STEP).unwrap();
    let snapshot = w.state().clone();
    let fallen = w.body(b).unwrap().position().y;
    assert!((down(&w, 2.0).unwrap().point.y - fallen - 0.5).abs() < 1e-12);
    w.set_pose(b, Pose::at(Vec3::new(-4.0, 1.0, 0.0))).unwrap();
    assert_eq!((height(&w, 2.0), height(&w, -4.0)), (Some((floor, 0.0)), Some((c, 1.5))));
    w.restore(&snapshot).unwrap();
    assert_eq!(height(&w, -4.0), Some((floor, 0.0)));
    assert!((down(&w, 2.0).unwrap().point.y - fallen - 0.5).abs() < 1e-12);
    // Added and removed, on the body and on the ground, with queries between.
    let hat = w.add(Collider::new(cube(0.1)).at(Vec3::Y * 2.0).on(b)).unwrap();
    assert_eq!(down(&w, 2.0).unwrap().collider, hat);
    w.remove(hat).unwrap();
    assert_eq!(down(&w, 2.0).unwrap().collider, c);
    w.remove(floor).unwrap();
    assert_eq!(down(&w, 5.0), None);
    w.remove(b).unwrap();
    assert_eq!(down(&w, 2.0), None);
}

#[test]
fn queries_see_kinematic_bodies_assembled_ones_and_those_of_a_failed_step() {
    let mut w = World::new();
    let lift = w.add(Body::kinematic().at(Vec3::Y)).unwrap();
    let plate = w.add(Collider::new(cube(0.5)).on(lift)).unwrap();
    let (b, c) = solid(&mut w, Shape::ball(0.5), Material::default(), Pose::at(Vec3::new(8.0, 2.0, 0.0)));
    w.set_target(lift, Pose { pos: Vec3::Y * 1.25, rot: Quat::IDENTITY }).unwrap();
    w.step(STEP).unwrap();
    let hit = down(&w, 0.0).unwrap();
    assert!(hit.collider == plate && (hit.point.y - 1.75).abs() < 1e-12, "{hit:?}");
    // A step that fails leaves the boxes of its start.
    w.set_velocity(b, Vec3::X * 1e308, Vec3::ZERO).unwrap();
    let before = w.state().clone();
    assert!(w.step(1e3).is_err() && *w.state() == before);
    assert_eq!(down(&w, 8.0).unwrap().collider, c);
    w.set_velocity(b, Vec3::ZERO, Vec3::ZERO).unwrap();
    // Assembly moves bodies without a step.
    let ends = [Vec3::new(8.0, 2.0, 0.0), Vec3::new(12.0, 2.0, 0.0)];
    w.add(Ball::between(b, w.ground()).ends(ends[0], ends[1])).unwrap();
    down(&w, 8.0);
    w.assemble(&Default::default()).unwrap();
    assert_eq!(down(&w, 8.0), None);
    assert_eq!(down(&w, 12.0).unwrap().collider, c);
}

#[test]
fn what_a_step_would_begin_with_is_what_it_begins_with() {
    let (mut w, _) = heap(5, 15);
    for _ in 0..40 {
        let expected = w.predict_contacts(STEP).unwrap();
        w.step(STEP).unwrap();
        for c in w.contacts() {
            let same =
                |p: &&taut::views::ContactView| (p.colliders, p.point, p.normal) == (c.colliders, c.point, c.normal);
            let found = expected.iter().find(same).unwrap_or_else(|| panic!("not predicted: {c:?}"));
            assert_eq!(found.distance, c.distance);
        }
    }
}

#[test]
fn size_without_a_layout_is_that_with_one() {
    let (mut w, _) = heap(9, 10);
    let temporary = w.size().unwrap();
    w.step(STEP).unwrap();
    let kept = w.size().unwrap();
    let structure = |s: &taut::reports::Size| (s.bodies, s.rows, s.unknowns, s.islands, s.fill_blocks, s.factor_values);
    assert_eq!(structure(&temporary), structure(&kept));
}
