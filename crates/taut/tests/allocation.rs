//! A step whose structure did not change allocates nothing.

mod common;
mod counting;

use common::{chain, four_bar, world};
use counting::{COUNT, allocations};
use taut::{Ball, BodyDef, Budget, Distance, Hinge, Options, Solver, Vec3};

#[test]
fn the_counter_counts() {
    COUNT.set(Some(1));
    drop(std::hint::black_box(vec![0_u8; 100]));
    assert_eq!(COUNT.replace(None), Some(2));
}

#[test]
fn a_chain_steps_without_allocation() {
    for (load, h) in [(0.0, 0.01), (1e3, 1.0 / 60.0), (1e6, 0.05)] {
        for hinges in [false, true] {
            let mut w = world(Options::default());
            let joint: &dyn taut::Joint = if hinges { &Hinge::default() } else { &Ball::default() };
            chain(&mut w, 100, Vec3::X, load, joint);
            assert_eq!(allocations(&mut w, 50, h), 0, "load {load}, hinges {hinges}");
        }
    }
}

#[test]
fn a_four_bar_steps_without_allocation() {
    let mut w = world(Options::default());
    four_bar(&mut w, 1.0);
    assert_eq!(allocations(&mut w, 200, 0.01), 0);
}

#[test]
fn the_structured_solver_steps_without_allocation() {
    for budget in [Budget::default(), Budget { gap: Some(1e-9), ..Budget::iterations(5) }] {
        let mut w = world(Options { solver: Solver::Structured(budget), ..Options::default() });
        four_bar(&mut w, 1.0);
        let (bodies, _) = chain(&mut w, 12, Vec3::X, 10.0, &Ball::default());
        let ground = w.ground();
        let end = w.body(bodies[12]).unwrap().pose.pos;
        common::join(&mut w, bodies[12], ground, &Ball::default(), end, Vec3::Z);
        // Memory of corrections is made when the first one is needed.
        (0..20).for_each(|_| drop(w.step(0.01).unwrap()));
        assert_eq!(allocations(&mut w, 100, 0.01), 0, "{budget:?}");
    }
}

#[test]
fn a_cable_of_particles_steps_without_allocation() {
    let mut w = world(Options::default());
    let mut last = w.ground();
    for k in 0..50 {
        let (from, at) = (Vec3::X * f64::from(k), Vec3::X * f64::from(k + 1));
        let b = w.add_body(BodyDef::particle(if k == 49 { 1e4 } else { 1.0 }).at(at)).unwrap();
        let frames = w.frames_between(b, last, at, from).unwrap();
        w.add_joint(b, last, &Distance::new(1.0), frames).unwrap();
        last = b;
    }
    assert_eq!(allocations(&mut w, 200, 0.01), 0);
}

#[test]
fn loads_targets_and_snapshots_of_the_same_structure_do_not_make_a_step_allocate() {
    let mut w = world(Options::default());
    let (bodies, _) = chain(&mut w, 10, Vec3::X, 100.0, &Ball::default());
    w.step(0.01).unwrap();
    let snapshot = w.state().clone();
    for _ in 0..5 {
        w.apply_force(bodies[3], Vec3::Y, Vec3::ZERO).unwrap();
        w.restore(&snapshot).unwrap();
        assert_eq!(allocations(&mut w, 20, 0.01), 0);
    }
}

#[test]
fn boxes_at_rest_and_asleep_step_without_allocation() {
    for sleep in [false, true] {
        let mut w = world(Options { sleep, ..Options::default() });
        w.add_collider(w.ground(), taut::Collider::new(taut::Shape::ground())).unwrap();
        for k in 0..5 {
            let half = Vec3::splat(0.1);
            let mass = taut::MassProperties::cuboid(1000.0, half).unwrap();
            let b = w.add_body(BodyDef::dynamic(mass).at(Vec3::Y * (0.1 + 0.2 * f64::from(k)))).unwrap();
            w.add_collider(b, taut::Collider::new(taut::Shape::cuboid(half))).unwrap();
        }
        for _ in 0..60 {
            w.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(w.sleeping(), if sleep { 5 } else { 0 });
        assert_eq!(allocations(&mut w, 50, 1.0 / 60.0), 0, "sleep {sleep}");
    }
}

#[test]
fn a_bouncing_and_sliding_box_steps_without_allocation() {
    let mut w = world(Options::default());
    let material = taut::Material::new(0.5, 0.6);
    w.add_collider(w.ground(), taut::Collider::new(taut::Shape::ground()).of(material)).unwrap();
    let half = Vec3::new(0.1, 0.2, 0.15);
    let mass = taut::MassProperties::cuboid(1000.0, half).unwrap();
    let def = BodyDef::dynamic(mass).at(Vec3::Y).moving(Vec3::X * 2.0, Vec3::new(1.0, 4.0, 2.0));
    let pose = def.pose;
    let b = w.add_body(def).unwrap();
    w.add_collider(b, taut::Collider::new(taut::Shape::cuboid(half)).of(material)).unwrap();
    // Memory grows to what the first throw needs; the second needs no more. Events are handed out in a list of their own.
    for counts in [false, true] {
        w.set_pose(b, pose).unwrap();
        w.set_velocity(b, Vec3::X * 2.0, Vec3::new(1.0, 4.0, 2.0)).unwrap();
        let mut lists = 0;
        COUNT.set(counts.then_some(0));
        for _ in 0..90 {
            lists += usize::from(!w.step(1.0 / 60.0).unwrap().events.is_empty());
        }
        let count = COUNT.replace(None);
        assert!(lists > 2);
        assert_eq!(count, counts.then_some(lists));
    }
}
