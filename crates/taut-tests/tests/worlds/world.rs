//! What the calls of a world mean: velocities, loads, targets, views and reports.

use crate::common::{Rng, ball, rod, weightless, world};
use taut::{Ball, Body, BodyId, Distance, Force, Hinge, Options, Planar, Pose, Quat, Softness, Spring, Vec3, World};

const G: f64 = 9.81;

/// A ball in free fall, and how far it must have fallen.
fn falling(options: Options) -> (World, BodyId) {
    let mut w = world(options);
    let b = w.add(Body::dynamic(ball(2.0, 0.1)).moving(Vec3::X, Vec3::Z)).unwrap();
    (w, b)
}

#[track_caller]
fn assert_fall(w: &World, b: BodyId, tolerance: f64, what: &str) {
    let t = w.time();
    let off = (w[b].pos - Vec3::new(t, -0.5 * G * t * t, 0.0)).length();
    assert!(off < tolerance, "{what}: off by {off} m after {t} s");
}

#[test]
fn steps_of_unequal_length_stay_on_the_parabola() {
    let (mut w, b) = falling(Options::default());
    let mut r = Rng(1);
    for _ in 0..200 {
        w.step(r.range(1e-3, 0.03)).unwrap();
        assert_fall(&w, b, 1e-10, "random steps");
    }
}

#[test]
fn setting_the_velocity_or_pose_a_body_already_has_does_not_change_its_fall() {
    for resolved in [false, true] {
        let h = 0.01;
        let (mut plain, b) = falling(Options { resolved, ..Options::default() });
        let (mut velocity, mut pose) = (plain.clone(), plain.clone());
        for _ in 0..100 {
            plain.step(h).unwrap();
            velocity.set_velocity(b, velocity[b].vel, velocity[b].omega).unwrap();
            velocity.step(h).unwrap();
            pose.set_pose(b, pose.pose(b).unwrap()).unwrap();
            pose.step(h).unwrap();
        }
        let fallen = |w: &World| w[b].pos.y;
        // Within a first-order slip of one step.
        for (name, w) in [("velocity", &velocity), ("pose", &pose)] {
            let (a, b) = (fallen(w), fallen(&plain));
            assert!((a - b).abs() < 2.0 * G * h, "resolved {resolved}, {name}: fell by {a} m instead of {b} m");
        }
    }
}

#[test]
fn touching_one_body_does_not_change_the_fall_of_another_on_the_same_spring() {
    let h = 0.01;
    let (mut w, b) = falling(Options::default());
    let other = w.add(Body::dynamic(ball(2.0, 0.1)).at(Vec3::Y).moving(Vec3::X, Vec3::Z)).unwrap();
    w.add(Spring::between(b, other).stiffness(1e-9)).unwrap();
    for _ in 0..100 {
        w.set_velocity(other, w[other].vel, w[other].omega).unwrap();
        w.step(h).unwrap();
    }
    assert_fall(&w, b, 2.0 * G * h, "the body that was not touched");
}

#[test]
fn a_force_applied_for_one_step_gives_its_whole_impulse() {
    for resolved in [false, true] {
        for warm_up in [0, 1, 5] {
            let mut w = world(Options { resolved, ..weightless() });
            let b = w.add(Body::dynamic(ball(2.0, 0.1))).unwrap();
            for _ in 0..warm_up {
                w.step(0.02).unwrap();
            }
            w.apply_force(b, Vec3::X * 10.0, Vec3::ZERO).unwrap();
            w.apply_torque(b, Vec3::Y * 0.01).unwrap();
            for _ in 0..3 {
                w.step(0.01).unwrap();
            }
            let v = w.body(b).unwrap();
            let what = format!("resolved {resolved}, after {warm_up} steps");
            assert!((v.velocity().x - 10.0 * 0.01 / 2.0).abs() < 1e-12, "{what}: {} m/s", v.velocity().x);
            let spin = 0.01 * 0.01 / (0.4 * 2.0 * 0.01);
            assert!((v.angular_velocity().y - spin).abs() < 1e-12, "{what}: {} rad/s", v.angular_velocity().y);
        }
    }
}

#[test]
fn forces_at_points_act_with_their_lever_arm() {
    // The same push as a load, as a force on the body, and as force and torque.
    let mut r = Rng(4);
    let (at, push) = (r.vec(0.5), r.vec(3.0));
    let pose = r.pose();
    let run = |load: &dyn Fn(&mut World, BodyId)| {
        let mut w = world(weightless());
        let b = w.add(Body::dynamic(rod(1.0, 1.0, 0.2)).at(pose.pos).rotated(pose.rot)).unwrap();
        w.step(0.01).unwrap();
        load(&mut w, b);
        w.step(0.01).unwrap();
        (w[b].vel, w[b].omega)
    };
    let a = run(&|w, b| w.apply_force(b, push, pose.to_world(at)).unwrap());
    let c = run(&|w, b| {
        w.add(Force::Point { body: b, point: at, force: push }).unwrap();
    });
    let d = run(&|w, b| {
        w.apply_force(b, push, pose.pos).unwrap();
        w.apply_torque(b, (pose.rot * at).cross(push)).unwrap();
    });
    for (name, x) in [("force on the body", c), ("force and torque", d)] {
        assert!((x.0 - a.0).length() < 1e-13 && (x.1 - a.1).length() < 1e-12, "{name}: {x:?} against {a:?}");
    }
}

#[test]
fn a_kinematic_body_reaches_its_target_and_takes_what_is_joined_to_it_along() {
    let mut w = world(Options::default());
    let motor = w.add(Body::kinematic().at(Vec3::X)).unwrap();
    let b = w.add(Body::dynamic(rod(1.0, 1.0, 0.1)).at(Vec3::X * 1.5)).unwrap();
    w.add(Hinge::between(b, motor).at(Vec3::X).axis(Vec3::Z)).unwrap();
    let mut r = Rng(9);
    for step in 0..100 {
        let now = w.pose(motor).unwrap();
        let turn = Quat::from_scaled_axis(r.vec(0.02));
        let target = Pose { pos: now.pos + r.vec(0.01), rot: (turn * now.rot).normalize() };
        w.set_target(motor, target).unwrap();
        let done = w.step(0.01).unwrap();
        let off = crate::common::pose_distance(&w.pose(motor).unwrap(), &target);
        assert!(off < 1e-13, "step {step}: off by {off:e}");
        assert!(done.max_gap < 1e-4 && done.max_angle < 1e-3, "step {step}: {done:?}");
    }
    // By velocity: at constant speed.
    let from = w[motor].pos;
    w.set_velocity(motor, Vec3::Y, Vec3::ZERO).unwrap();
    for _ in 0..50 {
        w.step(0.01).unwrap();
    }
    assert!((w[motor].pos - from - 0.5 * Vec3::Y).length() < 1e-12);
    // A fixed body never moves, whatever hangs on it.
    assert_eq!(w.pose(w.ground()), Ok(Pose::IDENTITY));
}

#[test]
fn a_particle_keeps_the_pose_it_was_given() {
    let turn = Quat::from_xyzw(0.6, 0.0, 0.0, 0.8);
    let mut w = world(weightless());
    let Ok(b) = w.add(Body::particle(1.0).at(Vec3::X).rotated(turn)) else {
        return; // refusing a rotation is as good
    };
    w.step(0.01).unwrap();
    assert_eq!(w.pose(b), Ok(Pose { pos: Vec3::X, rot: turn }));
}

#[test]
fn the_energy_of_a_soft_joint_is_that_of_its_spring_without_its_damper() {
    for (k, c) in [(500.0, 0.0), (500.0, 80.0)] {
        let mut w = world(Options::default());
        let b = w.add(Body::particle(1.0).at(Vec3::X)).unwrap();
        let joint = w.add(Distance::between(b, w.ground()).length(0.9).linear(Softness::spring(k, c))).unwrap();
        for step in 0..50 {
            w.step(0.001).unwrap();
            let v = w.joint(joint).unwrap();
            let expected = 0.5 * k * v.gap() * v.gap();
            assert!(
                (v.energy() - expected).abs() < 0.01 * expected,
                "c = {c} step {step}: {} J, not {expected}",
                v.energy()
            );
        }
    }
}

#[test]
fn the_give_of_a_stiff_plane_is_no_gap() {
    // 1e4 N on a compliance of 1e-7 m/N: one millimetre, for any choice of the joint's origin.
    for origin in [Vec3::ZERO, Vec3::new(0.3, 0.0, 0.0)] {
        let mut w = world(Options { resolved: false, ..weightless() });
        let puck = w.add(Body::dynamic(ball(1.0, 0.1))).unwrap();
        let plane = Planar::between(puck, w.ground()).at(origin).axis(Vec3::Y);
        let joint = w.add(plane.linear(Softness::compliance(1e-7))).unwrap();
        w.add(Force::Point { body: puck, point: Vec3::ZERO, force: Vec3::Y * 1e4 }).unwrap();
        let mut done = w.step(0.01).unwrap();
        for _ in 0..50 {
            done = w.step(0.01).unwrap();
        }
        let view = w.joint(joint).unwrap();
        assert!((view.gap() - 1e-3).abs() < 1e-9 && view.angle() < 1e-9, "origin {origin}: {view:?}");
        assert!(done.max_gap < 1e-9, "origin {origin}: gap {} m", done.max_gap);
        assert!(done.max_angle < 1e-9, "origin {origin}: angle {} rad", done.max_angle);
    }
}

#[test]
fn views_tell_names_kinds_and_bodies() {
    let mut w = world(Options::default());
    let b = w.add(Body::dynamic(ball(2.0, 0.1)).named("bob")).unwrap();
    let named = w.add(Ball::between(b, w.ground()).at(Vec3::X).named("pivot")).unwrap();
    let v = w.joint(named).unwrap();
    assert_eq!((v.kind(), v.name(), v.bodies(), v.is_redundant()), ("ball", "pivot", (b, w.ground()), false));
    assert_eq!((w.body(b).unwrap().name(), w.body(b).unwrap().mass()), ("bob", 2.0));
    assert_eq!(w.body(w.ground()).unwrap().name(), "ground");
    assert_eq!((w.bodies().next().unwrap().id(), w.bodies().count(), w.joints().count()), (w.ground(), 2, 1));
    // The rows of a spring are its own: no joint of the user.
    let (point_i, point_j) = (Vec3::ZERO, Vec3::Y);
    let s = Spring { i: b, j: w.ground(), point_i, point_j, stiffness: 10.0, damping: 0.0, rest_length: 0.5 };
    let id = w.add(s).unwrap();
    assert_eq!(w.joints().count(), 1);
    assert_eq!(w.force(id), Ok(Force::Spring(s)));
    assert_eq!(w.size().unwrap().rows, 4);
    w.remove(id).unwrap();
    assert_eq!(w.size().unwrap().rows, 3);
}
